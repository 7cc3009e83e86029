"""A condition on one column with public constants: its records are of one category, or in one interval."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.bounds import UNBOUNDED, Interval, interval
from dpcore.base.checks import finite
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Category = float | str | None


def checked(category: object, inside: object) -> tuple[Category, Interval | None]:
    """A category or an interval; InvalidValueError for none or both."""
    if (category is None) == (inside is None):
        raise InvalidValueError("category, interval", "one of the two", (category, inside))
    if inside is not None:
        return None, interval("interval", inside)
    return category if isinstance(category, str) else finite("category", category), None


def suited(column: Column) -> tuple[Category, Interval | None]:
    """The last category of a column that holds some, else the lower half of its bounds."""
    if column.categories is not None:
        return column.categories[-1], None
    low, high = column.bounds or UNBOUNDED
    return None, (low, max(low + (high - low) / 2, math.nextafter(low, high)))


def members(values: Database, category: Category, inside: Interval | None) -> FloatArray:
    """1 for a record that the condition holds of, else 0, as for a missing value: (b,) -> (b, 1)"""
    if inside is None:
        return np.asarray(values == category, dtype=np.float64)[:, None]
    low, high = inside
    return np.asarray((values >= low) & (values <= high), dtype=np.float64)[:, None]
