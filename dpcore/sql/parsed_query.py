"""Queries that passed the allow-list: the types of their answers, the columns that they read, and databases as Arrow tables."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.checks import named
from dpcore.base.columns import OTHER, PERSON, TEXT, Column
from dpcore.errors import InvalidValueError, QueryError
from dpcore.sql import server_client
from dpcore.sql.allowlist import ONE_QUERY, TABLE, character_of, check, columns_in

_LONGEST = 10_000  # characters
_DESCRIBE = "DESCRIBE "


@lru_cache(maxsize=256)
def parse(query: str) -> Any:
    """Return the syntax tree of a query that passes the allow-list.

    Args:
        query: The query.

    Raises:
        QueryError: If the query is not allowed, or SQL is not allowed here.

    Examples:
        >>> parse("SELECT avg(cost) FROM data")["statements"][0]["node"]["from_table"]["table_name"]
        'data'
    """
    import pyarrow as pa

    server_client.check_allowed(query)
    if "\0" in query or len(query) > _LONGEST or any("\ud800" <= letter <= "\udfff" for letter in query):
        raise QueryError(f"A query has at most {_LONGEST:,} characters, and only whole ones", "Shorten it.", query)
    try:
        tree = json.loads(_rows(query, "SELECT json_serialize_sql(query) FROM data", pa.table({"query": [query]}))[0][0])
        if tree["error"]:
            raise _error("The query cannot be read", ONE_QUERY, query, tree)
        check(query, tree["statements"])
    except RecursionError:
        raise QueryError("The query is nested too deeply", "Write it with fewer brackets within brackets.", query) from None
    return tree


@lru_cache(maxsize=256)
def answer_types(query: str, columns: tuple[Column, ...]) -> tuple[tuple[str, str], ...]:
    """Return the name and DuckDB's type of each column of the answer.

    Args:
        query: The query.
        columns: The declared columns of the table.

    Raises:
        QueryError: If the query is not allowed, or does not fit the table.

    Examples:
        >>> answer_types("SELECT count(*) AS n, avg(cost) AS mean FROM data", (Column("cost"),))
        (('n', 'BIGINT'), ('mean', 'DOUBLE'))
    """
    parse(query)
    empty = np.empty(0, dtype=[(column.name, "U1" if column.role == TEXT else "f8") for column in columns])
    return tuple((row[0], row[1]) for row in _rows(query, _DESCRIBE + query, as_arrow(columns, empty)))


def _rows(query: str, sql: str, table: Any) -> list[Any]:
    """Return the answer to SQL about a query; the query itself is not run."""
    answers = server_client.run(sql, table, most=_LONGEST)
    if not answers:
        raise QueryError("The query needs too much time or memory to be read", "Write it in fewer parts.", query)
    if isinstance(answers[0], list):
        return answers[0]
    text, why = answers[0]["text"], {}  # the kind of error, then JSON
    with suppress(ValueError):
        why = json.loads(text[text.index("{") :])
    remedy = f"The columns of “{TABLE}” are {', '.join(table.column_names)}."
    raise _error("The query does not fit the table", remedy, query, why, len("PREPARE question AS " + _DESCRIBE))


def _error(problem: str, remedy: str, query: str, why: dict[str, str], before: int = 0) -> QueryError:
    """Return DuckDB's error, with its place in the query."""
    message = (why.get("error_message") or why.get("exception_message", "")).split("\n")[0].rstrip(".!")
    return QueryError(f"{problem}: {message}", remedy, query, character_of(query, int(why.get("position", -1)) - before))


def read_columns(query: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns of a table that an allowed query reads: at least one.

    Args:
        query: The query.
        columns: The declared columns of the table.

    Examples:
        >>> [column.name for column in read_columns("SELECT avg(cost) FROM data", (Column("age"), Column("cost")))]
        ['cost']
    """
    read = columns_in(parse(query))
    return tuple(one for one in columns if read is None or one.name.casefold() in read) or columns[:1]


def check_columns(columns: object) -> tuple[Column, ...]:
    """Check the declared columns of a table.

    Raises:
        InvalidValueError: If they are not columns, names differ only by capitals, or a column says whose a row is.

    Examples:
        >>> check_columns((Column("cost"), Column("COST")))
        Traceback (most recent call last):
            ...
        dpcore.errors.InvalidValueError: table must be columns whose names differ by more than capitals; got ['cost', 'COST'].
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


def as_arrow(columns: tuple[Column, ...], databases: Database) -> Any:
    """Return databases one after another as one Arrow table.

    Numbers are clipped to their bounds. Missing values are NULL. So are values outside a column's list of categories, unless
    the list has “other”, which then replaces them.

    Args:
        columns: The declared columns.
        databases: Named fields, shape (n,) or (b, n).

    Raises:
        InvalidValueError: If a column is missing or has another type.

    Examples:
        >>> rows = np.array([(900.0,), (np.nan,)], dtype=[("cost", float)])
        >>> as_arrow((Column("cost", bounds=(0.0, 100.0)),), rows)["cost"].to_pylist()
        [100.0, None]
    """
    import pyarrow as pa

    names = [column.name for column in columns]
    if not set(names) <= set(databases.dtype.names or ()):
        raise InvalidValueError("database", f"with the named columns {', '.join(names)}", databases.dtype.names)
    arrays = {}
    for column in columns:
        values, is_text = databases[column.name].ravel(), column.role == TEXT
        if values.dtype.kind not in ("U" if is_text else "fiub"):
            raise InvalidValueError(f"column {column.name}", "texts" if is_text else "numbers", str(values.dtype))
        values = values if is_text else values.astype(np.float64)
        known = values != "" if is_text else ~np.isnan(values)
        if column.categories is not None:
            listed = known & np.isin(values, np.array(column.categories))
            values, known = (np.where(listed, values, OTHER), known) if OTHER in column.categories else (values, listed)
        elif column.bounds is not None:
            values = np.clip(values, *column.bounds)
        arrays[column.name] = pa.array(values, pa.string() if is_text else pa.float64(), mask=~known)
    return pa.table(arrays)
