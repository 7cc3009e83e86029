"""Mixtures by their moments: the law of total variance and covariance, and the mixture of one column that there was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpcore.base.columns import Column
from dpcore.base.fingerprint import to_json
from dpcore.errors import InvalidValueError
from dpcore.oracles import Categorical, IndependentColumns, Mixture, Normal, NormalMixture, RegressionPrior, Uniform
from dpcore.registry import from_json, suited

COLUMNS = (Column("a", bounds=(0.0, 10.0)), Column("b", bounds=(-1.0, 1.0)))
NUMBER = 200_000
LOW, HIGH = IndependentColumns((Normal(0, 1), Normal(5, 2))), IndependentColumns((Normal(4, 2), Normal(-1, 1)))


def _drawn(oracle: Mixture) -> np.ndarray:
    return oracle.draw(1, NUMBER, rng=np.random.default_rng(2))[0]


def test_mixture_has_the_total_covariance() -> None:
    """0.3 and 0.7 of two groups, 200,000 records: cov = w(1 − w)·(4 − 0)(−1 − 5); weights that are 10 % off are seen."""
    drawn = _drawn(Mixture((LOW, HIGH), (0.3, 0.7)))
    expected = 0.3 * 0.7 * 4 * -6
    assert abs(np.cov(drawn.T)[0, 1] - expected) < 0.1
    assert abs(drawn[:, 0].mean() - 0.7 * 4) < 0.03 < abs(0.77 * 4 - 0.7 * 4)
    assert abs(drawn[:, 0].var() - (0.3 + 0.7 * 4 + 0.21 * 16)) < 0.1


def test_of_one_column_it_is_the_normal_mixture() -> None:
    one = Mixture((Normal(0.5, 0.1), Normal(0.75, 0.05)), (0.4, 0.6))
    known = NormalMixture((0.4, 0.6), (0.5, 0.75), (0.1, 0.05)).draw(1, NUMBER, rng=np.random.default_rng(9))[0]
    assert ks_2samp(_drawn(one), known).statistic < 0.008
    assert ks_2samp(_drawn(one), 1.1 * known).statistic > 0.05


def test_it_suits_several_bounded_columns_of_numbers() -> None:
    found = suited(Mixture, COLUMNS)
    drawn = _drawn(found)
    assert drawn.shape == (NUMBER, 2)
    assert drawn.min(axis=0).tolist() == [0.0, -1.0]
    assert np.corrcoef(drawn.T)[0, 1] > 0.3
    assert suited(Mixture, COLUMNS[:1]) is None
    assert suited(Mixture, (*COLUMNS, Column("label", categories=(0.0, 1.0)))) is None
    assert suited(Mixture, (*COLUMNS, Column("open"))) is None
    assert found.fits(COLUMNS)
    assert not found.fits(COLUMNS[:1])
    assert from_json(to_json(found), "oracles") == found


def test_texts_of_other_lengths_are_drawn_whole() -> None:
    drawn = Mixture((Categorical((1.0,), ("abc",)), Categorical((1.0,), ("abcdef",))), (0.5, 0.5)).draw(
        1, 50, rng=np.random.default_rng(1)
    )
    assert set(drawn[0]) == {"abc", "abcdef"}


@pytest.mark.parametrize(
    ("parts", "weights", "name"),
    [
        ((), (), "parts"),
        ((LOW, "x"), (0.5, 0.5), "parts"),
        ((LOW, RegressionPrior()), (0.5, 0.5), "parts"),
        ((LOW, HIGH), (0.5, 0.6), "weights"),
        ((LOW, HIGH), (1.0,), "weights"),
        ((LOW, HIGH), (1.2, -0.2), "weights"),
        ((LOW,) * 65, (1 / 65,) * 65, "parts"),
    ],
)
def test_what_is_no_mixture_is_refused(parts: Any, weights: Any, name: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        Mixture(parts, weights)
    assert refused.value.name == name


def test_mixture_of_other_columns_is_refused() -> None:
    with pytest.raises(InvalidValueError) as refused:
        Mixture((LOW, Uniform(0, 1)), (0.5, 0.5)).draw(1, 5, rng=np.random.default_rng(1))
    assert refused.value.name == "parts"
