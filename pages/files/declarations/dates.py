"""Dates as they are written in one order, and as numbers of days."""

from __future__ import annotations

import re
from datetime import date

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


def any_day(word: str) -> date | None:
    """The date that a person typed, the year first where it stands first, else the day."""
    return day(word, YEAR_FIRST) or day(word, DAY_FIRST)
