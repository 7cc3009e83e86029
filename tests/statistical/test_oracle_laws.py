"""Each oracle draws from the law that it says, by scipy, and would not pass for one 10 % off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.oracles import Bernoulli, Categorical, Exponential, Normal, Product, Resample, Uniform
from dpcore.types import FloatArray, Oracle

pytestmark = pytest.mark.statistical
SIZE = 1e-6
NUMBER = 400_000


def _records(oracle: Oracle) -> FloatArray:
    """As many records, 8 a database."""
    drawn = oracle.draw(NUMBER // 8, 8, rng=np.random.default_rng(2_026))
    return np.asarray(drawn.reshape(NUMBER, *drawn.shape[2:]))


@pytest.mark.parametrize(
    ("oracle", "law", "wrong"),
    [
        (Uniform(-2, 3), stats.uniform(-2, 5), [stats.uniform(-2, 5.5), stats.uniform(-2.5, 5.5), stats.uniform(-2, 4.5)]),
        (Normal(4, 2), stats.norm(4, 2), [stats.norm(4, 2.2), stats.norm(4, 1.8), stats.norm(4.2, 2)]),
        (Exponential(3), stats.expon(scale=1 / 3), [stats.expon(scale=1.1 / 3), stats.expon(scale=1 / 3.3)]),
    ],
    ids=repr,
)
def test_a_continuous_law(oracle: Oracle, law: Any, wrong: list[Any]) -> None:
    """Kolmogorov–Smirnov on 400,000 records: size 1e-6, and each law 10 % off is refused."""
    records = _records(oracle)
    assert stats.kstest(records, law.cdf).pvalue > SIZE
    for other in wrong:
        assert stats.kstest(records, other.cdf).pvalue < SIZE


@pytest.mark.parametrize(
    ("oracle", "values", "shares"),
    [
        (Bernoulli(0.3), (0, 1), (0.7, 0.3)),
        (Categorical((0.2, 0.0, 0.5, 0.3)), (0, 2, 3), (0.2, 0.5, 0.3)),
        (Resample(np.array([5.0, 5.0, 1.0, 9.0])), (1, 5, 9), (0.25, 0.5, 0.25)),
    ],
    ids=repr,
)
def test_a_discrete_law(oracle: Oracle, values: tuple[float, ...], shares: tuple[float, ...]) -> None:
    """χ² on 400,000 records: size 1e-6, and a first share 10 % off is refused either way."""
    found, counts = np.unique(_records(oracle), return_counts=True)
    assert tuple(found) == values
    expected = np.array(shares)
    assert stats.chisquare(counts, NUMBER * expected).pvalue > SIZE
    for factor in (1.1, 1 / 1.1):
        wrong = expected * ([factor] + [1.0] * (len(shares) - 1))
        assert stats.chisquare(counts, NUMBER * wrong / wrong.sum()).pvalue < SIZE


@pytest.mark.parametrize(
    ("oracle", "law"),
    [(Normal(0, 1, bounds=(-1, 0.5)), stats.norm(0, 1)), (Exponential(1, bounds=(0.5, 2)), stats.expon())],
    ids=repr,
)
def test_a_clipped_law_has_the_tails_at_its_bounds(oracle: Any, law: Any) -> None:
    """χ² on 400,000 records in three classes, low, inside, high: size 1e-6, bounds 10 % off are refused."""
    low, high = oracle.bounds
    records = _records(oracle)
    counts = np.array([(records == low).sum(), ((records > low) & (records < high)).sum(), (records == high).sum()])
    assert counts.sum() == NUMBER
    for a, b, right in ((low, high, True), (1.1 * low, high, False), (low, 1.1 * high, False)):
        shares = np.array([law.cdf(a), law.cdf(b) - law.cdf(a), law.sf(b)])
        accepted = bool(stats.chisquare(counts, NUMBER * shares).pvalue > SIZE)
        assert accepted is right


def test_a_product_has_its_columns_laws_and_no_correlation() -> None:
    """400,000 records: size 1e-6 a column; a correlation of 0.01 would be 6 standard errors."""
    records = _records(Product((Uniform(0, 1), Normal(4, 2), Exponential(3))))
    for column, law in zip(records.T, (stats.uniform(0, 1), stats.norm(4, 2), stats.expon(scale=1 / 3)), strict=True):
        assert stats.kstest(column, law.cdf).pvalue > SIZE
        assert stats.kstest(column * 1.1, law.cdf).pvalue < SIZE
    correlations = np.corrcoef(records.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(NUMBER)
    tied = records[:, 0] + 0.01 * records[:, 2] / records[:, 2].std() * records[:, 0].std()
    assert np.corrcoef(tied, records[:, 2])[0, 1] > 5 / np.sqrt(NUMBER)


def test_a_resampled_table_keeps_its_columns_together() -> None:
    table = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    records = _records(Resample(table))
    assert (records[:, 1] == 10 * records[:, 0]).all()
