"""Databases from lists, Series and DataFrames."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Collection
from typing import Any

import numpy as np

from dpcore.base.arrays import Database
from dpcore.errors import InvalidValueError

_EXPECTED = "an array, a list, a Series or a DataFrame, of numbers or of texts, whose records are equally long"


def as_database(value: object, *, fields: Collection[str] | None = None) -> Database:
    """Return a database as an array. No message quotes a value.

    Args:
        value: An array, which stays as it is; a list or tuple of records; or a Series or DataFrame of pandas.
        fields: The columns of a DataFrame that become named fields. Without them all become one array, (n, columns).

    Raises:
        InvalidValueError: If it is none of these, lacks a field, has two columns of one name, or holds anything but
            numbers or texts.

    Examples:
        >>> as_database([1, 2.5])
        array([1. , 2.5])
    """
    if isinstance(value, np.ndarray):
        return value
    pandas = sys.modules.get("pandas")  # a program with a DataFrame has imported it
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return _table(value, fields)
    if pandas is not None and isinstance(value, pandas.Series):
        return _series(value)
    if not isinstance(value, (list, tuple)):
        raise InvalidValueError("database", _EXPECTED, type(value).__name__)
    try:
        records = np.asarray(value, dtype=object)
    except ValueError:  # records of several shapes
        raise InvalidValueError("database", _EXPECTED, type(value).__name__) from None
    return _column(records)


def _table(frame: Any, fields: Collection[str] | None) -> Database:
    """Return the columns of a DataFrame: these fields by name, or all as one array of numbers."""
    names = [str(name) for name in frame.columns]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise InvalidValueError("database", "a DataFrame whose columns have different names", f"twice: {', '.join(twice)}")
    if lacking := [name for name in fields or () if name not in names]:
        expected = f"a DataFrame with the columns {', '.join(lacking)} too"
        raise InvalidValueError("database", expected, f"only {', '.join(names)}")
    read = {name: series for name, (_, series) in zip(names, frame.items(), strict=True) if fields is None or name in fields}
    columns = {name: _series(series) for name, series in read.items()}
    if fields is None:
        texts = [name for name, column in columns.items() if column.dtype.kind == "U"]
        if texts or not columns:
            expected = "columns of numbers, for the target reads no columns by name; pick a column, or ask by targets.Query"
            raise InvalidValueError("database", expected, f"columns of text: {', '.join(texts)}" if texts else "no columns")
        return np.column_stack(list(columns.values()))
    database = np.empty(len(frame), dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        database[name] = column
    return database


def _series(series: Any) -> Database:
    values: np.ndarray[Any, Any] = series.to_numpy()
    return _column(series.to_numpy(dtype=object, na_value=None) if values.dtype.kind == "O" else values)


def _column(values: np.ndarray[Any, Any]) -> Database:
    """Return numbers as floats, or texts; a missing one is NaN, or ''."""
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    items = values.ravel().tolist() if values.dtype.kind == "O" else []
    known = [item for item in items if item is not None and not (isinstance(item, float) and math.isnan(item))]
    if known and all(isinstance(item, str) for item in known):
        return np.array([item if isinstance(item, str) else "" for item in items], dtype=np.str_).reshape(values.shape)
    if values.dtype.kind == "O" and all(isinstance(item, (int, float, np.integer, np.floating, np.bool_)) for item in known):
        try:
            return np.array([np.nan if item is None else item for item in items], dtype=np.float64).reshape(values.shape)
        except OverflowError:
            raise InvalidValueError("database", "numbers that a float can hold", "larger ones") from None
    raise InvalidValueError("database", f"{_EXPECTED}; convert days and other values to numbers first", str(values.dtype))
