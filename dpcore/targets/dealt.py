"""Which block each place of a list, or each person, is dealt to: by public numbers alone, before any record is seen."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.people import CODE, KEY
from dpcore.base.types import Database

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
    return tuple(with_own_widths(_with_own_codes(database[order[start:end]], person)) for start, end in pairwise(ends.tolist()))


def with_own_widths(block: Database) -> Database:
    """The block with texts as wide as its own longest: a wider type would tell how long the texts of other blocks are."""
    own = _own_type(block)
    return block if own == block.dtype else block.astype(own)


def _own_type(values: Database) -> np.dtype[Any]:
    if values.dtype.kind == "U":
        return np.dtype(f"U{int(np.strings.str_len(values).max(initial=1))}")
    own = {name: _own_type(values[name]) for name in values.dtype.names or ()}
    if all(values.dtype[name] == kind for name, kind in own.items()):
        return values.dtype
    return np.dtype(list(own.items()))


def _with_own_codes(rows: Database, person: str) -> Database:
    rows[person][CODE] = people.contiguous(rows[person][CODE])
    return rows


def _mixed(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return people.mixed(numbers + people.mixed(np.array([seed], dtype=np.uint64)))
