"""A condition on one column with public constants: its records are of one category, or in one interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import UNBOUNDED, Interval, interval
from dpcore.base.checks import finite, named
from dpcore.base.declared import Column
from dpcore.base.slots import of_numbers, of_text
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Category = float | str | None
Truths = NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """A column's value is this category, or lies in this interval, both ends with it; with ``excluded``, it is known and not so.

    Either way the condition is false where the value is missing: NaN, or '' of text.
    """

    column: str
    category: Category = None
    interval: Interval | None = None
    excluded: bool = False

    def __post_init__(self) -> None:
        named("column", self.column)
        category, inside = checked(self.category, self.interval)
        object.__setattr__(self, "category", category)
        object.__setattr__(self, "interval", inside)
        if not isinstance(self.excluded, bool):
            raise InvalidValueError("excluded", "true or false", self.excluded)

    def holds(self, values: Database, /) -> Truths:
        """Of which of the column's values it is true, in their shape."""
        inside = holds(values, self.category, self.interval)
        return known(values) & ~inside if self.excluded else inside

    def suits(self, column: Column) -> bool:
        """Whether the column holds what the condition asks for, texts or numbers."""
        return suits(self.category, column)

    def words(self, columns: Iterable[Column] = ()) -> str:
        """As people read it, ``sex is F`` or ``age not from 65 to 120``; by the labels of the columns where these are given."""
        column = next((column for column in columns if column.name == self.column), Column(self.column))
        label, unless = column.label or column.name, " not" if self.excluded else ""
        if self.interval is None:
            return f"{label} is{unless} {column.shown(self.category)}"
        low, high = map(column.shown, self.interval)
        unit = f" {column.unit}" if column.unit and not column.since else ""
        return f"{label}{unless} from {low} to {high}{unit}"


def checked(category: object, inside: object) -> tuple[Category, Interval | None]:
    """A category or an interval; InvalidValueError for none or both, and for the empty text, which says that text is missing."""
    if (category is None) == (inside is None):
        raise InvalidValueError("category, interval", "one of the two", (category, inside))
    if inside is not None:
        return None, interval("interval", inside)
    return named("category", category) if isinstance(category, str) else finite("category", category), None


def suited(column: Column) -> tuple[Category, Interval | None]:
    """The last category of a column that holds some, else the lower half of its bounds."""
    if column.categories is not None:
        return column.categories[-1], None
    low, high = column.bounds or UNBOUNDED
    return None, (low, max(low + (high - low) / 2, math.nextafter(low, high)))


def suits(category: Category, column: Column) -> bool:
    """Whether a column holds texts where the category is one, else numbers."""
    return of_text(column) if isinstance(category, str) else of_numbers(column)


def holds(values: Database, category: Category, inside: Interval | None) -> Truths:
    """True for a value of the category, or in the interval, else False, as for a missing one; of the values' shape.

    InvalidValueError for texts where numbers are asked for, and the other way round.
    """
    of_one_kind(values, texts=isinstance(category, str))
    if inside is None:
        return np.asarray(values == category)
    low, high = inside
    return np.asarray((values >= low) & (values <= high))


def members(values: Database, category: Category, inside: Interval | None) -> FloatArray:
    """1 for a record that the condition holds of, else 0: (b,) -> (b, 1)"""
    return holds(values, category, inside).astype(np.float64)[:, None]


def chance(known: Mapping[float, float] | Mapping[str, float], category: Category, inside: Interval | None) -> float | None:
    """The chance that the condition holds of a record whose values have these; None for texts where numbers are asked for, and
    the other way round."""
    values = np.array(list(known))
    if (values.dtype.kind == "U") != isinstance(category, str):
        return None
    return float(np.array(list(known.values())) @ members(values, category, inside)[:, 0])


def of_one_kind(values: Database, *, texts: bool) -> None:
    """InvalidValueError for values that are no texts, or no numbers."""
    if values.dtype.kind not in ("U" if texts else "fiub"):
        raise InvalidValueError("records", "texts" if texts else "numbers", (str(values.dtype), values.shape))


def known(values: Database) -> Truths:
    """Which values are not missing: no NaN, no empty text."""
    return np.asarray(values != "" if values.dtype.kind == "U" else ~np.isnan(values))
