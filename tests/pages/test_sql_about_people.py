"""A query about people, written on Explore: whom it protects, and that s goes with it."""

from __future__ import annotations

import json
from typing import Any

from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import Capped, SqlQuery
from pages.old.experiment import preview
from pages.old.state import link as links
from tests.pages.test_people import explored
from tests.pages.visit import ask, book, go, notices, opened, pick, press, sampled, scenario, settled, sound, text, visit

A_PERSON = "SELECT avg(total)\nFROM (SELECT sum(score) AS total FROM data GROUP BY player)"


def _asked(table: str = "players", query: str = A_PERSON) -> Any:
    """With as few trials as support γ: none waits for a worker."""
    return _write(pick(settled(visit(v="1", table=table, m="19")), "target", "SqlQuery"), query)


def _write(app: Any, query: str) -> Any:
    return settled(sound(app.text_area(key="query").set_value(query).run()))


def _capped(app: Any, rows: int) -> Any:
    return settled(sound(opened(app, "options").number_input(key="opt_cap").set_value(rows).run()))


def test_a_query_reads_s_rows_and_trials_add_or_remove_people() -> None:
    app = _asked()
    made: Any = scenario(app)
    assert (made.columns, made.n, made.adjacency) == (("score", "player"), 4, Adjacency.ADD_OR_REMOVE_ONE_USER)
    said = text(app)
    assert "Of each person data holds at most 3 rows (s): a public salt says which." in said
    assert "**player** (one value for each person, and no name)" in said
    assert "adding or removing one person" in said or "Of random changes of a person" in said
    trials = preview.exploration(made, made.resolved_oracle(None))
    assert trials.way == "batch"
    assert max(trials.distances) <= 3 * 20 / 4, "of four people, each with 3 rows between −10 and 10"
    again = visit(**links.to_query(made))
    assert scenario(again) == made
    assert not notices(again)


def test_s_is_an_option_and_goes_from_target_to_target() -> None:
    app = _capped(_asked(), 5)
    assert scenario(app).target == SqlQuery(A_PERSON, scenario(app).target.table, rows=5)
    app = pick(app, "target", "KnownMean")
    mean: Any = scenario(app).target
    assert (type(mean), mean.rows) == (Capped, 5)
    app = pick(app, "target", "SqlQuery")
    assert (scenario(app).target.rows, scenario(app).adjacency) == (5, Adjacency.ADD_OR_REMOVE_ONE_USER)


def test_a_query_that_finds_nobody_by_name_has_a_sentence() -> None:
    app = _write(_asked(), "SELECT count(*) FROM data WHERE player = 'Ann'")
    assert "The column “player” only distinguishes people, so it equals no constant" in text(app)


def test_a_public_number_of_people_has_a_sensitivity_of_zero() -> None:
    app = _asked("visits", "SELECT count(DISTINCT person) FROM data")
    assert scenario(app).adjacency is Adjacency.REPLACE_ONE_USER
    assert "The sampled sensitivity is 0" in text(app)


def test_it_is_released_about_people() -> None:
    app = pick(explored(stated=70), "target", "SqlQuery")
    app = _write(app, "SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)")
    press(go(app, "release"), "release")
    told = json.loads(book(app).entries[-1].as_json())
    assert told["guarantee"] == "RandomDP"
    assert told["adjacency"] == "add or remove one user"
    assert told["records"] == 70
    assert "One person is protected" in told["in_words"]
    assert "at most 3 rows a person" in told["question"]


def test_it_stands_in_a_list_beside_another_question_about_people() -> None:
    app = sampled(ask(go(_asked(), "release"), "Mean of Score"))
    app = press(press(app, "listed_edit_0"), "edit_0_done")
    app = sound(app.number_input(key="list_cap").set_value(2).run())
    press(app, "release")
    told = [json.loads(entry.as_json()) for entry in book(app).entries]
    assert [one["guarantee"] for one in told] == ["RandomDP", "RandomDP"]
    assert all("at most 2 rows a person" in one["question"] for one in told)
