"""Each oracle draws from the law that it says, by scipy, and would not pass for one 10 % off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import names
import numpy as np
import pytest
from scipy import stats

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle
from dpcore.oracles import (
    Bernoulli,
    Categorical,
    Exponential,
    IndependentColumns,
    Names,
    Normal,
    NormalMixture,
    RegressionPrior,
    Resample,
    Uniform,
)

pytestmark = pytest.mark.statistical
SIZE = 1e-6
NUMBER = 200_000


def _mixture(weight: float, means: tuple[float, float], sds: tuple[float, float]) -> Any:
    parts = [stats.Normal(mu=mean, sigma=sd) for mean, sd in zip(means, sds, strict=True)]
    return stats.Mixture(parts, weights=(weight, 1 - weight))


def _records(oracle: Oracle) -> Database:
    """As many records, 8 a database."""
    drawn = oracle.draw(NUMBER // 8, 8, rng=np.random.default_rng(2_026))
    return np.asarray(drawn.reshape(NUMBER, *drawn.shape[2:]))


@pytest.mark.parametrize(
    ("oracle", "law", "wrong"),
    [
        (Uniform(-2, 3), stats.uniform(-2, 5), [stats.uniform(-2, 5.5), stats.uniform(-2.5, 5.5), stats.uniform(-2, 4.5)]),
        (Normal(4, 2), stats.norm(4, 2), [stats.norm(4, 2.2), stats.norm(4, 1.8), stats.norm(4.2, 2)]),
        (Exponential(3), stats.expon(scale=1 / 3), [stats.expon(scale=1.1 / 3), stats.expon(scale=1 / 3.3)]),
        (
            NormalMixture((0.4, 0.6), (0.5, 0.75), (0.02**0.5, 0.005**0.5)),
            _mixture(0.4, (0.5, 0.75), (0.02**0.5, 0.005**0.5)),
            [
                _mixture(0.44, (0.5, 0.75), (0.02**0.5, 0.005**0.5)),
                _mixture(0.4, (0.55, 0.75), (0.02**0.5, 0.005**0.5)),
                _mixture(0.4, (0.5, 0.75), (1.1 * 0.02**0.5, 0.005**0.5)),
                _mixture(0.4, (0.5, 0.75), (0.02**0.5, 1.1 * 0.005**0.5)),
            ],
        ),
    ],
)
def test_a_continuous_law(oracle: Oracle, law: Any, wrong: list[Any]) -> None:
    """Kolmogorov–Smirnov on 200,000 records: size 1e-6, and each law 10 % off is refused."""
    records = _records(oracle)
    assert stats.kstest(records, law.cdf).pvalue > SIZE
    for other in wrong:
        assert stats.kstest(records, other.cdf).pvalue < SIZE


@pytest.mark.parametrize(
    ("oracle", "law"),
    [(Normal(4, 2), stats.norm(4, 2)), (Exponential(3), stats.expon(scale=1 / 3)), (Uniform(-2, 3), stats.uniform(-2, 5))],
)
def test_inverse_is_scipys(oracle: Any, law: Any) -> None:
    shares = np.array([1e-300, 1e-12, 0.01, 0.5, 0.99, 1 - 1e-12, 1 - 2.0**-53])
    assert oracle.inverse(shares) == pytest.approx(law.ppf(shares), rel=1e-12)


@pytest.mark.parametrize(
    ("oracle", "values", "shares"),
    [
        (Bernoulli(0.3), (0, 1), (0.7, 0.3)),
        (Categorical((0.2, 0.0, 0.5, 0.3)), (0, 2, 3), (0.2, 0.5, 0.3)),
        (Resample(np.array([5.0, 5.0, 1.0, 9.0])), (1, 5, 9), (0.25, 0.5, 0.25)),
    ],
)
def test_a_discrete_law(oracle: Oracle, values: tuple[float, ...], shares: tuple[float, ...]) -> None:
    """χ² on 200,000 records: size 1e-6, and a first share 10 % off is refused either way."""
    found, counts = np.unique(_records(oracle), return_counts=True)
    assert tuple(found) == values
    expected = np.array(shares)
    assert stats.chisquare(counts, NUMBER * expected).pvalue > SIZE
    for factor in (1.1, 1 / 1.1):
        wrong = expected * ([factor] + [1.0] * (len(shares) - 1))
        assert stats.chisquare(counts, NUMBER * wrong / wrong.sum()).pvalue < SIZE


def test_a_product_has_its_columns_laws_and_no_correlation() -> None:
    """200,000 records: size 1e-6 a column; a correlation of 0.02 would be 9 standard errors."""
    records = _records(IndependentColumns((Uniform(0, 1), Normal(4, 2), Exponential(3))))
    for column, law in zip(records.T, (stats.uniform(0, 1), stats.norm(4, 2), stats.expon(scale=1 / 3)), strict=True):
        assert stats.kstest(column, law.cdf).pvalue > SIZE
        assert stats.kstest(column * 1.1, law.cdf).pvalue < SIZE
    correlations = np.corrcoef(records.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(NUMBER)
    tied = records[:, 0] + 0.02 * records[:, 2] / records[:, 2].std() * records[:, 0].std()
    assert np.corrcoef(tied, records[:, 2])[0, 1] > 5 / np.sqrt(NUMBER)


def _lines(file: str) -> list[tuple[str, float, float]]:
    """Name, percentage and cumulative percentage of each line of the package's own table."""
    with open(names.FILES[file], encoding="ascii") as lines:
        return [(name.title(), float(percent), float(total)) for name, percent, total, _ in map(str.split, lines)]


