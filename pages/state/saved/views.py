"""The scenario shown, the pins and the list of questions of a file: each is checked as a link's is, and left out by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from dpcore.workbench.listed.question_list import QuestionList
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.reports.saved.everything import Saved
from pages.state.listed import link as listed_link
from pages.state.pinned_link import checked, scenario_of
from pages.state.saved.planned import renamed


@final
@dataclass(frozen=True)
class Views:
    """What a file gives: ``shown`` is None where that one is refused; ``said``: a sentence for each that is."""

    shown: Scenario | None
    pins: dict[str, Scenario]
    listed: QuestionList | None
    said: tuple[str, ...]


def to_plain(shown: Scenario, pins: Mapping[str, Scenario], listed: QuestionList | None = None) -> dict[str, Any]:
    """Every scenario whole, and the list of questions. It holds settings, never data."""
    each = {letter: pin.to_json() for letter, pin in pins.items()}
    said: dict[str, Any] = {"shown": shown.to_json(), "pins": each}
    return said if listed is None else said | {listed_link.KEY: listed_link.to_plain(listed)}


def of(saved: Saved, table: Table | None, tables: Mapping[str, Table], example: Scenario) -> Views | None:
    """Those of a file, of ``table`` where it speaks of its own; None where it has none."""
    if saved.views is None:
        return None
    named = {letter: renamed(one, saved, table) for letter, one in saved.views["pins"].items()}
    pins, refused = checked(named, tables, example, "The file's")
    shown = scenario_of(renamed(saved.views.get("shown"), saved, table), tables, example)
    if isinstance(shown, str):
        return Views(None, pins, None, (f"The scenario that the file shows was left out. {shown}", *refused))
    made, left_out = None, list[str]()
    if listed_link.KEY in saved.views:
        made, left_out = listed_link.checked(saved.views[listed_link.KEY], tables[shown.table], "The file's")
    return Views(shown, pins, made, (*refused, *left_out))
