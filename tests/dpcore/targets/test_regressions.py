"""Ridge regression and regression from sums: the lines of other libraries, on every table, from any noise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import Ridge as Peer

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.targets import Ridge, SufficientStatistics

BOUNDS, LABEL, UNIT = ((-1.0, 3.0), (10.0, 20.0)), (0.0, 100.0), (-1.0, 1.0)


def _table(n: int, seed: int = 1) -> FloatArray:
    """Records beyond the bounds too."""
    rng = np.random.default_rng(seed)
    x = rng.uniform([-2, 8], [4, 22], (n, 2))
    return np.column_stack([x, 3 * x @ [5.0, 1.0] + rng.normal(0, 5, n)])


def _scaled(table: FloatArray) -> FloatArray:
    low, high = np.array([*BOUNDS, LABEL]).T
    scaled: FloatArray = 2 * (np.clip(table, low, high) - low) / (high - low) - 1
    return scaled


@pytest.mark.parametrize("penalty", [1e-6, 1e-3, 1.0, 1e3])
def test_ridge_is_the_line_of_another_library(penalty: float) -> None:
    table, scaled = _table(50), _scaled(_table(50))
    peer = Peer(alpha=50 * penalty, fit_intercept=False).fit(np.column_stack([scaled[:, :2], np.ones(50)]), scaled[:, 2])
    assert Ridge(BOUNDS, LABEL, penalty)(table) == pytest.approx(peer.coef_, rel=1e-8)


HARD = {
    "a constant column": np.column_stack([np.full(9, 2.0), np.linspace(10, 20, 9), np.linspace(0, 100, 9)]),
    "columns that tell the same": np.column_stack([np.linspace(-1, 3, 9), np.linspace(10, 20, 9), np.linspace(0, 100, 9)]),
    "fewer rows than columns": np.array([[1.0, 12.0, 30.0]]),
    "all missing": np.full((4, 3), np.nan),
    "beyond all floats": np.array([[np.inf, -np.inf, np.inf], [1e308, -1e308, 5e-324]]),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("penalty", [1e-6, 1e-3])
def test_ridge_of_every_table_is_short(name: str, penalty: float) -> None:
    found = Ridge(BOUNDS, LABEL, penalty)(HARD[name])
    assert np.isfinite(found).all()
    assert np.linalg.norm(found) <= 1 / (2 * math.sqrt(penalty)) * (1 + 1e-6)  # mathematics, section 18.1


def test_missing_value_counts_as_the_middle() -> None:
    table = _table(20)
    table[3, 0], table[5, 2] = np.nan, np.nan
    filled = table.copy()
    filled[3, 0], filled[5, 2] = 1.0, 50.0
    assert (Ridge(BOUNDS, LABEL)(table) == Ridge(BOUNDS, LABEL)(filled)).all()


def _climbed(target: Ridge, n: int, seed: int) -> float:
    """The largest distance in L2 that a search from one side of two tables finds: changed records are kept if it grows."""
    rng = np.random.default_rng(seed)
    extended = rng.choice([-1.0, -0.05, 0.05, 1.0], (1, n + 1, len(target.x_bounds) + 1))
    best = 0.0
    for _ in range(250):
        scale = 10.0 ** rng.uniform(-2, 0.5)
        moved = extended + scale * rng.normal(size=(24, *extended.shape[1:])) * (rng.random((24, n + 1, 1)) < 2 / n)
        tried = np.clip(np.concatenate([extended, moved]), -1, 1)
        first, second = target.pair(tried)
        far = np.linalg.norm(first - second, axis=1)
        extended, best = tried[[int(far.argmax())]], float(far.max())
    return best


@pytest.mark.parametrize(("penalty", "n", "power"), [(1e-3, 3, 0.9), (0.3, 30, 0.5), (100.0, 3, 0.9)])
def test_ridge_pairs_come_near_the_proof(penalty: float, n: int, power: float) -> None:
    """A pair passes nine tenths of it for a small and a large penalty; between them it adds up what no one pair has."""
    target = Ridge((UNIT,), UNIT, penalty)
    proved = target.global_sensitivity(L2, n)
    assert proved is not None
    worst = max(_climbed(target, n, seed) for seed in range(2))
    assert power * proved.value < worst <= proved.value


def test_ridge_proof_in_each_norm() -> None:
    target = Ridge(BOUNDS, LABEL, 0.1)
    values = {norm: proof.value for norm in (L1, L2, LINF) if (proof := target.global_sensitivity(norm, 1_000)) is not None}
    root = math.sqrt(3)
    assert values[L2] == pytest.approx(2 * root * (1 + root / (2 * math.sqrt(0.1))) / (100 + 3), rel=1e-9)
    assert values[L1] == pytest.approx(root * values[L2], rel=1e-9)
    assert values[LINF] == pytest.approx(values[L2], rel=1e-9)
    assert target.global_sensitivity(RANGE, 1_000) is None


def _means(dims: int, widths: tuple[float, ...] | None = (1.0, 1.0)) -> SufficientStatistics:
    return SufficientStatistics((UNIT,) * dims, UNIT, widths=widths)


def _uniform(n: int, dims: int) -> FloatArray:
    return np.random.default_rng(3).uniform(-1, 1, (n, dims + 1))


def _least_squares(table: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.lstsq(np.column_stack([table[:, :-1], np.ones(len(table))]), table[:, -1])[0])


@pytest.mark.parametrize("dims", [1, 2, 5])
def test_means_of_products_give_least_squares(dims: int) -> None:
    table = _uniform(40, dims)
    z = np.column_stack([table[:, :-1], np.ones(40)])
    expected = np.concatenate([(z.T @ z / 40)[np.triu_indices(dims + 1)][:-1], z.T @ table[:, -1] / 40])
    answer = _means(dims)(table)
    assert answer == pytest.approx(expected, abs=1e-14)
    assert len(answer) == _means(dims).numbers == (dims**2 + 5 * dims + 2) / 2
    assert _means(dims).coefficients(answer[None], 0.0)[0] == pytest.approx(_least_squares(table), rel=1e-9)


def test_flattest_of_equally_good_lines_is_taken() -> None:
    table = _uniform(40, 3)
    table[:, 1] = table[:, 0]  # columns that tell the same, and a constant one
    table[:, 2] = 0.5
    assert _means(3).coefficients(_means(3)(table)[None], 0.0)[0] == pytest.approx(_least_squares(table), rel=1e-6)


def test_noise_gives_a_line_by_the_stated_arithmetic() -> None:
    target, rng = _means(2), np.random.default_rng(5)
    for scale in (1e-3, 0.3, 40.0):
        noisy = target(_uniform(40, 2)) + scale * rng.laplace(size=(50, target.numbers))
        for numbers, line in zip(noisy, target.coefficients(noisy, scale), strict=True):
            a, b, c, d, e, f, g, h = numbers
            values, vectors = np.linalg.eigh(np.array([[a, b, c], [b, d, e], [c, e, 1.0]]))
            positive = vectors @ np.diag(np.maximum(values, 0) + 2 * np.sqrt(3) * scale) @ vectors.T
            assert line == pytest.approx(np.linalg.solve(positive, np.array([f, g, h])), rel=1e-6)


@pytest.mark.parametrize("widths", [None, (0.5, 3.0)])
def test_each_mean_is_divided_by_its_share_and_restored(widths: tuple[float, ...] | None) -> None:
    table, target, scale = _uniform(40, 3), _means(3, widths), 0.2
    numbers, (of_features, of_label) = _means(3)(table), widths or (1.0, np.sqrt(2 / 4))
    each = np.append(np.full(9, of_features), np.full(4, of_label))
    assert target(table) * each == pytest.approx(numbers, rel=1e-14)
    noise = scale * np.random.default_rng(2).laplace(size=(5, 13))
    assert target.restored(target(table) + noise) == pytest.approx(numbers + noise * each, rel=1e-12)
    lines = _means(3).coefficients(numbers + noise * each, scale * of_features)  # as much is added as the features' noise is
    assert target.coefficients(target(table) + noise, scale) == pytest.approx(lines, rel=1e-9)
    assert target.possible(target(table) + noise).tolist() == _means(3).possible(numbers + noise * each).tolist()
