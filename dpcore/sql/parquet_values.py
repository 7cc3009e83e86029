"""The values of some columns of a Parquet file, or of several, read into memory as they are declared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.base.declared import OTHER, TEXT, Column
from dpcore.base.extras import needs
from dpcore.base.types import Database

_ROWS, _BYTES = 1 << 12, 1 << 20  # that are read at once: a cell can hold far more than the words that are declared
_A_NUMBER, _A_LETTER = 8, 4  # bytes


def bytes_of(columns: Iterable[Column], n: int) -> int | None:
    """How much memory the values of n rows take, by what is publicly declared; None where a text has no list of words."""
    total = 0
    for column in columns:
        if column.role != TEXT:
            total += _A_NUMBER * n
        elif column.categories is None:
            return None
        else:
            total += _A_LETTER * n * _longest(column)
    return total


def values_of(files: Sequence[Path], columns: Sequence[Column], n: int) -> dict[str, Database]:
    """By name (n,), of numbers or of texts: what is missing is NaN or the empty text, an infinite number its nearest bound.

    Of listed categories what is none of them is “other”, where that is listed, else missing. ValueError, which quotes nothing of
    a row, where the files cannot be read whole, or have not n rows.
    """
    with needs("sql"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    read: dict[str, Database] = {
        column.name: np.empty(n, dtype=np.float64 if column.role != TEXT else f"U{_longest(column)}") for column in columns
    }
    at = 0
    try:
        for file in files:
            whole = pq.ParquetFile(file, buffer_size=_BYTES, pre_buffer=False)
            for batch in whole.iter_batches(_ROWS, columns=list(read)):
                end = at + batch.num_rows
                for column in columns:
                    read[column.name][at:end] = _values(batch.column(column.name), column)
                at = end
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        raise ValueError("the table could not be read whole") from None
    if at != n:
        raise ValueError("the table could not be read whole")
    return read


def _longest(column: Column) -> int:
    return max((len(str(category)) for category in column.categories or ()), default=1) or 1


def _values(cells: Any, column: Column) -> Database:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if column.role == TEXT:
        listed = list(map(str, column.categories or ()))
        place = pc.index_in(cells.cast(pa.large_string()), value_set=pa.array(listed, pa.large_string()))
        places = place.fill_null(-1).to_numpy(zero_copy_only=False)
        if OTHER in listed:
            written = pc.fill_null(pc.not_equal(cells.cast(pa.large_string()), ""), False).to_numpy(zero_copy_only=False)
            places = np.where((places < 0) & written, listed.index(OTHER), places)
        return np.asarray(np.array([*listed, ""])[places])
    if pa.types.is_boolean(cells.type):
        cells = cells.cast(pa.int8())
    numbers = cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype(np.float64)
    if column.categories is not None:
        numbers = np.where(np.isin(numbers, np.array(column.categories, dtype=np.float64)), numbers, np.nan)
    if column.bounds is not None:
        numbers = np.where(np.isinf(numbers), np.clip(numbers, *column.bounds), numbers)
    return np.asarray(numbers)
