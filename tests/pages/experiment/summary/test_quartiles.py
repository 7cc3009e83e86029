"""Quartiles of a column: intervals that hold and are as short as the count allows, and values that the sum makes nearer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from dpcore.base.types import FloatArray
from pages.experiment.summary import quartiles as of
from pages.experiment.summary.fitting import fitting, fitting_sum, middles_of
from pages.experiment.summary.noise import noise
from pages.experiment.summary.quartiles import QUARTERS, Quartile, quartiles

N, U = 1_000, 1.8
_RNG = np.random.default_rng(4)
SKEWED = np.clip(np.exp(_RNG.normal(-2, 0.7, N)), 0, 1)
MANY = np.where(_RNG.random(20_000) < 0.4, 0, _RNG.gamma(2, 0.12, 20_000).clip(0, 1))  # a heap at the end of a bar


def _simulated(values: FloatArray, bars: int, scale: float, size: int) -> Iterator[tuple[FloatArray, float, float]]:
    """Noisy bars, sum and count, each in its own unit."""
    rng = np.random.default_rng(9)
    true, away = np.histogram(values, bars, (0, 1))[0], float(np.sum(2 * values - 1))
    for _ in range(size):
        noisy = true + scale * rng.laplace(size=bars)
        yield noisy, away + scale / 0.8 * rng.laplace(), len(values) + scale / U * rng.laplace()


def _found(noisy: FloatArray, count: float, scale: float, fitted: FloatArray | None = None) -> tuple[Quartile | None, ...]:
    edges = np.linspace(0, 1, len(noisy) + 1)
    return quartiles(noisy, count, U, fitting(noisy, N) if fitted is None else fitted, scale, edges)


@pytest.mark.parametrize("bars", [5, 10, 25])
@pytest.mark.parametrize("q", QUARTERS)
def test_no_other_sum_of_bars_and_count_says_with_less_noise_where_a_quartile_lies(bars: int, q: float) -> None:
    """Gauss and Markov: the least variance is that of weighted least squares."""
    of_bars, _, of_count = noise(bars)
    drawn = of._beyond(of_bars, of_count / U, U, q)
    rows = np.vstack([np.eye(bars), np.full(bars, U)])
    covariance = 2 * np.linalg.inv(rows.T @ rows)
    for edge in range(bars + 1):
        asked = np.where(np.arange(bars) < edge, 1 - q, -q)
        assert drawn[:, edge].std() == pytest.approx(np.sqrt(asked @ covariance @ asked), rel=0.05)
    true = _RNG.dirichlet(np.ones(bars)) * 100  # and without noise it is what it says
    below = np.concatenate([[0], np.cumsum(true)])
    np.testing.assert_allclose(of._beyond(true[None], np.array([100.0]), U, q)[0], below - q * 100, atol=1e-9)


@pytest.mark.parametrize("bars", [5, 25])
def test_95_of_100_other_draws_of_the_noise_keep_within_what_an_interval_allows_at_each_edge(bars: int) -> None:
    fresh = np.random.default_rng(6).laplace(size=(40_000, bars + 1))
    for q in QUARTERS:
        drawn = np.abs(of._beyond(fresh[:, :-1], fresh[:, -1] / U, U, q))
        np.testing.assert_allclose((drawn <= of._far(bars, U, q)).mean(axis=0), 0.95, atol=0.013)


def test_an_interval_holds_in_95_of_100_releases_and_is_shorter_than_without_the_count() -> None:
    scale, size = 14.0, 300
    truth = np.quantile(SKEWED, QUARTERS)
    held, wide, held_of_more, wide_alone = [], [], [], []
    for noisy, _, count in _simulated(SKEWED, 40, scale, size):
        for found, into, width in (
            (_found(noisy, count, scale), held, wide),
            (_found(noisy, count, scale / 3), held_of_more, []),  # three times the noise that it is told of
            (quartiles(noisy, count, 1e-6, fitting(noisy, N), scale, np.linspace(0, 1, 41)), [], wide_alone),
        ):
            for one, true in zip(found, truth, strict=True):
                into.append(one is None or one.low <= true <= one.high)
                width.append(0.5 if one is None else one.high - one.low)
    assert np.mean(held) >= 0.95
    assert np.mean(held_of_more) < 0.9
    assert np.mean(wide) < 0.8 * np.mean(wide_alone)


@pytest.mark.parametrize(("values", "bars", "scale", "most"), [(SKEWED, 25, 5.0, 0.85), (MANY, 50, 2.4, 1.02)])
def test_the_sum_makes_values_nearer_and_a_bar_whose_values_lie_at_its_end_does_no_harm(
    values: FloatArray, bars: int, scale: float, most: float
) -> None:
    truth, n = np.quantile(values, QUARTERS), len(values)
    off: list[list[float]] = [[], []]
    for noisy, away, count in _simulated(values, bars, scale, 150):
        for into, fitted in zip(off, (fitting(noisy, n), fitting_sum(noisy, n, away, 0.8, scale)), strict=True):
            into += [one.value - true for one, true in zip(_found(noisy, count, scale, fitted), truth, strict=True) if one]
    without, using = (np.sqrt(np.mean(np.square(some))) for some in off)
    assert using / without < most


def test_a_quartile_between_two_heaps_is_told_as_their_middle_unless_its_interval_is_too_wide() -> None:
    bars = np.array([0.0, 0, 300, 200, 0, 0, 200, 300, 0, 0])
    found = _found(bars, N, 3.0)[1]
    assert found is not None
    assert found.value == pytest.approx(0.5, abs=1e-3)
    assert (found.low, found.high) == pytest.approx((0.3, 0.7))
    assert _found(bars, N, 100.0)[1] is None


def test_bars_that_the_noise_moved_far_apart_from_their_fit_give_numbers_all_the_same() -> None:
    noisy = np.tile([400.0, -395.0], 10)
    for one in _found(noisy, 100.0, 0.01, fitting_sum(noisy, 100.0, -90.0, 0.8, 0.01)):
        assert one is None or np.isfinite([one.value, one.low, one.high]).all()
    assert middles_of(2).tolist() == [-0.5, 0.5]
