"""Rows of people: which of a database's rows are one person's.

A database of people has its rows on the first axis, one person's beside one another, and a field that tells whose each is: a
``code``, 0, 1, … in the order of the rows, and a ``key``, a whole number that is made of the person's id alone. So what a
target draws from a key, it draws of that person's data and of nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import named
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError

CODE, KEY = "code", "key"
PERSON = np.dtype([(CODE, np.int64), (KEY, np.uint64)])
MOST_ROWS = 2**24  # of a database of people: that number is not public, and proofs count the rounding of so many

_BLOCK = 2**14  # rows that are looked at together
_PRIME = np.uint64(0x100000001B3)


def per_user(rows: Database, ids: Database, *, person: str = "person", missing: str = "") -> Database:
    """The rows with a field ``person`` beside their own, each person's rows together in the order that they had.

    ``rows`` have named fields, (n,); ``ids`` are texts, (n,), or numbers, which are compared as texts, without the blanks at
    their ends. Where an id is ``missing`` or NaN, the row is a person of its own. InvalidValueError for other arrays, and for
    more than 2²⁴ rows: a public limit, the same for every table. One person's rows can decide that it is passed, so that refusal
    is to be charged as a release that failed.
    """
    if rows.dtype.names is None or rows.ndim != 1 or ids.shape != rows.shape:
        raise InvalidValueError("rows", "rows with named columns, and one name of a person a row", (str(rows.dtype), ids.shape))
    if named("person", person) in rows.dtype.names:
        raise InvalidValueError("person", f"another name than those of the fields {', '.join(rows.dtype.names)}", person)
    order, people = arranged(ids, missing=missing)
    return with_people({name: rows[name] for name in rows.dtype.names}, order, people, person)


def arranged(ids: Database, *, missing: str = "", left_out: bool = False) -> tuple[NDArray[np.int64], Database]:
    """The order in which each person's rows stand together, and whose they are then: (rows,), (rows,).

    Rows whose id is ``missing`` are people of their own, or ``left_out``.
    """
    return in_order(numbered(ids, missing=missing), left_out=left_out)


def numbered(ids: Database, *, missing: str = "") -> Database:
    """Whose each row is, (rows,), in the rows' own order: a code for each id, -1 where a row is nobody's, and the id's key.

    It takes little memory beside the ids, however wide they are.
    """
    if len(ids) > MOST_ROWS:
        raise InvalidValueError("rows", f"at most {MOST_ROWS:,}", "more")
    texts = texts_of(ids)
    people = np.empty(len(texts), dtype=PERSON)
    of_nobody = np.empty(len(texts), dtype=bool)
    for rows, block in _blocks(texts):
        of_nobody[rows] = (block == missing.strip()) | (block == "")
        people[KEY][rows] = _keys(block)
    people[CODE] = _codes(texts, people[KEY])
    people[CODE][of_nobody], people[KEY][of_nobody] = -1, 0
    return people


def in_order(rows: Database, *, left_out: bool = False) -> tuple[NDArray[np.int64], Database]:
    """As ``arranged`` has it, of rows that are ``numbered``."""
    codes, of_nobody = rows[CODE].copy(), rows[CODE] < 0
    codes[of_nobody] = codes.max(initial=-1) + 1 + np.arange(of_nobody.sum())
    order = np.argsort(codes, kind="stable")
    if left_out:
        order = order[~of_nobody[order]]
    people = rows[order]
    people[CODE] = contiguous(codes[order])
    people.flags.writeable = False
    return order, people


def with_people(fields: Mapping[str, Database], order: NDArray[np.int64], people: Database, person: str) -> Database:
    """Rows in this order, with their fields and that of the people; read-only."""
    rows = np.empty(len(order), dtype=[*((name, values.dtype) for name, values in fields.items()), (person, PERSON)])
    for name, values in fields.items():
        rows[name] = values[order]
    rows[person] = people
    rows.flags.writeable = False
    return rows


def contiguous(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted codes as 0, 1, …: of the same people."""
    return np.cumsum(np.append(False, codes[1:] != codes[:-1])[: len(codes)])


def count(people: Database) -> int:
    """How many people there are in a field of them."""
    return int(people[CODE][-1]) + 1 if len(people) else 0


def check(people: Database) -> None:
    """InvalidValueError for a field whose codes are not 0, 1, … in the order of the rows."""
    codes = people[CODE] if people.dtype == PERSON and people.ndim == 1 else None
    if codes is None or (len(codes) and codes[0] != 0) or bool(((steps := np.diff(codes)) < 0).any() or (steps > 1).any()):
        raise InvalidValueError("database", "rows of people, each person's together, as “per_user” makes them", people.dtype)


def is_person(part: Any) -> bool:
    """Whether a field's type is that of people."""
    return bool(part == PERSON)


def mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Whole numbers that look random, one a key (Steele, Lea and Flood 2014, SplitMix64)."""
    with np.errstate(over="ignore"):
        z = keys + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def texts_of(ids: Database) -> Database:
    """Ids as texts: numbers with all their digits, a missing one as ''."""
    if ids.dtype.kind == "U":
        return ids
    if ids.dtype.kind not in "iufb" or ids.dtype.itemsize > 8:
        raise InvalidValueError("ids", "texts or numbers", ids.dtype)
    values, place = np.unique(ids.astype(np.float64) if ids.dtype.kind == "f" else ids, return_inverse=True)
    texts = [
        "" if value != value else f"{value:.17g}" if isinstance(value, float) else str(int(value)) for value in values.tolist()
    ]
    return np.array(texts or [""])[place.reshape(ids.shape)]


def _blocks(texts: Database) -> Iterator[tuple[slice, Database]]:
    """The texts without the blanks at their ends, some thousands at a time."""
    for start in range(0, len(texts), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yield rows, np.strings.strip(texts[rows])


def _codes(texts: Database, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A code for each different text. Texts that share a key get codes of their own all the same."""
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if all((np.strings.strip(texts[first[place[rows]]]) == block).all() for rows, block in _blocks(texts)):
        return np.asarray(place, dtype=np.int64)
    return np.unique(np.strings.strip(texts), return_inverse=True)[1].astype(np.int64)


def _keys(texts: Database) -> NDArray[np.uint64]:
    """A key is made of the text alone: neither its column's width nor another text changes it."""
    width = texts.dtype.itemsize // 4
    letters = np.ascontiguousarray(texts).view(np.uint32).reshape(len(texts), width)
    keys, power = np.zeros(len(texts), dtype=np.uint64), np.uint64(1)
    with np.errstate(over="ignore"):
        for place in range(width):  # a letter 0, which is no letter, adds nothing
            power = power * _PRIME
            keys += letters[:, place] * power
    return mixed(keys)
