"""Databases as one table of Arrow, by what is declared of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.as_declared import numbers_of, places_of, values_of
from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.base.types import Database
from dpcore.sql.of_people import as_uuids


def as_arrow(columns: tuple[Column, ...], databases: Database | None = None) -> Any:
    """One after another, (b, n) with named fields -> b·n rows; without any, no row.

    Numbers are clipped to their bounds. A value that is missing, NaN or '', is NULL; so is one that is in no list of categories
    where there is one, unless “other” is among these, which then stands for it. People stand in the order of
    their keys, and each is a UUID.
    """
    import pyarrow as pa

    if databases is None:
        return pa.table({column.name: pa.array([], _type(column)) for column in columns})
    found = zip(columns, values_of(columns, databases), strict=True)
    return pa.table({column.name: _array(column, values) for column, values in found})


def _type(column: Column) -> Any:
    import pyarrow as pa

    return pa.string() if column.role == TEXT else pa.uuid() if column.role == PERSON else pa.float64()


def _array(column: Column, values: Database) -> Any:
    if column.role == PERSON:
        return as_uuids(values)
    return _texts(column, values) if column.role == TEXT else _numbers(column, values)


def _numbers(column: Column, values: Database) -> Any:
    import pyarrow as pa

    numbers = numbers_of(column, values)
    return pa.array(numbers, mask=np.isnan(numbers))


def _texts(column: Column, values: Database) -> Any:
    import pyarrow as pa

    if column.categories is None:
        return pa.array(values, pa.string(), mask=values == "")
    listed = list(map(str, column.categories))
    places = places_of(listed, values)
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=places < 0), pa.array(listed)).cast(pa.string())
