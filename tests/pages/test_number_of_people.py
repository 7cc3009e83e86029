"""A number of people as an everyday question of a list: offered, refused where it is public, changed, and released."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore.base.norms import L1
from pages.experiment.question_list import QuestionList
from tests.pages.test_people import explored
from tests.pages.visit import ask, asked_as, everything, go, notices, press, sound, take_out, text


def _list(app: Any) -> QuestionList:
    made: QuestionList = next(iter(app.session_state["lists"].values()))
    return made


def _target(app: Any, place: int) -> Any:
    return _list(app).questions[place].target


def _offered(app: Any) -> list[str]:
    return [words for words in app.selectbox(key="list_add").options if words.startswith("Number of people")]


def test_number_of_persons_is_offered() -> None:
    by, where = "Number of people, by ward", [f"Number of people, where ward is {ward}" for ward in ("A", "B", "C", "other")]
    assert _offered(go(explored(), "release")) == [by, *where]
    stated = [f"{by}, each person in at most 3 groups", *where]  # where all four would cost more noise than three rows do
    assert _offered(go(explored(stated=70), "release")) == ["Number of people whose cost is known", *stated]


def test_number_of_persons_counts_each_once() -> None:
    app = ask(ask(go(explored(), "release"), "Number of people, by ward"), "Number of people, where ward is B")
    assert [(one.rows, one.groups_each) for one in (_target(app, 1), _target(app, 2))] == [(1, 4), (1, None)]
    moved = [_target(app, place).global_sensitivity(L1, 60).value for place in (1, 2)]
    assert moved == pytest.approx([4.0, 1.0])
    before = _list(app).questions
    sound(app.number_input(key="list_cap").set_value(6).run())
    assert _target(app, 0).rows == 6
    assert _list(app).questions[1:] == before[1:]
    assert app.number_input(key="list_cap").value == 6


def test_public_number_of_persons_is_refused() -> None:
    app = ask(go(explored(), "release"), "Number of rows, by ward")
    asked_as(app, 1, "kind", "Count of people")
    assert "**2. Number of people, by ward**" in text(app)
    before = _list(app)
    asked_as(app, 1, "by", "")
    assert "How many people the table has is public: add a group or a condition to ask for a number of people." in notices(app)
    assert _list(app) == before
    press(asked_as(app, 1, "column", "cost"), "edit_1_add")
    asked_as(app, 1, "by", "")
    assert "**2. Number of people, where cost from" in text(app)
    asked_as(app, 1, "kind", "Count")
    assert "**2. Number of rows, where cost from" in text(app)
    assert _target(app, 1).rows == 3


def test_answer_is_a_number_of_persons(downloads: list[str]) -> None:
    app = take_out(ask(go(explored(), "release"), "Number of people, by ward"), 0)
    assert _target(app, 0).rows == 1
    press(app, "release")
    answers = next(table.value for table in app.table if len(table.value) == 4)
    assert all(str(cell).endswith(" people") for cell in answers.iloc[:, 1])
    assert "the number of people with a value of ward, by ward" in text(app)
    said = json.loads(downloads[-1])
    assert "Number of people, by ward" in json.dumps(said)
    assert "rows a person" not in text(app).split("## Answers")[1]
    assert _target(app, 0).each_once
    assert "1 row" not in everything(app)
