"""The example of most lessons: the mean of 500 times to default (Example 6 of Rubinstein and Aldà 2017), with a fixed seed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from dpcore import L1, Adjacency, LaplaceMechanism, OperatingPoint, PureDP, SensitivitySample, sample_sensitivity
from dpcore.audits.audit import random_pairs
from dpcore.base.arrays import FloatArray
from dpcore.guarantees.attacker import LaplaceNoise
from dpcore.oracles import Exponential
from dpcore.sampling.sampler import true_cdf
from dpcore.targets import Mean
from pages.experiment.examples import NAME
from pages.experiment.examples import example as example_of
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours

YEARS = "how far the mean moves (years)"  # title of an axis
RULER = "right guesses (%); 50% is chance"  # title of a ruler


@final
@dataclass(frozen=True, kw_only=True)
class Example:
    """The example, computed with dpcore.

    Args:
        target: The mean.
        oracle: The oracle.
        n: Number of rows.
        m: Number of sampled pairs.
        gamma: Share of random changes that may be unprotected.
        epsilon: Privacy loss.
    """

    target: Mean = field(default_factory=Mean)
    oracle: Exponential = field(default_factory=lambda: Exponential(1.0))
    n: int = 500
    m: int = 199
    gamma: float = 0.05
    epsilon: float = 1.0

    def limited(self, most: float) -> Example:
        """Return the example with times clipped at a number of years, so it has a worst case."""
        return replace(self, target=Mean((0.0, most)))

    @property
    def point(self) -> OperatingPoint:
        """Its operating point."""
        return OperatingPoint.for_both(self.m, self.gamma)

    def sample(self) -> SensitivitySample[Any]:
        """Return its sampled pairs. They are for looking only, so no release can use them."""
        drawn = sample_sensitivity(self.target, self.oracle, norm=L1, n=self.n, at=self.point, seed=1)
        return replace(drawn, explored=True)

    def noise(self) -> Any:
        """Return the noise calibrated to the sampled sensitivity."""
        return LaplaceMechanism().calibrate(self.sample().sensitivity(), PureDP(self.epsilon)).law

    def proved(self) -> Any:
        """Return the mechanism calibrated to the worst case."""
        worst = self.target.global_sensitivity(L1, self.n)
        assert worst is not None
        return LaplaceMechanism().calibrate(worst, PureDP(self.epsilon))

    def pairs(self, count: int) -> list[tuple[FloatArray, FloatArray]]:
        """Return neighbouring tables.

        Args:
            count: Number of pairs.
        """
        rng = np.random.default_rng(14)
        drawn = random_pairs(self.oracle, self.n, count, Adjacency.REPLACE_ONE_RECORD, rng)
        return [(np.asarray(one, dtype=float), np.asarray(other, dtype=float)) for one, other in drawn]

    def answer(self, database: FloatArray) -> float:
        """Return the mean of a table."""
        return float(np.atleast_1d(self.target(database))[0])

    def true_cdf(self, at: FloatArray | float) -> FloatArray:
        """Return the true share of random changes that move the mean by at most this far."""
        known = true_cdf(self.target, self.oracle, L1, self.n)
        assert known is not None
        return np.asarray(known(np.asarray(at, dtype=np.float64)), dtype=np.float64)

    def scenario(self) -> Scenario:
        """Return its scenario on Explore."""
        changed = {"target": self.target, "oracle": self.oracle, "n": self.n}
        return example_of(ours()[NAME]).with_(m=self.m, gamma=self.gamma, epsilon=self.epsilon, **changed)


def best_guess(law: Any, apart: FloatArray | float) -> FloatArray:
    """Return how often the best attacker is right, in percent, between tables whose answers differ by this much.

    Args:
        law: Laplace noise.
        apart: Distance of the answers.
    """
    return 100 * np.atleast_1d(LaplaceNoise(law.scale, exact=True).right(apart))


def most_right(epsilon: float) -> int:
    """Return the largest share of right guesses that ε allows, in percent, rounded up."""
    return math.ceil(100 / (1 + math.exp(-epsilon)))


def with_fewest_pairs() -> Example:
    """Return the example with the fewest sampled pairs that its γ allows."""
    return replace(Example(), m=OperatingPoint.for_gamma(Example().gamma).m)
