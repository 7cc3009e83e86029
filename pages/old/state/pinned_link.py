"""Pins in a link: of each only what differs from the scenario shown; checked when it is opened, as that one is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from dpcore.base.plain import json_or_none, refuse_broken
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import VERSION, Scenario
from pages.files.tables import Table
from pages.old.state.link import LONGEST, OTHERWISE, PLAIN, REFUSED, VERSION_KEY, from_query, to_query

KEY = "pins"
LETTERS = ("A", "B", "C", "D")
MOST_BYTES = 8 * 1024  # of a whole link
_UNREAD = "It cannot be read."
_NAMES = tuple(field.name for field in fields(Scenario))


def written(pins: Mapping[str, Scenario], shown: Scenario) -> dict[str, str]:
    """The part of a link that holds the pins; nothing where there are none."""
    if not pins:
        return {}
    base = shown.to_json()
    differ = {letter: _differing(pin.to_json(), base) for letter, pin in pins.items()}
    return {KEY: json.dumps(differ, separators=(",", ":"), ensure_ascii=False)}


def _differing(pin: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in pin.items() if value != base[name]}


def read(
    query: Mapping[str, str], shown: Scenario, tables: Mapping[str, Table], example: Scenario
) -> tuple[dict[str, Scenario], list[str]]:
    """The pins of a link, and a sentence for each one that it cannot have: a bad one costs only itself. What neither a pin nor
    the link says is as in the scenario ``shown`` that the link opened."""
    if KEY not in query:
        return {}, []
    if query.get(VERSION_KEY) != str(VERSION):
        return {}, [f"The link's pinned scenarios were left out: this app reads those of version {VERSION}."]
    listed = json_or_none(query[KEY], MOST_BYTES)
    if not isinstance(listed, dict):
        return {}, ["The link's pinned scenarios cannot be read, and were left out."]
    base = shown.to_json() | _sent(query)
    whole = {letter: base | one if isinstance(one, dict) else None for letter, one in listed.items()}
    return checked(whole, tables, example, "The link's")


def checked(
    listed: Mapping[str, Any], tables: Mapping[str, Table], example: Scenario, whose: str
) -> tuple[dict[str, Scenario], list[str]]:
    """The scenarios that plain data describes, by letter, and a sentence for each that is refused, or beyond the fourth."""
    found: dict[str, Scenario] = {}
    said = []
    if len(listed) > len(LETTERS):
        said.append(f"{whose} pinned scenarios are {len(listed):,}, and there is room for four: the first four were read.")
    first = list(listed)[: len(LETTERS)]
    free = [letter for letter in LETTERS if letter not in first]
    for name in first:
        letter = name if name in LETTERS else free.pop(0)
        scenario = scenario_of(listed[name], tables, example)
        if isinstance(scenario, Scenario) and any(same(scenario, other) for other in found.values()):
            scenario = "It is the same as another one."
        if isinstance(scenario, Scenario):
            found[letter] = scenario
        else:
            said.append(f"{whose} pinned scenario {letter} was left out. {scenario}")
    return found, said


def scenario_of(data: Any, tables: Mapping[str, Table], example: Scenario) -> Scenario | str:
    """The scenario that plain data describes as it stands, on a table that is here; or why there is none, in a sentence."""
    if not isinstance(data, dict):
        return _UNREAD
    try:
        refuse_broken(data)
        scenario = Scenario.from_json(data)
    except DpcoreError as error:
        return plain(error)
    except REFUSED:
        return _UNREAD
    if scenario.table not in tables:
        return f"Its table {quoted(scenario.table)} is not here, because a link holds no data."
    if not fitted(scenario, tables, example):
        table = tables[scenario.table]
        return f"It does not fit the table {quoted(table.title or table.name)} as that is declared here."
    return scenario


def same(one: Scenario, other: Scenario) -> bool:
    """Whether both are written alike: of records in an oracle only that can be told."""
    return one is other or one == other or one.to_json() == other.to_json()


def fitted(scenario: Scenario, tables: Mapping[str, Table], example: Scenario) -> bool:
    """Whether a link to it would open as it is."""
    sent = to_query(scenario)
    try:
        return to_query(from_query(sent, tables, example)[0]) == sent
    except REFUSED:
        return False


def _sent(query: Mapping[str, str]) -> dict[str, Any]:
    """The link's own settings as they were sent, good or bad; a question without an adjacency is one about records."""
    data: dict[str, Any] = {"adjacency": OTHERWISE} if "target" in query else {}
    for name in _NAMES:
        if name in query:
            data[name] = query[name] if name in PLAIN else json_or_none(query[name], LONGEST)
    return data
