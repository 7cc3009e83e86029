"""A table beside a made-up one, by scipy's statistics; and that no confidential table is looked at."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp, spearmanr

from dpcore.base.declared import TEXT, Column
from dpcore.errors import InvalidValueError
from dpcore.oracles import Categorical, Normal, Product
from dpcore.targets import LetterCounts, Mean
from pages.charts.oracle_check import bins, column_beside, pair_beside
from pages.experiment.defaults import first_mechanism
from pages.experiment.oracle_compared import MOST_RECORDS, OracleCheck, Sides, evenly, oracle_check, rank_correlation, shares
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.table import Table
from pages.state import state

RNG = np.random.default_rng(8)
X = RNG.normal(0, 1, 3_000)
Y = X**3 + RNG.normal(0, 2, 3_000)
COLUMNS = (Column("x"), Column("y"))


def _table(**values: np.ndarray) -> Table:
    columns = tuple(Column(name, role=TEXT if array.dtype.kind == "U" else "measure") for name, array in values.items())
    return Table("ours", columns, dict(values), public=True)


def _scenario(**changes: object) -> Scenario:
    target = Mean(((-9.0, 9.0), (-99.0, 99.0)))
    plain = state.example().with_(table="ours", columns=("x", "y"), target=target, n=3_000, oracle=_normals(1.0))
    return plain.with_(**changes)


def _normals(sd: float) -> Product:
    return Product((Normal(0, sd), Normal(0, 8)))


def _checked(sd: float = 1.0) -> OracleCheck:
    return oracle_check(_scenario(oracle=_normals(sd)), _table(x=X, y=Y))


def test_the_gap_is_that_of_kolmogorov_and_smirnov() -> None:
    for sd in (1.0, 1.5):
        sides = _checked(sd).columns[0]
        assert sides.gap == pytest.approx(ks_2samp(sides.table, sides.made_up).statistic, abs=1e-12)
        assert (sides.gap < 1.36 * np.sqrt(2 / 3_000)) == (sd == 1.0)


def test_the_rank_correlation_is_spearmans_ties_and_all() -> None:
    check = _checked()
    real, made = check.rank_correlations("x", "y")
    assert real == pytest.approx(spearmanr(X, Y).statistic)
    assert abs(made) < 0.1 < 0.5 < real
    tied = RNG.integers(3, size=500).astype(float), RNG.integers(4, size=500).astype(float)
    assert rank_correlation(*tied) == pytest.approx(spearmanr(*tied).statistic)
    assert rank_correlation(np.ones(5), np.arange(5.0)) == 0
    assert rank_correlation(np.zeros(0), np.zeros(0)) == 0


def test_categories_are_compared_by_their_shares() -> None:
    column = Column("c", categories=(0.0, 1.0, 2.0), category_names=("no", "yes", "<b>"))
    sides = Sides(column, np.array([1.0, 1, 1, 0]), np.array([2.0, 1.0]), (0.0, 0.0))
    names, real, made = shares(sides)
    assert (names, real.tolist(), made.tolist()) == ([1.0, 0.0, 2.0], [0.75, 0.25, 0.0], [0.5, 0.0, 0.5])
    assert sides.gap == pytest.approx(0.5)
    drawn = column_beside(sides).data
    assert list(drawn[0].x) == ["yes", "no", "&lt;b&gt;"]


def test_of_free_texts_the_lengths_are_compared() -> None:
    target = LetterCounts()
    mechanism = first_mechanism(target)
    scenario = state.example().with_(
        table="ours",
        columns=("t",),
        target=target,
        oracle=Categorical((0.5, 0.5), ("abc", "defgh")),
        n=4,
        mechanism=mechanism,
        norm=mechanism.norm,
    )
    sides = oracle_check(scenario, _table(t=np.array(["Ada", "Grace", "", "Emmy"]))).columns[0]
    assert sides.table.tolist() == [3.0, 5.0, 4.0]
    assert set(sides.made_up) <= {3.0, 5.0}
    assert sides.missing[1] == 0
    assert sides.column.words == "Length of t (characters)"


def test_a_confidential_table_is_never_looked_at_and_its_own_records_are_no_comparison() -> None:
    class Watched(dict[str, np.ndarray]):
        def __getitem__(self, name: str) -> np.ndarray:
            raise AssertionError("looked at")

    table = _table(x=X, y=Y).declared(public=False)
    object.__setattr__(table, "values", Watched())
    with pytest.raises(InvalidValueError) as refused:
        oracle_check(_scenario(), table)
    assert refused.value.name == "table"
    with pytest.raises(InvalidValueError) as refused:
        oracle_check(_scenario(oracle=TableRecords()), _table(x=X, y=Y))
    assert refused.value.name == "oracle"


def test_no_trial_and_no_simulated_answer_is_the_table_that_is_compared() -> None:
    again = _checked().columns[0].made_up
    assert (again == _checked().columns[0].made_up).all()
    assert len(again) == 3_000
    other = oracle_check(_scenario(seed=99), _table(x=X, y=Y)).columns[0].made_up
    assert (again != other).any()


def test_a_long_table_in_order_is_thinned_evenly() -> None:
    ordered = np.arange(100_000.0)
    kept = evenly(ordered, MOST_RECORDS)
    assert len(kept) == MOST_RECORDS
    assert kept.mean() == pytest.approx(ordered.mean(), rel=1e-3)
    assert evenly(ordered[:5], MOST_RECORDS) is not None
    assert len(evenly(ordered[:5], MOST_RECORDS)) == 5


def test_the_bins_hold_everybody_and_the_dots_are_records_of_both_columns() -> None:
    check = _checked()
    figure = column_beside(check.columns[0]).data
    assert sum(figure[0].y) == pytest.approx(1)
    assert sum(figure[1].y) == pytest.approx(1)
    edges = bins(check.columns[0])
    assert edges[0] <= np.quantile(X, 0.005)
    assert edges[-1] >= np.quantile(X, 0.995)
    dots = pair_beside(check, *COLUMNS).data
    assert [len(trace.x) for trace in dots] == [500, 500]
    assert set(zip(dots[0].x, dots[0].y, strict=True)) <= set(zip(X, Y, strict=True))


def test_one_value_and_no_value_are_drawn_too() -> None:
    constant = Sides(Column("x"), np.ones(4), np.ones(3), (0.0, 0.0))
    assert constant.gap == 0
    assert sum(column_beside(constant).data[0].y) == pytest.approx(1)
    empty = Sides(Column("x"), np.zeros(0), np.ones(3), (1.0, 0.0))
    assert empty.gap == 1
    assert list(column_beside(empty).data) == []
