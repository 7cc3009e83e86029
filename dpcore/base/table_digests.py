"""The identity of a table: a SHA-256 of each column's values, independent of the file's form and the columns' names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.users import text_keys

_BLOCK = 2**20  # records at once
_MANY = 10  # values


def digests(values: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Return the SHA-256 of each column's values in order: numbers as floats (−0 is 0), text as characters.

    A digest of a confidential column confirms a guess of the values, so it must not leave the server.
    """
    return {name: _digest(column) for name, column in values.items()}


def unordered(values: Mapping[str, NDArray[Any]]) -> frozenset[str]:
    """Return digests that stay the same when the records are sorted differently.

    There is one for each column whose counts of values another column hardly has, and one for all columns together if these
    have at least ten values.
    """
    ordered = {name: _sorted(column) for name, column in values.items()}
    digest = {name: hashlib.sha256(b"sorted" + column.tobytes()).hexdigest() for name, column in ordered.items()}
    numbers = {name: _counted(column) for name, column in ordered.items()}
    some = {name for name, counts in numbers.items() if len(counts) > 2 and not _runs(ordered[name])}
    told = {digest[name] for name in some if _rare(numbers[name])}
    if some and sum(map(len, numbers.values())) >= _MANY:
        told.add(of_table(digest.values()))
    return frozenset(told)


def _sorted(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column's sorted numbers, or the sorted keys of its texts."""
    return np.sort(text_keys(column) if column.dtype.kind == "U" else np.where(np.isnan(column), np.inf, column + 0.0))


def _counted(ordered: NDArray[Any]) -> NDArray[np.int64]:
    """Return how often each value occurs in a sorted column."""
    new = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.diff(np.concatenate([[0], new, [len(ordered)]]))


def _runs(column: NDArray[Any]) -> bool:
    """Return whether a column is a running number: each value is one more than the value before it."""
    return column.dtype.kind == "f" and bool((column[1:] == column[:-1] + 1).all())


def _rare(counts: NDArray[np.int64]) -> bool:
    """Return whether another column hardly has these counts: at least ten, and all 1 or not all equal."""
    return len(counts) >= _MANY and bool(counts[0] == 1 or (counts != counts[0]).any())


def of_table(columns: Iterable[str]) -> str:
    """Return the SHA-256 of the columns' digests, whatever their order."""
    return hashlib.sha256(" ".join(sorted(columns)).encode()).hexdigest()


def telling(column: NDArray[Any]) -> bool:
    """Return whether another table with the very same column is taken to be about the same records.

    A column of at most two values, or a running number, says nothing.
    """
    return _third_value(column) and not _runs(column)


def _digest(column: NDArray[Any]) -> str:
    if column.dtype.kind == "U":
        return hashlib.sha256(b"text" + hashlib.sha256(np.ascontiguousarray(column).view(np.uint8).data).digest()).hexdigest()
    digest = hashlib.sha256(b"numbers")
    for start in range(0, len(column), _BLOCK):
        block = column[start : start + _BLOCK]
        digest.update(np.where(np.isnan(block), np.nan, block + 0.0).data)
    return digest.hexdigest()


def _third_value(column: NDArray[Any]) -> bool:
    left = np.ones(len(column), dtype=bool) if column.dtype.kind == "U" else ~np.isnan(column)
    for _ in range(2):
        if not left.any():
            return False
        left &= column != column[left.argmax()]
    return bool(left.any())
