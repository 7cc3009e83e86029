"""Large files are read one at a time, whatever their packed size and whatever they state of themselves."""

from __future__ import annotations

import io
import struct
import threading
import zipfile
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.errors import TableError
from pages.files import forms, limits, tables, workbook
from pages.files.tables import Format, Parquet, Table, proposed, read_file
from pages.server import uploads
from tests.pages.files.workbooks import packed, xlsx

_SMALL = xlsx({"S": [["a", "b"], [1, "x"], [2, "y"]]})


def _lying(content: bytes) -> bytes:
    """The same archive, which says of each part that it unpacks to 100 bytes."""
    told, at = bytearray(content), content.find(b"PK\x01\x02")
    while at >= 0:
        (local,) = struct.unpack_from("<I", told, at + 42)
        struct.pack_into("<I", told, at + 24, 100)
        struct.pack_into("<I", told, local + 22, 100)
        at = content.find(b"PK\x01\x02", at + 46)
    return bytes(told)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The readers that were asked in their turn."""
    found, asked = list[str](), forms._asked

    def told(content: bytes, line: list[Any]) -> forms.Answer | None:
        if not line[1]:
            found.append(line[0])
        return asked(content, line)

    monkeypatch.setattr(forms, "_asked", told)
    return found


def test_a_small_workbook_waits_for_no_other_file(turns: list[str]) -> None:
    with limits.in_turn(limits.LARGE + 1):
        found = list[Table]()
        other = threading.Thread(target=lambda: found.append(read_file(_SMALL, "t", proposed(_SMALL)[0].form, public=False)))
        other.start()
        other.join(60)
    assert len(found[0]) == 2
    assert turns == []


@pytest.mark.slow
def test_a_short_file_that_takes_much_memory_is_read_in_its_turn(turns: list[str]) -> None:
    """1,200,000 times a value of 100 letters: a few kilobytes, that take more than a small file may."""
    out = io.BytesIO()
    repeated = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_200_000, np.int32)), ["x" * 100])
    pq.write_table(pa.table({"a": repeated, "b": np.arange(1_200_000)}), out)
    assert len(read_file(out.getvalue(), "t", Parquet(), public=False)) == 1_200_000
    assert turns == ["parquet"]


@pytest.mark.parametrize("change", [bytes, _lying])
def test_what_a_workbook_unpacks_to_is_counted_and_not_only_read_off_its_directory(
    change: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = change(packed({"xl/workbook.xml": "x" * 2**21}))
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 2**21 - 1)
    with pytest.raises(TableError, match="takes more than 1 MB once it is unpacked") as caught:
        workbook.sheets(content)
    assert caught.value.remedy == "Leave out sheets, columns or rows that are not needed."
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert workbook.unpacked(content, book.infolist(), 2**30) == 2**21


def test_parts_that_overlap_are_counted_once_for_each_name_in_the_directory() -> None:
    content = packed({f"part{i}": "x" * 10_000 for i in range(3)})
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = book.infolist()
    assert workbook.unpacked(content, [parts[0]] * 50, 10**9) == 500_000
    assert workbook.unpacked(content, [parts[0]] * 50, 100_000) <= 110_000


def test_columns_that_take_much_are_made_in_their_turn_however_short_the_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One long cell makes a column of fixed width large."""
    content, sizes = b"a,b\n" + b"1,x\n" * 3_000 + b"2," + b"y" * 1_000 + b"\n", list[int]()

    def in_turn(size: int, most: int) -> AbstractContextManager[object]:
        sizes.append(size)
        return limits.in_turn(size, most)

    monkeypatch.setattr(tables, "in_turn", in_turn)
    table = read_file(content, "t", Format(), public=False)
    assert len(sizes) == 1
    assert sizes[0] >= sum(values.nbytes for values in table.values.values())


def test_a_cell_that_would_make_a_column_of_terabytes_leaves_that_column_out() -> None:
    content = b"a,b\n" + b"1,x\n" * 100_000 + b"2," + b"y" * 24 * 2**20 + b"\n"
    table = read_file(content, "t", Format(), public=False)
    assert list(table.values) == ["a"]
    assert table.unused == ("b",)
    assert "Columns of text are left out where they would take more than 200 MB together." in uploads.in_words()
