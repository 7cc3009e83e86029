"""What a scenario asks, in a few words."""

from __future__ import annotations

from typing import Any

from dpcore.base.types import asked_together, takes_fields
from dpcore.targets.on import unasked
from dpcore.workbench import defaults
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Column, Table


def question(scenario: Scenario, table: Table) -> str:
    """What was asked, in a few words: "Mean of cost, where sex is F, by ward"; of several together, the first of them."""
    if asked_together(scenario.target):
        first, *rest = questions(scenario, table)
        return f"{first}, and {len(rest):,} more" if len(rest) > 1 else " and ".join((first, *rest))
    return question_of(scenario.target, scenario.columns, table)


def question_of(whole: Any, names: tuple[str, ...], table: Table) -> str:
    """The same of a target that is asked of these columns."""
    target, own = unasked(whole, names)
    columns = tuple(table.column(name) for name in own)
    what = _asked_of(target, columns)
    if hasattr(whole, "asks"):  # of people, who may be asked for a setting of the question first
        asked: str = whole.asks(what, table.columns)
        return f"{asked[:1].upper()}{asked[1:]}"
    return ", ".join(filter(None, (what, whole.words(table.columns) if takes_fields(whole) else "")))


def questions(scenario: Scenario, table: Table) -> tuple[str, ...]:
    """What was asked, each of several together in a few words."""
    together: Any = asked_together(scenario.target)
    return tuple(question_of(part, part.fields, table) for part in together) or (question(scenario, table),)


def _asked_of(target: Any, columns: tuple[Column, ...]) -> str:
    """As the target has it, else its name and the columns'."""
    own = getattr(target, "asked_of", None)
    if own is not None:
        return str(own(columns))
    which = f" {target.named_by:g}" if hasattr(target, "named_by") else ""
    named = getattr(target, "named", "") or f"{defaults.title(defaults.kind_of(target))}{which}"
    return f"{named} of {', '.join(column.label or column.name for column in columns)}"
