"""Large files are read one at a time, whatever their packed size and whatever they state of themselves."""

from __future__ import annotations

import io
import struct
import threading
import zipfile
from contextlib import suppress

import pytest

from dpcore.errors import TableError
from pages.files import forms, large_files, workbook
from pages.files.tables import Format, Sheet, Table, proposed, read_file
from pages.server import uploads
from tests.pages.files.workbooks import packed, xlsx, xlsx_of

_SMALL = xlsx({"S": [["a", "b"], [1, "x"], [2, "y"]]})


def _large_workbook(rows: int = 2_000, columns: int = 300) -> bytes:
    row = "<row>" + "<c><v>1</v></c>" * columns + "</row>"
    names = "<row>" + "".join(f"<c t='inlineStr'><is><t>c{i}</t></is></c>" for i in range(columns)) + "</row>"
    return xlsx_of(f"<sheetData>{names}{row * rows}</sheetData>")


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

    def told(content: bytes, line: str) -> forms.Answer | None:
        if not large_files.reads_small():
            found.append(line.split('"')[1])
        return asked(content, line)

    monkeypatch.setattr(forms, "_asked", told)
    return found


def test_a_small_workbook_waits_for_no_other_file(turns: list[str]) -> None:
    with large_files.in_turn():
        found = list[Table]()
        other = threading.Thread(target=lambda: found.append(read_file(_SMALL, "t", proposed(_SMALL)[0].form, public=False)))
        other.start()
        other.join(60)
    assert len(found[0]) == 2
    assert turns == []


@pytest.mark.slow
@pytest.mark.parametrize("change", [bytes, _lying])
def test_a_workbook_that_unpacks_to_much_is_read_in_its_turn(
    change: type, turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MOST_SECONDS", 600.0)
    with suppress(TableError):  # of an archive whose parts are longer than it says
        assert len(read_file(change(_large_workbook(1_500)), "t", Sheet("S"), public=False)) == 1_500
    assert turns[0] == "sheet"


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


def test_columns_that_take_much_are_read_in_their_turn_however_short_the_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One long cell makes a column of fixed width large."""
    content, kept = b"a,b\n" + b"1,x\n" * 3_000 + b"2," + b"y" * 1_000 + b"\n", list[bool]()

    def in_turn(small: bool) -> None:
        kept.append(small)

    monkeypatch.setattr(large_files, "LARGE_COLUMNS", 2**20)
    monkeypatch.setattr("pages.files.csv_columns.file_content.LARGE_COLUMNS", 2**20)
    original = large_files.in_turn
    monkeypatch.setattr(large_files, "in_turn", lambda: (in_turn(large_files.reads_small()), original())[1])
    table = read_file(content, "t", Format(), public=False)
    assert kept == [False]
    assert table.values["b"].dtype.itemsize == 4_000


def test_a_cell_that_would_make_a_column_of_terabytes_leaves_that_column_out() -> None:
    content = b"a,b\n" + b"1,x\n" * 100_000 + b"2," + b"y" * 24 * 2**20 + b"\n"
    table = read_file(content, "t", Format(), public=False)
    assert list(table.values) == ["a"]
    assert table.unused == ("b",)
    assert "Columns of text are left out where they would take more than 200 MB together." in uploads.in_words()


def test_a_file_that_is_read_within_another_takes_the_same_turn() -> None:
    @large_files.one_at_a_time
    def inner(content: bytes) -> bool:
        large_files.count(len(content), 3)
        return large_files.reads_small()

    @large_files.one_at_a_time
    def outer(content: bytes) -> bool:
        return inner(content)

    assert outer(b"abc")
    assert not outer(b"abcd")
    assert not large_files.reads_small()
