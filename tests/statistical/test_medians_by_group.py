"""Quantiles by group: how far a replaced record moves all their scores together, and an audit of one that changes its group."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import PureDP, targets
from dpcore.audits.audit import audit
from dpcore.base.norms import ranges
from dpcore.mechanisms.exponential_by_group import ExponentialByGroup
from dpcore.mechanisms.noise import Selection
from tests.dpcore.grouped import ByGroup

pytestmark = pytest.mark.statistical
TWO = ("one", "other")


def _scores(q: float, points: int) -> ByGroup:
    return ByGroup(targets.QuantileScores(q, (0.0, 1.0), points=points), TWO, 4 * max(q, 1 - q))


def _largest_move(target: ByGroup, n: int, rng: np.random.Generator) -> float:
    """Over 4,000 tables of n records, in either group, in none or missing, one of which is replaced."""
    values, worst, norm = np.append(np.arange(5) / 4, np.nan), 0.0, ranges(2)
    for _ in range(4_000):
        table = np.stack([rng.choice(values, n), rng.integers(-1, 2, n).astype(float)], axis=1)
        other = table.copy()
        other[0] = rng.choice(values), rng.integers(-1, 2)
        worst = max(worst, float(norm(target(table) - target(other))))
    return worst


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.5, 0.9, 0.25, 0.99])
def test_a_replaced_record_moves_the_scores_of_all_groups_by_what_is_proved_and_no_less(q: float) -> None:
    """4·max(q, 1 − q) of mathematics, section 14.4; attained by records that change their group."""
    target, n = _scores(q, 5), 12
    assert _largest_move(target, n, np.random.default_rng(2)) <= target.reach * (1 + 1e-12)
    far = np.array([[1.0, 0.0], *[[0.25, 0.0], [0.5, 0.0], [0.25, 1.0], [0.5, 1.0]] * 150])
    first = far if q >= 0.5 else far * np.array([-1, 1]) + np.array([1, 0])
    second = first.copy()
    second[0, 1] = 1.0
    moved = float(ranges(2)(target(first) - target(second)))
    assert moved == pytest.approx(target.reach, rel=1e-9)


@pytest.mark.parametrize("selection", ["permute-and-flip", "gumbel"])
def test_an_audit_of_a_median_a_group_holds_at_epsilon_and_fails_at_half_the_noise(selection: Selection) -> None:
    """The larger of two records of one group becomes one of the other: there the places below the lesser record gain, a fifth of
    all, and here those beyond it, another fifth. 100,000 responses a side at ε = 1."""
    target = _scores(0.5, 401)
    first = target(np.array([[0.199, 0.0], [1.0, 0.0], [0.799, 1.0]]))
    second = target(np.array([[0.199, 0.0], [1.0, 1.0], [0.799, 1.0]]))
    assert ranges(2)(first - second) == target.reach == 2
    mechanism = ExponentialByGroup(2, selection=selection)
    proof = target.global_sensitivity(ranges(2), 3)
    assert proof is not None
    honest, loud = (mechanism.calibrate(proof, PureDP(epsilon)) for epsilon in (1.0, 2.0))
    sound = audit(honest, first, second, draws=100_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.5
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds
