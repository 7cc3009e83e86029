"""Pins in a link: they come back as they were sent, and a bad one costs itself, with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore import Adjacency, targets
from pages import state
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.old.state.link import to_query
from pages.old.state.pinned_link import read, written
from tests.pages.visit import link, notices, scenario, text

EXAMPLE = state.example()
TABLES = state.catalog()
PEOPLE = next(table for table in TABLES.values() if table.persons is not None)


def _of_people() -> Scenario:
    """A question about people, whose adjacency is not the usual one."""
    column = PEOPLE.number_columns[0]
    assert column.bounds is not None
    plain = EXAMPLE.with_(table=PEOPLE.name, columns=(column.name,), target=targets.Sum(column.bounds))
    return plain.with_(**asked(plain, PEOPLE))


FOUR = {"A": EXAMPLE, "B": EXAMPLE.with_(epsilon=0.5), "C": EXAMPLE.with_(m=999, gamma=0.01), "D": _of_people()}


def _opened(pins: Any, shown: Scenario = EXAMPLE, **more: str) -> tuple[dict[str, Scenario], list[str]]:
    text_ = pins if isinstance(pins, str) else json.dumps(pins)
    return read(to_query(shown) | {"pins": text_} | more, shown, TABLES, EXAMPLE)


@pytest.mark.parametrize("shown", FOUR)
def test_pins_come_back_as_they_were_sent_whatever_is_shown(shown: str) -> None:
    assert FOUR["D"].adjacency is not Adjacency.REPLACE_ONE_RECORD
    part = written(FOUR, FOUR[shown])
    assert read(to_query(FOUR[shown]) | part, FOUR[shown], TABLES, EXAMPLE) == (FOUR, [])


BAD: dict[str, tuple[Any, str]] = {
    "ε out of its range": ({"epsilon": 50}, "ε must be a number from 0.01 to 20, but 50 was given."),
    "a text for a number": ({"m": "many"}, "The number of trials must be"),
    "γ out of reach": ({"m": 3}, "3 trials support no γ below 0.25"),
    "a table that is not here": ({"table": "mine.csv"}, "Its table “mine.csv” is not here"),
    "a column that is not there": ({"columns": ["gone"]}, "It does not fit the table “Loan defaults”"),
    "another number of rows": ({"n": 5}, "It does not fit the table “Loan defaults”"),
    "an unknown setting": ({"colour": "red"}, "is no setting"),
    "an unknown target": ({"target": {"kind": "Wish"}}, "is no target"),
    "another version": ({"version": 2}, "The version must be 1"),
    "a list": ([1], "cannot be read"),
    "nothing": (None, "cannot be read"),
    "half a character": ({"table": "\ud800"}, "cannot be read"),
    "the same as another": ({"epsilon": 0.5}, "It is the same as another one."),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_pin_costs_only_itself_and_is_said(name: str) -> None:
    pin, why = BAD[name]
    found, said = _opened({"A": {"epsilon": 0.5}, "B": pin, "C": {"epsilon": 4}})
    assert found == {"A": EXAMPLE.with_(epsilon=0.5), "C": EXAMPLE.with_(epsilon=4)}
    assert len(said) == 1
    assert said[0].startswith("The link's pinned scenario B was left out. ")
    assert why in said[0]
    assert said[0].endswith(".")


def test_of_five_pins_the_first_four_are_kept_under_letters_that_there_are() -> None:
    found, said = _opened({name: {"epsilon": 2 + i} for i, name in enumerate(("A", "x", "C", "E", "D"))})
    assert [(letter, one.epsilon) for letter, one in found.items()] == [("A", 2), ("B", 3), ("C", 4), ("D", 5)]
    assert said == ["The link's pinned scenarios are 5, and there is room for four: the first four were read."]


@pytest.mark.parametrize("pins", ["", "{", "[]", "1", "NaN", '{"A":{"epsilon":NaN}}', "[" * 5_000, '{"A":"' + "x" * 9_000 + '"}'])
def test_pins_that_cannot_be_read_are_left_out_together(pins: str) -> None:
    assert _opened(pins) == ({}, ["The link's pinned scenarios cannot be read, and were left out."])


def test_pins_of_another_version_are_left_out() -> None:
    assert _opened({"A": {}}, v="2") == ({}, ["The link's pinned scenarios were left out: this app reads those of version 1."])


def test_a_bad_setting_of_the_link_itself_is_one_of_the_pins_that_do_not_say_it() -> None:
    found, said = _opened({"A": {"epsilon": 1.0}, "B": {}}, epsilon="x")
    assert found == {"A": EXAMPLE}
    assert len(said) == 1


def test_a_link_with_a_bad_pin_opens_with_all_else() -> None:
    app = link(epsilon=2.0, pins={"A": {"epsilon": 0.5}, "B": {"epsilon": 50}})
    assert "The link's pinned scenario B was left out. ε must be" in notices(app)
    assert scenario(app).epsilon == 2.0
    assert r"ε = 0.5 \| ε = 2" in text(app)
