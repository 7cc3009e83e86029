"""The covariance matrix: that of numpy without noise, total on any table, and a worst case that is attained."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.result_types.matrix import Matrix
from dpcore.targets import CovarianceMatrix
from tests.dpcore.targets.climbed import climbed

UNIT = (-1.0, 1.0)
OWN = ((0.0, 40.0), (-3.0, 5.0), (100.0, 900.0))


def _of(columns: int) -> CovarianceMatrix:
    return CovarianceMatrix((UNIT,) * columns)


def _table(n: int = 60) -> FloatArray:
    low, high = np.array(OWN).T
    mixed = np.random.default_rng(4).random((n, 3)) @ np.array([[0.6, 0.3, 0.0], [0.4, 0.3, 0.2], [0.0, 0.4, 0.8]])
    return np.asarray(low + (high - low) * mixed)


def _read(table: FloatArray, *, correlations: bool, bounds: tuple[tuple[float, float], ...] = OWN) -> FloatArray:
    target = CovarianceMatrix(bounds, correlations)
    matrix = Matrix(tuple("abc"), target=target)
    return matrix.matrices(target(table)[None])[0] * matrix.factors


def test_the_numbers_are_means_of_products() -> None:
    table = np.random.default_rng(3).uniform(-1, 1, (40, 3))
    z = np.column_stack([table, np.ones(40)])
    assert _of(3)(table) == pytest.approx((z.T @ z / 40)[np.triu_indices(4)][:-1], abs=1e-14)


def test_without_noise_both_matrices_are_those_of_numpy() -> None:
    assert _read(_table(), correlations=True) == pytest.approx(np.corrcoef(_table().T), abs=1e-12)
    assert _read(_table(), correlations=False) == pytest.approx(np.cov(_table().T, ddof=0), rel=1e-9)


def test_a_constant_column_is_correlated_with_nothing() -> None:
    table = _table()
    table[:, 1] = 0.1  # no float of few bits when scaled: its variance is what rounding leaves
    found = _read(table, correlations=True)
    assert (found[1] == [0, 1, 0]).all()
    assert found[0, 2] == pytest.approx(np.corrcoef(table[:, [0, 2]].T)[0, 1])
    assert (_read(table, correlations=False)[1] == 0).all()


STRANGE = {
    "one row": _table(1),
    "equal rows": np.repeat(_table(1), 9, axis=0),
    "all missing": np.full((4, 3), np.nan),
    "infinite": np.array([[np.inf, -np.inf, np.nan], [0.0, 1.0, 200.0]]),
    "equal columns": np.repeat(np.linspace(100, 900, 9)[:, None], 3, axis=1),
}


@pytest.mark.parametrize("name", STRANGE)
def test_whatever_the_table_there_is_a_matrix(name: str) -> None:
    for correlations in (True, False):
        found = _read(STRANGE[name], correlations=correlations)
        assert np.isfinite(found).all()
        assert (found == found.T).all() or found == pytest.approx(found.T, rel=1e-12)
    assert (np.abs(_read(STRANGE[name], correlations=True)) <= 1).all()


def test_columns_that_tell_the_same_are_correlated_to_one() -> None:
    column = np.linspace(100, 900, 9)
    table = np.column_stack([column / 40, -column / 300, column])
    assert _read(table, correlations=True) == pytest.approx(np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 1]]), abs=1e-9)


def test_from_any_noise_come_covariances_that_a_table_could_have() -> None:
    target, rng = _of(3), np.random.default_rng(5)
    noisy = target(rng.uniform(-1, 1, (40, 3))) + rng.choice([1e-3, 0.3, 40.0], (300, 1)) * rng.laplace(size=(300, 9))
    found = target.covariances(noisy)
    assert np.linalg.eigvalsh(found).min() > -1e-9
    second = np.empty((300, 3, 3))
    i, j = np.triu_indices(3)
    places = [0, 1, 2, 4, 5, 7]  # of the products, beside the means at 3, 6 and 8
    second[:, i, j] = second[:, j, i] = noisy[:, places]
    raw = second - noisy[:, [3, 6, 8], None] * noisy[:, None, [3, 6, 8]]
    sound = np.linalg.eigvalsh(raw)[:, 0] > 0
    assert 20 < sound.sum() < 280
    assert found[sound] == pytest.approx(raw[sound], abs=1e-9)


@pytest.mark.parametrize("columns", [2, 3, 5])
@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE], ids=repr)
def test_no_pair_is_further_apart_than_proved_and_some_pair_nearly_is(norm: Norm, columns: int) -> None:
    proved = _of(columns).global_sensitivity(norm, 1)
    assert proved is not None
    worst = max(climbed(_of(columns), columns, norm, seed) for seed in range(2))
    assert 0.99 * proved.value < worst <= proved.value


@pytest.mark.parametrize("columns", [2, 5, 20])
def test_the_worst_pair_is_known(columns: int) -> None:
    common = np.random.default_rng(3).uniform(-1, 1, (99, columns))
    first, second = (_of(columns)(np.vstack([common, np.full(columns, at)])) for at in (1.0, -1 / (columns + 1)))
    proved = _of(columns).global_sensitivity(L1, 100)
    assert proved is not None
    assert proved.value == pytest.approx(columns * (columns + 2) ** 2 / (200 * (columns + 1)), rel=1e-9)
    assert np.abs(first - second).sum() == pytest.approx(proved.value, rel=1e-9)


@pytest.mark.parametrize("columns", [1, 21])
def test_one_column_and_more_than_an_answer_has_room_for_are_refused(columns: int) -> None:
    with pytest.raises(InvalidValueError, match="2 to 20 intervals"):
        _of(columns)


def test_a_table_with_given_covariances_and_means_has_these_numbers() -> None:
    target, table = _of(3), np.random.default_rng(7).uniform(-0.2, 1, (40, 3))
    exact = target(table)[None]
    assert target.numbers_of(target.covariances(exact), exact) == pytest.approx(exact, abs=1e-12)
