"""The noise of a release has its law, at its scale. It comes from the system's entropy, so the sizes are tiny."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import L1, L2, Adjacency, ApproxDP, GaussianMechanism, GlobalSensitivity, LaplaceMechanism, PureDP
from dpcore.base.arrays import FloatArray

pytestmark = pytest.mark.statistical
SIZE = 1e-9
DATABASE = np.array([1.0, 2.0, 3.5])
KINDS = pytest.mark.parametrize("kind", ["laplace", "norm"])


def _calibrated(kind: str, numbers: int = 3) -> Any:
    norm, mechanism, privacy = (
        (L1, LaplaceMechanism(), PureDP(2.0)) if kind == "laplace" else (L2, GaussianMechanism(), ApproxDP(2.0, 1e-6))
    )
    target = lambda database: np.resize(database, numbers)  # noqa: E731
    proved: Any = GlobalSensitivity(target, 3.0, norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    made: Any = mechanism
    return made.calibrate(proved, privacy)


def _size(kind: str, noise: FloatArray, scale: float) -> float:
    """Two-sided p-value of Σ|x|/scale, which is Gamma(number), or of Σx²/scale², which is χ²(number)."""
    law, statistic = (
        (stats.gamma(noise.size), np.abs(noise / scale).sum())
        if kind == "laplace"
        else (stats.chi2(noise.size), ((noise / scale) ** 2).sum())
    )
    return float(2 * min(law.cdf(statistic), law.sf(statistic)))


@KINDS
def test_each_number_of_a_release_has_separate_noise(kind: str) -> None:
    """1,000 releases of three numbers: size 1e-9 each. A scale 50 % off is 10 standard errors away, where 6.1 reject."""
    calibrated = _calibrated(kind)
    noise = np.array([calibrated.release(DATABASE).response for _ in range(1_000)]) - DATABASE
    for column in noise.T:
        assert _size(kind, column, calibrated.law.scale) > SIZE
        assert _size(kind, column, 1.5 * calibrated.law.scale) < SIZE
    correlations = np.corrcoef(noise.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 6.2 / np.sqrt(len(noise))  # P(|N(0, 1)| > 6.2) is 6e-10


@KINDS
def test_wide_release_has_its_law_and_scale(kind: str) -> None:
    """20,000 numbers of one release: size 1e-9. A scale 10 % off is 14 standard errors away; so is another shape, by KS."""
    calibrated, law = _calibrated(kind, 20_000), getattr(stats, kind)
    scale, other = calibrated.law.scale, {"laplace": stats.norm(scale=2**0.5), "norm": stats.laplace(scale=2**-0.5)}[kind]
    noise = calibrated.release(DATABASE).response - np.resize(DATABASE, 20_000)
    assert stats.kstest(noise, law(scale=scale).cdf).pvalue > SIZE
    assert stats.kstest(noise / scale, other.cdf).pvalue < SIZE
    assert _size(kind, noise, scale) > SIZE
    for wrong in (1.1 * scale, scale / 1.1):
        assert _size(kind, noise, wrong) < SIZE


@KINDS
def test_simulated_responses_have_the_law_of_released_ones(kind: str) -> None:
    """60,000 responses of three numbers, seeded; size 1e-6 each, and a scale 10 % off is refused."""
    calibrated, law = _calibrated(kind), getattr(stats, kind)
    scale = calibrated.law.scale
    for column in (calibrated.simulate(DATABASE, size=60_000, rng=np.random.default_rng(17)) - DATABASE).T:
        assert stats.kstest(column, law(scale=scale).cdf).pvalue > 1e-6
        for wrong in (1.1 * scale, scale / 1.1):
            assert stats.kstest(column, law(scale=wrong).cdf).pvalue < 1e-6
