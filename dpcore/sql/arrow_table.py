"""Databases as an Arrow table, by what is declared of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.declared import OTHER, TEXT, Column
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError


def as_arrow(columns: tuple[Column, ...], databases: Database | None = None) -> Any:
    """Return databases one after another as one Arrow table.

    Numbers are clipped to their bounds. Missing values are NULL. So are values outside a column's list of categories, unless
    the list has “other”, which then replaces them.

    Args:
        columns: The declared columns.
        databases: Named fields, shape (n,) or (b, n). None gives an empty table.

    Raises:
        InvalidValueError: If a column is missing or has another type.
    """
    import pyarrow as pa

    if databases is None:
        return pa.table({column.name: pa.array([], pa.string() if column.role == TEXT else pa.float64()) for column in columns})
    names = [column.name for column in columns]
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    return pa.table({column.name: _array(column, databases[column.name].ravel()) for column in columns})


def _array(column: Column, values: Database) -> Any:
    import pyarrow as pa

    if values.dtype.kind not in ("U" if column.role == TEXT else "fiub"):
        raise InvalidValueError(f"column {column.name}", "texts" if column.role == TEXT else "numbers", str(values.dtype))
    if column.role == TEXT:
        return _texts(column, values)
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if column.categories is not None:
        numbers = np.where(np.isin(numbers, np.array(column.categories)), numbers, np.nan)
    elif column.bounds is not None:
        numbers = np.clip(numbers, *column.bounds)
    return pa.array(numbers, mask=np.isnan(numbers))


def _texts(column: Column, values: Database) -> Any:
    import pyarrow as pa

    known = values != ""
    if column.categories is not None:
        listed = known & np.isin(values, np.array(column.categories))
        if OTHER in column.categories:
            values = np.where(listed, values, OTHER)
        else:
            known = listed
    return pa.array(values, pa.string(), mask=~known)
