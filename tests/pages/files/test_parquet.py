"""Parquet: the columns of a CSV of the same table, and a sentence for what is broken, nested or too large."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.errors import TableError
from pages.files import parquet, tables
from pages.files.tables import Parquet, Table, read_csv, read_file


def _file(**columns: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def _read(content: bytes) -> Table:
    return read_file(content, "t", Parquet(), public=False)


def _here(content: bytes) -> Table:
    """In this process: what another would cost is not what is tested here."""
    return tables._table("t", tables._cells(*parquet.read(content)), public=False, form=Parquet())


def _refused(content: bytes) -> TableError:
    with pytest.raises(TableError) as caught:
        _here(content)
    return caught.value


STAYS: dict[str, Any] = {
    "age": [41, None, 7],
    "cost": [1.5, -2.25, None],
    "price": pa.array([Decimal("1.25"), None, Decimal("-3.10")]),
    "married": [True, None, False],
    "ward": pa.array(["A", "B", None]).dictionary_encode(),
    "note": [" x ", "é🙂", None],
    "born": [datetime.date(2024, 1, 31), None, datetime.date(1960, 2, 29)],
    "seen": [datetime.datetime(2024, 1, 31, 10), None, datetime.datetime(1969, 12, 31, 23, 59, 59)],
}
CSV = (
    "age,cost,price,married,ward,note,born,seen\n"
    "41,1.5,1.25,1,A,x,2024-01-31,2024-01-31 10:00:00\n"
    ",-2.25,,,B,é🙂,,\n"
    "7,,-3.10,0,,,1960-02-29,1969-12-31 23:59:59\n"
)


def test_it_gives_the_columns_of_a_csv_of_the_same_table() -> None:
    table, same = _read(_file(**STAYS)), read_csv(CSV.encode(), "t", public=False)
    assert table.columns == same.columns
    for name, values in same.values.items():
        np.testing.assert_array_equal(table.values[name], values)
    assert table.digest == same.digest
    assert table.form == Parquet()


@pytest.mark.usefixtures("here")
def test_nested_columns_bytes_and_empty_ones_are_left_out() -> None:
    hours = [datetime.timedelta(hours=30), None]
    nested = {"list": [[1], [2]], "struct": [{"x": 1}, None]}
    table = _read(_file(a=[1, 2], **nested, raw=[b"x", b"y"], none=pa.nulls(2), blank=["", None], hours=hours))
    assert list(table.values) == ["a"]
    assert table.unused == ("list", "struct", "raw", "none", "blank", "hours")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": [[1], [2]]}, "No column holds numbers or short text (there is “a”)."),
        ({"a": [1]}, "The table has 1 row; at least 2 are needed."),
        ({"a": pa.array([], pa.int64())}, "The table has 0 rows; at least 2 are needed."),
        ({f"c{i}": [1, 2] for i in range(2_001)}, "The file names 2,001 columns; at most 2,000 are read."),
    ],
)
def test_what_cannot_be_a_table_is_a_sentence(columns: dict[str, Any], said: str) -> None:
    assert _refused(_file(**columns)).problem == said


@pytest.mark.parametrize(
    "content", [b"PAR1", b"PAR1rest", b"PAR1" + b"\0" * 100 + b"PAR1", _file(**STAYS)[:-9], _file(**STAYS)[:99]]
)
def test_a_broken_file_is_a_sentence(content: bytes) -> None:
    assert "broken" in _refused(content).problem


UTC = datetime.UTC
NOON, MIDNIGHT = datetime.datetime(2024, 3, 5, 12), datetime.datetime(2024, 3, 5)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([MIDNIGHT, None], pa.timestamp("ns")), ["2024-03-05", ""]),  # so pandas writes a date
        (pa.array([NOON, MIDNIGHT], pa.timestamp("s")), ["2024-03-05 12:00:00", "2024-03-05"]),
        (pa.array([NOON.replace(microsecond=5), None]), ["2024-03-05 12:00:00.000005", ""]),
        (pa.array([NOON.replace(tzinfo=UTC), None], pa.timestamp("us", "UTC")), ["2024-03-05 12:00:00Z", ""]),
        (pa.array([NOON.replace(tzinfo=UTC), None], pa.timestamp("us", "Europe/Berlin")), ["2024-03-05 13:00:00+0100", ""]),
        (pa.array([MIDNIGHT.date(), None], pa.date64()), ["2024-03-05", ""]),
        (pa.array([datetime.time(10, 30), None], pa.time32("ms")), ["10:30:00", ""]),
        (pa.array([Decimal("1.25"), None], pa.decimal256(60, 2)), ["1.25", "nan"]),
        (pa.array([2**64 - 1, None], pa.uint64()), ["18446744073709551615", ""]),
        (pa.array([-(2**53) - 1, 5]), ["-9007199254740993", "5"]),
        (pa.array([10**15 - 1, 5]), ["999999999999999.0", "5.0"]),
        (pa.array([2**53 + 1, None]).dictionary_encode(), ["9007199254740993", ""]),
        (pa.array([Decimal("9007199254740993.5"), None]), ["9007199254740993.5", ""]),
        (pa.array([1e300, None]), ["1e+300", "nan"]),
        (pa.array([1, None], pa.int8()), ["1.0", "nan"]),
        (pa.array([True, None]), ["1.0", "nan"]),
        (pa.array([5, None]).dictionary_encode(), ["5.0", "nan"]),
        (pa.array([MIDNIGHT.date(), None]).dictionary_encode(), ["2024-03-05", ""]),
        (pa.array(["A", None], pa.large_string()), ["A", ""]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_each_of_arrows_types_has_one_reading(column: Any, values: list[str]) -> None:
    read = _here(_file(a=[1, 2], b=column)).values["b"]
    assert [str(value) for value in read.tolist()] == values


_FAR = 2**62  # microseconds: 146,000 years


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2**31 - 1, 1], pa.int32()).cast(pa.date32()),
        pa.array([-(2**31), 1], pa.int32()).cast(pa.date32()),
        pa.array([2**31 - 1, 1], pa.int32()).cast(pa.date32()).dictionary_encode(),
        pa.array([_FAR, 1]).cast(pa.timestamp("us")),
        pa.array([-_FAR, 1]).cast(pa.timestamp("ms")),
        pa.array([_FAR, 1]).cast(pa.timestamp("us", "Europe/Berlin")),
        pa.array([2**40, 1]).cast(pa.time64("us")),
    ],
    ids=lambda column: str(column.type),
)
def test_dates_and_times_beyond_the_calendar_are_missing(column: Any) -> None:
    first, second = _here(_file(a=[1, 2], b=column)).values["b"].tolist()
    assert first == ""
    assert second


@pytest.mark.parametrize(
    "column",
    [
        pa.array([0, 1]).cast(pa.timestamp("us", "Mars/Phobos")),  # no such time zone
        pa.array([b"\xff", b"x"]).view(pa.string()),  # not UTF-8
        pa.array(["x", "x\0"]),
        pa.array(["x\0y", "x"]).dictionary_encode(),
    ],
    ids=["time zone", "encoding", "zero byte", "zero byte within"],
)
def test_a_column_that_cannot_be_converted_is_left_out_and_named(column: Any) -> None:
    table = _here(_file(a=[1, 2], b=column))
    assert list(table.values) == ["a"]
    assert table.unused == ("b",)
