"""Several questions at once: the coverage of random DP where parts move in step, apart and on disjoint records; what it saves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Condition, Groups, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray, Oracle, Target

GAMMA, N, TEST = 0.05, 100, 200_000
POINT = OperatingPoint.for_both(999, GAMMA)
UNIFORM = oracles.Uniform(0, 1)


class Power:
    """The mean of a power of a number in [0, 1]: with other powers it moves in step."""

    def __init__(self, power: float) -> None:
        self.power = power

    def __call__(self, database: Any, /) -> FloatArray:
        return np.array([float((database**self.power).mean())])

    def contribution(self, records: Any, n: int, /) -> FloatArray:
        return np.asarray(records[:, None] ** self.power / n)


def _column(name: str) -> Target:
    return targets.On(targets.Sum((0.0, 1.0)), (name,))


IN_STEP = targets.Together(tuple(Power(power) for power in (0.8, 0.9, 1.0, 1.1, 1.2)), (1.0,) * 5)
COLUMNS = oracles.Product((UNIFORM,) * 5, tuple("abcde"))
APART = targets.Together(tuple(map(_column, "abcde")), (1.0, 2.0, 0.5, 1.0, 3.0))
WARDS = oracles.Product((UNIFORM, oracles.Categorical((0.25,) * 4, tuple("abcd"))), ("x", "ward"))
DISJOINT = targets.Together(
    tuple(targets.On(targets.Sum((0.0, 1.0)), ("x",), (Condition("ward", ward),)) for ward in "abcd"), (1.0,) * 4
)


def _distances(target: Target, oracle: Oracle, m: int, seed: int) -> FloatArray:
    return sample_sensitivity(target, oracle, norm=L1, n=N, at=OperatingPoint.for_sample_size(m), seed=seed).distances


@pytest.mark.parametrize(
    ("basket", "oracle"), [(IN_STEP, UNIFORM), (APART, COLUMNS), (DISJOINT, WARDS)], ids=["in step", "apart", "disjoint"]
)
def test_at_most_gamma_of_pairs_is_missed_by_all_questions_at_once(basket: Any, oracle: Oracle) -> None:
    """The mean over 60 samplings of the share of 200,000 pairs that move further: its law has mean (m+1−k)/(m+1) and at most
    that, so 3.5 standard errors above γ reject a share of γ + .004 with power .99."""
    tested = _distances(basket, oracle, TEST, 1)
    missed = []
    for seed in range(2, 62):
        found = sample_sensitivity(basket, oracle, norm=L1, n=N, at=POINT, seed=seed).sensitivity().value
        missed.append(float((tested > found).mean()))
    allowed = (POINT.m + 1 - POINT.k) / (POINT.m + 1)
    assert np.mean(missed) <= allowed + 3.5 * np.sqrt(allowed * (1 - allowed) / POINT.m / 60 + allowed / TEST)
    assert np.mean(missed) > 0.8 * allowed  # and it is no larger than it has to be


def test_parts_that_are_measured_on_draws_of_their_own_miss_three_times_as_many() -> None:
    """Why ``Together`` measures all on one pair: sums of independent distances hide that parts move in step."""
    tested = _distances(IN_STEP, UNIFORM, TEST, 1)
    own = np.sum([_distances(part, UNIFORM, 20_000, 10 + i) for i, part in enumerate(IN_STEP.parts)], axis=0)
    found = np.sort(own)[int(np.ceil((1 - GAMMA) * len(own)))]
    assert float((tested > found).mean()) > 0.14


def test_twelve_means_of_groups_need_a_fourth_of_the_noise_of_twelve_releases() -> None:
    """12 groups of about 600 uniform records, γ = .05, m = 4,000 (mathematics, section 19.1)."""
    wards = tuple("abcdefghijkl")
    oracle = oracles.Product((UNIFORM, oracles.Categorical((1 / 12,) * 12, wards)), ("x", "ward"))
    at = OperatingPoint.for_both(4_000, GAMMA)
    how: dict[str, Any] = {"norm": L1, "n": 7_200, "at": at}
    means = [targets.On(targets.KnownMean((0.0, 1.0)), ("x",), (Condition("ward", ward),)) for ward in wards]
    together = targets.Together(tuple(means), (1.0,) * 12)
    both = sample_sensitivity(together, oracle, seed=3, **how).sensitivity().value
    alone = [sample_sensitivity(one, oracle, seed=4 + i, **how).sensitivity().value for i, one in enumerate(means)]
    assert both <= sum(alone) / 4
    grouped = targets.Together((targets.On(targets.KnownMean((0.0, 1.0)), ("x",), by=Groups("ward", wards)),), (1.0,))
    assert sample_sensitivity(grouped, oracle, seed=3, **how).sensitivity().value == pytest.approx(both, rel=1e-12)
