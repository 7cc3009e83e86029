"""What a summary asks: from declarations, the number of rows and ε alone; and where it tells nothing, from which ε on it does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency
from dpcore.base.declared import TEXT, Column
from dpcore.errors import InvalidValueError
from pages.experiment import preview
from pages.experiment.scenario import MOST_EPSILON, Scenario
from pages.experiment.summary import plan
from pages.experiment.summary.told import told
from pages.files.tables import Table
from pages.state import state

TABLES = state.catalog()
RNG = np.random.default_rng(5)


def _table(columns: int, rows: int, *, missing: bool = False) -> Table:
    declared = tuple(Column(f"c{place}", bounds=(0.0, 1.0), missing="only known values count") for place in range(columns))
    values = {one.name: np.full(rows, np.nan) if missing else RNG.random(rows) for one in declared}
    return Table("mine", declared, public=False, values=values)


def _bars(table: Table, epsilon: float, columns: tuple[str, ...] | None = None) -> Any:
    target: Any = plan.asking(table, columns or plan.offered(table).columns, epsilon).target
    return target.bins


def test_what_nothing_is_declared_of_is_left_out_by_name() -> None:
    columns = (Column("bare"), Column("text", role=TEXT), Column("cost", bounds=(0.0, 1.0)))
    values = {"bare": np.zeros(3), "text": np.array(["a", "b", "c"]), "cost": np.zeros(3)}
    offer = plan.offered(Table("mine", columns, public=False, values=values))
    assert (offer.columns, offer.left_out) == (("cost",), ("bare", "text"))
    with pytest.raises(InvalidValueError, match="at least one"):
        plan.asking(Table("mine", columns, public=False, values=values), (), 1.0)


def test_the_bars_come_of_rows_columns_and_epsilon_and_not_of_values() -> None:
    few, many = _table(1, 400), _table(1, 40_000)
    assert _bars(few, 0.1) < _bars(few, 1.0) < _bars(many, 1.0)
    assert _bars(_table(8, 400), 1.0) < _bars(few, 1.0)
    assert _bars(_table(1, 400, missing=True), 1.0) == _bars(few, 1.0)


def test_200_columns_are_summed_up_in_coarse_bars() -> None:
    table = _table(200, 5_000)
    scenario = plan.asking(table, plan.offered(table).columns, 5.0)
    assert plan.why_nothing(scenario) == ""
    target: Any = scenario.target
    assert set(target.bins) == {4}
    noise = preview.calibrated_worst_case(scenario)
    assert noise is not None
    found = told(target, noise.release(table.prepare(scenario.columns, target).database).response, noise.law.scale, 5_000)
    assert len(found.columns) == 200
    assert Scenario.from_json(json.loads(json.dumps(scenario.to_json()))) == scenario


def test_of_a_table_in_which_all_is_missing_nothing_is_shown() -> None:
    table = _table(2, 300, missing=True)
    scenario = plan.asking(table, ("c0", "c1"), 1.0)
    noise = preview.calibrated_worst_case(scenario)
    assert noise is not None
    response = scenario.target(table.prepare(scenario.columns, scenario.target).database)
    found = told(scenario.target, response, noise.law.scale, 300)  # type: ignore[arg-type]
    assert [(column.shown, column.counted, column.mean) for column in found.columns] == [(False, False, None)] * 2


@pytest.mark.parametrize("name", ["diabetes", "two_classes", "visits"])
def test_the_least_epsilon_that_tells_something_is_where_the_noise_is_as_large_as_the_table(name: str) -> None:
    table = TABLES[name]
    scenario = plan.asking(table, plan.offered(table).columns, 1.0)
    least = plan.least_epsilon(scenario)
    target: Any = scenario.target
    for epsilon, tells in ((least * 1.001, True), (least * 0.999, False)):
        at: Any = scenario.with_(epsilon=max(epsilon, 0.01))
        noise = preview.calibrated_worst_case(at)
        assert noise is not None
        if at.epsilon == epsilon:
            assert (noise.law.half_width(0.95) < scenario.n * target.rows) is tells
            assert (plan.why_nothing(at) == "") is tells
    assert f"{least:.2f}"[:3] in plan.why_nothing(scenario.with_(epsilon=0.01)) or least < 0.01


def test_one_record_is_told_that_no_epsilon_would_do_or_which() -> None:
    assert "The least ε that tells something is 7.19;" in plan.why_nothing(plan.asking(_table(1, 1), ("c0",), 1.0))
    table = _table(9, 1)
    assert f"No ε up to {MOST_EPSILON:g}" in plan.why_nothing(plan.asking(table, plan.offered(table).columns, 1.0))


def test_a_table_of_people_is_asked_about_people_and_one_whose_rows_are_not_counted_about_lost_rows() -> None:
    visits = TABLES["visits"]
    scenario = plan.asking(visits, ("minutes", "clinic"), 1.0)
    assert scenario.adjacency is Adjacency.REPLACE_ONE_USER
    assert scenario.columns == ("minutes", "clinic", "person")
    stated = replace(_table(1, 400), stated=500)
    asked = plan.asking(stated, ("c0",), 1.0)
    assert (asked.adjacency, asked.n) == (Adjacency.ADD_OR_REMOVE_ONE_RECORD, 500)
    assert preview.calibrated_worst_case(asked) is not None
