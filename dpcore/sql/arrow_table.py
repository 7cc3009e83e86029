"""Databases as an Arrow table, by what is declared of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base import people, row_weights
from dpcore.base.declared import OTHER, PERSON, TEXT, Column
from dpcore.base.people import CODE, KEY
from dpcore.base.quoted import quoted
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError


def as_arrow(columns: tuple[Column, ...], databases: Database | None = None) -> Any:
    """Return databases one after another as one Arrow table.

    Numbers are clipped to their bounds. Missing values are NULL. So are values outside a column's list of categories, unless
    the list has “other”, which then replaces them. People must be in the order of their keys; each becomes a UUID.

    Args:
        columns: The declared columns.
        databases: Named fields, shape (n,) or (b, n). None gives an empty table.

    Raises:
        InvalidValueError: If a column is missing or has another type.
    """
    import pyarrow as pa

    if databases is None:
        types = {TEXT: pa.string(), PERSON: pa.uuid()}
        return pa.table({column.name: pa.array([], types.get(column.role, pa.float64())) for column in columns})
    names = [column.name for column in columns]
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    return pa.table({column.name: _array(column, databases[column.name].ravel()) for column in columns})


def _array(column: Column, values: Database) -> Any:
    import pyarrow as pa

    if column.role == PERSON:
        return _uuids(values)
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


def keep_rows(database: Database, person: str, rows: int, salt: int) -> Database:
    """Keep a limited number of rows of each person, chosen by the person's key and the public salt.

    People are sorted by their keys; each person's rows keep their order. So nothing depends on where a person is in the table,
    and all other rows stay the same if one person is added, removed or replaced.

    Args:
        database: Rows of people, shape (n,).
        person: Field that says whose a row is.
        rows: Largest number of rows of a person.
        salt: Public number that selects the rows.

    Raises:
        InvalidValueError: If the field is missing or does not hold people.
    """
    if person not in (database.dtype.names or ()):
        raise InvalidValueError("database", f"with the field of people {quoted(person)}", database.dtype.names)
    people.check(database[person])
    weights = row_weights.weights(database[person], np.zeros(len(database), dtype=np.int64), rows, salt=salt)
    stay = np.flatnonzero(weights)
    return database[stay[np.argsort(database[person][KEY][stay], kind="stable")]]


def _uuids(values: Database) -> Any:
    """Return one UUID for each person: the position among all people, counted from where the sum of all keys says.

    A query can then not name one person of every table: a constant names different people in neighbouring tables, so sampled
    pairs show what that costs. A value made of one id would match no simulated person, and no pair would show it.
    """
    import pyarrow as pa

    new = np.append(True, values[CODE][1:] != values[CODE][:-1])[: len(values)]
    count = max(int(new.sum()), 1)
    positions = (np.cumsum(new) - 1 + int(values[KEY][new].sum(dtype=np.uint64)) % count) % count
    halves = np.stack([np.zeros(len(values), dtype=np.uint64), positions.astype(np.uint64)], axis=-1).astype(">u8")
    storage = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(values), [None, pa.py_buffer(halves.tobytes())])
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)
