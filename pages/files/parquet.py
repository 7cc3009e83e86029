"""Parquet: the columns that a CSV of the same table would give. Its footer is read first, and nothing of a table too large."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import MOST_TEXT_BYTES, TextColumn, too_large
from pages.files.csv_columns.header import different, refuse_many
from pages.files.csv_columns.identifiers import EXACT
from pages.files.large_files import LARGE_COLUMNS, LargeFileError, count, reads_small

# The package that parses a kind of file: it belongs to the app, and a server can run without it.


def package(module: str, files: str) -> Any:
    """The module; TableError, which names the files that cannot be read, where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        problem = (
            f"This server cannot read {files}, because its package {module.partition('.')[0].replace('_', '-')} is not installed."
        )
        remedy = "Save the table as CSV and upload that, or ask whoever runs this server to install the package."
        raise TableError(problem, remedy) from None


MOST_CELLS = 5_000_000
PLAIN, ENCRYPTED = b"PAR1", b"PARE"  # a file begins with this


_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_NOT_WRITTEN = "<value out of range"  # what Arrow says in place of a date or time beyond its calendar
_NO_FRACTION = r"\.0+(Z|[+-]\d{4})?$"  # of a second: 10:00:00, and not 10:00:00.000000


@final
@dataclass(frozen=True, slots=True)
class _Words:
    """Arrow's strings as a ``TextColumn`` takes them."""

    strings: Any

    def __arrow_array__(self, **asked: Any) -> Any:
        return self.strings.cast(asked["type"])


def read(content: bytes) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """The names of all columns, of those that are read and of those that are nested, and the values of each that is read.

    Numbers, decimals and yes or no become floats, NaN where missing; a duration is a number of seconds. Text, dates and times
    become text, '' where missing: a date is 2024-01-31, and so is the midnight that begins it. A date or time that Arrow cannot
    write is missing. Integers and decimals become text if one is 2**53 or more in size, because a float would lose digits.
    Nested columns, bytes and kinds that Arrow cannot convert are left out, like columns that are empty, hold too much text or
    hold text with a zero byte.
    """
    if content.startswith(ENCRYPTED):
        raise TableError("The Parquet file is encrypted.", "Write it again without encryption, or save its table as CSV.")
    arrow, pq = package("pyarrow", "Parquet files"), package("pyarrow.parquet", "Parquet files")
    try:
        file = pq.ParquetFile(arrow.BufferReader(content))
        names = [name.strip() for name in file.schema_arrow.names]
        _refuse(file.metadata.num_rows, names)
        return _columns(file, names)
    except (TableError, MemoryError):  # Arrow has one that is both of its own and this
        raise
    except (arrow.ArrowException, OSError, ValueError, OverflowError):
        if reads_small():  # a lack of memory looks like this, too
            raise LargeFileError from None
        problem = "The Parquet file is broken, or of a kind that is not read."
        raise TableError(problem, "Write it again without encryption, or save its table as CSV.") from None


def names(content: bytes, name: str) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """A column of whole numbers or decimals as texts with all their digits, '' where missing; none of another kind, or a broken
    file. As floats two numbers can become one."""
    arrow, pq = package("pyarrow", "Parquet files"), package("pyarrow.parquet", "Parquet files")
    types = import_module("pyarrow.types")
    file = pq.ParquetFile(arrow.BufferReader(content))
    written = file.schema_arrow.names
    called = different([one.strip() for one in written])
    place = called.index(name) if name in called else None
    kind = arrow.null() if place is None else file.schema_arrow[place].type
    if place is None or not (types.is_integer(kind) or types.is_decimal(kind)):
        return {}, []
    of_this_name = file.read(columns=[written[place]])
    texts = _text(of_this_name.column(written[:place].count(written[place])), MOST_TEXT_BYTES)
    return {}, [] if texts is None else [texts]


def _refuse(records: int, names: list[str]) -> None:
    refuse_many(len(names))
    if records < 2:
        raise TableError(
            f"The table has {counted(str(records), ' rows')}; at least 2 are needed.", "Upload a table with more rows."
        )
    if records * len(names) > MOST_CELLS:
        size = f"{records:,} rows of {len(names):,} columns"
        raise too_large(f"The table has {size}; at most {MOST_CELLS / 1e6:.0f} million values of such a file are read.")
    count(8 * records * len(names), LARGE_COLUMNS)


