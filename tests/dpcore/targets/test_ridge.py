"""Ridge regression: the line that other libraries find, on every table, and how far one record moves it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import Ridge as Peer

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.targets import Ridge

BOUNDS = ((-1.0, 3.0), (10.0, 20.0))
LABEL = (0.0, 100.0)


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
def test_it_is_the_line_that_another_library_finds(penalty: float) -> None:
    table, scaled = _table(50), _scaled(_table(50))
    peer = Peer(alpha=50 * penalty, fit_intercept=False).fit(np.column_stack([scaled[:, :2], np.ones(50)]), scaled[:, 2])
    assert Ridge(BOUNDS, LABEL, penalty)(table) == pytest.approx(peer.coef_, rel=1e-8)


def test_both_neighbours_of_many_pairs_are_the_lines_of_each() -> None:
    extended = np.stack([_table(31, seed) for seed in range(200)])
    first, second = Ridge(BOUNDS, LABEL).pair(extended)
    target = Ridge(BOUNDS, LABEL)
    assert first == pytest.approx(np.array([target(one[:30]) for one in extended]), rel=1e-9)
    assert second == pytest.approx(np.array([target(np.delete(one, 29, axis=0)) for one in extended]), rel=1e-9)


HARD = {
    "a constant column": np.column_stack([np.full(9, 2.0), np.linspace(10, 20, 9), np.linspace(0, 100, 9)]),
    "columns that tell the same": np.column_stack([np.linspace(-1, 3, 9), np.linspace(10, 20, 9), np.linspace(0, 100, 9)]),
    "fewer rows than columns": np.array([[1.0, 12.0, 30.0]]),
    "all missing": np.full((4, 3), np.nan),
    "beyond all floats": np.array([[np.inf, -np.inf, np.inf], [1e308, -1e308, 5e-324]]),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("penalty", [1e-6, 1e-3])
def test_every_table_has_one_line(name: str, penalty: float) -> None:
    found = Ridge(BOUNDS, LABEL, penalty)(HARD[name])
    assert np.isfinite(found).all()
    assert np.linalg.norm(found) <= 1 / (2 * math.sqrt(penalty)) * (1 + 1e-6)  # mathematics, section 18.1


def test_a_missing_value_counts_as_the_middle() -> None:
    table = _table(20)
    table[3, 0], table[5, 2] = np.nan, np.nan
    filled = table.copy()
    filled[3, 0], filled[5, 2] = 1.0, 50.0
    assert (Ridge(BOUNDS, LABEL)(table) == Ridge(BOUNDS, LABEL)(filled)).all()


def _climbed(target: Ridge, n: int, seed: int) -> float:
    """The largest distance in L2 that a search from one side of two tables finds: changed records are kept where it grows."""
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
def test_no_pair_is_further_apart_than_proved_and_the_proof_is_no_idle_one(penalty: float, n: int, power: float) -> None:
    """For a small and for a large penalty a pair passes nine tenths of it; between them it adds up what no one pair has."""
    target = Ridge(((-1.0, 1.0),), (-1.0, 1.0), penalty)
    proved = target.global_sensitivity(L2, n)
    assert proved is not None
    worst = max(_climbed(target, n, seed) for seed in range(2))
    assert power * proved.value < worst <= proved.value


def test_the_proof_in_each_norm() -> None:
    target = Ridge(BOUNDS, LABEL, 0.1)
    found = {norm: target.global_sensitivity(norm, 1_000) for norm in (L1, L2, LINF)}
    values = {norm: proof.value for norm, proof in found.items() if proof is not None}
    root = math.sqrt(3)
    assert values[L2] == pytest.approx(2 * root * (1 + root / (2 * math.sqrt(0.1))) / (100 + 3), rel=1e-9)
    assert values[L1] == pytest.approx(root * values[L2], rel=1e-9)
    assert values[LINF] == pytest.approx(values[L2], rel=1e-9)
    assert target.global_sensitivity(RANGE, 1_000) is None


@pytest.mark.parametrize("penalty", [0.0, -1.0, 1e-7, 1e4, math.nan])
def test_a_penalty_out_of_range_is_refused_by_name(penalty: float) -> None:
    with pytest.raises(InvalidValueError, match="penalty"):
        Ridge(BOUNDS, LABEL, penalty)


@pytest.mark.parametrize("database", [np.zeros((3, 2)), np.zeros(3), np.array([["a", "b", "c"]])], ids=["two", "one", "text"])
def test_other_columns_are_refused(database: FloatArray) -> None:
    with pytest.raises(InvalidValueError, match="2 features and a label"):
        Ridge(BOUNDS, LABEL)(database)


def test_bounds_are_needed() -> None:
    with pytest.raises(InvalidValueError, match="x_bounds"):
        Ridge((), LABEL)
