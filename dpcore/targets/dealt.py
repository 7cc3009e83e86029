"""Which block each place of a list, or each person, is dealt to: by public numbers alone, before any record is seen."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.people import CODE, KEY
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError

Places = NDArray[np.int64]


@lru_cache(maxsize=8)
def places_of_blocks(n: int, k: int, seed: int) -> tuple[Places, ...]:
    """The places 0, …, n − 1 of each of k blocks, in order; their numbers differ by one at most (mathematics, section 20.1).

    It hangs on n, k and the seed, and on no record, so replacing a record leaves every place in its block.
    """
    order = np.argsort(_mixed(np.arange(n, dtype=np.uint64), seed), kind="stable")
    blocks = tuple(np.sort(part) for part in np.array_split(order, k))
    for block in blocks:
        block.flags.writeable = False
    return blocks


def rows_of_blocks(database: Database, person: str, k: int, seed: int) -> tuple[Database, ...]:
    """The rows of the people of each of k blocks, by the keys of their ids alone (mathematics, section 20.3).

    Within a block people stand in the order of their keys, with codes 0, 1, … of their own, and texts are as wide as the longest
    of its own: nothing of it depends on other blocks.
    """
    keys = database[person][KEY]
    block = (_mixed(keys, seed) % np.uint64(k)).astype(np.int64)
    order = np.lexsort((database[person][CODE], keys, block))
    ends = np.searchsorted(block[order], np.arange(k + 1))
    return tuple(_with_own_codes(own_copy(database[order[start:end]]), person) for start, end in pairwise(ends.tolist()))


def own_copy(rows: Database) -> Database:
    """Copy rows into memory of their own, with a type that depends on these rows only (mathematics, section 20.1).

    The array that they come from has text columns as wide as the longest text of the whole table. In the copy a column is as
    wide as the longest text of these rows. The copy is a plain array, contiguous, with no other array as its base, and its type
    has no titles, metadata or gaps between fields. InvalidValueError for Python objects, which other rows may share.
    """
    if rows.dtype.hasobject:
        raise InvalidValueError("database", "an array of rows of numbers or of texts", rows.dtype)
    rows = np.asarray(rows)
    copy = np.zeros(rows.shape, dtype=_own_type(rows))
    copy[...] = rows
    return copy


def _own_type(rows: Database) -> np.dtype[np.generic]:
    """The narrowest type that holds all texts of these rows; the type of other values without what is attached to it."""
    kind = rows.dtype
    if kind.names is not None:
        return np.dtype([(name, _own_type(rows[name]), rows[name].shape[rows.ndim :]) for name in kind.names])
    if kind.kind in "US":
        longest = int(np.strings.str_len(rows).max(initial=1))
        return np.dtype((kind.type, longest)).newbyteorder(kind.byteorder)
    return np.dtype(kind.str)


def _with_own_codes(rows: Database, person: str) -> Database:
    rows[person][CODE] = people.contiguous(rows[person][CODE])
    return rows


def _mixed(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return people.mixed(numbers + people.mixed(np.array([seed], dtype=np.uint64)))
