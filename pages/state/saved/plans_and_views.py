"""The scenario shown, the pins and the list of questions of a file: each is checked as a link's is, and left out by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.ledger.accounting import Line, Standing
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.saved.everything import Saved, SavedPlan
from pages.state.book import PlannedRelease, line_of
from pages.state.link import REFUSED
from pages.state.listed import link as listed_link
from pages.state.pinned_link import checked, scenario_of

# The planned releases of a file that fit the table: each must be, to the last setting, what was fixed.


def fitting(
    saved: Saved, table: Table, tables: Mapping[str, Table], example: Scenario
) -> tuple[tuple[PlannedRelease, ...], list[str]]:
    """Those that are here what they were there; and what the others asked that are still to be made."""
    left = Counter(plan_place(line) for one in saved.ledgers for line in one.pending)
    found, gone = [], []
    for one in saved.plan:
        release = _release(one, renamed(one.scenario, saved, table), table, tables, example)
        if release is not None:
            found.append(release)
        elif left[plan_place(one.line)]:
            gone.append(one.line.about or one.line.target)
        left[plan_place(one.line)] -= 1
    return tuple(found), gone


def renamed(data: Any, saved: Saved, table: Table | None) -> Any:
    """A scenario's plain data, whose table may have another name now."""
    if table is None or saved.table is None or not isinstance(data, dict) or data.get("table") != saved.table.name:
        return data
    return data | {"table": table.name}


def _release(one: SavedPlan, data: Any, table: Table, tables: Mapping[str, Table], example: Scenario) -> PlannedRelease | None:
    scenario = scenario_of(data, tables, example)
    if not isinstance(scenario, Scenario) or scenario.table != table.name:
        return None
    try:
        line = line_of(scenario, table, worst_case=one.worst_case)
    except REFUSED:
        return None
    same = line == replace(one.line, standing=Standing.PROVED)
    return PlannedRelease(scenario, one.worst_case, replace(line, standing=one.line.standing), one.name) if same else None


def plan_place(line: Line) -> str:
    """By which a line takes a place of a plan."""
    return line.target_id + line.noise if line.drawn is None else line.drawn.point_id


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
