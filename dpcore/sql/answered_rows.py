"""The rows that a query answers with, as the numbers of an answer: one row, or one for each public group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import NoAnswerError
from dpcore.sql import asked

Category = float | str
# By DuckDB's kind of error. Its message can quote a cell, so that is not passed on.
_FAILED = {
    "ConversionException": "a value cannot be cast to the type that the query names; try_cast gives NULL for it",
    "OutOfRangeException": "a number is outside the range of its type; cast to a larger type first",
    "InvalidInputException": "a function was given a value that it does not take",
}
_OTHERWISE = "it does not fit the table"
_TOO_MUCH = "the query took more memory or processor time than it may"
_MOST_OTHERS = 100_000  # rows of groups that nobody declared


@final
@dataclass(frozen=True)
class AnsweredRows:
    """``width``: how many columns an answer has; ``key``: which of them tells the group, where there are groups. ``missing``
    stands where there is no number; where it is None that is NaN, and rows other than asked are a NoAnswerError."""

    width: int
    key: int | None = None
    groups: tuple[Category, ...] = ()
    missing: float | None = None

    @property
    def numbers(self) -> int:
        """How many numbers an answer has: those of all groups."""
        return (self.width - (self.key is not None)) * max(1, len(self.groups))

    @property
    def most(self) -> int:
        """So many rows are more than can be asked for."""
        return 2 if self.key is None else _MOST_OTHERS + len(self.groups)

    def read(self, said: Any, /) -> FloatArray:
        """(d,) from rows, or from the reason why there are none."""
        wrong = self._wrong(said)
        if wrong and self.missing is None:
            raise NoAnswerError(wrong)
        none = math.nan if self.missing is None else self.missing
        found = np.full((max(1, len(self.groups)), self.width - (self.key is not None)), none)
        if not wrong:
            for row in said:
                self._enter(row, found)
        answer = found.ravel()
        return np.where(np.isfinite(answer), answer, none)

    def _wrong(self, said: Any) -> str:
        if not isinstance(said, list):
            return f"the query failed: {_FAILED.get(said['failed'], _OTHERWISE)}"
        if len(said) >= self.most:
            return f"the query answered with {len(said):,} rows or more"
        keys = [self._place(row) for row in said] if self.key is not None else []
        known = [place for place in keys if place >= 0]
        return "the query answered with several rows for one group" if len(set(known)) < len(known) else ""

    def _enter(self, row: list[Any], found: FloatArray) -> None:
        place = self._place(row)
        if place >= 0:
            found[place] = [math.nan if cell is None else float(cell) for at, cell in enumerate(row) if at != self.key]

    def _place(self, row: list[Any]) -> int:
        """The row's group, −1 of one that nobody declared; 0 without groups."""
        return 0 if self.key is None else self._places.get(row[self.key], -1)

    @cached_property
    def _places(self) -> dict[Category, int]:
        return {group: place for place, group in enumerate(self.groups)}


def each_answer(
    query: str, tables: Any, lengths: list[int], rows: AnsweredRows, most_lost: int | None
) -> tuple[FloatArray, dict[int, str]]:
    """(b, d) from b tables, one after another in one of Arrow, NaN where it fails or gives no number; and why, by place.

    One that takes too much among others is asked by itself, so each has the answer that it has alone, whatever the others hold.
    But once ``most_lost`` took too much by themselves, those after them are lost too.
    """
    found, reasons, start, lost = np.full((len(lengths), rows.numbers), np.nan), dict[int, str](), 0, 0
    ends = [0, *accumulate(lengths)]
    while start < len(lengths):
        said = asked.answers("answer", query, tables.slice(ends[start]), lengths[start:], rows.most)
        at = start + len(said)
        if at < len(lengths) and start + 1 < len(lengths):  # the last one of all was by itself
            said += asked.answers("answer", query, tables.slice(ends[at], lengths[at]), [lengths[at]], rows.most)
        for place, one in enumerate(said, start):
            try:
                found[place] = rows.read(one)
            except NoAnswerError as error:
                reasons[place] = str(error)
        start += len(said)
        if start == at < len(lengths):
            lost += 1
            end = at + 1 if most_lost is None or lost < most_lost else len(lengths)
            reasons |= dict.fromkeys(range(at, end), _TOO_MUCH)
            start = end
    return found, reasons
