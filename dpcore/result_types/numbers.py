"""Answers that are numbers, and answers that are chosen: one of several candidates, or a value on a scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.base.text import ShownNumber, beside, counted, first_of, in_full, itself
from dpcore.base.types import Target
from dpcore.result_types.kind import KindOfAnswer

SHARE = "share"  # the unit of shares of all records
_MOST_LABEL = 40  # characters
_COUNTED = ("rows", "people", "records")  # the last in files of earlier versions
_POSSIBLE = {SHARE: (0.0, 1.0)} | dict.fromkeys(_COUNTED, (0.0, np.inf))


@final
@dataclass(frozen=True, slots=True)
class Numbers(KindOfAnswer):
    """Numbers, each with a label, in one unit.

    Args:
        labels: A name for each number. If their number differs from the numbers of a response, these are called "number 1", ….
        unit: The unit that all share, or ''.
        bars: Whether the numbers are parts of one whole, and drawn as bars.
        amount: Whether they are amounts, as counts and sums are: 0 means none.

    Example:
        >>> Numbers(("women", "men"), "rows", amount=True).parts(np.array([12.5, -3.0]))
        (('women', '12.5 rows'), ('men', '-3 rows, so 0 rows'))
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    bars: bool = False
    amount: bool = False

    @property
    def after(self) -> str:
        """The unit as it follows a number; nothing for a share."""
        return f" {self.unit}" if self.unit and self.unit != SHARE else ""

    @property
    def from_zero(self) -> bool:
        """True if 0 means nothing at all, so that bars may start there."""
        return self.bars or self.amount or self.unit == SHARE

    def names(self, size: int) -> tuple[str, ...]:
        """Return a name for each of ``size`` numbers."""
        return self.labels if len(self.labels) == size else tuple(f"number {place}" for place in range(1, size + 1))

    def brief(self, response: FloatArray, /) -> str:
        """Return the first numbers."""
        return first_of(map(in_full, response), response.size)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each label and its number. A number outside the possible range has the nearest possible one beside it."""
        return tuple(zip(self.names(response.size), self.rounded(response, (0.0,) * response.size), strict=True))

    def rounded(self, response: FloatArray, near: tuple[float, ...], /) -> tuple[str, ...]:
        """Return the numbers as text, each rounded to its margin, in full if that is 0."""
        low, high = _POSSIBLE.get(self.unit, (-np.inf, np.inf))
        inside = np.clip(response, low, high)
        return tuple(beside(value, end, self.after, one) for value, end, one in zip(response, inside, near, strict=True))

    def values(self, response: FloatArray, /) -> FloatArray:
        """Return the numbers that a chart shows: the response itself."""
        return response

    def shown(self, response: FloatArray, /) -> tuple[ShownNumber, ...]:
        """Return each number by itself."""
        named = zip(self.names(response.size), response, strict=True)
        return tuple(ShownNumber(name=name, after=self.after, noisy=np.array([value]), of=itself) for name, value in named)

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """Return a number for each label."""
        return dict(zip(self.names(response.size), response.tolist(), strict=True))


@final
@dataclass(frozen=True, slots=True)
class Choice(KindOfAnswer):
    """One of several candidates, chosen by their scores.

    Args:
        labels: A name for each candidate.
        unit: The unit of the scores.

    Example:
        >>> Choice(("a", "b"), "rows").parts("b")
        (('The choice', 'b'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""  # a candidate has no unit
    picked: ClassVar[bool] = True

    def brief(self, response: object, /) -> str:
        """Return the candidate as text."""
        return str(response)

    def parts(self, response: object, /) -> tuple[tuple[str, str], ...]:
        """Return the candidate, named as the choice."""
        return (("The choice", str(response)),)

    def plain(self, response: object, /) -> object:
        """Return the candidate itself."""
        return response


@final
@dataclass(frozen=True, slots=True)
class Place(KindOfAnswer):
    """A value on a column's scale, chosen by its score: a median or another quantile.

    Args:
        labels: The one name of the answer.
        unit: The unit of the scale. Scores have another: they count records.
        ranked: Whether a score counts the records between a value and the wanted one.

    Example:
        >>> Place(("Median of height",), "cm").parts(171.5)
        (('Median of height', '171.5 cm'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    ranked: bool = True
    moved_unit: ClassVar[str] = ""  # scores move between neighbours, not values
    moved_after: ClassVar[str] = ""
    picked: ClassVar[bool] = True  # so a mechanism that chooses leaves it as it is

    def values(self, response: float, /) -> FloatArray:
        """Return the number that a chart shows."""
        return np.array([response], dtype=np.float64)

    def brief(self, response: float, /) -> str:
        """Return the value as text."""
        return in_full(response)

    def parts(self, response: float, /) -> tuple[tuple[str, str], ...]:
        """Return the name, and the value with its unit."""
        return ((self.labels[0], counted(in_full(response), self.after)),)

    def plain(self, response: float, /) -> dict[str, float]:
        """Return the value under its name."""
        return {self.labels[0]: float(response)}


def answer_of(target: Target, columns: tuple[Column, ...]) -> KindOfAnswer:
    """Return the kind of answer that a target states.

    Args:
        target: The target.
        columns: The declared columns that it takes.

    Returns:
        The stated kind; otherwise a number for each candidate, or numbers named after the first column.
    """
    if target.answer is not None:
        stated: KindOfAnswer = target.answer(columns)
        return stated
    return Numbers(short(target.candidates) if target.candidates else label_of(columns[:1]), shared_unit(columns))


def label_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """Return each column's label, or its name if it has none."""
    return tuple(column.label or column.name for column in columns)


def shared_unit(columns: Iterable[Column]) -> str:
    """Return the unit of all columns, or '' if they have several."""
    units = {column.unit for column in columns}
    return units.pop() if len(units) == 1 else ""


def squared(unit: str) -> str:
    """Return the square of a unit."""
    return f"({unit})²" if any(mark in unit for mark in " /·²³") else f"{unit}²" if unit else ""


def short(candidates: Iterable[object]) -> tuple[str, ...]:
    """Return candidates as people read them, long ones shortened."""
    return tuple(map(label, candidates))


def label(candidate: object) -> str:
    """Return a candidate as people read it, shortened if it is long."""
    text = f"{candidate:g}" if isinstance(candidate, float) else str(candidate)
    return text if len(text) <= _MOST_LABEL else f"{text[: _MOST_LABEL - 1]}…"
