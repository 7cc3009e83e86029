"""Limits of the size of a file, and a lock for files that are read one at a time."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from dpcore.errors import TableError

MOST_BYTES = 50 * 2**20  # of a file
MOST_COLUMNS = 2_000
MOST_VALUES = MOST_BYTES // 2  # a text file of that size cannot hold more that are not empty
MOST_CELLS = 5_000_000  # of a workbook or a Parquet file
MOST_UNPACKED = 400 * 2**20  # bytes of a workbook
MOST_TEXT_BYTES = 4 * MOST_BYTES  # all columns of text: an array of fixed width takes 4 bytes a character, short value or long
LARGE = 5 * 2**20  # bytes of a file
Answer = tuple[dict[str, Any], Any]  # plain data from a reader, and an Arrow table of strings, or None
_turn = threading.RLock()


def too_large(problem: str) -> TableError:
    """Return the error for a file that holds more than is read."""
    return TableError(problem, "Leave out columns or rows that are not needed.")


def in_turn(size: int) -> AbstractContextManager[object]:
    """Wait until no other thread reads a large file, if this one is large."""
    return _turn if size > LARGE else nullcontext()
