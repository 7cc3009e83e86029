"""A command in a link, a pin or a list of questions is refused in a sentence, and nothing is run."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import DpcoreError
from dpcore.programs import Program
from pages.experiment.scenario import Scenario, parse
from pages.state import pinned_link, state
from pages.state.link import from_query, to_query
from pages.state.listed import link as listed_link
from tests.dpcore.programs.hostile import PROGRAM, placed, places

EXAMPLE, TABLES = state.example(), state.catalog()
WITHIN: tuple[Any, ...] = (
    PROGRAM,
    {"kind": "Together", "parts": [PROGRAM, PROGRAM], "widths": [1, 1]},
    {"kind": "On", "target": PROGRAM, "columns": ["years_to_default"]},
    {"kind": "SampleAndAggregate", "target": PROGRAM, "k": 5, "bounds": [0, 1]},
    {"kind": "VoteOfBlocks", "target": {"kind": "Together", "parts": [PROGRAM], "widths": [1]}, "k": 5, "candidates": [0, 1]},
    {"kind": "Capped", "target": {"kind": "On", "target": PROGRAM, "columns": ["a"]}, "person": "who"},
    {"kind": "OnLattice", "curve": PROGRAM, "degree": 5},
)


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(Program, "__post_init__", found.append)
    monkeypatch.setattr(Program, "__call__", lambda program, database: found.append(program))
    return found


def _is_a_sentence_about_it(said: list[str]) -> bool:
    return any("“Program”" in sentence and sentence.endswith(".") for sentence in said)


@pytest.mark.parametrize("target", WITHIN, ids=lambda one: one["kind"])
def test_a_link_with_one_is_refused_in_a_sentence(target: Any, made: list[Any]) -> None:
    shown, said = from_query(to_query(EXAMPLE) | {"target": json.dumps(target)}, TABLES, EXAMPLE)
    assert shown.target == EXAMPLE.target
    assert _is_a_sentence_about_it(said)
    assert not made


@pytest.mark.parametrize("name", [field.name for field in fields(Scenario)])
def test_no_setting_of_a_scenario_takes_one(name: str, made: list[Any]) -> None:
    with pytest.raises(DpcoreError):
        Scenario.from_json(EXAMPLE.to_json() | {name: PROGRAM})
    shown, _ = from_query(to_query(EXAMPLE) | {name: json.dumps(PROGRAM)}, TABLES, EXAMPLE)
    assert shown == EXAMPLE or (name, shown) == ("table", EXAMPLE)
    assert not made


def test_no_place_within_a_scenario_takes_one(made: list[Any]) -> None:
    whole = EXAMPLE.to_json()
    for at in places(whole):
        with pytest.raises(DpcoreError):
            Scenario.from_json(placed(whole, at, PROGRAM))
    assert not made


def test_pins_and_lists_with_one_are_left_out_in_a_sentence(made: list[Any]) -> None:
    pins = {"A": {"target": PROGRAM}, "B": {"epsilon": 0.5}}
    found, said = pinned_link.read(to_query(EXAMPLE) | {"pins": json.dumps(pins)}, EXAMPLE, TABLES, EXAMPLE)
    assert list(found) == ["B"]
    assert _is_a_sentence_about_it(said)
    for question in ({"target": PROGRAM}, {"target": WITHIN[2], "mechanism": {"kind": "Laplace"}, "epsilon": 1.0}):
        listed = {"questions": [question]}
        assert listed_link.checked(listed, TABLES[EXAMPLE.table], "The link's")[0] is None
        assert _is_a_sentence_about_it(listed_link.checked(listed, TABLES[EXAMPLE.table], "The link's")[1])
    assert not made


def test_nothing_was_run() -> None:
    assert not Path("/tmp/a-program-was-run").exists()
    with pytest.raises(DpcoreError):
        parse("target", PROGRAM)
