"""Parquet files: the cells that a CSV of the same table would have. A table that is too large is refused from its footer."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dpcore.base.text import counted
from dpcore.errors import TableError
from pages.files.cells import trimmed
from pages.files.header import different, refuse_many
from pages.files.limits import MOST_CELLS, MOST_TEXT_BYTES, Answer, too_large

UNENCRYPTED, ENCRYPTED = b"PAR1", b"PARE"  # a file begins with this
_NOT_WRITTEN = "<value out of range"  # what Arrow says in place of a date or time beyond its calendar
_NO_FRACTION = r"\.0+(Z|[+-]\d{4})?$"  # of a second: 10:00:00, and not 10:00:00.000000


def read(content: bytes) -> Answer:
    """Return the names of all columns, those that are text, and the cells of each column that is read.

    Yes or no becomes 1 or 0. A date is 2024-01-31, and so is midnight of that day. A date that Arrow cannot write is missing.
    Nested columns, bytes, durations, types that Arrow cannot convert and columns of too much text are skipped.

    Raises:
        TableError: If the file is encrypted, broken or too large.
    """
    if content.startswith(ENCRYPTED):
        raise TableError("The Parquet file is encrypted.", "Write it again without encryption, or save its table as CSV.")
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        names = [name.strip() for name in file.schema_arrow.names]
        _refuse(file.metadata.num_rows, names)
        return _columns(file, names)
    except (TableError, MemoryError):  # one of Arrow's errors is also a MemoryError
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        problem = "The Parquet file is broken, or of a kind that is not read."
        raise TableError(problem, "Write it again without encryption, or save its table as CSV.") from None


def _refuse(records: int, names: list[str]) -> None:
    refuse_many(len(names))
    if records < 2:
        raise TableError(
            f"The table has {counted(str(records), ' rows')}; at least 2 are needed.", "Upload a table with more rows."
        )
    if records * len(names) > MOST_CELLS:
        size = f"{records:,} rows of {len(names):,} columns"
        raise too_large(f"The table has {size}; at most {MOST_CELLS / 1e6:.0f} million values of such a file are read.")


def _columns(file: Any, names: list[str]) -> tuple[dict[str, Any], Any]:
    cells: dict[str, Any] = {}
    texts, left, schema = [], MOST_TEXT_BYTES, file.schema_arrow
    for place, (name, field) in enumerate(zip(different(names), schema, strict=True)):
        try:
            column = _column(file, field, schema.names[:place].count(field.name))
        except MemoryError:  # one of Arrow's errors is also a MemoryError
            raise
        except pa.ArrowException:
            continue
        if column is not None and column.nbytes <= left:
            cells[name] = column
            left -= column.nbytes
            kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            if not _is_number(kind):
                texts.append(name)
    return {"names": names, "texts": texts}, pa.table(cells)


def _column(file: Any, field: Any, place: int) -> Any:
    """Return the cells of the column with this name at this place among those with its name; None if it cannot be read."""
    types, kind = pa.types, field.type
    bytes_ = types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind)
    if types.is_nested(kind) or bytes_ or types.is_duration(kind) or isinstance(kind, pa.BaseExtensionType):
        return None
    found = file.read(columns=[field.name])
    if found.schema.names != [field.name] * file.schema_arrow.names.count(field.name):  # a nested column has a part of this name
        return None
    return pa.chunked_array([trimmed(chunk) for chunk in _written(found.column(place)).chunks], pa.string())


def _is_number(kind: Any) -> bool:
    types = pa.types
    exact = types.is_boolean(kind) or types.is_integer(kind) or types.is_decimal(kind)
    return bool(exact or types.is_floating(kind))


def _written(column: Any) -> Any:
    """Return the cells as strings, null if missing."""
    types = pa.types
    if types.is_dictionary(column.type):
        column = column.cast(pa.large_string() if types.is_string(column.type.value_type) else column.type.value_type)
    kind = column.type
    if types.is_boolean(kind):
        column = column.cast(pa.int8())
    if types.is_floating(kind):
        column = column.cast(pa.float64())
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    if types.is_timestamp(kind) and kind.tz:  # with a time zone Arrow writes another year than one that is out of range
        plain = column.cast(pa.timestamp(kind.unit)).cast(pa.string())
        column = pc.if_else(pc.starts_with(plain, _NOT_WRITTEN), pa.scalar(None, kind), column)
    words = column.cast(pa.large_string())
    if types.is_temporal(kind):
        words = pc.if_else(pc.starts_with(words, _NOT_WRITTEN), "", words)
    if types.is_timestamp(kind) or types.is_time(kind):
        words = pc.replace_substring_regex(words, _NO_FRACTION, r"\1")
    return pc.replace_substring_regex(words, " 00:00:00$", "") if types.is_timestamp(kind) else words
