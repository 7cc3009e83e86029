"""An oracle that knows the law of its differences gives the mean its true sensitivity CDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import Oracle
from dpcore.sampling.sampler import true_cdf
from dpcore.targets import Mean, Quantile


@dataclass(frozen=True)
class TwoSided(Oracle):
    """Records with density exp(−|x|/width)/(2·width)."""

    width: float
    independent_records: ClassVar[bool] = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return rng.laplace(scale=self.width, size=(databases, records))

    def difference_cdf(self, d: FloatArray, /) -> FloatArray:
        z = np.maximum(d, 0.0) / self.width
        return np.asarray(1 - (1 + z / 2) * np.exp(-z))


def test_mean_gets_true_cdf_of_difference_law() -> None:
    cdf = true_cdf(Mean(), TwoSided(2.0), L1, 10)
    assert cdf is not None
    distances = np.abs(np.diff(TwoSided(2.0).draw(20_000, 2, rng=np.random.default_rng(1)), axis=1)) / 10
    assert float(cdf(np.array(0.4))) == pytest.approx((distances <= 0.4).mean(), abs=0.015)


def test_nothing_is_known_of_clipped_mean_range_or_quantile() -> None:
    oracle = TwoSided(2.0)
    assert true_cdf(Mean((-9, 9)), oracle, L1, 10) is None  # it states no support
    assert true_cdf(Mean(), oracle, RANGE, 10) is None
    assert true_cdf(Quantile(0.5), oracle, L1, 10) is None
