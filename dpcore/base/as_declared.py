"""Values of a database's columns as these are declared: what a SQL query and a program are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.declared import OTHER, PERSON, TEXT, Column
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError


def values_of(columns: tuple[Column, ...], databases: Database) -> list[Database]:
    """Of each column its values, one database after another; InvalidValueError where one is not there, or of another type. Whose
    a row is stands there as its reader has it."""
    names = [column.name for column in columns]
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    found = [databases[name].ravel() for name in names]
    for column, values in zip(columns, found, strict=True):
        if column.role != PERSON and values.dtype.kind not in ("U" if column.role == TEXT else "fiub"):
            raise InvalidValueError(f"column {column.name}", "texts" if column.role == TEXT else "numbers", str(values.dtype))
    return found


def numbers_of(column: Column, values: Database) -> FloatArray:
    """Clipped to the bounds; NaN where the value is missing, or in no list of categories where there is one."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if column.categories is not None:
        return np.where(np.isin(numbers, np.array(column.categories)), numbers, np.nan)
    return numbers if column.bounds is None else np.clip(numbers, *column.bounds)


def places_of(listed: list[str], values: Database) -> NDArray[np.int32]:
    """Of texts the places of their categories; of what is none of them that of “other” where it is listed, and −1 where it is
    not, or where the value is missing."""
    places = np.full(len(values), listed.index(OTHER) if OTHER in listed else -1, dtype=np.int32)
    for place, category in enumerate(listed):
        places[values == category] = place
    places[values == ""] = -1
    return places
