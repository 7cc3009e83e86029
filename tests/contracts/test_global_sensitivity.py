"""A proved sensitivity is never exceeded by any neighbours found, and is reached where it is said to be tight."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, targets
from dpcore.norms import Norm
from dpcore.targets import Histogram, Mean, Proportion, Quantile, Variance
from dpcore.types import FloatArray, Target

NORMS: list[Norm] = [L1, L2, LINF, RANGE]
BOUNDS = [(0.0, 1.0), (-3.0, 5.0), (1e8, 1e8 + 1), (-1e-3, 0.2), (0.1, 0.7), (-1e6, 1e6)]
SIZES = [2, 3, 4, 5, 6]


def _corners(n: int, values: FloatArray) -> FloatArray:
    """Every extended database (.., n + 1) over a few values."""
    return np.array(list(product(values, repeat=n + 1)))


def _worst(target: Target, extended: FloatArray, norm: Norm) -> float:
    """The largest distance between the answers without the last record and without the last but one."""
    n = extended.shape[1] - 1
    distances = [
        float(norm(np.asarray(target(database[:n])) - np.asarray(target(np.delete(database, n - 1, axis=0)))))
        for database in extended
    ]
    return max(distances)


def _search(target: Target, low: float, high: float, n: int, norm: Norm) -> float:
    rng = np.random.default_rng(71)
    inside = low + (high - low) * rng.random((80, n + 1))
    near = np.where(rng.random((80, n + 1)) < 0.5, low, high) + (rng.random((80, n + 1)) - 0.5) * (high - low) * 1e-9
    beyond = low + (high - low) * rng.normal(0.5, 5, (40, n + 1))
    corners = _corners(n, np.array([low, high]))
    return max(_worst(target, databases, norm) for databases in (inside, np.clip(near, low, high), beyond, corners))


def _value(target: Target, norm: Norm, n: int) -> float | None:
    proved = target.global_sensitivity(norm, n) if hasattr(target, "global_sensitivity") else None
    if proved is None:
        return None
    assert (proved.target, proved.norm, proved.n) == (target, norm, n)
    assert len(proved.proof) > 20
    return float(proved.value)


def _assert_tight(target: Target, low: float, high: float, n: int, norm: Norm, share: float = 0.99) -> None:
    value, worst = _value(target, norm, n), _search(target, low, high, n, norm)
    if norm is RANGE and not isinstance(target, Histogram):
        assert value is None  # one number never moves against itself
        return
    assert value is not None
    assert share * value <= worst <= value


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("bounds", BOUNDS, ids=repr)
@pytest.mark.parametrize("norm", NORMS)
def test_mean(norm: Norm, bounds: tuple[float, float], n: int) -> None:
    _assert_tight(Mean(bounds=bounds), *bounds, n, norm)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("bounds", BOUNDS, ids=repr)
@pytest.mark.parametrize("ddof", [0, 1])
def test_variance(ddof: int, bounds: tuple[float, float], n: int) -> None:
    target = Variance(bounds=bounds, ddof=ddof)
    for norm in NORMS:
        _assert_tight(target, *bounds, n, norm)
    width = bounds[1] - bounds[0]
    expected = width**2 / n * (1 - 1 / n) if ddof == 0 else width**2 / n
    assert _value(target, L1, n) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("n", [1, *SIZES])
@pytest.mark.parametrize("bounds", BOUNDS, ids=repr)
@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 0.77, 1.0])
def test_quantile(q: float, bounds: tuple[float, float], n: int) -> None:
    for norm in NORMS:
        _assert_tight(Quantile(q, bounds=bounds), *bounds, n, norm)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "target",
    [
        Histogram(categories=(0.0, 1.0, 2.0)),
        Histogram(edges=(-0.5, 0.5, 1.5, 2.5)),
        Proportion(category=1.0),
        Proportion(interval=(1, 2)),
    ],
    ids=repr,
)
def test_histogram_and_proportion(target: Target, norm: Norm, n: int) -> None:
    value = _value(target, norm, n)
    worst = _worst(target, _corners(n, np.array([0.0, 1.0, 2.0])), norm)
    if isinstance(target, Proportion) and norm is RANGE:
        assert value is None
        assert worst == 0
    else:
        assert value is not None
        assert 0.99 * value <= worst <= value


@pytest.mark.parametrize("norm", NORMS)
def test_a_mean_of_several_columns(norm: Norm) -> None:
    bounds = ((0.0, 1.0), (-2.0, 5.0), (1e8, 1e8 + 3))
    lows, highs = np.array(bounds).T
    for n in SIZES:
        value = _value(Mean(bounds=bounds), norm, n)
        assert value is not None
        cube = lows + (highs - lows) * np.array(list(product((0, 1), repeat=3)))
        pairs = np.array(list(product(cube, repeat=2)))
        rng = np.random.default_rng(5)
        common = lows + (highs - lows) * rng.random((len(pairs), n - 1, 3))
        worst = _worst(Mean(bounds=bounds), np.concatenate([common, pairs], axis=1), norm)
        assert 0.99 * value <= worst <= value


@pytest.mark.parametrize("target", [Mean(), Variance(), Quantile(0.5), Mean(bounds=None)], ids=repr)
def test_without_bounds_there_is_none(target: Target) -> None:
    assert all(_value(target, norm, 5) is None for norm in NORMS)


@pytest.mark.parametrize(
    "target",
    [Mean(bounds=(0, 1)), Variance(bounds=(0, 1)), Variance(bounds=(0, 1), ddof=1), Quantile(0.3, bounds=(0, 1)),
     Histogram(categories=(0.0, 1.0)), Histogram(edges=(0.0, 0.5, 1.0)), Proportion(category=1.0), Proportion(interval=(0, 1))],
    ids=repr,
)  # fmt: skip
def test_a_target_with_a_proof_never_fails_on_any_number(target: Target) -> None:
    rng = np.random.default_rng(9)
    strange = np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, 0.5])
    for _ in range(300):
        database = rng.choice(strange, size=5)
        database.flags.writeable = False
        answer = np.asarray(target(database))
        assert np.isfinite(answer).all(), database
    assert np.isfinite(np.asarray(target(np.full(5, np.nan)))).all()


def test_every_target_with_a_proof_is_searched_here() -> None:
    proved = {name for name in targets.__all__ if hasattr(getattr(targets, name), "global_sensitivity")}
    assert proved == {"Histogram", "Mean", "Proportion", "Quantile", "Variance"}
