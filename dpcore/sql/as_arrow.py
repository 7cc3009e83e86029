"""Databases as one table of Arrow, by what is declared of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.declared import OTHER, TEXT, Column
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError


def as_arrow(columns: tuple[Column, ...], databases: Database | None = None) -> Any:
    """One after another, (b, n) with named fields -> b·n rows; without any, no row.

    Numbers are clipped to their bounds. A value that is missing, NaN or '', is NULL; so is one that is in no list of categories
    where there is one, unless “other” is among these, which then stands for it.
    """
    import pyarrow as pa

    names = [column.name for column in columns]
    if databases is None:
        return pa.table({column.name: pa.array([], _type(column)) for column in columns})
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    return pa.table({column.name: _array(column, databases[column.name].ravel()) for column in columns})


def _type(column: Column) -> Any:
    import pyarrow as pa

    return pa.string() if column.role == TEXT else pa.float64()


def _array(column: Column, values: Database) -> Any:
    if values.dtype.kind not in ("U" if column.role == TEXT else "fiub"):
        raise InvalidValueError(f"column {column.name}", "texts" if column.role == TEXT else "numbers", str(values.dtype))
    return _texts(column, values) if column.role == TEXT else _numbers(column, values)


def _numbers(column: Column, values: Database) -> Any:
    import pyarrow as pa

    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if column.categories is not None:
        numbers = np.where(np.isin(numbers, np.array(column.categories)), numbers, np.nan)
    elif column.bounds is not None:
        numbers = np.clip(numbers, *column.bounds)
    return pa.array(numbers, mask=np.isnan(numbers))


def _texts(column: Column, values: Database) -> Any:
    import pyarrow as pa

    if column.categories is None:
        return pa.array(values, pa.string(), mask=values == "")
    listed = list(map(str, column.categories))
    places = np.full(len(values), listed.index(OTHER) if OTHER in listed else -1, dtype=np.int32)
    for place, category in enumerate(listed):
        places[values == category] = place
    missing = (places < 0) | (values == "")
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=missing), pa.array(listed)).cast(pa.string())
