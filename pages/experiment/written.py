"""Targets that are written as a text, such as a query in SQL: reading a new text, and examples for a table."""

from __future__ import annotations

from typing import Any

from dpcore.base.declared import OTHER, Column
from dpcore.base.facts import facts
from dpcore.base.slots import of_numbers, of_rows
from dpcore.base.types import Target
from dpcore.sql.parsed_query import identifier
from pages.experiment.question import with_question
from pages.experiment.scenario import Scenario
from pages.files.tables import Table


def text_of(target: Target) -> str | None:
    """Return the text of a target, or None if it is not written."""
    name = facts(target).written
    return getattr(target, name) if name else None


def rewritten(scenario: Scenario, table: Table, text: str) -> dict[str, Any]:
    """Return the fields of the scenario that change with another text.

    Args:
        scenario: The scenario, with a written target.
        table: Its table.
        text: The new text.

    Raises:
        DpcoreError: If the text does not fit the table.
    """
    target: Any = scenario.target
    return with_question(scenario, table, target.rewritten(text, readable(table)))


def readable(table: Table) -> tuple[Column, ...]:
    """Return the columns that a text may name."""
    return tuple(filter(of_rows, table.columns))


def examples(columns: tuple[Column, ...]) -> dict[str, str]:
    """Return queries by name, for columns with public bounds and for listed categories."""
    numbers = sorted((one for one in columns if of_numbers(one) and one.categories is None), key=lambda one: one.bounds is None)
    groups = [one for one in columns if len(_categories(one)) > 1]
    found: dict[str, str] = {}
    if numbers:
        found |= _examples_of_number(numbers[0])
    if groups:
        found |= _examples_of_groups(groups[0], numbers)
    if len(numbers) > 1:
        first, second = (identifier(one.name) for one in numbers[:2])
        found["Correlation of two"] = f"SELECT corr({first}, {second}) FROM data"
        found["Ratio of sums"] = f"SELECT sum({first}) / nullif(sum({second}), 0) FROM data"
    return found


def _examples_of_number(column: Column) -> dict[str, str]:
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


def _examples_of_groups(column: Column, numbers: list[Column]) -> dict[str, str]:
    name, word = identifier(column.name), _categories(column)[-1]
    literal = f"{word:.17g}" if isinstance(word, float) else "'" + word.replace("'", "''") + "'"
    found = {
        "Share in a category": f"SELECT avg(CASE WHEN {name} = {literal} THEN 1 ELSE 0 END) FROM data",
        "Rows in each category": f"SELECT {name}, count(*) FROM data GROUP BY {name}",
    }
    if numbers:
        found["Average in each category"] = f"SELECT {name}, avg({identifier(numbers[0].name)}) FROM data GROUP BY {name}"
    return found


def _categories(column: Column) -> list[float | str]:
    return [category for category in column.categories or () if category != OTHER]
