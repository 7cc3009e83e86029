"""The noise of a release has its law, at its scale. It comes from the system's entropy, so the sizes are tiny."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import L1, L2, Adjacency, ApproxDP, GaussianMechanism, GlobalSensitivity, LaplaceMechanism, PureDP
from dpcore.base.arrays import Database, FloatArray
from dpcore.mechanisms.base import Calibrated

pytestmark = pytest.mark.statistical
SIZE = 1e-9
DATABASE = np.array([1.0, 2.0, 3.5])
WIDE, FEWER = 30_000, 20_000


def three(database: Database, /) -> FloatArray:
    return database


def wide(database: Database, /) -> FloatArray:
    return np.full(WIDE, 40.0)


def narrower(database: Database, /) -> FloatArray:
    return np.full(FEWER, 40.0)


def _laplace(target: object) -> Calibrated[PureDP]:
    assert callable(target)
    proved = GlobalSensitivity(target, 3.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return LaplaceMechanism().calibrate(proved, PureDP(2.0))


def _gaussian(target: object) -> Calibrated[ApproxDP]:
    assert callable(target)
    proved = GlobalSensitivity(target, 3.0, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return GaussianMechanism().calibrate(proved, ApproxDP(2.0, 1e-6))


def _size_of_laplace(noise: FloatArray, scale: float) -> float:
    """Two-sided p-value of Σ|x|/scale, which is Gamma(number)."""
    law = stats.gamma(noise.size)
    statistic = np.abs(noise).sum() / scale
    return float(2 * min(law.cdf(statistic), law.sf(statistic)))


def _size_of_gaussian(noise: FloatArray, scale: float) -> float:
    """Two-sided p-value of Σx²/scale², which is χ²(number)."""
    law = stats.chi2(noise.size)
    statistic = (noise**2).sum() / scale**2
    return float(2 * min(law.cdf(statistic), law.sf(statistic)))


def test_each_coordinate_of_a_laplace_release_has_noise_of_its_own() -> None:
    """1,000 releases of three numbers: size 1e-9 each. A scale 50 % off is 10 standard errors away, where 6.1 reject; the
    wide release below tells 20 %."""
    calibrated = _laplace(three)
    noise = np.array([calibrated.release(DATABASE).response for _ in range(1_000)]) - DATABASE
    for column in noise.T:
        assert stats.kstest(column, stats.laplace(scale=1.5).cdf).pvalue > SIZE
        assert _size_of_laplace(column, 1.5) > SIZE
        assert _size_of_laplace(column, 1.5 * 1.5) < SIZE
    correlations = np.corrcoef(noise.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 6.2 / np.sqrt(len(noise))  # P(|N(0, 1)| > 6.2) is 6e-10


def test_each_coordinate_of_a_gaussian_release_has_noise_of_its_own() -> None:
    """1,000 releases of three numbers: size 1e-9 each. A scale 50 % off is 12 standard errors away."""
    calibrated, scale = _gaussian(three), _gaussian(three).law.scale
    noise = np.array([calibrated.release(DATABASE).response for _ in range(1_000)]) - DATABASE
    for column in noise.T:
        assert stats.kstest(column, stats.norm(scale=scale).cdf).pvalue > SIZE
        assert _size_of_gaussian(column, scale) > SIZE
        assert _size_of_gaussian(column, 1.5 * scale) < SIZE
    correlations = np.corrcoef(noise.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 6.2 / np.sqrt(len(noise))


def test_the_whole_law_of_a_wide_laplace_release() -> None:
    """Kolmogorov–Smirnov on 30,000 numbers of one release: size 1e-9; 20 % off is 5.6/√n in distance, where 3.3/√n rejects."""
    noise = _laplace(wide).release(DATABASE).response - 40
    assert stats.kstest(noise, stats.laplace(scale=1.5).cdf).pvalue > SIZE
    for wrong in (1.5 * 1.2, 1.5 / 1.2):
        assert stats.kstest(noise, stats.laplace(scale=wrong).cdf).pvalue < SIZE
    assert stats.kstest(noise, stats.norm(scale=1.5 * 2**0.5).cdf).pvalue < SIZE


def test_the_whole_law_of_a_wide_gaussian_release() -> None:
    """Kolmogorov–Smirnov on 20,000 numbers of one release: size 1e-9; 20 % off is 5.6/√n in distance, where 3.3/√n rejects."""
    calibrated = _gaussian(narrower)
    noise, scale = calibrated.release(DATABASE).response - 40, calibrated.law.scale
    assert stats.kstest(noise, stats.norm(scale=scale).cdf).pvalue > SIZE
    for wrong in (scale * 1.2, scale / 1.2):
        assert stats.kstest(noise, stats.norm(scale=wrong).cdf).pvalue < SIZE
    assert stats.kstest(noise, stats.laplace(scale=scale / 2**0.5).cdf).pvalue < SIZE


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_simulated_responses_have_the_law_of_released_ones(kind: str) -> None:
    """60,000 responses of three numbers, seeded; size 1e-6 each, and a scale 10 % off is refused."""
    calibrated = _laplace(three) if kind == "laplace" else _gaussian(three)
    law = getattr(stats, "laplace" if kind == "laplace" else "norm")
    scale = calibrated.law.scale
    responses = calibrated.simulate(DATABASE, size=60_000, rng=np.random.default_rng(17))
    assert responses.shape == (60_000, 3)
    for column in (responses - DATABASE).T:
        assert stats.kstest(column, law(scale=scale).cdf).pvalue > 1e-6
        for wrong in (1.1 * scale, scale / 1.1):
            assert stats.kstest(column, law(scale=wrong).cdf).pvalue < 1e-6
