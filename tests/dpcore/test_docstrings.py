"""The examples in docstrings run and give what they say."""

from __future__ import annotations

import doctest
from importlib import import_module
from typing import Any

import pytest

from dpcore import curves, oracles

MODULES = {
    "dpcore.base.polynomials": 1,
    "dpcore.ledger.accounting": 5,
    "dpcore.sampling.sampler": 4,
    "dpcore.audits.audit": 15,
    "dpcore.audits.block_error_prediction": 5,
    "dpcore.audits.hard_pairs": 2,
    "dpcore.audits.wrong_oracle": 8,
    "dpcore.targets.sample_and_aggregate": 6,
    "dpcore.targets.sql_query": 4,
    "dpcore.mechanisms.base": 15,
    "dpcore.mechanisms.bernstein": 4,
    "dpcore.mechanisms.exponential": 4,
    "dpcore.mechanisms.gaussian": 5,
    "dpcore.mechanisms.laplace": 7,
    "dpcore.mechanisms.response_law": 1,
    "dpcore.mechanisms.two_steps": 2,
    "dpcore.result_types.fits": 6,
    "dpcore.result_types.kind": 6,
    "dpcore.result_types.matrix": 5,
    "dpcore.result_types.numbers": 4,
    "dpcore.targets.counts": 6,
    "dpcore.targets.directions": 8,
    "dpcore.targets.linear_classifiers": 3,
    "dpcore.targets.linear_svm": 3,
    "dpcore.targets.moments": 6,
    "dpcore.targets.on_lattice": 4,
    "dpcore.targets.quantiles": 4,
    "dpcore.targets.query": 6,
    "dpcore.targets.regressions": 5,
    "dpcore.targets.scores": 6,
    "dpcore.targets.sums": 6,
    "dpcore.targets.user_limits": 12,
    "dpcore.curves.kernels": 9,
    "dpcore.oracles.columns": 14,
    "dpcore.oracles.continuous": 22,
    "dpcore.oracles.discrete": 9,
    "dpcore.oracles.function": 4,
    "dpcore.oracles.resampling": 8,
    "dpcore.oracles.supervised": 7,
    "dpcore.oracles.users": 9,
}


@pytest.mark.parametrize("module", MODULES)
def test_examples_give_what_they_say(module: str) -> None:
    results = doctest.testmod(import_module(module), raise_on_error=False)
    assert results.attempted >= MODULES[module]
    assert results.failed == 0


@pytest.mark.parametrize("package", [oracles, curves])
def test_each_oracle_and_curve_has_an_example(package: Any) -> None:
    for name in package.__all__:
        doc = vars(package)[name].__doc__
        assert "Raises:\n" in doc, name
        assert "Example:\n        >>> " in doc, name
