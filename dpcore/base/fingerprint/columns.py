"""Which table it is: a SHA-256 of each column's values, whatever the file's form and the columns' names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BLOCK = 2**20  # records at once


def digests(values: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """By column the SHA-256 of its records' values, in order: of numbers as floats (-0 is 0), of text as characters.

    Of a confidential column it confirms a guess of the values, so it must not leave the server.
    """
    return {name: _digest(column) for name, column in values.items()}


def of_table(columns: Iterable[str]) -> str:
    """The SHA-256 of the columns' digests, in no order."""
    return hashlib.sha256(" ".join(sorted(columns)).encode()).hexdigest()


def telling(column: NDArray[Any]) -> bool:
    """Whether another table with the very same column is taken to be about the same records.

    Not where it has at most two values, and not where it counts the records: a flag or a running number says nothing.
    """
    return _third_value(column) and not (column.dtype.kind == "f" and _counts(column))


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


def _counts(column: NDArray[Any]) -> bool:
    for start in range(0, len(column) - 1, _BLOCK):
        block = column[start : start + _BLOCK + 1]
        if not (block[1:] == block[:-1] + 1).all():
            return False
    return True
