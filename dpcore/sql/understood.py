"""What a query answers with, once it was read, looked through and held against the declared columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from dpcore.base.checks import named
from dpcore.base.declared import PERSON, Column
from dpcore.base.quoted import quoted
from dpcore.errors import InvalidValueError
from dpcore.sql import asked
from dpcore.sql.allowed import TABLE, check, names
from dpcore.sql.as_arrow import as_arrow
from dpcore.sql.listed import NUMBERS
from dpcore.sql.of_people import check_names_nobody
from dpcore.sql.query_error import QueryError, character_of

_LONGEST = 10_000  # characters
_BEFORE = len("PREPARE question AS ")
Types = tuple[tuple[str, str], ...]
"""The name and DuckDB's type of each column of an answer."""


@final
@dataclass(frozen=True, slots=True)
class Understood:
    """``types`` of the answer's columns; which columns of the table the query ``reads``, at least one. ``declares``: those that
    it cannot do without: these, one at least that is not the people's, and the people's, by which s rows of each are kept."""

    types: Types
    reads: tuple[Column, ...]
    declares: tuple[Column, ...]


@lru_cache(maxsize=256)
def parsed(query: str) -> Any:
    """The tree that DuckDB's parser makes of it, all of whose parts are on a list; QueryError where some are not."""
    if "\0" in query or len(query) > _LONGEST or any("\ud800" <= letter <= "\udfff" for letter in query):
        raise QueryError(f"A query has at most {_LONGEST:,} characters, all of them whole", "Shorten it.", query)
    try:
        tree = _only(query, asked.answers("parse", query))
        check(query, tree)
    except RecursionError:  # of a tree that the parser's process could still write, with fewer calls on its stack
        raise QueryError("The query is nested too deeply", "Write it with fewer brackets within brackets.", query) from None
    return tree


@lru_cache(maxsize=256)
def understood(query: str, columns: tuple[Column, ...]) -> Understood:
    """What it reads, and answers with; QueryError for a query that is not run here, or does not fit the table."""
    asked.check_served()
    tree = parsed(query)
    for column in columns:
        if column.role == PERSON:
            check_names_nobody(query, tree, column.name)
    said = _only(query, asked.answers("describe", query, as_arrow(columns)))
    if "failed" in said:
        raise _unfit(query, columns, said["failed"])
    named_there = names(tree)
    reads = tuple(one for one in columns if named_there is None or one.name.casefold() in named_there) or columns[:1]
    types = tuple((str(name), str(kind)) for name, kind in said["columns"])
    return Understood(types, reads, _declares(reads, columns))


def _declares(reads: tuple[Column, ...], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    of_rows = [one for one in columns if one.role != PERSON]
    needed = [one for one in of_rows if one in reads] or of_rows[:1]
    return tuple(one for one in columns if one in needed or one.role == PERSON)


def check_columns(columns: object) -> tuple[Column, ...]:
    """Declared columns of numbers and texts, whose names differ by more than capitals, and one at most of people."""
    if not isinstance(columns, (list, tuple)) or not columns or not all(isinstance(one, Column) for one in columns):
        raise InvalidValueError("table", "the declared columns of the table, at least one", columns)
    for column in columns:
        named("name of a column", column.name)
    if len({column.name.casefold() for column in columns}) < len(columns):
        raise InvalidValueError("table", "of columns whose names differ by more than capitals", [one.name for one in columns])
    whose = [column.name for column in columns if column.role == PERSON]
    if len(whose) > 1:
        raise InvalidValueError("table", "with one column at most that says whose a row is", whose)
    return tuple(columns)


def identifier(name: str) -> str:
    """A column's name as a query writes it, whatever letters it has."""
    return '"' + name.replace('"', '""') + '"'


def is_number(kind: str) -> bool:
    """Whether a type of DuckDB's is one of numbers."""
    return kind.partition("(")[0].strip().casefold() in NUMBERS and not kind.endswith("]")


def _only(query: str, lines: list[Any]) -> Any:
    if not lines:
        raise QueryError("The query takes too long to be read, or too much memory", "Write it in fewer parts.", query)
    return lines[0]


def _unfit(query: str, columns: tuple[Column, ...], why: Mapping[str, Any]) -> QueryError:
    place = str(why.get("position", ""))
    at = character_of(query, int(place) - _BEFORE) if place.isdigit() else None
    if why.get("error_subtype") == "COLUMN_NOT_FOUND":
        known = ", ".join(column.name for column in columns)
        return QueryError(f"There is no column {quoted(why.get('name'))}", f"The columns of “{TABLE}” are {known}.", query, at)
    said = str(why.get("exception_message", "")).split("\n")[0].strip().rstrip(".!")
    return QueryError(f"The query does not fit the table: {said}", "Mend it there.", query, at)
