"""Columns of numbers in a database of any form, and the record with their middle value."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray

BELOW, ABOVE = 0.5, 3.0  # ranges of a column without bounds: how far beyond its values a record is tried


def columns_of(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Those of numbers, in which a record has a place."""
    return tuple(column for column in columns if column.role not in (TEXT, PERSON) and column.categories is None)


def values_of(database: Database, columns: tuple[Column, ...], column: Column) -> FloatArray:
    """One column of a database in any form, as a view of it."""
    if database.dtype.names is not None:
        return np.asarray(database[column.name])
    return database if database.ndim == 1 else database[:, columns.index(column)]


def middle(target: Any, database: Database, values: FloatArray) -> int | None:
    """Of the records that meet the question's conditions the one with the middle value, the lower of two; None without any."""
    asked = np.isfinite(values)
    for condition in facts(target).where:
        asked &= condition.holds(database[condition.column])
    known = np.flatnonzero(asked)
    return int(known[np.argsort(values[known], kind="stable")[(len(known) - 1) // 2]]) if known.size else None
