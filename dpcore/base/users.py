"""Rows of users: which of a database's rows are one user's, and how much each row counts.

A database of users has its rows on the first axis, one user's beside one another, and a field that tells the user of each row: a
``code``, 0, 1, … in the order of the rows, and a ``key``, a whole number that is made only of the user's id. A random choice that
is drawn from a key therefore depends only on that user's data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import named, whole
from dpcore.base.databases import as_database
from dpcore.errors import InvalidValueError

Codes = NDArray[np.int64]
Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

CODE, KEY = "code", "key"
PERSON = np.dtype([(CODE, np.int64), (KEY, np.uint64)])
MOST_ROWS = 2**24  # of a database of users: their number is not public, and proofs count the rounding of so many

_BLOCK = 2**14  # rows that are read together
_PRIME = np.uint64(0x100000001B3)
_ODD = np.uint64(0x9E3779B97F4A7C15)
_LONG = 100  # characters of a text


def per_user(rows: Any, ids: Any, *, person: str = "person", missing: str = "") -> Database:
    """Return rows with a field of users, each user's rows together in the order that they had.

    Args:
        rows: An array with named fields, (n,), or a DataFrame.
        ids: A list, Series or array of texts, (n,), or of numbers, which are compared as texts. Blanks at the ends of a text do
            not count.
        person: The name of the new field.
        missing: An id that says nothing. A row with this id, '' or NaN is a separate user.

    Returns:
        Read-only rows, (n,).

    Raises:
        InvalidValueError: For other arrays, and for more than 2²⁴ rows: a public limit, the same for every table. One user's
            rows can decide that it is passed, so that refusal has to be charged as a release that failed.

    Examples:
        >>> visits = np.array([(20.0,), (35.0,), (50.0,)], dtype=[("cost", float)])
        >>> per_user(visits, ["ann", "bob", "ann"])["cost"]
        array([35., 20., 50.])
    """
    if not isinstance(rows, np.ndarray):
        rows = as_database(rows, fields=tuple(rows))
    names = np.asarray(ids)
    ids = as_database(ids) if names.dtype.kind == "O" else names
    if rows.dtype.names is None or rows.ndim != 1 or ids.shape != rows.shape:
        raise InvalidValueError("rows", "rows with named columns, and one name of a person a row", (str(rows.dtype), ids.shape))
    if named("person", person) in rows.dtype.names:
        raise InvalidValueError("person", f"another name than those of the fields {', '.join(rows.dtype.names)}", person)
    order, users = in_order(numbered(ids, missing=missing))
    return with_people({name: rows[name] for name in rows.dtype.names}, order, users, person)


def numbered(ids: Database, *, missing: str = "") -> Database:
    """Return the user of each row, in the order of the rows: a code for each id, −1 if it is missing, and the id's key.

    It takes little memory beside the ids, however wide they are.

    Args:
        ids: Texts or numbers, (n,).
        missing: An id that says nothing, like '' and NaN.

    Raises:
        InvalidValueError: For other ids, and more than 2²⁴ rows.
    """
    if len(ids) > MOST_ROWS:
        raise InvalidValueError("rows", f"at most {MOST_ROWS:,}", "more")
    texts = _texts(ids)
    users = np.empty(len(texts), dtype=PERSON)
    nobody = np.empty(len(texts), dtype=bool)
    for rows, block in _blocks(texts):
        nobody[rows] = (block == missing.strip()) | (block == "")
        users[KEY][rows] = text_keys(block)
    users[CODE] = _codes(texts, users[KEY])
    users[CODE][nobody], users[KEY][nobody] = -1, 0
    return users


def in_order(users: Database, *, left_out: bool = False) -> tuple[NDArray[np.int64], Database]:
    """Return an order in which each user's rows are together, and the users in this order, with codes 0, 1, ….

    Args:
        users: The user of each row, by ``numbered``.
        left_out: Whether rows with a missing id are left out; otherwise each is a separate user.
    """
    codes, nobody = users[CODE].copy(), users[CODE] < 0
    codes[nobody] = codes.max(initial=-1) + 1 + np.arange(nobody.sum())
    order = np.argsort(codes, kind="stable")
    if left_out:
        order = order[~nobody[order]]
    ordered = users[order]
    ordered[CODE] = contiguous(codes[order])
    ordered.flags.writeable = False
    return order, ordered


def with_people(fields: Mapping[str, Database], order: NDArray[np.int64], users: Database, person: str) -> Database:
    """Return read-only rows in this order: their fields, and the field ``person`` of users."""
    rows = np.empty(len(order), dtype=[*((name, values.dtype) for name, values in fields.items()), (person, PERSON)])
    for name, values in fields.items():
        rows[name] = values[order]
    rows[person] = users
    rows.flags.writeable = False
    return rows


def contiguous(codes: Codes) -> Codes:
    """Return sorted codes as 0, 1, …, of the same users."""
    return np.cumsum(np.append(False, codes[1:] != codes[:-1])[: len(codes)])


def count(users: Database) -> int:
    """Return how many users a field of them has."""
    return int(users[CODE][-1]) + 1 if len(users) else 0


def check(users: Database) -> None:
    """Raise InvalidValueError for a field whose codes are not 0, 1, … in the order of the rows."""
    codes = users[CODE] if users.dtype == PERSON and users.ndim == 1 else None
    if codes is None or (len(codes) and codes[0] != 0) or bool(((steps := np.diff(codes)) < 0).any() or (steps > 1).any()):
        raise InvalidValueError("database", "rows of people, each person's together, as “per_user” makes them", users.dtype)


def mixed(keys: Keys) -> Keys:
    """Return whole numbers that look random, one a key (Steele, Lea and Flood 2014, SplitMix64)."""
    with np.errstate(over="ignore"):
        z = keys + _ODD
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def _texts(ids: Database) -> Database:
    """Return ids as texts: numbers with all their digits, and a missing one as ''."""
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
    """Yield the texts without the blanks at their ends, some thousands at a time."""
    for start in range(0, len(texts), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yield rows, np.strings.strip(texts[rows])


def _codes(texts: Database, keys: Keys) -> Codes:
    """Return a code for each different text. Texts that share a key get different codes."""
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if all((np.strings.strip(texts[first[place[rows]]]) == block).all() for rows, block in _blocks(texts)):
        return np.asarray(place, dtype=np.int64)
    return np.unique(np.strings.strip(texts), return_inverse=True)[1].astype(np.int64)


def text_keys(texts: Database) -> Keys:
    """Return 64 bits for each text that another text hardly has. The column's width and other texts do not change them."""
    width = texts.dtype.itemsize // 4
    letters = np.ascontiguousarray(texts).view(np.uint32).reshape(len(texts), width)
    keys, power = np.zeros(len(texts), dtype=np.uint64), np.uint64(1)
    with np.errstate(over="ignore"):
        for place in range(min(width, _LONG)):  # the padding 0 of a shorter text adds nothing
            power = power * _PRIME
            keys += letters[:, place] * power
    # A loop over characters takes as long for two texts as for thousands, so long texts are hashed one by one.
    lengths = np.strings.str_len(texts) if width > _LONG else np.zeros(0)
    for row in np.flatnonzero(lengths > _LONG):
        keys[row] = int.from_bytes(hashlib.sha256(letters[row, : lengths[row]].data).digest()[:8], "little")
    return mixed(keys)


