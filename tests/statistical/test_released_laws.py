"""Released Bernstein coefficients have the law of simulated ones. Releases take the system's entropy, so the sizes are tiny.

Laplace and Gaussian releases are compared in test_release_noise.py, selections in test_selection_laws.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import L1, Adjacency, Bernstein, GlobalSensitivity, PureDP
from dpcore.base.types import Database, FloatArray
from dpcore.targets import OnLattice

pytestmark = pytest.mark.statistical
SIZE = 1e-9
DATABASE = np.array([1.0, 2.0, 3.5])
LATTICE = 30_000


class Wave:
    """f(p) = Σ D·sin(9p)."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.asarray(database.sum() * np.sin(9 * points[:, 0]))


def _bernstein(degree: int, order: int) -> Any:
    target = OnLattice(Wave(), degree)
    known = GlobalSensitivity(target, 3.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return Bernstein(order=order).calibrate(known, PureDP(2.0))


@pytest.mark.slow
def test_released_coefficients_have_the_law_of_simulated_ones_and_of_laplace_noise() -> None:
    """Kolmogorov–Smirnov on the 30,000 coefficients of one release against 300,000 simulated: size 1e-9.

    A scale 20 % off is 6/√n away in distance, where 3.5/√n rejects: it is accepted with probability under 1e-6.
    """
    made = _bernstein(LATTICE - 1, 1)
    raw = made.raw_response(DATABASE)
    released = made.release(DATABASE).response.coefficients - raw
    simulated = (made.simulate(raw, size=10, rng=np.random.default_rng(5)) - raw).ravel()
    assert stats.ks_2samp(released, simulated, method="asymp").pvalue > SIZE
    assert stats.kstest(released, stats.laplace(scale=1.5).cdf).pvalue > SIZE
    for wrong in (1.2, 1 / 1.2):
        assert stats.ks_2samp(released, simulated * wrong, method="asymp").pvalue < SIZE
        assert stats.kstest(released, stats.laplace(scale=1.5 * wrong).cdf).pvalue < SIZE


@pytest.mark.slow
def test_released_coefficients_of_order_3_have_the_joint_law_of_simulated_ones() -> None:
    """3,000 releases of 4 coefficients against 100,000 simulated: Kolmogorov–Smirnov, mean size and each correlation.

    Size 1e-9 each. E|noise| has a relative standard error of at most 1/√3,000 = 1.8 %: 25 % off is 11 of them, where 6.1 reject.
    """
    made = _bernstein(3, 3)
    raw = made.raw_response(DATABASE)
    released = np.array([made.law.draw(raw).coefficients for _ in range(3_000)])  # what release does once the target answered
    simulated = made.simulate(raw, size=100_000, rng=np.random.default_rng(6))
    middle = made.law.polynomial(raw).coefficients
    for column, other in zip((released - middle).T, (simulated - middle).T, strict=True):
        assert stats.ks_2samp(column, other, method="asymp").pvalue > SIZE
        error = np.abs(column).std() / np.sqrt(len(column)) + np.abs(other).std() / np.sqrt(len(other))
        assert abs(np.abs(column).mean() - np.abs(other).mean()) < 6.1 * error
        for wrong in (1.25, 1 / 1.25):
            assert abs(np.abs(column).mean() - wrong * np.abs(other).mean()) > 6.1 * error
    pairs = np.triu_indices(4, 1)
    found, expected = np.corrcoef(released.T)[pairs], np.corrcoef(simulated.T)[pairs]
    assert np.abs(found - expected).max() < 12 / np.sqrt(3_000)  # heavier tails than normal: twice 6.1 standard errors
    assert np.abs(expected).max() > 24 / np.sqrt(3_000)  # so that independent coefficients would be refused
