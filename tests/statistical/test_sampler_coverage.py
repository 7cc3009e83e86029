"""The same promises through ``sample_sensitivity`` itself, each run with a seed of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from dpcore import L1, Bound, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle, Target
from dpcore.oracles import Exponential, Resample, Uniform
from dpcore.targets import Mean, Quantile
from tests.statistical.clopper_pearson import least_share

pytestmark = pytest.mark.statistical
RUNS = 1_000
GAMMA = 0.2


@dataclass(frozen=True)
class SumThatOverflows(Target):
    """A sum that fails on records from 2.5 on: of two Exponential(1) records one is there with probability 0.157."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([self.contribution(database, len(database)).sum()])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return np.where(records < 2.5, records, np.nan)[:, None]


def middle(database: Database, /) -> FloatArray:
    """Foreign code, sampled by plain calls."""
    return np.array([database[len(database) // 2] + 0.5 * database.max()])


CASES: dict[str, tuple[Target, Oracle, int]] = {
    "continuous": (Mean(), Exponential(rate=1.0), 5),
    "tied": (Mean(), Resample(np.array([0.0, 0.0, 1.0, 3.0])), 5),
    "partly infinite": (SumThatOverflows(), Exponential(rate=1.0), 1),
    "by pairs": (Quantile(0.5), Uniform(0, 1), 5),
    "by plain calls": (middle, Uniform(0, 1), 3),
}


def _drawn(case: str, point: OperatingPoint, *, runs: int, first_seed: int) -> FloatArray:
    """The distances of many runs, sorted: (runs, m)."""
    target, oracle, n = CASES[case]
    return np.array(
        [
            np.sort(sample_sensitivity(target, oracle, norm=L1, n=n, at=point, seed=first_seed + run).distances)
            for run in range(runs)
        ]
    )


def _fresh(case: str, number: int) -> FloatArray:
    """Distances of other pairs, drawn and measured by hand where that is easy, else by one long run."""
    target, oracle, n = CASES[case]
    if isinstance(target, Mean):
        swapped = oracle.draw(number, 2, rng=np.random.default_rng(99))
        return np.asarray(np.abs(swapped[:, 0] - swapped[:, 1]) / n)
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(number, 0.5), seed=10**6).distances


@pytest.mark.parametrize("case", CASES)
def test_under_rank_a_fresh_pair_is_missed_with_probability_gamma(case: str) -> None:
    """1,000 runs, m = 9, γ = 0.2: fails with probability under 1e-6; k − 1 (γ = 0.3) is convicted if nothing ties."""
    point = OperatingPoint.for_both(9, GAMMA)
    distances, fresh = _drawn(case, point, runs=RUNS, first_seed=0), _fresh(case, RUNS)
    assert least_share(int((fresh > distances[:, point.k - 1]).sum()), RUNS) <= GAMMA
    if case not in ("tied", "partly infinite"):
        assert least_share(int((fresh > distances[:, point.k - 2]).sum()), RUNS) > GAMMA


def test_under_tolerance_a_drawn_sensitivity_misses_too_much_in_at_most_a_share_of_runs() -> None:
    """1,000 runs of Mean under Exponential(1), where P(G > g) = exp(−ng): size 1e-6, and k − 1 is convicted."""
    point = OperatingPoint.for_both(14, GAMMA, bound=Bound.TOLERANCE, confidence=0.9)
    distances = _drawn("continuous", point, runs=RUNS, first_seed=50_000)
    missed = np.exp(-5 * distances)
    assert least_share(int((missed[:, point.k - 1] > GAMMA).sum()), RUNS) <= 0.1
    assert least_share(int((missed[:, point.k - 2] > GAMMA).sum()), RUNS) > 0.1
