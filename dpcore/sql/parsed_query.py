"""Queries that passed the allow-list: the types of their answers, the columns that they read, and databases as Arrow tables."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.checks import named
from dpcore.base.columns import OTHER, PERSON, TEXT, Column
from dpcore.base.text import quoted
from dpcore.errors import InvalidValueError, QueryError
from dpcore.sql import server_client
from dpcore.sql.allowlist import NUMBERS, TABLE, character_of, check, columns_in

_LONGEST = 10_000  # characters
_PREFIX = len("PREPARE question AS ")
Types = tuple[tuple[str, str], ...]
"""The name and DuckDB's type of each column of an answer."""


@lru_cache(maxsize=256)
def parse(query: str) -> Any:
    """Return the syntax tree of a query that passes the allow-list.

    Raises:
        QueryError: If the query is not allowed, or SQL is not allowed here.
    """
    server_client.check_allowed(query)
    if "\0" in query or len(query) > _LONGEST or any("\ud800" <= letter <= "\udfff" for letter in query):
        raise QueryError(f"A query has at most {_LONGEST:,} characters, and only whole ones", "Shorten it.", query)
    try:
        tree = _first(query, server_client.run("parse", query))
        check(query, tree)
    except RecursionError:  # the tree is read further down the stack than it was written
        raise QueryError("The query is nested too deeply", "Write it with fewer brackets within brackets.", query) from None
    return tree


@lru_cache(maxsize=256)
def answer_types(query: str, columns: tuple[Column, ...]) -> Types:
    """Return the names and types of the answer's columns.

    Args:
        query: The query.
        columns: The declared columns of the table.

    Raises:
        QueryError: If the query is not allowed, or does not fit the table.
    """
    parse(query)
    empty = np.empty(0, dtype=[(column.name, "U1" if column.role == TEXT else "f8") for column in columns])
    described = _first(query, server_client.run("describe", query, as_arrow(columns, empty)))
    if "failed" in described:
        raise _misfit(query, columns, described["failed"])
    return tuple((str(name), str(kind)) for name, kind in described["columns"])


def read_columns(query: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns of a table that an allowed query reads: at least one."""
    read = columns_in(parse(query))
    return tuple(one for one in columns if read is None or one.name.casefold() in read) or columns[:1]


def check_columns(columns: object) -> tuple[Column, ...]:
    """Check the declared columns of a table.

    Raises:
        InvalidValueError: If they are not columns, names differ only by capitals, or a column says whose a row is.
    """
    if not isinstance(columns, (list, tuple)) or not columns or not all(isinstance(one, Column) for one in columns):
        raise InvalidValueError("table", "the declared columns of the table, at least one", columns)
    names = [named("name of a column", column.name).casefold() for column in columns]
    if len(set(names)) < len(names):
        raise InvalidValueError("table", "columns whose names differ by more than capitals", [one.name for one in columns])
    if persons := [column.name for column in columns if column.role == PERSON]:
        expected = "columns without one that says whose a row is, because queries are about rows and not about people"
        raise InvalidValueError("table", expected, persons)
    return tuple(columns)


def identifier(name: str) -> str:
    """Return a column's name as a query writes it."""
    return '"' + name.replace('"', '""') + '"'


def is_number(kind: str) -> bool:
    """Return whether a type of DuckDB's is one of numbers."""
    return kind.partition("(")[0].strip().casefold() in NUMBERS and not kind.endswith("]")


def as_arrow(columns: tuple[Column, ...], databases: Database) -> Any:
    """Return databases one after another as one Arrow table.

    Numbers are clipped to their bounds. Missing values are NULL. So are values outside a column's list of categories, unless
    the list has “other”, which then replaces them.

    Args:
        columns: The declared columns.
        databases: Named fields, shape (n,) or (b, n).

    Raises:
        InvalidValueError: If a column is missing or has another type.
    """
    import pyarrow as pa

    names = [column.name for column in columns]
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    return pa.table({column.name: _arrow_column(column, databases[column.name].ravel()) for column in columns})


def _arrow_column(column: Column, values: Database) -> Any:
    import pyarrow as pa

    is_text = column.role == TEXT
    if values.dtype.kind not in ("U" if is_text else "fiub"):
        raise InvalidValueError(f"column {column.name}", "texts" if is_text else "numbers", str(values.dtype))
    if not is_text:
        values = np.ascontiguousarray(values, dtype=np.float64)
    known = values != "" if is_text else ~np.isnan(values)
    if column.categories is not None:
        listed = known & np.isin(values, np.array(column.categories))
        if OTHER in column.categories:
            values = np.where(listed, values, OTHER)
        else:
            known = listed
    elif column.bounds is not None:
        values = np.clip(values, *column.bounds)
    return pa.array(values, pa.string() if is_text else pa.float64(), mask=~known)


def _first(query: str, lines: list[Any]) -> Any:
    if not lines:
        raise QueryError("The query needs too much time or memory to be read", "Write it in fewer parts.", query)
    return lines[0]


def _misfit(query: str, columns: tuple[Column, ...], why: dict[str, Any]) -> QueryError:
    place = str(why.get("position", ""))
    at = character_of(query, int(place) - _PREFIX) if place.isdigit() else None
    if why.get("error_subtype") == "COLUMN_NOT_FOUND":
        known = ", ".join(column.name for column in columns)
        return QueryError(f"There is no column {quoted(why.get('name'))}", f"The columns of “{TABLE}” are {known}.", query, at)
    message = str(why.get("exception_message", "")).split("\n")[0].strip().rstrip(".!")
    return QueryError(f"The query does not fit the table: {message}", "Correct it there.", query, at)
