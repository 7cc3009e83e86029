"""The example of a change that is not covered: right at its edge by the target's own answers, and none where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.base.norms import L1
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms.laplace import Laplace
from pages.experiment.scenario import Scenario
from pages.files.tables import Column
from pages.old.experiment.changes import far_apart

N = 500


def _scenario(target: Any) -> Scenario:
    oracle = oracles.Exponential(rate=1.0)
    return Scenario("t", ("x",), target, oracle, L1, N, Bound.RANK, None, 19, 0.05, 1.0, None, Laplace(), 1)


@pytest.mark.parametrize("bounds", [None, (0.0, 20.0), (-3.0, 7.0)])
def test_just_beyond_it_the_answer_moves_by_more_and_just_before_it_by_less(bounds: tuple[float, float] | None) -> None:
    target, moved = targets.Mean(bounds), 0.00652
    apart = far_apart(_scenario(target), (Column("x", bounds=bounds),), moved)
    assert apart is not None
    assert apart == pytest.approx(N * moved)
    low = bounds[0] if bounds else 0.0
    table = np.full(N, low)
    for share, beyond in ((1.001, True), (0.999, False)):
        other = table.copy()
        other[3] += share * apart
        assert (abs(target(other) - target(table))[0] > moved) == beyond


@pytest.mark.parametrize(
    "target",
    [
        targets.Mean((0.0, 1.0)),
        targets.Quantile(0.5),
        targets.Variance((0.0, 9.0)),
        targets.Histogram(edges=(0.0, 5.0, 9.0)),
        targets.Proportion(interval=(0.0, 4.0)),
        lambda database: np.array([database[0]]),
    ],
    ids=["narrow", "quantile", "variance", "histogram", "proportion", "plain"],
)
def test_there_is_none_where_the_answer_does_not_follow_a_records_value(target: Any) -> None:
    """A mean between 0 and 1 has no two values that are further apart than its bounds."""
    bounds = target.bounds if isinstance(target, targets.Mean) else (0.0, 9.0)
    assert far_apart(_scenario(target), (Column("x", bounds=bounds),), 0.005) is None


def test_there_is_none_for_several_columns_or_for_text() -> None:
    scenario = _scenario(targets.Mean(((0.0, 9.0), (0.0, 9.0))))
    assert far_apart(scenario, (Column("x", bounds=(0.0, 9.0)), Column("y", bounds=(0.0, 9.0))), 0.005) is None
    assert far_apart(_scenario(targets.Mean()), (Column("x", role="text"),), 0.005) is None
