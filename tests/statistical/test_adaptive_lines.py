"""An adversary chooses the second line after the first response: the share of pairs that either misses stays under the claim.

400,000 pairs of one record each, Exponential(1), mean with Laplace noise: a share of 0.03 has a standard error of 0.0003, and
what is claimed is held to four of them. G = |x − x'| is Exponential(1) itself, so a drawn Δ̂ = G_(k) misses G where
1 − exp(−G) > U_(k), U_(k) ~ Beta(k, m−k+1), independent of all else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, Laplace, Ledger, OperatingPoint, PureDP, RandomDP, sample_sensitivity
from dpcore.base.types import FloatArray
from dpcore.ledger.accounting import Line, Planned, Standing
from dpcore.oracles import Exponential
from dpcore.targets import Mean

pytestmark = pytest.mark.statistical

PAIRS = 400_000
TARGET, ORACLE = Mean(), Exponential(1.0)
Mask = np.ndarray[Any, np.dtype[np.bool_]]


class Pairs:
    """Pairs (x, x') of databases of one record, and what a point's fresh draws miss of them."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.x, other = self.rng.exponential(size=(2, PAIRS))
        self.level = -np.expm1(-np.abs(self.x - other))  # Φ(G), uniform

    def drawn(self, point: OperatingPoint) -> tuple[FloatArray, Mask]:
        """Δ̂ of draws that are fresh for each pair, and the pairs that it misses."""
        reached = self.rng.beta(point.k, point.m - point.k + 1, PAIRS)
        return -np.log1p(-reached), self.level > reached

    def responses(self, sensitivity: FloatArray, epsilon: float) -> FloatArray:
        return np.asarray(self.x + sensitivity / epsilon * self.rng.laplace(size=PAIRS))


def _error(share: float) -> float:
    return 4 * float(np.sqrt(share * (1 - share) / PAIRS))


def _release(point: OperatingPoint, epsilon: float, seed: int = 1) -> Any:
    sample = sample_sensitivity(TARGET, ORACLE, norm=L1, n=1, at=point, seed=seed)
    return Laplace().calibrate(sample.sensitivity(), PureDP(epsilon)).release(np.ones(1))


def _second(first: OperatingPoint, epsilon: float, second: OperatingPoint, *plan: OperatingPoint) -> Line:
    """The second line as the ledger would have it, after a first one."""
    ledger = Ledger().planned(_planned(point) for point in plan).add(_release(first, epsilon))
    return ledger.foresee(_planned(second))


def _planned(point: OperatingPoint) -> Planned:
    return Planned(TARGET, ORACLE, L1, 1, point)


def test_a_second_point_after_a_telling_response_misses_more_than_both_certify_and_the_ledger_promises_nothing() -> None:
    """Mathematics, section 4.5: γ = .2 where the response is large, .001 where it is not."""
    pairs, first = Pairs(1), OperatingPoint.for_gamma(0.005)
    generous, strict = OperatingPoint.for_gamma(0.2), OperatingPoint.for_gamma(0.001)
    sensitivity, missed = pairs.drawn(first)
    large = pairs.responses(sensitivity, 20.0) > 3.5
    either = missed | np.where(large, pairs.drawn(generous)[1], pairs.drawn(strict)[1])
    certified = first.gamma + np.where(large, generous.gamma, strict.gamma).mean()
    assert either.mean() > 1.5 * certified  # so this adversary is one that an account by certified γ does not survive
    for second in (generous, strict):
        line = _second(first, 20.0, second)
        assert (line.standing, line.guarantee) == (Standing.NONE, None)


def test_whether_the_same_point_is_drawn_again_can_hang_on_the_response_too() -> None:
    """Only where a repetition tells more: at records for which half of all draws miss. A plan charges it from the start."""
    pairs, point = Pairs(2), OperatingPoint.for_gamma(0.05)
    sensitivity, missed = pairs.drawn(OperatingPoint.for_gamma(0.05))
    response = pairs.responses(sensitivity, 20.0)
    again = (response > 3.3) & (response < 4.8)
    either = missed | (again & pairs.drawn(point)[1])
    assert either.mean() > 0.05 * (1 + again.mean()) + _error(either.mean()) / 4  # γ for each drawn line is not enough
    ledger = Ledger().planned([_planned(point)] * 2).add(_release(point, 20.0))
    claimed = ledger.total()
    assert isinstance(claimed, RandomDP)
    assert either.mean() + _error(either.mean()) < claimed.gamma == 0.1
    assert _second(point, 20.0, point).guarantee is None


@pytest.mark.parametrize("threshold", [-1.0, 0.5, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0])
def test_the_larger_gamma_of_a_sum_over_independent_records_is_kept(threshold: float, epsilon: float) -> None:
    pairs, point = Pairs(int(100 * epsilon + 10 * threshold) + 3_000), OperatingPoint.for_gamma(0.05)
    line = _second(point, epsilon, point)
    assert line.standing is Standing.LARGER
    sensitivity, missed = pairs.drawn(point)
    asked = pairs.responses(sensitivity, epsilon) > threshold
    second = asked & pairs.drawn(point)[1]
    # the line's own promise, where it was made at all: exp(ε)·γ₂ of the tables that led to it, and the first line's γ
    assert second.mean() - _error(second.mean()) < np.exp(epsilon) * 0.05 * asked.mean() + 0.05
    assert (missed | second).mean() - _error(0.1) < 0.05 + line.gamma * asked.mean()
    assert np.exp(epsilon) * 0.05 + 0.05 <= line.gamma < (np.exp(epsilon) * 0.05 + 0.05) * 1.01


def test_where_the_first_response_tells_much_the_larger_gamma_is_needed() -> None:
    """At ε = 1.5 and a second point that is only taken for large responses, γ₂ alone is passed, the larger one is not."""
    pairs, point = Pairs(4), OperatingPoint.for_gamma(0.2)
    sensitivity, _ = pairs.drawn(point)
    asked = pairs.responses(sensitivity, 1.5) > 5.0
    share = pairs.drawn(point)[1][asked].mean()
    assert share > 0.2 + 4 * np.sqrt(0.2 * 0.8 / asked.sum())
    assert share < np.exp(1.5) * 0.2 + 0.2


def test_draws_that_are_ended_until_they_are_small_after_a_telling_response_miss_more_than_a_gamma_each() -> None:
    """So draws that were looked at take their place of the plan, and what is drawn after them has no guarantee."""
    pairs, point, first = Pairs(6), OperatingPoint.for_gamma(0.05), OperatingPoint.for_gamma(0.001)
    sensitivity, missed = pairs.drawn(first)
    unusual = pairs.responses(sensitivity, 20.0) > 2.2
    reached, ended = pairs.rng.beta(point.k, point.m - point.k + 1, PAIRS), np.zeros(PAIRS)
    for _ in range(5):
        again = unusual & (reached > 0.93)
        ended += again
        reached = np.where(again, pairs.rng.beta(point.k, point.m - point.k + 1, PAIRS), reached)
    either = missed | (pairs.level > reached)
    assert either.mean() - _error(either.mean()) > first.gamma + 0.05 * (1 + ended.mean())
    ledger = Ledger().planned([_planned(first), _planned(point)]).add(_release(first, 20.0))
    looked = ledger.add_draws(TARGET, ORACLE, norm=L1, n=1, at=point)
    assert looked.foresee(_planned(point)).guarantee is None
    unseen = ledger.add_draws(TARGET, ORACLE, norm=L1, n=1, at=point, looked=False)
    assert unseen.foresee(_planned(point)).standing is Standing.FIXED


def test_under_tolerance_an_adapted_m_counts_by_the_confidence_and_not_by_its_own_average() -> None:
    fixed = {"bound": Bound.TOLERANCE, "confidence": 0.95}
    first = OperatingPoint.for_gamma(0.05, **fixed)
    many = OperatingPoint.for_both(100_000, 0.05, **fixed)
    pairs = Pairs(5)
    sensitivity, missed = pairs.drawn(first)
    unusual = pairs.responses(sensitivity, 20.0) > 3.0
    either = missed | np.where(unusual, pairs.drawn(many)[1], pairs.drawn(first)[1])
    averages = first.joint_gamma + np.where(unusual, many.joint_gamma, first.joint_gamma).mean()
    assert either.mean() > averages + _error(either.mean())
    line = _second(first, 20.0, many, first, many)
    assert (line.standing, line.joint_gamma) == (Standing.FIXED, pytest.approx(1 - 0.95 * 0.95, rel=1e-12))
    assert either.mean() < first.joint_gamma + line.joint_gamma
