"""Targets that are written as a text: what changes with another text, and texts to begin with for the table at hand."""

from __future__ import annotations

from typing import Any

from dpcore.base.declared import OTHER, Column
from dpcore.base.facts import facts
from dpcore.base.slots import of_numbers, of_rows
from dpcore.base.types import Target
from dpcore.sql.query import identifier
from pages.experiment.question import with_question
from pages.experiment.scenario import Scenario
from pages.files.tables import Table


def text_of(target: Target) -> str | None:
    """What is written of a target; None of one that is picked."""
    name = facts(target).written
    return getattr(target, name) if name else None


def rewritten(scenario: Scenario, table: Table, text: str) -> dict[str, Any]:
    """The fields of the scenario that change where its text is another one; DpcoreError for a text that is none of this table."""
    target: Any = scenario.target
    return with_question(scenario, table, target.rewritten(text, readable(table)))


def readable(table: Table) -> tuple[Column, ...]:
    """The columns that a text may speak of."""
    return tuple(filter(of_rows, table.columns))


def examples(columns: tuple[Column, ...]) -> dict[str, str]:
    """Queries by their names, of columns with public bounds and of listed categories, where there are such."""
    numbers = sorted((one for one in columns if of_numbers(one) and one.categories is None), key=lambda one: one.bounds is None)
    groups = [one for one in columns if len(_listed(one)) > 1]
    found = dict[str, str]()
    if numbers:
        found |= _of_number(numbers[0])
    if groups:
        found |= _of_groups(groups[0], numbers)
    if len(numbers) > 1:
        first, second = (identifier(one.name) for one in numbers[:2])
        found["Correlation of two"] = f"SELECT corr({first}, {second}) FROM data"
        found["Ratio of sums"] = f"SELECT sum({first}) / nullif(sum({second}), 0) FROM data"
    return found


def _of_number(column: Column) -> dict[str, str]:
    name = identifier(column.name)
    found = {
        "Average": f"SELECT avg({name}) FROM data",
        "Median": f"SELECT median({name}) FROM data",
        "Middle half": f"SELECT quantile_cont({name}, 0.75) - quantile_cont({name}, 0.25)\nFROM data",
    }
    if column.bounds is not None:
        middle = f"{(column.bounds[0] + column.bounds[1]) / 2:.3g}"
        found["Rows above a value"] = f"SELECT count(*) FROM data WHERE {name} > {middle}"
        found["Share above a value"] = f"SELECT avg(CASE WHEN {name} > {middle} THEN 1 ELSE 0 END) FROM data"
    return found


def _of_groups(column: Column, numbers: list[Column]) -> dict[str, str]:
    name, word = identifier(column.name), _listed(column)[-1]
    literal = f"{word:.17g}" if isinstance(word, float) else "'" + word.replace("'", "''") + "'"
    found = {
        "Share in a category": f"SELECT avg(CASE WHEN {name} = {literal} THEN 1 ELSE 0 END) FROM data",
        "Rows in each category": f"SELECT {name}, count(*) FROM data GROUP BY {name}",
    }
    if numbers:
        found["Average in each category"] = f"SELECT {name}, avg({identifier(numbers[0].name)}) FROM data GROUP BY {name}"
    return found


def _listed(column: Column) -> list[float | str]:
    return [category for category in column.categories or () if category != OTHER]
