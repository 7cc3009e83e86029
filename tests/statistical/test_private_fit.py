"""A private fit keeps its ε and fails at half its noise; its oracle has the law of the noisy histogram; and what it loses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.audits.audit import audit
from dpcore.base.declared import TEXT, Column
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.oracles.product import of_columns
from pages.experiment.oracle_origin import laws

pytestmark = pytest.mark.statistical
COLUMNS = (Column("x", bounds=(0.0, 1.0)), Column("t", role=TEXT, categories=("a", "b", "c")))
FIT = targets.ColumnCounts(((0.0, 1.0), (-0.5, 2.5)), (4, 3))
SQUARE = (Column("x", bounds=(0.0, 1.0)), Column("y", bounds=(0.0, 1.0)))


def _released(fit: Any, database: Database, epsilon: float, seed: int) -> FloatArray:
    proved = fit.global_sensitivity(L1, len(database))
    assert proved is not None
    law: Any = Laplace().calibrate(proved, PureDP(epsilon)).law
    return np.asarray(law.simulate(fit(database), size=1, rng=np.random.default_rng(seed))[0])


def test_a_fit_keeps_its_epsilon_and_half_the_noise_is_seen() -> None:
    """200,000 responses to the worst pair, a record that leaves a bin for another in both columns; the bound is wrong in 1e-6."""
    database = np.array([[0.1, 0.0], [0.5, 1.0], [0.9, 2.0]])
    other = database.copy()
    other[0] = [0.9, 2.0]
    proved = FIT.global_sensitivity(L1, 3)
    assert proved is not None
    asked: dict[str, Any] = {"draws": 200_000, "seed": 4, "claimed": PureDP(1.0)}
    honest = audit(Laplace().calibrate(proved, PureDP(1.0)), FIT(database), FIT(other), **asked)
    assert honest.holds
    assert honest.lower > 0.7
    assert not audit(Laplace().calibrate(proved, PureDP(2.0)), FIT(database), FIT(other), **asked).holds


def _p(law: Oracle, counts: FloatArray, draws: int = 100_000) -> float:
    """The chi-square p-value of draws against the shares of noisy counts, those below 0 put to 0."""
    drawn = law.draw(1, draws, rng=np.random.default_rng(6))[0]
    codes = np.searchsorted(["a", "b", "c"], drawn) if drawn.dtype.kind == "U" else (drawn * len(counts)).astype(int)
    kept = np.maximum(counts, 0)
    seen = np.bincount(codes, minlength=len(counts))
    assert seen[kept == 0].sum() == 0
    return float(stats.chisquare(seen[kept > 0], draws * kept[kept > 0] / kept.sum()).pvalue)


def test_the_oracle_has_the_law_of_the_noisy_histogram() -> None:
    """At 1e-4, of 100,000 records; with a bin 10 % heavier it has not. Inside a bin records are uniform."""
    rng = np.random.default_rng(2)
    database = np.column_stack([rng.beta(2, 5, 2_000), rng.choice(3, 2_000, p=[0.7, 0.3, 0.0])])
    response = _released(FIT, database, 0.5, seed=3)
    fitted = laws(FIT, response, COLUMNS)
    for law, counts in zip(fitted.values(), FIT.split(response), strict=True):
        assert _p(law, counts) > 1e-4
        wrong = counts * np.where(np.arange(len(counts)) == counts.argmax(), 1.1, 1.0)
        assert _p(law, wrong) < 1e-4
    drawn = fitted["x"].draw(1, 100_000, rng=rng)[0]
    inside = drawn[drawn < 0.25] * 4
    assert stats.kstest(inside, "uniform").pvalue > 1e-4
    assert stats.kstest(inside * 0.9, "uniform").pvalue < 1e-4


def _misses(fit: Any, database: Database, epsilon: float) -> float:
    """Of 400,000 pairs of the table's own law, x uniform and y = x: the share that Δ̂ of 19,999 trials from the fit misses."""
    fitted = of_columns(tuple(laws(fit, _released(fit, database, epsilon, seed=1), SQUARE).values()))
    n = len(database)
    sample = sample_sensitivity(_Product(), fitted, norm=L1, n=n, at=OperatingPoint.for_both(19_999, 0.05), seed=2)
    x = np.random.default_rng(3).random((2, 400_000))
    return float((np.abs(x[0] ** 2 - x[1] ** 2) / n > sample.sensitivity().value).mean())


class _Product:
    """f(D) = Σ x·y/n."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([(database[:, 0] * database[:, 1]).mean()])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return np.asarray(records[:, :1] * records[:, 1:] / n)


@pytest.mark.parametrize(("epsilon", "bins"), [(20.0, 20), (1.0, 10)])
def test_a_fit_of_two_equal_columns_misses_three_times_what_it_says(epsilon: float, bins: int) -> None:
    """.157 of a perfect fit, in place of .05 (mathematics, section 7.2)."""
    x = np.random.default_rng(9).random(10_000)
    fit = targets.ColumnCounts(((0.0, 1.0), (0.0, 1.0)), (bins, bins))
    assert _misses(fit, np.column_stack([x, x]), epsilon) == pytest.approx(0.157, abs=0.008)


def test_independent_columns_lose_nothing() -> None:
    """Where the columns are independent, the pairs of the table's law are missed as promised."""
    drawn = oracles.Product((oracles.Uniform(0, 1),) * 2).draw(1, 10_000, rng=np.random.default_rng(9))[0]
    fit = targets.ColumnCounts(((0.0, 1.0), (0.0, 1.0)), (10, 10))
    fitted = of_columns(tuple(laws(fit, _released(fit, drawn, 1.0, seed=1), SQUARE).values()))
    sample = sample_sensitivity(_Product(), fitted, norm=L1, n=10_000, at=OperatingPoint.for_both(19_999, 0.05), seed=2)
    x = np.random.default_rng(3).random((4, 400_000))
    missed = (np.abs(x[0] * x[1] - x[2] * x[3]) / 10_000 > sample.sensitivity().value).mean()
    assert missed == pytest.approx(0.05, abs=0.008)
