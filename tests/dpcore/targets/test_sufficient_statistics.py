"""Regression from sums: least squares without noise, a line from any noise, and a worst case that is attained."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.targets import SufficientStatistics
from tests.dpcore.targets.climbed import climbed

UNIT = (-1.0, 1.0)
EQUAL = (1.0, 1.0)


def _of(dims: int, widths: tuple[float, ...] | None = EQUAL) -> SufficientStatistics:
    return SufficientStatistics((UNIT,) * dims, UNIT, widths=widths)


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


@pytest.mark.parametrize("widths", [None, (0.5, 3.0)])
def test_each_number_is_divided_by_its_share_and_read_times_it(widths: tuple[float, ...] | None) -> None:
    table, target, scale = _table(40, 3), _of(3, widths), 0.2
    numbers, (of_features, of_label) = _of(3)(table), widths or (1.0, np.sqrt(2 / 4))
    each = np.append(np.full(9, of_features), np.full(4, of_label))
    assert target(table) * each == pytest.approx(numbers, rel=1e-14)
    assert target.contribution(table, 40).sum(axis=0) == pytest.approx(target(table), abs=1e-14)
    noise = scale * np.random.default_rng(2).laplace(size=(5, 13))
    assert target.restored(target(table) + noise) == pytest.approx(numbers + noise * each, rel=1e-12)
    assert target.coefficients(target(table)[None], 0.0) == pytest.approx(_of(3).coefficients(numbers[None], 0.0), rel=1e-9)
    lines = _of(3).coefficients(numbers + noise * each, scale * of_features)  # as much is added as the features' noise is
    assert target.coefficients(target(table) + noise, scale) == pytest.approx(lines, rel=1e-9)
    assert target.possible(target(table) + noise).tolist() == _of(3).possible(numbers + noise * each).tolist()


def test_one_feature_and_its_label_have_equal_shares_unless_said() -> None:
    assert _of(1, None).shares == EQUAL == SufficientStatistics((UNIT,), UNIT).shares
    assert _of(7, None).shares == (1.0, 0.5)


@pytest.mark.parametrize("widths", [(1.0,), (1.0, 1.0, 1.0), (0.0, 1.0), (1.0, 2e3), (1.0, np.nan), "ab", 1.0])
def test_shares_that_are_none_are_refused(widths: object) -> None:
    with pytest.raises(InvalidValueError) as refused:
        SufficientStatistics((UNIT,), UNIT, widths=widths)  # type: ignore[arg-type]
    assert refused.value.name == "widths"


@pytest.mark.parametrize(
    ("norm", "dims", "widths"),
    [
        *((norm, *of) for norm in (L1, L2, LINF, RANGE) for of in ((2, EQUAL), (3, None), (3, (0.25, 1.0)))),
        *((L1, *of) for of in ((1, EQUAL), (5, None), (1, (1.0, 0.125)), (3, (8.0, 1.0)))),
    ],
)
def test_no_pair_is_further_apart_than_proved_and_some_pair_nearly_is(
    norm: Norm, dims: int, widths: tuple[float, ...] | None
) -> None:
    target = _of(dims, widths)
    proved = target.global_sensitivity(norm, 1)
    assert proved is not None
    worst = max(climbed(target, dims + 1, norm, seed) for seed in range(2))
    assert 0.99 * proved.value < worst <= proved.value


@pytest.mark.parametrize(("dims", "widths"), [(5, EQUAL), (20, EQUAL), (20, None), (3, (1.0, 8.0)), (3, (1.0, 0.125))])
def test_the_worst_pair_is_known(dims: int, widths: tuple[float, ...] | None) -> None:
    target, common = _of(dims, widths), _table(99, dims)
    of_features, of_label = target.shares
    moved = max(dims * (dims + 2 - of_features / of_label) / (2 * (dims + 1)), 0.0)  # by all features together, of half widths
    pair = np.ones(dims + 1), np.append(np.full(dims, 1 - 2 * moved / dims), -1.0)
    first, second = (target(np.vstack([common, one])) for one in pair)
    proved = target.global_sensitivity(L1, 100)
    assert proved is not None
    assert np.abs(first - second).sum() == pytest.approx(proved.value, rel=1e-9)
    if widths == EQUAL:
        assert proved.value == pytest.approx((dims + 1) * (dims + 4) / 200, rel=1e-9)


def test_more_features_than_an_answer_has_room_for_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="20 features"):
        _of(21)
