"""Filters and groups with public constants: which records a question is about, and for which groups it is answered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database
from dpcore.base.bounds import UNBOUNDED, Interval, interval
from dpcore.base.checks import categories, finite, named, set_fields
from dpcore.base.columns import Column, of_numbers, of_text
from dpcore.errors import InvalidValueError

Category = float | str | None
Truths = NDArray[np.bool_]


@final
@dataclass(frozen=True)
class Filter:
    """A condition on one column. It is false if the value is missing: NaN, or '' of text.

    Args:
        column: The name of the column.
        category: The category that the value has; or
        interval: The interval that the value is in, both ends included.
        excluded: Whether the value has to be known and *not* in the category or interval.

    Raises:
        InvalidValueError: If an argument is not as described, or not exactly one of category and interval is given.

    Examples:
        >>> Filter("age", interval=(18, 65)).holds(np.array([17.0, 18.0, np.nan]))
        array([False,  True, False])
    """

    column: str
    category: Category = None
    interval: Interval | None = None
    excluded: bool = False

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        set_fields(self, column=named("column", self.column), category=category, interval=inside)
        if not isinstance(self.excluded, bool):
            raise InvalidValueError("excluded", "true or false", self.excluded)

    def holds(self, values: Database, /) -> Truths:
        """Return for which of the column's values the condition is true, in their shape."""
        inside = holds(values, self.category, self.interval)
        return known(values) & ~inside if self.excluded else inside

    def suits(self, column: Column) -> bool:
        """Return whether a column holds what the condition asks for, texts or numbers."""
        return suits(self.category, column)

    def words(self, columns: Iterable[Column] = ()) -> str:
        """Return the condition as people read it: ``sex is F``, or ``age not from 65 to 120``.

        Args:
            columns: The columns whose labels, units and names of categories are used.
        """
        column, unless = _column(self.column, columns), " not" if self.excluded else ""
        label = column.label or column.name
        if self.interval is None:
            return f"{label} is{unless} {column.shown(self.category)}"
        low, high = map(column.shown, self.interval)
        unit = f" {column.unit}" if column.unit and not column.since else ""
        return f"{label}{unless} from {low} to {high}{unit}"


@final
@dataclass(frozen=True)
class GroupBy:
    """One group of records for each public category of a column.

    Each record is in at most one group. It is in no group if its value is missing or in no category.

    Args:
        column: The name of the column.
        categories: Its categories, all different.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> GroupBy("ward", ("Park", "Hill")).places(np.array(["Hill", "", "Park"]))
        array([ 1, -1,  0])
    """

    column: str
    categories: tuple[float, ...] | tuple[str, ...]

    def __post_init__(self) -> None:
        set_fields(self, column=named("column", self.column), categories=categories("categories", self.categories))

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups' names, in order."""
        return self.labels_in(())

    def labels_in(self, columns: Iterable[Column]) -> tuple[str, ...]:
        """Return the groups' names as people know them, if their column is among these columns."""
        return tuple(map(_column(self.column, columns).shown, self.categories))

    def places(self, values: Database, /) -> NDArray[np.int64]:
        """Return the index of each value's group, −1 for none, in the values' shape."""
        listed = np.array(self.categories)
        of_one_kind(values, texts=listed.dtype.kind == "U")
        order = np.argsort(listed)
        index = order[np.searchsorted(listed, values, sorter=order).clip(max=len(listed) - 1)]
        return np.where(listed[index] == values, index, -1)

    def suits(self, column: Column) -> bool:
        """Return whether a column holds what the categories are, texts or numbers."""
        return suits(self.categories[0], column)

    def words(self, columns: Iterable[Column] = ()) -> str:
        """Return the groups as people read them, ``by ward``, with the column's label if it is among these columns."""
        column = _column(self.column, columns)
        return f"by {column.label or column.name}"


def _column(name: str, columns: Iterable[Column]) -> Column:
    return next((column for column in columns if column.name == name), Column(name))


def checked(category: object, inside: object) -> tuple[Category, Interval | None]:
    """Return a category or an interval.

    Raises:
        InvalidValueError: If both or none is given, or the category is the empty text, which stands for a missing value.
    """
    if (category is None) == (inside is None):
        raise InvalidValueError("category, interval", "one of the two", (category, inside))
    if inside is not None:
        return None, interval("interval", inside)
    return named("category", category) if isinstance(category, str) else finite("category", category), None


def suited(column: Column) -> tuple[Category, Interval | None]:
    """Return what is proposed for a column: its last category if it has any, otherwise the lower half of its bounds."""
    if column.categories is not None:
        return column.categories[-1], None
    low, high = column.bounds or UNBOUNDED
    return None, (low, max(low + (high - low) / 2, math.nextafter(low, high)))


def suits(category: Category, column: Column) -> bool:
    """Return whether a column holds texts if the category is one, and numbers otherwise."""
    return of_text(column) if isinstance(category, str) else of_numbers(column)


def holds(values: Database, category: Category, inside: Interval | None) -> Truths:
    """Return which values are of the category, or in the interval, in their shape; a missing value is not.

    Raises:
        InvalidValueError: If the values are texts and numbers are asked for, or the other way round.
    """
    of_one_kind(values, texts=isinstance(category, str))
    if inside is None:
        return np.asarray(values == category)
    low, high = inside
    return np.asarray((values >= low) & (values <= high))


def chance(chances: Mapping[float, float] | Mapping[str, float], category: Category, inside: Interval | None) -> float | None:
    """Return the probability that a record is of the category, or in the interval.

    Args:
        chances: The probability of each value of a record.
        category: The category; None for an interval.
        inside: The interval.

    Returns:
        The probability; None if the values are texts and numbers are asked for, or the other way round.
    """
    values = np.array(list(chances))
    if (values.dtype.kind == "U") != isinstance(category, str):
        return None
    return float(np.array(list(chances.values())) @ holds(values, category, inside).astype(np.float64))


def of_one_kind(values: Database, *, texts: bool) -> None:
    """Raise InvalidValueError for values that are not texts, or not numbers."""
    if values.dtype.kind not in ("U" if texts else "fiub"):
        raise InvalidValueError("records", "texts" if texts else "numbers", (str(values.dtype), values.shape))


def known(values: Database) -> Truths:
    """Return which values are known: not NaN, and not the empty text."""
    return np.asarray(values != "" if values.dtype.kind == "U" else ~np.isnan(values))
