"""What can be chosen privately of a question about people, in the words of the sections that offer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, kw_only=True)
class Chosen:
    """What is chosen, in the words of a section. ``key``: of its controls."""

    key: str
    title: str
    symbol: str
    what: str
    without: str
    penalty_in: str


ROWS = Chosen(
    key="choose_rows",
    title="Choose s without looking at the table",
    symbol="s",
    what="how many rows of each person count",
    without="Numbers of rows that nobody has are all equally good, and there are many of them.",
    penalty_in="people",
)
BOUND = Chosen(
    key="choose_bound",
    title="Choose the upper bound without looking",
    symbol="the upper bound",
    what="up to which value rows count: a larger value counts as this bound",
    without="Bounds that no value reaches are all equally good, and there are many of them.",
    penalty_in="rows",
)


TOTAL = Chosen(
    key="choose_total",
    title="Choose the limit of a total without looking",
    symbol="the limit B",
    what="up to where each person's total counts: a larger total counts as this limit",
    without="Limits that no total reaches are all equally good, and there are many of them.",
    penalty_in="people",
)