@pytest.fixture(scope="module")
def people() -> list[tuple[str, str]]:
    """200,000 first and last names."""
    drawn = _records(Names())
    assert all(name.count(" ") == 1 for name in drawn[:1_000])
    first, _, last = np.strings.partition(drawn, " ")
    return list(zip(first.tolist(), last.tolist(), strict=True))


def test_last_names_are_as_common_as_the_table_says(people: list[tuple[str, str]]) -> None:
    """χ² of 200,000 names in 24 classes, the 20 commonest alone and the others by rank: size 1e-6.

    Refused: the 20 commonest 10 % commoner or rarer, and the table without its names of 0.000 %.
    """
    table = _lines("last")
    rank = {name: position for position, (name, _, _) in enumerate(table)}
    ends = np.array([*range(20), 99, 999, 9_999, len(table) - 1])
    counts = np.bincount(np.searchsorted(ends, [rank[last] for _, last in people]), minlength=len(ends))
    shares = np.diff([table[end][2] for end in ends], prepend=0.0) / table[-1][2]
    assert stats.chisquare(counts, NUMBER * shares).pvalue > SIZE
    rounded = np.diff(np.cumsum([percent for _, percent, _ in table])[ends], prepend=0.0)
    common = np.arange(len(ends)) < 20
    for wrong in (shares * np.where(common, 1.1, 1), shares * np.where(common, 0.9, 1), rounded):
        assert stats.chisquare(counts, NUMBER * wrong / wrong.sum()).pvalue < SIZE


def test_first_names_are_half_female_and_as_common_as_the_tables_say(people: list[tuple[str, str]]) -> None:
    """χ² of 200,000 names, the 10 commonest of each table, the others of one table alone, and the rest: size 1e-6.

    The table's rounding moves no class by more than a tenth of a standard error's 5. Refused: 55 % or 45 % female, and the
    commonest 10 % commoner.
    """
    female, male = ({name: percent for name, percent, _ in _lines(f"first:{sex}")} for sex in ("female", "male"))
    common = [*list(female)[:10], *list(male)[:10]]

    def place(name: str) -> int:
        return common.index(name) if name in common else 20 + (name not in male) + 2 * (name not in female)

    counts = np.bincount([place(first) for first, _ in people], minlength=23)
    parts = np.zeros((2, 23))
    for share, table in zip(parts, (female, male), strict=True):
        for name, percent in table.items():
            share[place(name)] += percent
        share /= share.sum()

    def accepted(women: float, factor: float = 1.0) -> bool:
        shares = (women * parts[0] + (1 - women) * parts[1]) * np.where(np.arange(23) < 20, factor, 1)
        return bool(stats.chisquare(counts, NUMBER * shares / shares.sum()).pvalue > SIZE)

    assert accepted(0.5)
    assert not any((accepted(0.55), accepted(0.45), accepted(0.5, 1.1)))


