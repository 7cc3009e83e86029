"""A database of people as the rows that a query reads: at most so many of each person, whatever order people were put in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.base import people, row_weights
from dpcore.base.people import CODE, KEY
from dpcore.base.quoted import quoted
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError
from dpcore.sql.allowed import parts
from dpcore.sql.query_error import QueryError, character_of

_BESIDE = ("left", "right", "input", "lower", "upper", "children")  # where a comparison holds what it compares


def kept(database: Database, person: str, rows: int, salt: int) -> Database:
    """At most so many rows of each person, chosen by the person's key and the public salt: (n,) -> (fewer,).

    People stand in the order of their keys, and each one's rows in that person's own order. So nothing of it hangs on the place
    of a person, and the rows of everybody else stay as they are where one person comes, goes or is replaced.
    """
    if person not in (database.dtype.names or ()):
        raise InvalidValueError("database", f"with the people’s column {quoted(person)}", database.dtype.names)
    people.check(database[person])
    weights = row_weights.weights(database[person], np.zeros(len(database), dtype=np.int64), rows, salt=salt)
    stay = np.flatnonzero(weights)
    return database[stay[np.argsort(database[person][KEY][stay], kind="stable")]]


def as_uuids(whose: Database) -> Any:
    """One UUID for each person, of Arrow: the person's place among all of them, counted from where the sum of all keys says.
    ``whose`` has people in the order of their keys.

    So who names a value names somebody in every table, and mostly somebody else in a neighbour: trials show what that costs. A
    value that is made of one id alone would be met by no made-up person, and no trial would show it.
    """
    import pyarrow as pa

    new = _new(whose[CODE])
    people = max(int(new.sum()), 1)
    first = int(whose[KEY][new].sum(dtype=np.uint64)) % people
    places = (np.cumsum(new) - 1 + first) % people
    halves = np.stack([np.zeros(len(whose), dtype=np.uint64), places.astype(np.uint64)], axis=-1).astype(">u8")
    storage = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(whose), [None, pa.py_buffer(halves.tobytes())])
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)


def _new(values: Database) -> Any:
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def check_names_nobody(query: str, tree: Any, person: str) -> None:
    """QueryError where the people's column is compared with a constant: ids are not in the table that a query reads."""
    for part in parts(tree):
        beside = list(_compared(part)) if part.get("class") in ("COMPARISON", "BETWEEN", "OPERATOR") else []
        if any(_is_person(one, person) for one in beside) and any(one.get("class") == "CONSTANT" for one in beside):
            problem = f"The column {quoted(person)} only tells people apart, so it equals no stated value"
            place = character_of(query, part.get("query_location"))
            raise QueryError(problem, "Group or join by it, or count its different values.", query, place)


def _compared(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in _BESIDE:
        one = part.get(key)
        yield from (found for found in (one if isinstance(one, list) else [one]) if isinstance(found, dict))


def _is_person(part: dict[str, Any], person: str) -> bool:
    names = part.get("column_names") or [""]
    return part.get("class") == "COLUMN_REF" and str(names[-1]).casefold() == person.casefold()
