"""The rows that a query answers with, as the numbers of an answer: one row, or one for each public group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray

Category = float | str
_MOST_OTHERS = 100_000  # rows of groups that nobody declared


@final
@dataclass(frozen=True)
class AnsweredRows:
    """``width``: how many columns an answer has; ``key``: which of them tells the group, where there are groups. ``missing``
    stands where there is no number; where it is None that is NaN, and rows other than asked are a ValueError."""

    width: int
    key: int | None = None
    groups: tuple[Category, ...] = ()
    missing: float | None = None

    @property
    def most(self) -> int:
        """So many rows are more than can be asked for."""
        return 2 if self.key is None else _MOST_OTHERS + len(self.groups)

    def read(self, said: Any, /) -> FloatArray:
        """(d,) from rows, or from the reason why there are none."""
        wrong = self._wrong(said)
        if wrong and self.missing is None:
            raise ValueError(wrong)
        none = math.nan if self.missing is None else self.missing
        found = np.full((max(1, len(self.groups)), self.width - (self.key is not None)), none)
        if not wrong:
            for row in said:
                self._enter(row, found)
        answer = found.ravel()
        return np.where(np.isfinite(answer), answer, none)

    def _wrong(self, said: Any) -> str:
        if not isinstance(said, list):
            return f"the query failed: {said['failed'].get('exception_message', '')}"
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