def test_last_names_do_not_depend_on_first_names(people: list[tuple[str, str]]) -> None:
    """χ² of 200,000 names in 2 × 11 classes, a man's name or not by the 10 commonest last names: size 1e-6.

    Refused: a tenth of the men with a common last name given women's names.
    """
    male, common = {name for name, *_ in _lines("first:male")}, [name for name, *_ in _lines("last")[:10]]
    table = np.zeros((2, 11))
    for first, last in people:
        table[int(first not in male), common.index(last) if last in common else 10] += 1
    assert stats.chi2_contingency(table).pvalue > SIZE
    turned = 0.1 * table[0, :10]
    table[0, :10] -= turned
    table[1, :10] += turned
    assert stats.chi2_contingency(table).pvalue < SIZE


CURVES: list[tuple[float, Callable[[FloatArray], FloatArray]]] = [
    (0.05, lambda u: 0 * u),
    (0.2375, lambda u: u),
    (0.2375, lambda u: u * np.sin(u)),
    (0.2375, lambda u: u * np.cos(u)),
    (0.2375, lambda u: u * np.sin(2 * u) / 2),
]


def test_a_regression_prior_draws_one_of_five_curves_a_database() -> None:
    """χ² of some 120,000 databases of three records that lie on their curve: size 1e-6, 5 % flat ones are not 5.5 % nor 4.5 %."""
    drawn = RegressionPrior(noise=1e-7).draw(160_000, 3, rng=np.random.default_rng(11))
    u, y = np.moveaxis(drawn[(drawn[..., 0] > 0.1).all(axis=1)], -1, 0)
    assert len(u) > 110_000
    apart = np.array([np.abs(y - curve(u)) for _, curve in CURVES])
    assert apart.min(axis=0).max() < 1e-6
    nearest = apart.argmin(axis=0)
    assert (nearest == nearest[:, :1]).all()
    assert not (nearest[1:, 0] == nearest[:-1, 1]).all()
    counts = np.bincount(nearest[:, 0], minlength=5)
    for flat, right in ((0.05, True), (0.055, False), (0.045, False)):
        accepted = bool(stats.chisquare(counts, len(u) * np.array([flat, *[(1 - flat) / 4] * 4])).pvalue > SIZE)
        assert accepted is right


def _height(noise: float, low: float, high: float) -> Callable[[FloatArray], FloatArray]:
    """The CDF of y: the mean of the normal CDFs around the curves, by the midpoint rule over u."""
    u = (np.arange(500) + 0.5) / 500
    grid = np.linspace(-8 * noise, 1 + 8 * noise, 2_001)
    parts = (weight * stats.norm.cdf((grid[:, None] - curve(u)) / noise).mean(axis=1) for weight, curve in CURVES)
    values = np.sum(list(parts), axis=0)
    return lambda y: np.interp((y - low) / (high - low), grid, values)


def test_a_regression_prior_has_its_marginal_laws_on_its_bounds() -> None:
    """Kolmogorov–Smirnov on 200,000 records, one a database: size 1e-6, and noise or bounds 10 % off are refused."""
    x, y = RegressionPrior(0.2, (-1, 3), (2, 5)).draw(NUMBER, 1, rng=np.random.default_rng(12))[:, 0].T
    assert stats.kstest(x, stats.uniform(-1, 4).cdf).pvalue > SIZE
    assert stats.kstest(x, stats.uniform(-1, 4.4).cdf).pvalue < SIZE
    assert stats.kstest(y, _height(0.2, 2, 5)).pvalue > SIZE
    for wrong in (_height(0.22, 2, 5), _height(0.18, 2, 5), _height(0.2, 2, 5.3), _height(0.2, 2.2, 5)):
        assert stats.kstest(y, wrong).pvalue < SIZE


def test_points_of_a_regression_prior_scatter_normally_around_their_curve() -> None:
    """Kolmogorov–Smirnov on 200,000 residuals of the databases' own curves: size 1e-6, noise 10 % off is refused."""
    oracle = RegressionPrior(noise=0.001)
    u, y = np.moveaxis(oracle.draw(NUMBER // 8, 40, rng=np.random.default_rng(13)), -1, 0)
    apart = np.array([np.abs(y - curve(u)).sum(axis=1) for _, curve in CURVES]).argmin(axis=0)
    rest = np.concatenate([(y - curve(u))[apart == number, :8].ravel() for number, (_, curve) in enumerate(CURVES)])
    assert len(rest) == NUMBER
    assert stats.kstest(rest, stats.norm(0, 0.001).cdf).pvalue > SIZE
    for sd in (0.0011, 0.0009):
        assert stats.kstest(rest, stats.norm(0, sd).cdf).pvalue < SIZE
