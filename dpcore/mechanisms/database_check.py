"""Whether a database is one that a sensitivity holds for, and how many records or people are told of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base import people
from dpcore.base.norms import Norm
from dpcore.base.types import Database, person_of, takes_fields
from dpcore.errors import DatabaseMismatchError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity, SampledSensitivity

Known = GlobalSensitivity[Norm] | SampledSensitivity[Norm]


def check(sensitivity: Known, database: Database) -> None:
    """InvalidValueError and DatabaseMismatchError for a database that the sensitivity does not hold for.

    Where one user is added or removed, none of them depends on how many there are.
    """
    if not isinstance(database, np.ndarray) or database.dtype.hasobject or not database.ndim:
        raise InvalidValueError("database", "an array of records of numbers or of texts", type(database).__name__)
    _check_people(sensitivity, database)
    _check_number(sensitivity, database)
    if isinstance(sensitivity, SampledSensitivity) and database.shape[1:] != sensitivity.origin.record_shape:
        raise DatabaseMismatchError("records of shape", sensitivity.origin.record_shape, database.shape[1:])
    target: Any = sensitivity.target
    fields = target.fields if takes_fields(target) else ()
    if any(name not in (database.dtype.names or ()) for name in fields):
        raise DatabaseMismatchError("columns named", fields, database.dtype.names)


def confidential_n(sensitivity: Known) -> bool:
    """Whether the number of users differs between neighbours: then nothing tells it (mathematics, section 8.1)."""
    return sensitivity.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER


def units(sensitivity: Known, database: Database) -> int:
    """How many records a database has, or people, where a user is all rows of a person."""
    person = _person(sensitivity)
    return len(database) if person is None else people.count(database[person])


def _person(sensitivity: Known) -> str | None:
    """The name of the field of people: the target's, else that of the oracle that the draws came from."""
    if sensitivity.adjacency is Adjacency.REPLACE_ONE_RECORD:
        return None
    oracle = sensitivity.origin.oracle if isinstance(sensitivity, SampledSensitivity) else None
    return person_of(sensitivity.target, oracle)


def _check_people(sensitivity: Known, database: Database) -> None:
    if (person := _person(sensitivity)) is None:
        return
    if person not in (database.dtype.names or ()):
        raise DatabaseMismatchError("a field of people named", person, database.dtype.names)
    people.check(database[person])


def _check_number(sensitivity: Known, database: Database) -> None:
    if confidential_n(sensitivity):
        if sensitivity.n is None:
            expected = "of a stated number of users: how many the table has is confidential, and is not read off it"
            raise InvalidValueError("sensitivity", expected, None)
        return
    if sensitivity.n is not None and (n := units(sensitivity, database)) != sensitivity.n:
        what = "records" if _person(sensitivity) is None else "people"
        raise DatabaseMismatchError(f"a number of {what} of", sensitivity.n, n)
