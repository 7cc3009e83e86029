"""Regression from sums: least squares without noise, a line from any noise, and a worst case that is attained."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.targets import SufficientStatistics
from tests.dpcore.targets.climbed import climbed

UNIT = (-1.0, 1.0)


def _of(dims: int) -> SufficientStatistics:
    return SufficientStatistics((UNIT,) * dims, UNIT)


def _table(n: int, dims: int, seed: int = 3) -> FloatArray:
    return np.random.default_rng(seed).uniform(-1, 1, (n, dims + 1))


@pytest.mark.parametrize("dims", [1, 2, 5])
def test_the_numbers_are_means_of_products(dims: int) -> None:
    table = _table(40, dims)
    z = np.column_stack([table[:, :-1], np.ones(40)])
    square, products = z.T @ z / 40, z.T @ table[:, -1] / 40
    expected = np.concatenate([square[np.triu_indices(dims + 1)][:-1], products])
    assert _of(dims)(table) == pytest.approx(expected, abs=1e-14)
    assert len(expected) == _of(dims).numbers == (dims**2 + 5 * dims + 2) / 2


@pytest.mark.parametrize("dims", [1, 2, 5])
def test_without_noise_the_line_is_that_of_least_squares(dims: int) -> None:
    table = _table(40, dims)
    expected = np.linalg.lstsq(np.column_stack([table[:, :-1], np.ones(40)]), table[:, -1])[0]
    assert _of(dims).coefficients(_of(dims)(table)[None], 0.0)[0] == pytest.approx(expected, rel=1e-9)


def test_of_lines_that_fit_equally_well_it_is_the_flattest() -> None:
    table = _table(40, 3)
    table[:, 1] = table[:, 0]  # columns that tell the same, and a constant one
    table[:, 2] = 0.5
    expected = np.linalg.lstsq(np.column_stack([table[:, :-1], np.ones(40)]), table[:, -1])[0]
    assert _of(3).coefficients(_of(3)(table)[None], 0.0)[0] == pytest.approx(expected, rel=1e-6)


def test_noise_gives_a_line_by_the_stated_arithmetic() -> None:
    target, rng = _of(2), np.random.default_rng(5)
    for scale in (1e-3, 0.3, 40.0):
        noisy = target(_table(40, 2)) + scale * rng.laplace(size=(50, target.numbers))
        found = target.coefficients(noisy, scale)
        assert np.isfinite(found).all()
        for numbers, line in zip(noisy, found, strict=True):
            a, b, c, d, e, f, g, h = numbers
            values, vectors = np.linalg.eigh(np.array([[a, b, c], [b, d, e], [c, e, 1.0]]))
            positive = vectors @ np.diag(np.maximum(values, 0) + 2 * np.sqrt(3) * scale) @ vectors.T
            assert line == pytest.approx(np.linalg.solve(positive, np.array([f, g, h])), rel=1e-6)


@pytest.mark.parametrize("dims", [1, 2, 3, 5])
@pytest.mark.parametrize(("norm", "power"), [(L1, 0.99), (L2, 0.99), (LINF, 0.99), (RANGE, 0.99)], ids=repr)
def test_no_pair_is_further_apart_than_proved_and_some_pair_nearly_is(norm: Norm, power: float, dims: int) -> None:
    proved = _of(dims).global_sensitivity(norm, 1)
    assert proved is not None
    worst = max(climbed(_of(dims), dims + 1, norm, seed) for seed in range(2))
    assert power * proved.value < worst <= proved.value


@pytest.mark.parametrize("dims", [1, 2, 5, 20])
def test_the_worst_pair_is_known(dims: int) -> None:
    common = _table(99, dims)
    corner, middle = np.ones(dims + 1), np.append(np.zeros(dims), -1.0)
    first, second = (_of(dims)(np.vstack([common, one])) for one in (corner, middle))
    proved = _of(dims).global_sensitivity(L1, 100)
    assert proved is not None
    assert proved.value == pytest.approx((dims + 1) * (dims + 4) / 200, rel=1e-9)
    assert np.abs(first - second).sum() == pytest.approx(proved.value, rel=1e-9)


def test_more_features_than_an_answer_has_room_for_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="20 features"):
        _of(21)
