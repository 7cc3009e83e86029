"""Draws for looking are never for a release, and references say what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, oracles, targets
from dpcore.errors import ExploredPointError, TooSlowError
from dpcore.operating_points import Bound
from dpcore.preview import (
    answer,
    calibrated,
    calibrated_worst_case,
    exploration,
    labels,
    reference,
    refuse_slow,
    simulated_answer,
)
from dpcore.scenario import Scenario
from dpcore.tables import Column, Table

ORACLE = oracles.Uniform(0, 10)
RECORDS = np.array([1.0, 2.0, 3.0, 4.0])
TABLE = Table("t", (Column("a", label="Apples", bounds=(0.0, 10.0)),), {"a": RECORDS}, public=True)


def _scenario(target: Any = None, **changes: Any) -> Scenario:
    fields: dict[str, Any] = {
        "table": "t", "columns": ("a",), "target": target or targets.Mean((0, 10)), "oracle": ORACLE, "norm": L1, "n": 4,
        "bound": Bound.RANK, "confidence": None, "m": 99, "gamma": 0.05, "epsilon": 1.0, "delta": None, "mechanism": Laplace(),
        "seed": 5,
    }  # fmt: skip
    return Scenario(**(fields | changes))


def test_explored_draws_are_refused_by_a_release() -> None:
    sample = exploration(_scenario(), ORACLE)
    with pytest.raises(ExploredPointError):
        calibrated(_scenario(), sample).release(RECORDS)


def test_gamma_and_the_bound_only_index_the_same_draws_anew() -> None:
    first = exploration(_scenario(), ORACLE)
    second = exploration(_scenario(gamma=0.2, bound=Bound.TOLERANCE, confidence=0.9), ORACLE)
    assert (first.distances == second.distances).all()


def test_draws_that_would_take_long_are_refused_with_the_m_that_would_not() -> None:
    with pytest.raises(TooSlowError) as caught:
        refuse_slow(targets.Quantile(0.5), 10**6, 100_000, 5.0)
    assert caught.value.seconds > 5
    refuse_slow(targets.Quantile(0.5), 10**6, caught.value.most_m, 5.0)


def test_a_reference_is_the_true_cdf_or_says_how_large_its_sample_is() -> None:
    known = reference(targets.Mean(), ORACLE, L1, 4)
    sampled = reference(targets.Quantile(0.5), ORACLE, L1, 4)
    assert known is not None
    assert sampled is not None
    assert known.name == "true CDF"
    assert sampled.name == "reference, 20,000"
    assert reference(targets.Quantile(0.5), ORACLE, L1, 10**6) is None


def test_the_worst_case_is_dp_proper_and_absent_without_bounds() -> None:
    noise = calibrated_worst_case(_scenario())
    assert noise is not None
    assert type(noise.guarantee).__name__ == "PureDP"
    assert noise.sensitivity.value == pytest.approx(2.5)
    assert calibrated_worst_case(_scenario(targets.Mean())) is None


def test_the_answer_is_the_tables_and_the_simulated_one_is_not() -> None:
    real, simulated = answer(_scenario(), TABLE), simulated_answer(_scenario(), ORACLE)
    assert (real.value.tolist(), real.simulated) == ([2.5], False)
    assert simulated.simulated
    assert simulated.value.tolist() != [2.5]
    assert simulated.value.tolist() == simulated_answer(_scenario(epsilon=2.0), ORACLE).value.tolist()


def test_every_number_of_an_answer_has_a_label() -> None:
    assert labels(_scenario(), TABLE) == ("Apples",)
    assert labels(_scenario(targets.Histogram(edges=(0, 5, 10))), TABLE) == ("0–5", "5–10")
    assert labels(_scenario(targets.Histogram(categories=("x", "y"))), TABLE) == ("x", "y")
