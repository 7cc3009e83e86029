"""The identity of a table: a SHA-256 of each column's values, independent of the file's form and the columns' names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BLOCK = 2**20  # records at once
_MANY = 10  # values
_LONG = 500  # characters of a text
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio: an odd number whose bits look random


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
    ordered = _sorted_texts({name: column for name, column in values.items() if column.dtype.kind == "U"})
    ordered |= {name: _sorted_numbers(column) for name, column in values.items() if column.dtype.kind != "U"}
    digest = {name: hashlib.sha256(b"sorted" + column.tobytes()).hexdigest() for name, column in ordered.items()}
    numbers = {name: _counted(column) for name, column in ordered.items()}
    some = {name for name, counts in numbers.items() if len(counts) > 2 and not _runs(ordered[name])}
    told = {digest[name] for name in some if _rare(numbers[name])}
    if some and sum(map(len, numbers.values())) >= _MANY:
        told.add(of_table(digest.values()))
    return frozenset(told)


def _sorted_numbers(column: NDArray[Any]) -> NDArray[Any]:
    return np.sort(np.where(np.isnan(column), np.inf, column + 0.0))


def _sorted_texts(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the sorted keys of each column's texts. Several short columns are read together, which is faster."""
    widest_first = sorted(columns, key=lambda name: columns[name].dtype.itemsize, reverse=True)
    together = max(1, _BLOCK // max([1, *map(len, columns.values())]))
    ordered: dict[str, NDArray[Any]] = {}
    for start in range(0, len(widest_first), together):
        names = widest_first[start : start + together]
        ordered |= zip(names, np.sort(_keys([columns[name] for name in names])), strict=True)
    return ordered


def _keys(columns: Sequence[NDArray[Any]]) -> NDArray[np.uint64]:
    """Return for each text 64 bits that another text hardly has, (columns, records).

    The columns have equally many records, and the widest comes first. A loop over characters takes as long for two records as
    for thousands, so a text of more than 500 characters gets its key from SHA-256.
    """
    letters = [np.ascontiguousarray(column).view(np.uint32).reshape(len(column), -1) for column in columns]
    keys = np.full((len(columns), len(columns[0])), _MIX, dtype=np.uint64)
    for place in range(min(_LONG, letters[0].shape[1])):
        letter = np.concatenate([one[:, place] for one in letters if one.shape[1] > place]).reshape(-1, keys.shape[1])
        before = keys[: len(letter)]
        after = (before ^ letter) * _MIX
        after ^= after >> np.uint64(29)
        keys[: len(letter)] = np.where(letter, after, before)  # zeros fill up a short text
    for column, own, key in zip(columns, letters, keys, strict=True):
        lengths = np.strings.str_len(column) if own.shape[1] > _LONG else np.zeros(0)
        for row in np.flatnonzero(lengths > _LONG):
            text = hashlib.sha256(own[row, : lengths[row]].data)
            key[row] = int.from_bytes(text.digest()[:8], "little")
    return keys


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
