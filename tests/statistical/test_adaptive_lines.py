"""An adversary chooses the second line after the first response. Where more is missed than is certified, the ledger refuses.

400,000 pairs of one record each, Exponential(1), mean with Laplace noise: a share of 0.03 has a standard error of 0.0003, and
what is claimed is held to four of them. G = |x − x'| is Exponential(1) itself, so a drawn Δ̂ = G_(k) misses G where
1 − exp(−G) > U_(k), U_(k) ~ Beta(k, m−k+1), independent of all else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, LaplaceMechanism, Ledger, OperatingPoint, PureDP, sample_sensitivity
from dpcore.base.arrays import FloatArray
from dpcore.errors import SampledLaterError
from dpcore.ledger.accounting import Planned
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
    return LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(epsilon)).release(np.ones(1))


def _planned(point: OperatingPoint) -> Planned:
    return Planned(TARGET, ORACLE, L1, 1, point)


def _assert_refused(ledger: Ledger, *points: OperatingPoint) -> None:
    for point in points:
        with pytest.raises(SampledLaterError):
            ledger.foresee(_planned(point))
        with pytest.raises(SampledLaterError):
            ledger.add(_release(point, 1.0, seed=2))


def test_point_chosen_after_a_response_is_refused() -> None:
    """Mathematics, section 4.5: γ = .2 where the response is large, .001 where it is not."""
    pairs, first = Pairs(1), OperatingPoint.for_gamma(0.005)
    generous, strict = OperatingPoint.for_gamma(0.2), OperatingPoint.for_gamma(0.001)
    sensitivity, missed = pairs.drawn(first)
    large = pairs.responses(sensitivity, 20.0) > 3.5
    either = missed | np.where(large, pairs.drawn(generous)[1], pairs.drawn(strict)[1])
    certified = first.gamma + np.where(large, generous.gamma, strict.gamma).mean()
    assert either.mean() > 1.5 * certified  # so this adversary is one that an account by certified γ does not survive
    _assert_refused(Ledger().add(_release(first, 20.0)), generous, strict)


def test_draws_ended_until_they_are_small_are_refused() -> None:
    """So draws that were looked at take their place of the plan, and what is drawn after them is refused."""
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
    _assert_refused(ledger.add_draws(TARGET, ORACLE, norm=L1, n=1, at=point), point)
    unseen = ledger.add_draws(TARGET, ORACLE, norm=L1, n=1, at=point, looked=False)
    assert unseen.foresee(_planned(point)).gamma == 0.05


def test_adapted_m_counts_by_its_confidence_under_tolerance() -> None:
    fixed = {"bound": Bound.TOLERANCE, "confidence": 0.95}
    first = OperatingPoint.for_gamma(0.05, **fixed)
    many = OperatingPoint.for_both(100_000, 0.05, **fixed)
    pairs = Pairs(5)
    sensitivity, missed = pairs.drawn(first)
    unusual = pairs.responses(sensitivity, 20.0) > 3.0
    either = missed | np.where(unusual, pairs.drawn(many)[1], pairs.drawn(first)[1])
    averages = first.joint_gamma + np.where(unusual, many.joint_gamma, first.joint_gamma).mean()
    assert either.mean() > averages + _error(either.mean())
    line = Ledger().planned([_planned(first), _planned(many)]).add(_release(first, 20.0)).foresee(_planned(many))
    assert line.joint_gamma == pytest.approx(1 - 0.95 * 0.95, rel=1e-12)
    assert either.mean() < first.joint_gamma + line.joint_gamma
