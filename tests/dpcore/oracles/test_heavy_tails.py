"""Log-normal and Pareto records against scipy's own, and what is offered for a column of costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.base.columns import Column
from dpcore.oracles import LogNormal, Pareto

LAWS: list[tuple[Any, Any, Any]] = [  # an oracle, its law, and that of one 10 % off
    (LogNormal(5.0, 0.8), stats.lognorm(0.8, scale=5.0), stats.lognorm(0.88, scale=5.0)),
    (Pareto(2.0, 1.5), stats.pareto(1.5, scale=2.0), stats.pareto(1.65, scale=2.0)),
]


@pytest.mark.parametrize(("oracle", "law", "off"), LAWS, ids=["log-normal", "Pareto"])
def test_records_have_the_law_that_is_stated(oracle: Any, law: Any, off: Any) -> None:
    """Kolmogorov–Smirnov on 100,000 records: p is 0.001 or more, and one 10 % off is rejected at 1e-9."""
    drawn = oracle.draw(1_000, 100, rng=np.random.default_rng(7)).ravel()
    assert stats.kstest(drawn, law.cdf).pvalue > 0.001
    assert stats.kstest(drawn, off.cdf).pvalue < 1e-9


@pytest.mark.parametrize(("kind", "bounds"), [(LogNormal, (0.0, 50_000.0)), (Pareto, (100.0, 50_000.0))])
def test_proposal_puts_one_percent_at_upper_bound(kind: Any, bounds: tuple[float, float]) -> None:
    """Of 200,000 records: 0.01, and within five standard errors of that."""
    made = kind.suited((Column("cost", bounds=bounds),))
    assert made.bounds == bounds
    drawn = made.draw(200, 1_000, rng=np.random.default_rng(3))
    assert np.mean(drawn == bounds[1]) == pytest.approx(0.01, abs=5 * np.sqrt(0.01 * 0.99 / 200_000))
    assert (drawn >= bounds[0]).all()


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        (LogNormal, Column("a")),
        (LogNormal, Column("a", bounds=(-1.0, 1.0))),
        (LogNormal, Column("a", bounds=(0.0, 1.0), categories=(0.0, 1.0))),
        (Pareto, Column("a")),
        (Pareto, Column("a", bounds=(0.0, 1.0))),
        (Pareto, Column("a", bounds=(1.0, 2.0), categories=(1.0, 2.0))),
    ],
)
def test_neither_is_offered_for_other_columns(kind: Any, column: Column) -> None:
    assert kind.suited((column,)) is None


@pytest.mark.parametrize("oracle", [LogNormal(1e300, 1e6), LogNormal(5e-324, 1e-300), Pareto(1e300, 1e-6), Pareto(5e-324, 1e308)])
def test_records_are_finite_whatever_the_settings(oracle: Any) -> None:
    assert np.isfinite(oracle.draw(100, 100, rng=np.random.default_rng(1))).all()
    assert np.isfinite(oracle.inverse(np.array([1e-300, 0.5, 1 - 2.0**-53]))).all()
