"""The tables in ``data`` are what their makers write, and their bounds hold what they hold."""

from __future__ import annotations

import runpy
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from dpcore import Adjacency, oracles, targets
from dpcore.base.columns import Column
from dpcore.registry import from_json
from pages.experiment.examples import example_named
from pages.experiment.people import Contributions, contributions, least
from pages.experiment.tables import ours

DATA = Path(__file__).parents[1] / "data"
TABLES = ours()


def test_the_script_writes_the_tables_that_are_here(tmp_path: Path) -> None:
    shutil.copy(DATA / "make_tables.py", tmp_path)
    runpy.run_path(str(tmp_path / "make_tables.py"), run_name="__main__")
    made = sorted(tmp_path.glob("*.csv"))
    assert len(made) == 8
    assert all(path.read_bytes() == (DATA / path.name).read_bytes() for path in made)


def test_scientists_are_those_of_the_paper() -> None:
    prepared = TABLES["scientists"].prepare(("name",))
    assert (len(prepared), prepared[0], prepared[-1]) == (10, "Michael Jordan", "Judea Pearl")
    assert "".join(prepared).count("e") == 15


def test_sine_has_noise_of_0_2() -> None:
    """χ² of 250 residuals: size 1e-6; that many refuse noise of 0.27 or 0.15, not of 10 % more."""
    x, y = TABLES["sine"].prepare(("x", "y")).T
    assert len(x) == 250
    assert stats.kstest(x, "uniform").pvalue > 1e-6
    squares = ((y - x * np.sin(10 * x)) ** 2).sum()
    for sd, right in ((0.2, True), (0.27, False), (0.15, False)):
        low, high = stats.chi2(250).ppf([5e-7, 1 - 5e-7]) * sd**2
        accepted = bool(low < squares < high)
        assert accepted is right


def test_two_bumps_are_the_papers_mixture() -> None:
    """Kolmogorov–Smirnov on 5,000 records: size 1e-6; second parameters read as standard deviations are refused."""
    x = TABLES["two_bumps"].prepare(("x",))
    assert len(x) == 5_000
    for sds, right in (((0.02**0.5, 0.005**0.5), True), ((0.02, 0.005), False), ((1.3 * 0.02**0.5, 1.3 * 0.005**0.5), False)):
        law = [stats.norm(mean, sd) for mean, sd in zip((0.5, 0.75), sds, strict=True)]
        accepted = bool(stats.kstest(x, lambda v, law=law: 0.4 * law[0].cdf(v) + 0.6 * law[1].cdf(v)).pvalue > 1e-6)
        assert accepted is right


def test_two_classes_are_those_of_the_paper() -> None:
    """1,000 labels and Kolmogorov–Smirnov on each feature of each class: sizes of 1e-6; a 0.01 for the deviation is refused."""
    records = TABLES["two_classes"].prepare(("x1", "x2", "label"))
    labels = records[:, 2]
    assert stats.binomtest(int(labels.sum()), 1_000, 0.5).pvalue > 1e-6
    for label, centre in ((1, 0.2), (0, 0.8)):
        for values in records[labels == label, :2].T:
            inside = values[(values > 0) & (values < 1)]
            for sd, right in ((0.1, True), (0.01, False), (0.15, False)):
                law = stats.truncnorm(-centre / sd, (1 - centre) / sd, centre, sd)
                assert bool(stats.kstest(inside, law.cdf).pvalue > 1e-6) is right
        assert abs(np.corrcoef(records[labels == label, :2].T)[0, 1]) < 0.25


def test_what_is_suggested_draws_what_the_columns_hold() -> None:
    suggested = {name: table for name, table in TABLES.items() if table.suggested_columns}
    assert set(suggested) == {"scientists", "sine", "two_bumps", "two_classes"}
    for table in suggested.values():
        assert table.target is not None
        database = table.prepare(table.suggested_columns)
        drawn = from_json(table.oracle, "oracles").draw(1, len(database), rng=np.random.default_rng(1))[0]
        assert (drawn.shape, drawn.dtype.kind) == (database.shape, database.dtype.kind)
    assert from_json(TABLES["two_bumps"].oracle, "oracles") == oracles.NormalMixture.suited((Column("x", bounds=(0, 1)),))


@pytest.mark.parametrize(("s", "total"), [(5, -1.0), (3, 4.2), (1, 6.4)])
def test_players_are_those_of_the_tutorial(s: int, total: float) -> None:
    table = TABLES["players"]
    assert (len(table), table.size(())) == (9, 4)
    (score,) = table.columns
    assert score.bounds == (-10, 10)
    question = targets.Query(targets.Sum(score.bounds), ("score",))
    capped = targets.ContributionBounded(question, "player", rows=s)
    assert capped(table.prepare(capped.fields, capped)) == pytest.approx([total])


def test_frequent_visitors_stay_longer() -> None:
    table, rows = TABLES["visits"], _visits().rows
    of_each = rows.rows_a_person[rows.people["code"]]
    assert (len(rows.rows_a_person), len(table)) == (table.size(()), 14_866) == (2_000, 14_866)
    assert rows.values[of_each >= 30].mean() > 1.2 * rows.values[of_each < 30].mean()
    assert rows.rows_a_person.max() > 40 * np.median(rows.rows_a_person)
    assert (DATA / "visits.csv").stat().st_size <= 400_000


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER], ids=lambda one: one.name)
def test_limit_on_visits_has_an_optimum(adjacency: Adjacency) -> None:
    """The sum within the column's bounds, at ε = 1. With the best s, the best upper bound is not at an end either."""
    found = _visits(adjacency)
    totals, best = [one.total for one in found.by_limit], least(found.by_limit)
    assert (found.by_limit[0].size, found.by_limit[-1].size) == (1, found.rows.rows_a_person.max())
    assert 2 * best.total < min(totals[0], totals[-1])
    of_bounds = replace(found, scenario=found.scenario.with_(target=best.target)).by_bounds
    lowest = least(of_bounds)
    assert of_bounds[0].size < lowest.size < of_bounds[-1].size
    assert lowest.total < 0.1 * found.rows.values.sum()


def _visits(adjacency: Adjacency = Adjacency.REPLACE_ONE_USER) -> Contributions:
    scenario, table = example_named("People", TABLES).with_(adjacency=adjacency), TABLES["visits"]
    return contributions(scenario, table, table.prepare(scenario.columns, scenario.target))


@pytest.mark.parametrize("name", sorted(TABLES))
def test_declared_bounds_and_categories_hold_every_record(name: str) -> None:
    table = TABLES[name]
    of_people = set() if table.persons is None else {table.persons.column}
    assert set(table.values) == {column.name for column in table.columns} | of_people
    for column in table.columns:
        values = table.values[column.name]
        assert (column.role == "text") == (values.dtype.kind == "U")
        if column.bounds is not None:
            assert column.bounds[0] <= values.min()
            assert values.max() <= column.bounds[1]
        if column.categories is not None:
            assert set(values) <= set(column.categories)


def test_every_table_states_its_origin_and_licence() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in DATA.glob("*.csv")}
    assert files == {f"{name}.csv" for name in TABLES} | {"hospital_stays.csv"}  # which is to be tried, and no table of the app
    assert all(f"`{name}`" in readme for name in files)