def _columns(file: Any, names: list[str]) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    read: dict[str, Database] = {}
    nested, left, before = [], MOST_TEXT_BYTES, Counter[str]()
    for name, field in zip(different(names), file.schema_arrow, strict=True):
        place, before[field.name] = before[field.name], before[field.name] + 1
        if not _flat(field.type):
            nested.append(name)
            continue
        try:
            found = file.read(columns=[field.name])
        except import_module("pyarrow").ArrowNotImplementedError:
            nested.append(name)
            continue
        if found.schema.names != [field.name] * file.schema_arrow.names.count(
            field.name
        ):  # a nested column has a part of this name
            nested.append(name)
        elif (values := _values(found.column(place), left)) is not None:
            read[name] = values
            left -= values.nbytes * (values.dtype.kind == "U")
    if not read:
        raise TableError("No column holds numbers or short text.", "Upload a table with values in at least one column.")
    return {"names": names, "read": list(read), "nested": nested}, list(read.values())


def _flat(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    bytes_ = types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind)
    return not (types.is_nested(kind) or bytes_ or isinstance(kind, import_module("pyarrow").BaseExtensionType))


def _values(column: Any, left: int) -> Database | None:
    """None where the column is empty, of a kind that cannot be converted, or text that does not fit into so many bytes."""
    arrow = import_module("pyarrow")
    try:
        return _converted(column, left)
    except MemoryError:  # Arrow has one that is both of its own and this
        raise
    except arrow.ArrowException:
        if reads_small():  # a lack of memory looks like this, too
            raise
        return None


def _converted(column: Any, left: int) -> Database | None:
    arrow, types = import_module("pyarrow"), import_module("pyarrow.types")
    if types.is_dictionary(column.type):
        column = column.cast(arrow.large_string() if types.is_string(column.type.value_type) else column.type.value_type)
    kind = column.type
    if types.is_boolean(kind):
        return _numbers(column.cast(arrow.int8()), 1)
    if types.is_duration(kind):
        return _numbers(column.cast(arrow.int64()), _A_SECOND[kind.unit])
    if types.is_floating(kind):
        return _numbers(column, 1)
    if types.is_integer(kind) or types.is_decimal(kind):
        numbers = _numbers(column, 1)
        loses_digits = numbers is not None and bool((np.abs(numbers) >= EXACT).any())
        return _text(column, left) if loses_digits else numbers
    return _text(column, left)


def _numbers(column: Any, one: int) -> Database | None:
    numbers = column.cast(import_module("pyarrow").float64(), safe=False).to_numpy().astype(np.float64) / one
    return None if np.isnan(numbers).all() else numbers


def _within_calendar(column: Any) -> Any:
    """With nothing in the place of times that Arrow cannot write: with a time zone it writes another year instead."""
    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    written = column.cast(arrow.timestamp(column.type.unit)).cast(arrow.string())
    return pc.if_else(pc.starts_with(written, _NOT_WRITTEN), None, column)


def _text(column: Any, left: int) -> Database | None:
    words, pc, arrow = TextColumn(), import_module("pyarrow.compute"), import_module("pyarrow")
    types = import_module("pyarrow.types")
    timed = types.is_timestamp(column.type) or types.is_time(column.type)
    if types.is_timestamp(column.type) and column.type.tz:
        column = _within_calendar(column)
    for chunk in column.cast(arrow.large_string()).chunks:
        if types.is_temporal(column.type):
            chunk = pc.if_else(pc.starts_with(chunk, _NOT_WRITTEN), "", chunk)
        elif pc.any(pc.match_substring(chunk, "\0"), min_count=0).as_py():  # a numpy array of texts drops zeros at the end
            return None
        strings = pc.replace_substring_regex(chunk, _NO_FRACTION, r"\1") if timed else chunk
        if types.is_timestamp(column.type):
            strings = pc.replace_substring_regex(strings, " 00:00:00$", "")
        if not words.add(_Words(pc.fill_null(strings, "")), left):
            return None
    return words.array() if words.width else None