# How much each row counts, so that no user counts for more than a limit.


def checked_limits(rows: object, groups: object) -> tuple[int, int | None]:
    """Return a limit of rows a user, or of rows a group and of groups.

    Raises:
        InvalidValueError: If a number is not a whole number in its range.
    """
    if whole("rows a person", rows) > MOST_ROWS:
        raise InvalidValueError("rows a person", f"at most {MOST_ROWS:,}", None)
    return whole("rows a person", rows), None if groups is None else whole("groups a person", groups)


def row_weights(users: Database, places: Places, rows: int, groups: int | None = None) -> FloatArray:
    """Return a weight for each row: those of one user add up to at most ``rows``, or to ``rows`` times ``groups``.

    A user with N rows that count has min(1, rows/N) each, over all groups together; with ``groups``, min(1, rows/N_g) for N_g
    rows in a group, times min(1, groups/G) if these are in G groups.

    Args:
        users: The user of each row, (n,).
        places: The index of each row's group, (n,); −1 if it does not count, and then its weight is 0.
        rows: The limit of rows a user, or a user and group.
        groups: The limit of groups a user.

    Raises:
        InvalidValueError: For more than 2²⁴ rows.
    """
    if len(places) > MOST_ROWS:
        raise InvalidValueError("rows", f"at most {MOST_ROWS:,}", len(places))
    weights = np.zeros(len(places))
    counted = np.flatnonzero(places >= 0)
    if not len(counted):
        return weights
    codes = users[CODE][counted]
    if groups is None:
        weights[counted] = _at_most(rows, codes)
        return weights
    width = int(places.max()) + 1
    pairs, pair = np.unique(codes * width + places[counted], return_inverse=True)
    weights[counted] = _at_most(rows, pair) * _at_most(groups, pairs // width)[pair]
    return weights


def _at_most(most: int, units: Places) -> FloatArray:
    """Return an equal weight for the items of each unit, of which ``most`` count at most."""
    return most / np.maximum(np.bincount(units), most)[units]
