"""A query about people, written on Explore: what it finds of each, whom it protects, and that s goes with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.base.types import person_of
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import Capped, SqlQuery
from pages.experiment import preview
from pages.experiment.defaults import example, kind_of, target_kinds
from pages.experiment.scenario import TableRecords
from pages.files.persons import Persons
from pages.files.tables import Column, Table, read_catalog
from pages.state import doubts
from pages.state import link as links
from tests.pages.reports.run import ran
from tests.pages.test_people import explored
from tests.pages.visit import ask, book, go, notices, opened, pick, press, scenario, settled, sound, text, visit

A_PERSON = "SELECT avg(total)\nFROM (SELECT sum(score) AS total FROM data GROUP BY player)"


def _asked(table: str = "players", query: str = A_PERSON) -> Any:
    """With as few trials as support γ: none waits for a worker."""
    return _write(pick(settled(visit(v="1", table=table, m="19")), "target", "SqlQuery"), query)


def _write(app: Any, query: str) -> Any:
    return settled(sound(app.text_area(key="query").set_value(query).run()))


def _capped(app: Any, rows: int) -> Any:
    return settled(sound(opened(app, "options").number_input(key="opt_cap").set_value(rows).run()))


def test_a_query_reads_s_rows_of_each_person_and_trials_replace_people() -> None:
    app = _asked()
    made: Any = scenario(app)
    assert (made.columns, made.n, made.adjacency) == (("score", "player"), 4, Adjacency.REPLACE_ONE_USER)
    said = text(app)
    assert "Of each person data holds at most 3 rows (s): a public salt says which." in said
    assert "**player** (one value for each person, and no name)" in said
    assert "We replaced one person in 19 made-up tables" in said
    assert "which of two people was in the table" in said
    assert "which of two rows" not in said
    trials = preview.exploration(made, made.resolved_oracle(None))
    assert trials.way == "batch"
    assert max(trials.distances) <= 3 * 20 / 4, "of four people, each with 3 rows between −10 and 10"
    again = visit(**links.to_query(made))
    assert scenario(again) == made
    assert not notices(again)


def test_s_is_an_option_and_goes_from_target_to_target() -> None:
    app = _capped(_asked(), 5)
    assert scenario(app).target == SqlQuery(A_PERSON, scenario(app).target.table, rows=5)
    assert "at most 5 rows a person" in text(app)
    app = pick(app, "target", "KnownMean")
    mean: Any = scenario(app).target
    assert (type(mean), mean.rows) == (Capped, 5)
    app = pick(app, "target", "SqlQuery")
    assert (scenario(app).target.rows, scenario(app).adjacency) == (5, Adjacency.REPLACE_ONE_USER)


def test_salt_and_public_bounds_are_options_and_leave_s_as_it_is() -> None:
    app = opened(_asked(), "options")
    app = settled(sound(app.number_input(key="opt_salt").set_value(7).run()))
    app = settled(sound(app.text_input(key="opt_between").set_value("-50, 50").run()))
    asked: Any = scenario(app).target
    assert (asked.rows, asked.salt, asked.between) == (3, 7, (-50.0, 50.0))
    assert not notices(app)


def test_another_oracle_keeps_how_many_rows_people_have() -> None:
    app = opened(_asked(), "options")
    app = settled(sound(app.number_input(key="opt_oracle_median").set_value(6.0).run()))
    app = settled(pick(app, "oracle", "Normal"))
    oracle: Any = scenario(app).oracle
    assert (oracle.rows.median, *map(kind_of, oracle.columns)) == (6.0, "Normal")
    assert "lie within ±" in text(app)
    assert scenario(settled(pick(app, "oracle", "TableRecords"))).oracle == TableRecords()


def test_a_query_that_finds_nobody_by_name_and_a_number_of_people_that_is_public_have_sentences() -> None:
    app = _write(_asked(), "SELECT count(*) FROM data WHERE player = 'Ann'")
    assert "The column “player” only tells people apart, so it equals no stated value" in text(app)
    app = _write(app, "SELECT count(DISTINCT player) FROM data")
    assert "The sampled sensitivity is 0" in text(app)


def test_what_is_offered_with_its_proof_is_about_people_with_as_many_rows() -> None:
    app = _write(_capped(_asked(), 5), "SELECT avg(score) FROM data WHERE score > 0")
    button = app.button(key="query_as_question")
    assert "Of a person with more than 5 rows the query reads 5, whatever these say." in button.help
    app = press(app, "query_as_question")
    asked: Any = scenario(app).target
    assert (type(asked), asked.rows, asked.salt, person_of(asked)) == (Capped, 5, 0, "player")
    assert preview.worst_case(scenario(app)) is not None
    assert not _write(press(app, "undo_button"), A_PERSON).error
    assert "The app knows this question" not in text(app)


def test_conditions_that_a_query_about_people_takes_the_place_of_are_said() -> None:
    written = _write(_asked(), "SELECT avg(score) FROM data WHERE score > 0")
    question = scenario(press(written, "query_as_question"))
    app = pick(visit(**links.to_query(question)), "target", "SqlQuery")
    assert "write them into the query" in notices(app)
    assert person_of(scenario(app).target) == "player"


def test_what_no_query_about_people_has_is_said_where_it_would_be() -> None:
    asked = scenario(_asked())
    app = opened(visit(**links.to_query(asked)), "options")
    app = sound(app.text_input(key="opt_between").set_value("-30, 30").run())
    app = go(sound(app.selectbox(key="opt_from_a_part").set_value("alike").run()), "release")
    assert "Blocks are asked of tables of single rows" in text(app)
    assert "One person is protected, with all rows of that person" in text(app)
    assert "# No prediction for this question" in text(go(visit(**links.to_query(asked)), "people"))


def test_a_link_to_a_table_of_people_and_free_texts_asks_the_one_question_that_it_has() -> None:
    columns, values = (Column("note", role="text"),), {"note": np.array(["a", "b", "c"]), "who": np.array(["x", "x", "y"])}
    table = Table("notes", columns, values, public=True, persons=Persons("who"))
    assert target_kinds(table) == ("SqlQuery",)
    found, said = links.from_query({"v": "1", "table": "notes"}, {"notes": table}, example(read_catalog(Path("data"))["players"]))
    target: Any = found.target
    assert (target.query, target.person, target.rows) == ('SELECT avg(length("note")) FROM data', "who", 3)
    assert not said


@pytest.mark.slow
def test_all_that_opens_on_explore_stands_for_a_query_about_people_too() -> None:
    query = "SELECT clinic, count(DISTINCT person) FROM data GROUP BY clinic"
    asked = scenario(_asked("visits", query))
    for opens in (doubts.ATTACK, doubts.WRONG_ORACLE, doubts.BOUNDS_COST):
        app = visit(**(links.to_query(asked) | {"doubts": opens}))
        assert not app.error, opens
        assert "lies within" in text(app)


@pytest.mark.slow
@pytest.mark.parametrize("oracle", ["", "TableRecords"])
def test_its_code_runs(oracle: str, files: list[tuple[str, str]]) -> None:
    app = _asked("visits", "SELECT avg(total) FROM (SELECT sum(minutes) AS total FROM data GROUP BY person)")
    app = settled(pick(app, "oracle", oracle)) if oracle else app
    opened(app, "link")
    names, _ = ran(next(data for key, data in reversed(files) if key.startswith("script_")))
    assert names["target"] == scenario(app).target


@pytest.mark.slow
@pytest.mark.parametrize("stated", [None, 70])
def test_it_is_released_about_people(stated: int | None) -> None:
    app = pick(explored(stated=stated), "target", "SqlQuery")
    app = _write(app, "SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)")
    press(go(app, "release"), "release")
    told = json.loads(book(app).entries[-1].as_json())
    assert told["guarantee"] == "RandomDP"
    assert told["adjacency"] == ("replace one user" if stated is None else "add or remove one user")
    assert told["records"] == (62 if stated is None else 70)
    assert "One person is protected" in told["in_words"]
    assert "at most 3 rows a person" in told["question"]


@pytest.mark.slow
def test_it_stands_in_a_list_beside_another_question_about_people() -> None:
    app = ask(press(go(_asked(), "release"), "list_begin"), "Mean of Score")
    app = press(press(app, "listed_edit_0"), "edit_0_done")
    app = sound(app.number_input(key="list_cap").set_value(2).run())
    press(app, "release_list")
    told = json.loads(book(app).entries[-1].as_json())
    assert told["guarantee"] == "RandomDP"
    assert all("at most 2 rows a person" in one["question"] for one in told["questions"])
