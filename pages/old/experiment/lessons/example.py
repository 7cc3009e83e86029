"""What most lessons are about: the mean of 500 times to default (Example 6 of Rubinstein & Aldà 2017), at its fixed seed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, final

import numpy as np

from dpcore.audits.audit import random_pairs
from dpcore.audits.closed_forms import true_cdf
from dpcore.base.norms import L1
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms.laplace import Laplace
from dpcore.oracles.exponential import Exponential
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from dpcore.targets.mean import Mean


@final
@dataclass(frozen=True, kw_only=True)
class Example:
    """The example, in plain dpcore."""

    target: Mean = field(default_factory=Mean)
    oracle: Exponential = field(default_factory=lambda: Exponential(1.0))
    n: int = 500
    m: int = 199
    gamma: float = 0.05
    epsilon: float = 1.0

    def but(self, **changes: Any) -> Example:
        """The same with changes."""
        return replace(self, **changes)

    def limited(self, most: float) -> Example:
        """With times cut off at so many years: then there is a worst case."""
        return self.but(target=Mean((0.0, most)))

    @property
    def point(self) -> OperatingPoint:
        """Its operating point."""
        return OperatingPoint.for_both(self.m, self.gamma)

    @property
    def privacy(self) -> PureDP:
        """What its noise gives where the worst case is proved."""
        return PureDP(self.epsilon)

    def sample(self) -> SensitivitySample[Any]:
        """Its trials, which are looked at: no release is made of them."""
        drawn = sample_sensitivity(self.target, self.oracle, norm=L1, n=self.n, at=self.point, seed=1)
        return replace(drawn, explored=True)

    def law(self) -> Any:
        """Of the noise that is sized to the sampled sensitivity."""
        return Laplace().calibrate(self.sample().sensitivity(), self.privacy).law

    def proved(self) -> Any:
        """The mechanism with noise that is sized to the worst case."""
        proved = self.target.global_sensitivity(L1, self.n)
        assert proved is not None, "times that are cut off have a worst case"
        return Laplace().calibrate(proved, self.privacy)

    def pairs(self, count: int) -> list[tuple[Database, Database]]:
        """Neighbours, to be shown one by one."""
        rng = np.random.default_rng(14)
        return list(islice(random_pairs(self.oracle, self.n, count, Adjacency.REPLACE_ONE_RECORD, rng), count))

    def answer(self, database: Database) -> float:
        """The mean of a database."""
        return float(np.atleast_1d(self.target(database))[0])

    def true_cdf(self, at: FloatArray | float) -> FloatArray:
        """The true share of random changes that move the answer by no more, in closed form."""
        known = true_cdf(self.target, self.oracle, L1, self.n)
        assert known is not None, "the example has a closed form"
        return np.asarray(known(np.asarray(at, dtype=np.float64)), dtype=np.float64)
