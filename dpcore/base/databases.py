"""Databases from lists, Series and DataFrames."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dpcore.base.arrays import Database
from dpcore.errors import InvalidValueError

_EXPECTED = "an array, a list, a Series or a DataFrame, of numbers or of texts"


def as_database(value: object, *, named: bool = False) -> Database:
    """Return a database as an array. No message quotes a value.

    Args:
        value: An array, which stays as it is; a list or tuple of records; or a Series or DataFrame of pandas.
        named: Whether a DataFrame becomes an array with named fields; otherwise it becomes one of numbers, (n, columns).

    Raises:
        InvalidValueError: If it is none of these, or holds anything but numbers or texts.

    Example:
        >>> as_database([1, 2.5])
        array([1. , 2.5])
    """
    if isinstance(value, np.ndarray):
        return value
    pandas = sys.modules.get("pandas")  # whoever has a DataFrame has imported it
    if pandas is not None and isinstance(value, pandas.DataFrame):
        columns = {str(name): _column(series.to_numpy()) for name, series in value.items()}
        return _with_fields(columns, len(value)) if named else _matrix(columns)
    if pandas is not None and isinstance(value, pandas.Series):
        return _column(value.to_numpy())
    if isinstance(value, (list, tuple)):
        try:
            return _column(np.asarray(value))
        except ValueError:  # of records of several lengths
            raise InvalidValueError("database", f"{_EXPECTED}, whose records are equally long", type(value).__name__) from None
    raise InvalidValueError("database", _EXPECTED, type(value).__name__)


def _column(values: np.ndarray[Any, Any]) -> Database:
    """Numbers as floats, and texts; a missing one is NaN, or ''."""
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind == "U":
        return values
    if values.dtype.kind == "O":
        known = [item for item in values.ravel() if item is not None and item == item]
        if all(isinstance(item, str) for item in known):
            return np.array([item if isinstance(item, str) else "" for item in values.ravel()], dtype=np.str_).reshape(
                values.shape
            )
        if all(isinstance(item, (int, float, np.number, np.bool_)) for item in known):
            return np.array([np.nan if item is None else item for item in values.ravel()], dtype=np.float64).reshape(values.shape)
    raise InvalidValueError("database", f"{_EXPECTED}; convert days and other values to numbers first", str(values.dtype))


def _matrix(columns: dict[str, Database]) -> Database:
    texts = [name for name, column in columns.items() if column.dtype.kind == "U"]
    if texts or not columns:
        expected = "columns of numbers, for the target reads no columns by name; pick a column, or ask by targets.Query"
        raise InvalidValueError("database", expected, f"columns of text: {', '.join(texts)}" if texts else "no columns")
    return np.column_stack(list(columns.values()))


def _with_fields(columns: dict[str, Database], n: int) -> Database:
    database = np.empty(n, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        database[name] = column
    return database
