"""Draws for looking are never for a release, and what is proved is known before it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, oracles, targets
from dpcore.errors import ExploredPointError, TooSlowError
from dpcore.guarantees.operating_points import Bound
from pages.experiment.cost import QUICK, refuse_slow, seconds
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from pages.old.experiment import preview
from pages.old.experiment.preview import (
    answer,
    calibrated,
    calibrated_worst_case,
    exploration,
    nearly_free,
    simulated_answer,
)

ORACLE = oracles.Uniform(0, 10)
RECORDS = np.array([1.0, 2.0, 3.0, 4.0])
TABLE = Table("t", (Column("a", label="Apples", bounds=(0.0, 10.0)),), {"a": RECORDS}, public=True)


def _scenario(target: Any = None, **changes: Any) -> Scenario:
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": target or targets.Mean((0, 10)),
        "oracle": ORACLE,
        "norm": L1,
        "n": 4,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 99,
        "gamma": 0.05,
        "epsilon": 1.0,
        "delta": None,
        "mechanism": Laplace(),
        "seed": 5,
    }
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
        refuse_slow(100_000, seconds(targets.Quantile(0.5), 10**6, 1), 5.0)
    assert caught.value.seconds > 5
    refuse_slow(caught.value.most_m, seconds(targets.Quantile(0.5), 10**6, 1), 5.0)
    refuse_slow(100_000, seconds(targets.Quantile(0.5), 10**6, 1, ORACLE), 5.0)  # under this oracle it is drawn directly
    assert seconds(targets.Quantile(0.5), 10**9, 100_000, ORACLE) <= QUICK
    assert seconds(targets.Quantile(0.5), 10**6, 100_000, oracles.NormalMixture((0.5, 0.5), (0, 1), (1, 2))) > QUICK
    assert seconds(targets.Variance(), 10**6, 100_000, ORACLE) > QUICK


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


def test_the_stronger_guarantee_is_nearly_free_up_to_one_fifth_more_noise() -> None:
    worst = targets.Mean((0, 10)).global_sensitivity(L1, 4)
    assert worst is not None
    edge = worst.value / 1.2
    assert nearly_free(worst, math.nextafter(edge, math.inf))
    assert not nearly_free(worst, edge * (1 - 1e-9))
    assert nearly_free(worst, worst.value)
    assert nearly_free(worst, math.inf)
    assert not nearly_free(worst, 0.0)
    assert not nearly_free(worst, math.nan)
    assert not nearly_free(None, 1.0)


def test_a_histogram_costs_no_more_under_differential_privacy_proper_and_a_mean_of_exponentials_does() -> None:
    """The values of issue and paper: 2/n twice for a histogram; 20/n against about log(20)/n for a mean."""
    shares = _scenario(targets.Histogram(edges=(0.0, 5.0, 10.0)))
    sampled = calibrated(shares, exploration(shares, ORACLE)).sensitivity.value
    assert nearly_free(preview.worst_case(shares), sampled)
    mean = _scenario(targets.Mean((0, 20)), oracle=oracles.Exponential(1.0))
    sampled = calibrated(mean, exploration(mean, oracles.Exponential(1.0))).sensitivity.value
    assert not nearly_free(preview.worst_case(mean), sampled)
