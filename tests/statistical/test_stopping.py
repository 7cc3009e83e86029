"""Stopping by looking: TIME_UNIFORM holds under the worst rule that there is, and TOLERANCE, which fixes m first, does not.

The worst rule stops at the first m where the drawn Δ̂ misses more than a γ of pairs, so its chance of doing so is the chance
that this happens at any m at all. No other rule, even one that looks ahead, exceeds it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dpcore import Bound, OperatingPoint
from dpcore.base.arrays import FloatArray
from tests.statistical.clopper_pearson import least_share

pytestmark = pytest.mark.statistical
RUNS, LONGEST = 4_000, 1_500
LOOKS = (88, 100, 115, 130, 150, 175, 200, 250, 300, 400, 600)


@cache
def _points(bound: Bound, gamma: float, confidence: float, longest: int) -> tuple[OperatingPoint, ...]:
    """The least k for each m from the first that certifies γ."""
    first = OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m
    return tuple(OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence) for m in range(first, longest + 1))


@cache
def _uniform() -> FloatArray:
    """Distances G that are uniform on [0, 1], so that Δ̂ = g misses a share 1 − g of pairs."""
    return np.random.default_rng(2_022).random((RUNS, LONGEST))


def _ever(points: tuple[OperatingPoint, ...], p: float, lower: int = 0) -> float:
    """The exact chance that #{G_i < q} reaches k − ``lower`` at some m, by its law among the runs that have not got there."""
    alive, reached = np.array([1.0]), 0.0
    orders = {point.m: point.k - lower for point in points}
    for m in range(1, points[-1].m + 1):
        alive = np.convolve(alive, [1 - p, p])
        if m in orders:
            reached += alive[orders[m] :].sum()
            alive[orders[m] :] = 0
    return float(reached)


@pytest.mark.parametrize(
    ("gamma", "confidence", "longest"), [(0.05, 0.95, LONGEST), (0.2, 0.8, 800), (0.01, 0.99, 1_500), (0.5, 0.5, 400)]
)
def test_the_exact_chance_of_ever_missing_too_much(gamma: float, confidence: float, longest: int) -> None:
    """One order less is convicted too, so k is about as low as it can be."""
    points = _points(Bound.TIME_UNIFORM, gamma, confidence, longest)
    doubt = 1 - confidence
    assert doubt / 3 < _ever(points, 1 - gamma) <= doubt
    assert _ever(points, 1 - gamma - 0.005) < _ever(points, 1 - gamma)  # ties under q help
    assert _ever(points, 1 - gamma, lower=1) > doubt
    fixed = _points(Bound.TOLERANCE, gamma, confidence, longest)
    assert _ever(fixed[-1:], 1 - gamma) <= doubt  # it holds where m is fixed
    assert _ever(fixed, 1 - gamma) > 1.9 * doubt


def _stopped_too_low(bound: Bound) -> int:
    """In how many runs the worst rule, which stops where more than 1 − γ of pairs lie above Δ̂, finds such an m."""
    points = _points(bound, 0.05, 0.95, LONGEST)
    first = points[0].m
    below = np.cumsum(_uniform() < 0.95, axis=1, dtype=np.int16)[:, first - 1 :]
    low = below >= np.array([point.k for point in points], dtype=np.int16)
    for run in np.flatnonzero(low.any(axis=1)):
        at = int(low[run].argmax())
        drawn = np.sort(_uniform()[run, : first + at])[points[at].k - 1]
        assert 1 - drawn > 0.05  # the event that is counted is the miss of the order statistic itself
    return int(low.any(axis=1).sum())


def test_the_worst_rule_among_simulated_runs() -> None:
    """4,000 runs of up to 1,500 draws, bounds of 1e-6: 3.7 % fail under TIME_UNIFORM, 26 % under TOLERANCE, of 5 %."""
    assert least_share(_stopped_too_low(Bound.TIME_UNIFORM), RUNS) <= 0.05
    assert least_share(_stopped_too_low(Bound.TOLERANCE), RUNS) > 0.2


def _drawn(bound: Bound, values: FloatArray) -> FloatArray:
    """Δ̂ of each run at each look."""
    points = [OperatingPoint.for_both(m, 0.05, bound=bound, confidence=0.95) for m in LOOKS]
    columns = [np.partition(values[:, : point.m], point.k - 1, axis=1)[:, point.k - 1] for point in points]
    return np.stack(columns, axis=1)


def test_it_holds_for_distances_that_tie_or_are_infinite() -> None:
    """1,000 runs: 0 on 94 % of pairs, 1 on 3 %, and +∞ on the pairs that failed, 3 %. Δ̂ = 0 would miss 6 %."""
    u = _uniform()[:1_000]
    drawn = _drawn(Bound.TIME_UNIFORM, np.where(u < 0.94, 0.0, np.where(u < 0.97, 1.0, np.inf))).min(axis=1)
    assert least_share(int((drawn == 0).sum()), len(u)) <= 0.05
    assert (drawn == 0).any()


def test_the_joint_gamma_holds_for_the_least_of_all_looks_where_that_of_a_fixed_m_does_not() -> None:
    """4,000 runs: the mean miss is 0.030, and 1 − k/(m+1) at the m taken 0.025; that is thirty deviations, and six convict."""
    points = [OperatingPoint.for_both(m, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.95) for m in LOOKS]
    drawn = _drawn(Bound.TIME_UNIFORM, _uniform())
    misses = 1 - drawn.min(axis=1)
    ranks = np.array([1 - point.k / (point.m + 1) for point in points])[drawn.argmin(axis=1)]
    deviation = np.sqrt((np.var(misses) + np.var(ranks)) / RUNS)
    assert misses.mean() - ranks.mean() > 6 * deviation
    assert misses.mean() + 6 * deviation <= points[0].joint_gamma
