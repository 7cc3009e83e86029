"""The first principal component: that of scikit-learn, total on any table, and jumping where it says."""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.decomposition import PCA

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity
from dpcore.base.arrays import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.targets import PrincipalComponent
from dpcore.targets.moments import aligned

UNIT = (-1.0, 1.0)
DEFAULT = [0.5**0.5, 0.5**0.5]


def _of(columns: int = 2) -> PrincipalComponent:
    return PrincipalComponent((UNIT,) * columns)


def _table(n: int = 200, columns: int = 4) -> FloatArray:
    rng = np.random.default_rng(6)
    along = rng.normal(0, 0.3, (n, 1)) * np.linspace(1, -0.4, columns)
    return np.clip(0.1 + along + rng.normal(0, 0.1, (n, columns)), -1, 1)


@pytest.mark.parametrize("columns", [2, 4, 9])
def test_it_is_that_of_scikit_learn_turned_so_that_its_loadings_add_up_to_more_than_0(columns: int) -> None:
    table = _table(columns=columns)
    found, own = PCA(n_components=1).fit(table), _of(columns)(table)
    direction = found.components_[0] * np.sign(found.components_[0].sum())
    assert own[:-1] == pytest.approx(direction, abs=1e-9)
    assert own[-1] == pytest.approx(found.explained_variance_ratio_[0], abs=1e-12)


def test_columns_are_scaled_by_their_public_bounds() -> None:
    table = _table(columns=2)
    wide = PrincipalComponent(((-1.0, 1.0), (-50.0, 150.0)))
    assert wide(table * [1, 100] + [0, 50]) == pytest.approx(_of()(table), abs=1e-9)


STRANGE = {
    "one row": np.array([[0.3, -0.7]]),
    "constant columns": np.full((9, 2), 0.1),
    "constant columns whose means are rounded apart": np.tile([0.1, 0.77], (100, 1)),
    "constant columns of many rows": np.tile([0.1, 0.77], (300_000, 1)),
    "all missing": np.full((4, 2), np.nan),
    "a tie": np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]) * 0.7,
}


@pytest.mark.parametrize("name", STRANGE)
def test_where_the_direction_is_open_all_loadings_are_equal(name: str) -> None:
    assert _of()(STRANGE[name]) == pytest.approx([*DEFAULT, 0.5])


def test_of_a_direction_and_its_opposite_one_is_taken_by_a_rule_of_one_table() -> None:
    pairs = np.array([[0.8, -0.6], [-0.8, 0.6], [-0.6, -0.8], [0.0, -1.0], [DEFAULT[0], -DEFAULT[0]], [-DEFAULT[0], DEFAULT[0]]])
    expected = [[0.8, -0.6], [0.8, -0.6], [0.6, 0.8], [0.0, 1.0], [DEFAULT[0], -DEFAULT[0]], [DEFAULT[0], -DEFAULT[0]]]
    assert aligned(pairs) == pytest.approx(np.array(expected))
    assert (aligned(aligned(pairs)) == aligned(pairs)).all()


def test_one_record_turns_it_by_a_right_angle_where_two_directions_vary_equally() -> None:
    tie = STRANGE["a tie"]
    across, up = (_of()(np.vstack([tie, one])) for one in ([0.9, 0.0], [0.0, 0.9]))
    assert across[:-1] == pytest.approx([1, 0], abs=1e-9)
    assert up[:-1] == pytest.approx([0, 1], abs=1e-9)


def test_one_record_turns_it_round_where_its_loadings_add_up_to_nothing() -> None:
    against = np.array([[0.5, -0.5], [-0.5, 0.5]])
    first, second = (_of()(np.vstack([against, one])) for one in ([0.5, -0.49], [0.49, -0.5]))
    assert np.abs(first - second)[:-1].sum() == pytest.approx(2 * 2**0.5, abs=0.05)


@pytest.mark.parametrize("scale", [1.0, 1e-4])
def test_a_pair_has_the_answers_of_two_calls(scale: float) -> None:
    extended = np.stack([0.3 + scale * (_table(41) - 0.3), 0.5 * _table(41)[::-1]])
    first, second = _of(4).pair(extended)
    for one, other, records in zip(first, second, extended, strict=True):
        assert one == pytest.approx(_of(4)(records[:-1]), rel=1e-8)
        assert other == pytest.approx(_of(4)(np.delete(records, -2, axis=0)), rel=1e-8)


def test_it_offers_no_worst_case() -> None:
    assert not (PrincipalComponent.global_sensitivity is not None)


def test_columns_that_hang_together_are_far_less_sensitive_and_pairs_are_quick() -> None:
    """1,500 pairs of 1,000 records take about 0.1 s of one core."""
    at, start = OperatingPoint.for_both(1_500, 0.05), time.process_time()
    together, apart = (
        sample_sensitivity(_of(4), oracle, norm=L1, n=1_000, at=at, seed=3).sensitivity().value
        for oracle in (oracles.Resample(_table(1_000)), oracles.IndependentColumns((oracles.Uniform(-1, 1),) * 4))
    )
    assert time.process_time() - start < 2
    assert 0.001 < together < 0.01 < 0.1 < apart < 0.4


@pytest.mark.parametrize("columns", [1, 51])
def test_one_column_is_refused_and_so_are_very_many(columns: int) -> None:
    with pytest.raises(InvalidValueError, match="2 to 50 intervals"):
        _of(columns)
