"""The planned releases of a file that fit the table: each must be, to the last setting, what was fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpcore.ledger.accounting import Standing
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.reports.saved.everything import Saved, SavedPlan
from pages.state.book import PlannedRelease, line_of
from pages.state.link import REFUSED
from pages.state.pinned_link import scenario_of


def fitting(
    saved: Saved, table: Table, tables: Mapping[str, Table], example: Scenario
) -> tuple[tuple[PlannedRelease, ...], list[str]]:
    """Those that are here what they were there; and what the others asked that are still to be made."""
    left = Counter(_key(line) for one in saved.ledgers for line in one.pending)
    found, gone = [], []
    for one in saved.plan:
        release = _release(one, renamed(one.scenario, saved, table), table, tables, example)
        if release is not None:
            found.append(release)
        elif left[_key(one.line)]:
            gone.append(one.line.about or one.line.target)
        left[_key(one.line)] -= 1
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


def _key(line: Any) -> str:
    return str(line.target_id + line.noise if line.drawn is None else line.drawn.point_id)
