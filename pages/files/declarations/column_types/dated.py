"""Dates in one order: as days since a public one, or as the year, month or weekday."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, final

import numpy as np

from dpcore.base.declared import CONSTANT, TEXT, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import column_type
from pages.files.declarations.column_types.column_type import PLAIN, ColumnType, known_words, rule_of
from pages.files.declarations.declaration import DAYS, MONTH, WEEKDAY, YEAR, Declaration, Words, words_of

# Dates as they are written in one order, and as numbers of days.


YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year first", "day first", "month first"
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LONGEST = 11  # characters that say a date; behind them stands a time, which is not read
_TWO, _FOUR, _MARK, _TIME = "([0-9]{1,2})", "([0-9]{4})", "[-./]", "(?:[ T].*)?"
_ORDERS = {
    YEAR_FIRST: (re.compile(f"{_FOUR}{_MARK}{_TWO}{_MARK}{_TWO}{_TIME}"), (1, 2, 3)),
    DAY_FIRST: (re.compile(f"{_TWO}{_MARK}{_TWO}{_MARK}{_FOUR}{_TIME}"), (3, 2, 1)),
    MONTH_FIRST: (re.compile(f"{_TWO}{_MARK}{_TWO}{_MARK}{_FOUR}{_TIME}"), (3, 1, 2)),
}
ORDERS = tuple(_ORDERS)
EXAMPLES = {YEAR_FIRST: "2024-12-31", DAY_FIRST: "31.12.2024", MONTH_FIRST: "12/31/2024"}


def day(word: str, order: str) -> date | None:
    """The date that a word says in this order, with a four-digit year; None for anything else."""
    pattern, places = _ORDERS[order]
    found = pattern.fullmatch(word)
    if found is None:
        return None
    try:
        return date(*(int(found[place]) for place in places))
    except ValueError:  # the 31st of June
        return None


_LISTS = {MONTH: MONTHS, WEEKDAY: WEEKDAYS}
_PARTS: dict[str, Callable[[date], Any]] = {
    YEAR: lambda on: float(on.year),
    MONTH: lambda on: MONTHS[on.month - 1],
    WEEKDAY: lambda on: WEEKDAYS[on.weekday()],
}


@final
class Dated(ColumnType):
    """A date with a four-digit year, written in this order. One in another order is missing, or another date: it never changes
    how the next is read."""

    def __init__(self, order: str) -> None:
        self.order = order

    @property
    def title(self) -> str:
        """With an example, so that the order cannot be mistaken."""
        return f"date, as {EXAMPLES[self.order]}"

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.array([day(word, self.order) is not None for word in words.different], dtype=bool)

    def column(self, declared: Declaration, /) -> Column:
        name, listed = declared.name, _LISTS.get(declared.dates_as)
        rule, stands = rule_of(declared, self.rules)
        constant = _typed(stands, f"The constant of {name}") if rule == CONSTANT else None
        if listed is not None:
            return Column(name, declared.label, declared.unit, TEXT, categories=listed, missing=rule, stands=stands)
        first, last = self._ends(declared)
        if constant is not None and not first <= constant <= last:
            raise TableError(f"The constant of {name} is {stands}, outside its bounds.", "Enter a day between them.")
        if declared.dates_as == YEAR:
            years = (float(first.year), float(max(last.year, first.year + 1)))
            return Column(name, declared.label, declared.unit, bounds=years, missing=rule, stands=stands)
        unit = f"days since {first.isoformat()}"
        days = (0.0, float((last - first).days))
        return Column(name, declared.label, unit, bounds=days, missing=rule, stands=stands, since=first.isoformat())

    def in_words(self, declared: Declaration, /) -> str:
        if declared.dates_as == DAYS:
            return f"{declared.type}, in days since {self._ends(declared)[0].isoformat()}"
        return f"{declared.dates_as} of a {declared.type}"

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words = known_words(cells, declared, most=LONGEST)
        blank = _typed(declared.constant, f"The constant of {declared.name}") if declared.missing == CONSTANT else None
        days = [on or blank for on in self._days(words, declared)]
        if declared.dates_as == DAYS:
            since = self._ends(declared)[0]
            return words.mapped(np.array([np.nan if on is None else (on - since).days for on in days], dtype=np.float64))
        part, missing = _PARTS[declared.dates_as], np.nan if declared.dates_as == YEAR else ""
        return words.mapped(np.array([missing if on is None else part(on) for on in days]))

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        days = [on for on in self._days(words_of(cells, most=LONGEST), declared) if on is not None]
        if declared.lowest or declared.highest or not days:
            return declared
        return replace(declared, lowest=min(days).isoformat(), highest=max(days).isoformat())

    def _days(self, words: Words, declared: Declaration) -> list[date | None]:
        """The day of each different word; None of one that is none, or that says that nothing is known."""
        nothing = {None, *(day(code, self.order) for code in declared.codes)}
        return [None if on in nothing else on for on in (day(word, self.order) for word in words.different)]

    def _ends(self, declared: Declaration) -> tuple[date, date]:
        """The public first and last day."""
        name = declared.name
        column_type.both(declared.lowest, declared.highest, name, example=", as 2024-12-31")
        first = _typed(declared.lowest, f"The lowest value of {name}")
        last = _typed(declared.highest, f"The highest value of {name}")
        if first >= last:
            raise TableError(
                f"The lowest value of {name} is {first.isoformat()}, and its highest is {last.isoformat()}.",
                "Enter two different days, the earlier one first.",
            )
        return first, last


def _typed(text: str, what: str) -> date:
    """The date that a person typed, the year first where it stands first, else the day."""
    found = day(text.strip(), YEAR_FIRST) or day(text.strip(), DAY_FIRST)
    if found is None:
        raise TableError(f"{what} is “{text}”, and that is no date.", "Write it as 2024-12-31.")
    return found
