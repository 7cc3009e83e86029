"""A query written on Explore: what is shown of it, where it is refused, and that link, code and release carry it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dpcore import registry
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency
from dpcore.oracles import Uniform
from dpcore.sql.parsed_query import answer_types, parse
from dpcore.targets import SampleAndAggregate, SqlQuery
from pages.experiment import blocks, cost
from pages.experiment.choices import columns_for, target_for, target_kinds
from pages.experiment.examples import example, first_scenario
from pages.experiment.noise import calibrate_worst_case, worst_case
from pages.experiment.question import oracle_of_questions, readable, with_question
from pages.experiment.scenario import Noise
from pages.experiment.tables import ours
from pages.exports.link import from_text, to_text
from pages.files.tables import Column, Table
from tests.pages.visit import (
    ask,
    book,
    go,
    headline,
    notices,
    opened,
    pick,
    press,
    sampled,
    scenario,
    settled,
    sized,
    sound,
    text,
    visit,
)

BY_SEX = "SELECT avg(bmi) FILTER (WHERE sex = 0), avg(bmi) FILTER (WHERE sex = 1)\nFROM data\nWHERE age > 50"


def _tables() -> dict[str, Table]:
    return ours()


def _first(table: Table) -> Any:
    return target_for("SqlQuery", tuple(table.column(name) for name in columns_for("SqlQuery", table)))


def _asked() -> Any:
    return pick(settled(pick(visit(), "table", "diabetes")), "target", "SqlQuery")


def _write(app: Any, query: str) -> Any:
    return settled(sound(app.text_area(key="query").set_value(query).run()))


def test_a_query_is_written_shown_and_linked() -> None:
    app = _asked()
    assert scenario(app).target.query == 'SELECT avg("age") FROM data'
    assert "within ±" in headline(app)
    assert not [box for box in app.selectbox if box.key == "pick_column"], "the query names its columns"
    app = _write(app, BY_SEX)
    made: Any = scenario(app)
    assert (made.columns, made.target.numbers) == (("age", "sex", "bmi"), 2)
    again = visit(s=to_text(made))
    assert scenario(again) == made
    assert again.text_area(key="query").value == BY_SEX
    assert not notices(again)


def test_refused_query_stays_in_the_editor() -> None:
    app = _write(_asked(), 'SELECT avg(bmi)\nFROM data\nWHERE age > "fifty"')
    assert scenario(app).target.query == 'SELECT avg("age") FROM data'
    assert '"fifty" not found in FROM clause (line 3, character 13)' in text(app)
    assert app.text_area(key="query").value.endswith('"fifty"')
    assert "within ±" in headline(app), "of the last one"
    app = _write(app, "SELECT avg(bmi) FROM data WHERE age > 50")
    assert not app.error
    assert scenario(app).columns == ("age", "bmi")


def test_value_for_failed_queries() -> None:
    app = _write(_asked(), "SELECT 1 / count_if(bmi > 69.9) FROM data")
    assert headline(app) == "## These settings give no private answer."
    opened(app, "options")
    app = settled(sound(app.text_input(key="opt_answer_if_missing").set_value("0").run()))
    assert scenario(app).target.answer_if_missing == 0.0
    app = sound(app.text_input(key="opt_answer_if_missing").set_value("nought").run())
    assert scenario(app).target.answer_if_missing == 0.0
    assert "Nothing was changed" in notices(app)


def test_only_blocks_give_a_query_differential_privacy_itself() -> None:
    """Even a plain mean with stated bounds has no worst case. Its blocks have one, and nothing else is pure DP."""
    table = _tables()["diabetes"]
    first = replace(_first(table).rewritten("SELECT avg(bmi) FROM data", readable(table)), between=(10.0, 70.0))
    for target in (first, replace(first, from_a_part="alike")):
        made = example(table).with_(**with_question(example(table), table, target))
        assert worst_case(made) is None
        assert calibrate_worst_case(made) is None
        by_blocks = blocks.in_blocks(made)
        assert (by_blocks is not None) == bool(target.from_a_part)
    assert by_blocks is not None
    assert type(by_blocks.target) is SampleAndAggregate
    assert worst_case(by_blocks) is not None


def test_sql_is_off_without_the_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = scenario(_asked())
    for cached in (registry.takers, parse, answer_types):
        cached.cache_clear()
    monkeypatch.delenv("DPCORE_SQL")
    table = _tables()["diabetes"]
    assert "SqlQuery" not in target_kinds(table)
    app = visit(s=to_text(made))
    assert "SQL queries are off here" in notices(app)
    assert type(scenario(app).target) is not SqlQuery
    registry.takers.cache_clear()


def test_query_is_released_in_a_list() -> None:
    app = sampled(ask(go(_write(_asked(), BY_SEX), "release"), "Mean of Age"))
    app = press(app, "listed_edit_0")
    assert not app.error
    app = press(press(app, "edit_0_done"), "release")
    assert not app.error
    told = [json.loads(entry.as_json()) for entry in book(app).entries]
    assert [one["guarantee"] for one in told] == ["RandomDP", "RandomDP"]
    assert ["SQL query" in one["question"] for one in told] == [True, False]


def test_query_is_released_by_blocks() -> None:
    app = _write(_asked(), "SELECT median(bmi) FROM data")
    opened(app, "options")
    app = sound(app.selectbox(key="opt_from_a_part").set_value("About the same, as a mean is").run())
    app = sound(app.text_input(key="opt_between").set_value("10, 70").run())
    app = go(app, "release")
    press(sized(app, Noise.BLOCKS), "release")
    told = json.loads(book(app).entries[-1].as_json())
    assert told["guarantee"] == "PureDP"
    assert 10 <= told["response"]["median(bmi)"] <= 70


def test_slow_query_is_no_quick_draw() -> None:
    table = _tables()["two_classes"]
    first = _first(table)
    slow = first.rewritten("SELECT sum(a.x1 * b.x2 * c.x1) FROM data a, data b, data c", readable(table))
    oracle = oracle_of_questions(table, (slow,), {})
    assert cost.seconds(first, 1_000, 199, oracle_of_questions(table, (first,), {})) < cost.QUICK
    assert cost.seconds(slow, 1_000, 199, oracle) > 100


def test_table_of_persons_takes_no_query() -> None:
    visits = _tables()["visits"]
    assert "SqlQuery" not in target_kinds(visits)
    whose = (Column("minutes", bounds=(0.0, 240.0)), Column("person", role="person"))
    with pytest.raises(DpcoreError, match="queries are about rows and not about people"):
        SqlQuery("SELECT avg(minutes) FROM data", whose)
    query = SqlQuery("SELECT avg(minutes) FROM data", whose[:1])
    plain = first_scenario(visits, "Mean").with_(
        target=query, columns=query.fields, adjacency=Adjacency.REPLACE_ONE_RECORD, n=200, oracle=Uniform(0.0, 240.0)
    )
    with pytest.raises(DpcoreError, match="can be asked of the columns"):
        from_text(to_text(plain), _tables())
