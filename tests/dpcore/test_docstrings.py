"""The examples in docstrings run and give what they say."""

from __future__ import annotations

import doctest
from types import ModuleType
from typing import Any

import pytest

from dpcore import curves, oracles
from dpcore.curves import kernels
from dpcore.ledger import accounting
from dpcore.mechanisms import base
from dpcore.oracles import columns, continuous, discrete, function, resampling, supervised, users
from dpcore.sampling import sampler


def test_the_ledgers_example() -> None:
    found = doctest.testmod(accounting, raise_on_error=False)
    assert found.attempted >= 5
    assert found.failed == 0


def test_the_samplers_example() -> None:
    found = doctest.testmod(sampler, raise_on_error=False)
    assert found.attempted >= 4
    assert found.failed == 0


def test_the_guessers_example() -> None:
    found = doctest.testmod(base, raise_on_error=False)
    assert found.attempted >= 4
    assert found.failed == 0


@pytest.mark.parametrize("module", [columns, continuous, discrete, function, kernels, resampling, supervised, users])
def test_examples_of_oracles_and_curves(module: ModuleType) -> None:
    found = doctest.testmod(module, raise_on_error=False)
    assert found.attempted >= 4
    assert found.failed == 0


@pytest.mark.parametrize("package", [oracles, curves])
def test_each_oracle_and_curve_has_an_example(package: Any) -> None:
    for name in package.__all__:
        doc = vars(package)[name].__doc__
        assert "Raises:\n" in doc, name
        assert "Example:\n        >>> " in doc, name
