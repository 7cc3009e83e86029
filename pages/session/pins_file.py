"""The scenario shown and its pins as a settings file, for what no link has room for; checked when it is loaded, as a link is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from dpcore.errors import TableError
from dpcore.workbench.listed.question_list import QuestionList
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.session.link import REFUSED
from pages.session.listed import link as listed_link
from pages.session.pinned_link import checked, scenario_of
from pages.session.values import quoted

VERSION = 1
MOST_BYTES = 2**20
_KIND = "scenarios side by side"


@final
@dataclass(frozen=True)
class Loaded:
    """What a file gives: ``shown`` is None where that one is refused; ``said``: a sentence for each that is."""

    shown: Scenario | None
    pins: dict[str, Scenario]
    said: list[str]
    listed: QuestionList | None = None


def to_json(shown: Scenario, pins: Mapping[str, Scenario], listed: QuestionList | None = None) -> str:
    """One object with every scenario whole, and the list of questions. It holds settings, never data."""
    each = {letter: pin.to_json() for letter, pin in pins.items()}
    said = {"settings": _KIND, "version": VERSION, "shown": shown.to_json(), "pins": each}
    said |= {} if listed is None else {listed_link.KEY: listed_link.to_plain(listed)}
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def read(content: bytes, tables: Mapping[str, Table], example: Scenario) -> Loaded:
    """What ``to_json`` gave; TableError, in plain words, for another file or another version."""
    said = _object(content)
    if said.get("version") != VERSION:
        version = quoted(str(said.get("version"))[:20])
        problem = f"The settings are of version {version}, and this app reads version {VERSION}."
        raise TableError(problem, "Ask for a new file.")
    if not isinstance(said.get("pins"), dict):
        raise TableError("The settings file was changed, and its pins cannot be read.", "Ask for a new file.")
    pins, refused = checked(said["pins"], tables, example, "The file's")
    shown = scenario_of(said.get("shown"), tables, example)
    if isinstance(shown, str):
        return Loaded(None, pins, [f"The scenario that the file shows was left out. {shown}", *refused])
    listed, left_out = (None, list[str]())
    if listed_link.KEY in said:
        listed, left_out = listed_link.checked(said[listed_link.KEY], tables[shown.table], "The file's")
    return Loaded(shown, pins, [*refused, *left_out], listed)


def _object(content: bytes) -> dict[str, Any]:
    try:
        said = json.loads(content.decode("utf-8-sig")) if len(content) <= MOST_BYTES else None
    except REFUSED:
        said = None
    if not isinstance(said, dict) or said.get("settings") != _KIND:
        raise TableError("This is no settings file of scenarios side by side.", "Choose the file that “Save as a file” gave you.")
    return said
