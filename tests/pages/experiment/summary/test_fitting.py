"""The nearest bars that there can be, against solvers that know nothing of how they are found."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from dpcore.base.types import FloatArray
from pages.experiment.summary.fitting import fitting, fitting_sum, middles_of

RNG = np.random.default_rng(1)


def _solved(noisy: FloatArray, total: float, away: float, weight: float, scale: float) -> FloatArray:
    """By non-negative least squares, each row over its standard deviation, with a very exact total."""
    b = len(noisy)
    of_sum = np.sqrt(2 * scale**2 / weight**2 + 0.04 * np.sum((np.maximum(noisy, 0) / b) ** 2))
    of_bar = np.sqrt(2) * scale
    rows = np.vstack([np.eye(b) / of_bar, np.full(b, 1e3 / of_bar), middles_of(b) / of_sum])
    return np.asarray(nnls(rows, np.concatenate([noisy / of_bar, [total * 1e3 / of_bar, away / of_sum]]))[0])


def test_the_nearest_numbers_with_a_total_are_those_of_a_solver() -> None:
    for _ in range(20):
        noisy, total = RNG.normal(3, 10, 6), float(RNG.uniform(0, 40))
        found = fitting(noisy, total)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(total)
        for _ in range(50):  # no other point of the simplex is nearer
            other = RNG.dirichlet(np.ones(6)) * total
            assert np.sum((found - noisy) ** 2) <= np.sum((other - noisy) ** 2) + 1e-9


@pytest.mark.parametrize("bars", [20, 50])
@pytest.mark.parametrize("scale", [0.5, 8.0, 300.0])
def test_those_that_are_near_a_sum_too_are_those_of_a_solver(bars: int, scale: float) -> None:
    for _ in range(10):
        true = RNG.dirichlet(np.full(bars, 0.3)) * 1_000
        noisy = true + scale * RNG.laplace(size=bars)
        away = float(true @ middles_of(bars) + 2 * scale * RNG.laplace())
        found = fitting_sum(noisy, 1_000, away, 0.8, scale)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1_000)
        np.testing.assert_allclose(found, _solved(noisy, 1_000, away, 0.8, scale), atol=0.02)
        without = abs(fitting(noisy, 1_000) @ middles_of(bars) - away)
        assert abs(found @ middles_of(bars) - away) <= without + 1e-9


def test_without_noise_they_are_the_bars_whatever_the_values_do_within_them() -> None:
    true = RNG.dirichlet(np.ones(25)) * 500
    np.testing.assert_allclose(fitting_sum(true, 500, float(true @ middles_of(25)) + 15, 0.8, 1e-9), true, atol=1e-9)


def test_of_none_there_are_none() -> None:
    assert not fitting_sum(RNG.normal(0, 9, 20), 0.0, -30.0, 0.8, 9.0).any()
