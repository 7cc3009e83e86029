"""Correlations, covariance matrices and principal components: those of numpy and scikit-learn, on any table."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.result_types.matrix import Matrix
from dpcore.result_types.numbers import Numbers
from dpcore.targets import Correlation, CovarianceMatrix, PrincipalComponent
from dpcore.targets.moments import aligned

UNIT = (-1.0, 1.0)
OWN = ((0.0, 40.0), (-3.0, 5.0), (100.0, 900.0))
PAIR = Correlation(((0.0, 1.0), (0.0, 1.0)))


@pytest.mark.parametrize("bounds", [((0.0, 1.0), (-5.0, 5.0)), ((1e8, 1e8 + 1), (-1e308, 7e307)), ((0.0, 1e-300), (0.1, 0.7))])
def test_correlation_is_numpys_of_known_pairs(bounds: Any) -> None:
    rng = np.random.default_rng(2)
    (a, b), (c, d) = bounds
    x = rng.random(300)
    y = 0.6 * x + 0.4 * rng.random(300)
    records = np.stack([a + (b - a) * x, c + (d - c) * y], axis=1)
    records[::7, 0], records[::11, 1] = np.nan, np.nan
    known = ~np.isnan(records).any(axis=1)
    expected = np.corrcoef(((records - [a, c]) / [b - a, d - c])[known].T)[0, 1]
    assert 0.5 < expected < 0.95
    assert Correlation(bounds)(records)[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "records",
    [
        [[0.1, 0.3]],
        [[0.1, 0.2], [0.1, 0.9], [0.1, 0.4]],
        [[np.nan, 0.1], [0.2, np.nan]],
        [[0.1, 0.2], [np.nan, 0.9], [0.3, np.nan]],
        [[3.0, 0.1], [4.0, 0.9]],
    ],
)
def test_undefined_correlation_is_0(records: Any) -> None:
    assert PAIR(np.array(records)).tolist() == [0.0]


def test_correlation_takes_two_columns_with_bounds() -> None:
    a, b = Column("a", "Age", bounds=(0.0, 9.0)), Column("b", bounds=(1.0, 2.0))
    assert Correlation.suited((a, b)) == Correlation(((0.0, 9.0), (1.0, 2.0)))
    assert Correlation.suited((a, Column("c"))) is None
    assert PAIR.answer((a, b)) == Numbers(("Age and b",))


def _matrix_table(n: int = 60) -> FloatArray:
    low, high = np.array(OWN).T
    mixed = np.random.default_rng(4).random((n, 3)) @ np.array([[0.6, 0.3, 0.0], [0.4, 0.3, 0.2], [0.0, 0.4, 0.8]])
    return np.asarray(low + (high - low) * mixed)


def _read(table: FloatArray, *, correlations: bool) -> FloatArray:
    target = CovarianceMatrix(OWN, correlations)
    matrix = Matrix(tuple("abc"), target=target)
    return matrix.matrices(target(table)[None])[0] * matrix.factors


def test_matrices_without_noise_are_numpys() -> None:
    table = _matrix_table()
    assert _read(table, correlations=True) == pytest.approx(np.corrcoef(table.T), abs=1e-12)
    assert _read(table, correlations=False) == pytest.approx(np.cov(table.T, ddof=0), rel=1e-9)
    column = np.linspace(100, 900, 9)
    same = _read(np.column_stack([column / 40, -column / 300, column]), correlations=True)
    assert same == pytest.approx(np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 1]]), abs=1e-9)


def test_constant_column_is_correlated_with_nothing() -> None:
    table = _matrix_table()
    table[:, 1] = 0.1  # no float of few bits when scaled: its variance is what rounding leaves
    found = _read(table, correlations=True)
    assert (found[1] == [0, 1, 0]).all()
    assert found[0, 2] == pytest.approx(np.corrcoef(table[:, [0, 2]].T)[0, 1])
    assert (_read(table, correlations=False)[1] == 0).all()


STRANGE_MATRICES = {
    "one row": _matrix_table(1),
    "equal rows": np.repeat(_matrix_table(1), 9, axis=0),
    "all missing": np.full((4, 3), np.nan),
    "infinite": np.array([[np.inf, -np.inf, np.nan], [0.0, 1.0, 200.0]]),
    "equal columns": np.repeat(np.linspace(100, 900, 9)[:, None], 3, axis=1),
}


@pytest.mark.parametrize("name", STRANGE_MATRICES)
def test_every_table_has_a_matrix(name: str) -> None:
    for correlations in (True, False):
        found = _read(STRANGE_MATRICES[name], correlations=correlations)
        assert np.isfinite(found).all()
        assert found == pytest.approx(found.T, rel=1e-12)
    assert (np.abs(_read(STRANGE_MATRICES[name], correlations=True)) <= 1).all()


def test_noisy_covariances_are_those_of_some_table() -> None:
    target, rng = CovarianceMatrix((UNIT,) * 3), np.random.default_rng(5)
    exact = target(rng.uniform(-1, 1, (40, 3)))
    assert target.numbers_of(target.covariances(exact[None]), exact[None]) == pytest.approx(exact[None], abs=1e-12)
    noisy = exact + rng.choice([1e-3, 0.3, 40.0], (300, 1)) * rng.laplace(size=(300, 9))
    found = target.covariances(noisy)
    assert np.linalg.eigvalsh(found).min() > -1e-9
    second = np.empty((300, 3, 3))
    i, j = np.triu_indices(3)
    second[:, i, j] = second[:, j, i] = noisy[:, [0, 1, 2, 4, 5, 7]]  # products, beside the means at 3, 6 and 8
    raw = second - noisy[:, [3, 6, 8], None] * noisy[:, None, [3, 6, 8]]
    sound = np.linalg.eigvalsh(raw)[:, 0] > 0
    assert 20 < sound.sum() < 280
    assert found[sound] == pytest.approx(raw[sound], abs=1e-9)


def _component(columns: int = 2) -> PrincipalComponent:
    return PrincipalComponent((UNIT,) * columns)


def _along(n: int = 200, columns: int = 4) -> FloatArray:
    rng = np.random.default_rng(6)
    along = rng.normal(0, 0.3, (n, 1)) * np.linspace(1, -0.4, columns)
    return np.clip(0.1 + along + rng.normal(0, 0.1, (n, columns)), -1, 1)


@pytest.mark.parametrize("columns", [2, 4, 9])
def test_component_is_scikit_learns_with_positive_sum(columns: int) -> None:
    table = _along(columns=columns)
    found, own = PCA(n_components=1).fit(table), _component(columns)(table)
    direction = found.components_[0] * np.sign(found.components_[0].sum())
    assert own[:-1] == pytest.approx(direction, abs=1e-9)
    assert own[-1] == pytest.approx(found.explained_variance_ratio_[0], abs=1e-12)
    wide = PrincipalComponent(((-1.0, 1.0), (-50.0, 150.0)))
    assert wide(_along(columns=2) * [1, 100] + [0, 50]) == pytest.approx(_component()(_along(columns=2)), abs=1e-9)


TIED = {
    "one row": np.array([[0.3, -0.7]]),
    "constant columns": np.full((9, 2), 0.1),
    "constant columns whose means are rounded apart": np.tile([0.1, 0.77], (100, 1)),
    "constant columns of many rows": np.tile([0.1, 0.77], (300_000, 1)),
    "all missing": np.full((4, 2), np.nan),
    "a tie": np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]) * 0.7,
}


@pytest.mark.parametrize("name", TIED)
def test_tied_component_has_equal_loadings(name: str) -> None:
    assert _component()(TIED[name]) == pytest.approx([0.5**0.5, 0.5**0.5, 0.5])


def test_alignment_uses_the_first_loading_of_an_even_sum() -> None:
    found = aligned(np.array([[0.6, -0.8], [-0.6, 0.8], [-1, 1], [1, -1], [0, 0]]))
    assert found.tolist() == [[-0.6, 0.8], [-0.6, 0.8], [1, -1], [1, -1], [0, 0]]


def test_one_record_can_turn_or_reverse_a_component() -> None:
    against = np.array([[0.5, -0.5], [-0.5, 0.5]])
    first, second = (_component()(np.vstack([against, one])) for one in ([0.5, -0.49], [0.49, -0.5]))
    assert np.abs(first - second)[:-1].sum() == pytest.approx(2 * 2**0.5, abs=0.05)
    assert PrincipalComponent.global_sensitivity is None


def test_correlated_columns_are_far_less_sensitive() -> None:
    """1,500 pairs of 1,000 records take about 0.1 s of one core."""
    at, start = OperatingPoint.for_both(1_500, 0.05), time.process_time()
    together, apart = (
        sample_sensitivity(_component(4), oracle, norm=L1, n=1_000, at=at, seed=3).sensitivity().value
        for oracle in (oracles.Resample(_along(1_000)), oracles.IndependentColumns((oracles.Uniform(-1, 1),) * 4))
    )
    assert time.process_time() - start < 4
    assert 0.001 < together < 0.01 < 0.1 < apart < 0.4
