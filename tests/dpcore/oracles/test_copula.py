"""The copula by other routes: scipy's rank correlations, the normal copula's closed form, and the margins of the sample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, ks_2samp, spearmanr

from dpcore.base.arrays import FloatArray
from dpcore.base.columns import TEXT, Column
from dpcore.base.fingerprint import to_json
from dpcore.errors import InvalidValueError
from dpcore.oracles import Copula
from dpcore.registry import from_json

RNG = np.random.default_rng(15)
MANY = 200_000


def _normal(r: float, size: int = 4_000) -> FloatArray:
    z = np.random.default_rng(3).multivariate_normal([0, 0], [[1, r], [r, 1]], size=size)
    return np.stack([np.exp(z[:, 0]), z[:, 1] ** 3], axis=1)


def _drawn(records: np.ndarray, size: int = MANY) -> np.ndarray:
    return Copula(records).draw(1, size, rng=np.random.default_rng(4))[0]


@pytest.mark.parametrize("r", [-0.9, -0.4, 0.0, 0.6, 0.95])
def test_a_normal_copula_gives_itself_back(r: float) -> None:
    """Of 4,000 records; ρ = (6/π)·asin(R/2) and τ = (2/π)·asin(R) are the normal copula's. R that is 10 % off is seen."""
    sample = _normal(r)
    drawn = _drawn(sample)
    expected = spearmanr(*sample.T).statistic
    assert abs(spearmanr(*drawn.T).statistic - expected) < 0.01
    normal = 2 * np.sin(np.pi * expected / 6)
    assert abs(kendalltau(*drawn[:20_000].T).statistic - 2 / np.pi * np.arcsin(normal)) < 0.025
    if abs(r) > 0.3:
        assert abs(6 / np.pi * np.arcsin(0.9 * normal / 2) - expected) > 0.03


def test_each_column_has_the_law_of_the_sample() -> None:
    sample = _normal(0.7, 500)
    drawn = _drawn(sample)
    for j in range(2):
        assert set(drawn[:, j]) <= set(sample[:, j])
        assert ks_2samp(drawn[:, j], sample[:, j]).statistic < 0.005
        assert ks_2samp(drawn[:, j] * 1.1, sample[:, j]).statistic > 0.005


def test_ties_keep_their_rank_correlations_too() -> None:
    """Two classes and a rounded number: the plain formula 2·sin(πρ/6) would lose a tenth and more of it."""
    x = RNG.normal(size=5_000)
    label = (x + RNG.normal(size=5_000) > 0.8).astype(float)
    rounded = np.round(-x + 0.5 * RNG.normal(size=5_000))
    sample = np.stack([x, label, rounded], axis=1)
    expected, found = (spearmanr(one).statistic for one in (sample, _drawn(sample)))
    assert np.abs(np.asarray(expected) - found).max() < 0.01
    assert expected[0, 1] > 0.4
    assert expected[0, 2] < -0.8


def test_two_halves_each_need_another_matrix_than_untied_columns() -> None:
    """ρ = ½ of two columns of zeros and ones takes R = sin(π/4), as P(both above 0) = ¼ + asin(R)/(2π) says, and not .52."""
    sample = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [3, 1, 1, 3], axis=0)
    drawn = _drawn(sample)
    assert abs(np.corrcoef(drawn.T)[0, 1] - 0.5) < 0.01
    assert 4 * (np.arcsin(2 * np.sin(np.pi / 12)) / (2 * np.pi)) < 0.36


def test_copula_draws_impossible_correlations_nearby() -> None:
    x, y = RNG.normal(size=(2, 300))
    sample = np.stack([x, y, x + y, np.ones(300), -x], axis=1)
    drawn = _drawn(sample, 20_000)
    found = np.corrcoef(drawn[:, [0, 1, 2, 4]].T)
    assert found[0, 3] < -0.99
    assert 0.5 < found[0, 2] < 0.9
    assert (drawn[:, 3] == 1).all()


def test_named_columns_texts_and_missing_values_keep_their_shares() -> None:
    names = RNG.choice(["a", "bb", ""], size=900, p=[0.5, 0.3, 0.2])
    cost = np.where(names == "bb", 9.0, RNG.random(900))
    cost[:90] = np.nan
    sample = np.empty(900, dtype=[("t", "U2"), ("cost", float)])
    sample["t"], sample["cost"] = names, cost
    oracle = Copula(sample)
    assert oracle.draws_fields
    drawn = oracle.draw(2, 50_000, rng=np.random.default_rng(4))
    assert drawn.shape == (2, 50_000)
    for text in ("a", "bb", ""):
        assert abs((drawn["t"] == text).mean() - (names == text).mean()) < 0.01
    assert abs(np.isnan(drawn["cost"]).mean() - np.isnan(cost).mean()) < 0.01
    assert np.nanmean(drawn["cost"][drawn["t"] == "bb"]) > np.nanmean(drawn["cost"][drawn["t"] == "a"])
    columns = (Column("t", role=TEXT), Column("cost"))
    assert oracle.fits(columns)
    assert not oracle.fits(columns[:1])
    assert not oracle.fits((Column("cost"), Column("t", role=TEXT)))


def test_copula_survives_json_and_refuses_wrong_records() -> None:
    oracle = Copula(np.array([[1.0, 2.0], [2.0, 5.0], [3.0, 4.0]]))
    again = from_json(to_json(oracle), "oracles")
    rngs = (np.random.default_rng(1), np.random.default_rng(1))
    assert (again.draw(3, 4, rng=rngs[0]) == oracle.draw(3, 4, rng=rngs[1])).all()
    for wrong in (np.zeros((0, 2)), np.array([np.nan, 1.0]), np.zeros((2, 2, 2)), np.zeros((3, 201))):
        with pytest.raises(InvalidValueError) as refused:
            Copula(wrong)
        assert refused.value.name == "records"
