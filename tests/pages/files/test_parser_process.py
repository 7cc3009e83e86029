"""The process that parses a file: what it gives, and that every hostile file ends in a sentence, soon and in 600 MB."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.errors import TableError
from pages.files import parquet, parser_process, tables, workbook
from pages.files.form import Format
from pages.files.tables import proposed, read_csv, read_file
from tests.pages.files.workbooks import ods_of, packed, xlsx, xlsx_of, xlsx_parts

_FORM = Format(delimiter=";", decimal=",", thousands=".")
_TEXT = b"who;x;note;cost\n" + b"".join(b"  p%d;%d;%s;%d.234,5\n" % (i, i % 9, "🙂é"[i % 2].encode(), i % 3) for i in range(60))


def test_a_text_gives_the_table_that_it_gives_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_HERE", 0)
    there, same = read_file(_TEXT, "t", _FORM, public=False), read_csv(_TEXT, "t", public=False, form=_FORM)
    for name, values in same.values.items():
        assert there.values[name].dtype == values.dtype
        assert np.array_equal(values, there.values[name])
    assert all(there.cells.columns[name].equals(column) for name, column in same.cells.columns.items())
    assert (there.digest, there.told_by, there.columns) == (same.digest, same.told_by, same.columns)


def test_a_small_text_needs_no_other_process(here: list[str]) -> None:
    assert len(read_file(_TEXT, "t", _FORM, public=False)) == 60
    assert here == []


def test_a_refusal_is_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_HERE", 0)
    with pytest.raises(TableError, match="A quotation mark is opened") as caught:
        read_file(_TEXT + b'p1;1;"x;1', "t", _FORM, public=False)
    assert caught.value.remedy.startswith("Close it where its value ends.")


def test_a_process_that_ends_without_an_answer_or_lasts_too_long_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds in (parser_process.MOST_SECONDS, 0.01):
        monkeypatch.setattr(parser_process, "MOST_SECONDS", seconds)
        with pytest.raises(TableError, match="broken, or it takes more memory or time"):
            parser_process.parsed(b"", "no such reader")


def test_memory_that_runs_out_while_it_is_read_is_a_sentence() -> None:
    def none_left(_: bytes) -> Any:
        raise MemoryError

    said, cells = parser_process.answer(none_left, b"")
    assert "more memory" in said["problem"]
    assert cells is None


def _stream(table: Any, cut: int | None = None) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return out.getvalue()[:cut]


@pytest.mark.parametrize(
    "stream",
    [
        _stream(pa.table({"a": [1, 2]})),
        _stream(pa.table({"a": pa.array([b"x", b"y"]).view(pa.binary())})),
        _stream(pa.table({"a": ["x", "y"]}), -20),
        _stream(pa.table({"a": pa.array([b"\xff", b"x"]).view(pa.string())})),
        b"no stream",
    ],
    ids=["numbers", "objects", "cut off", "no text", "no stream"],
)
def test_an_answer_can_hold_nothing_but_text(stream: bytes) -> None:
    with pytest.raises(TableError):
        parser_process._cells(pa.py_buffer(stream))


_ROW = '<table:table-row{}><table:table-cell office:value-type="float" office:value="1"{}><text:p>1</text:p></table:table-cell>'
_FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def _repeated(rows: int, columns: int) -> bytes:
    down, right = f' table:number-rows-repeated="{rows}"', f' table:number-columns-repeated="{columns}"'
    return ods_of({"S": _ROW.format(down, right) + "</table:table-row>"})


def _many_values() -> bytes:
    """A sheet of 9 million values that says nothing of its size: 2 MB that unpack to 130."""
    relations = xlsx_parts({"S": []})["xl/_rels/workbook.xml.rels"].replace("sheet1.xml", "large.xml")
    out = io.BytesIO(packed(xlsx_parts({"S": []}) | {"xl/_rels/workbook.xml.rels": relations}))
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as book,
        book.open("xl/worksheets/large.xml", "w") as text,
    ):
        text.write(b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>')
        for _ in range(3_000):
            text.write(b"<row>" + b"<c><v>1</v></c>" * 3_000 + b"</row>")
        text.write(b"</sheetData></worksheet>")
    return out.getvalue()


def _long_sheet() -> bytes:
    """50 MB of blanks before the rows of a sheet."""
    blanks = " " * (50 * 2**20)
    return xlsx_of(f"{blanks}<sheetData><row><c><v>1</v></c></row></sheetData>")


def _one_value_many_times(*, arrows_types: bool) -> bytes:
    """5 million times one long value: 500 kB that would take 5 GB."""
    out = io.BytesIO()
    repeated = pa.DictionaryArray.from_arrays(pa.array(np.zeros(5_000_000, np.int32)), ["x" * 1_000])
    pq.write_table(pa.table({"a": repeated}), out, store_schema=arrows_types)
    return out.getvalue()


def _saying(size: int, content: bytes) -> bytes:
    """The same archive, which says of each part that it unpacks to so many bytes."""
    told, at = bytearray(content), content.find(b"PK\x01\x02")
    while at >= 0:
        (local,) = struct.unpack_from("<I", told, at + 42)
        struct.pack_into("<I", told, at + 24, size)
        struct.pack_into("<I", told, local + 22, size)
        at = content.find(b"PK\x01\x02", at + 46)
    return bytes(told)


_HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "two far cells": (lambda: xlsx_of(f"<sheetData>{_FAR}</sheetData>"), "memory or time|5 million cells"),
    "a billion repeated cells": (lambda: _repeated(1_048_000, 1_000), "of a kind that is not read"),
    "a bomb": (lambda: _saying(2**29, xlsx({"S": [["a"], [1], [2]]})), "takes more than 400 MB once it is unpacked"),
    "a bomb whose directory lies": (lambda: _saying(100, _long_sheet()), "The workbook is broken"),
    "one value many times": (lambda: _one_value_many_times(arrows_types=True), "memory"),
    "one value many times, plain": (lambda: _one_value_many_times(arrows_types=False), "memory"),
    "a row of separators": (lambda: b"a,b\n1,2\n" + b"," * 3_000_000, "Line 3 of the file holds 3,000,001 values"),
    "a million columns": (lambda: b",".join(b"c%d" % i for i in range(10**6)) + b"\n1\n2\n", "take more than 128 kB"),
    "a mark that nothing closes": (lambda: b'a,b\n1,"2\n' + b"3,4\n" * 500_000, "A quotation mark is opened"),
}


@pytest.mark.parametrize("case", _HOSTILE)
def test_a_hostile_file_ends_in_a_sentence(case: str) -> None:
    make, said = _HOSTILE[case]
    content = make()
    with pytest.raises(TableError, match=said):
        read_file(content, "t", proposed(content)[0].form, public=False)


_MEASURED = """
import resource, sys
from pathlib import Path
from dpcore.errors import TableError
from pages.files.tables import Sheet, read_file
try:
    read_file(Path(sys.argv[1]).read_bytes(), "t", Sheet("S"), public=False)
except TableError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def test_the_process_takes_at_most_600_mb(tmp_path: Path) -> None:
    """Seen from a process that had no other child."""
    (tmp_path / "t.xlsx").write_bytes(_many_values())
    command = [sys.executable, "-c", _MEASURED, str(tmp_path / "t.xlsx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, cwd=Path(__file__).parents[3])
    said, megabytes = done.stdout.splitlines()
    assert "memory" in said
    assert 200 <= int(megabytes) <= 600


def test_what_a_workbook_unpacks_to_is_refused_from_its_directory_and_a_directory_that_lies_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(TableError, match="The workbook is broken"):
        workbook.seen(_saying(100, xlsx({"S": [["a"], [1], [2]]})))
    content = packed({"xl/workbook.xml": "x" * 2**21})
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 2**21 - 1)
    with pytest.raises(TableError, match="takes more than 1 MB once it is unpacked") as caught:
        workbook.seen(content)
    assert caught.value.remedy == "Leave out columns or rows that are not needed."


def test_too_many_cells_and_too_much_text_are_refused_by_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_CELLS", 19)
    with pytest.raises(TableError, match="The sheet has 5 rows of 4 columns; at most"):
        workbook.read(xlsx({"S": [[*"abcd"], *[[1, 2, 3, 4]] * 4]}), "S")
    monkeypatch.setattr(workbook, "MOST_TEXT_BYTES", 2)
    with pytest.raises(TableError, match="The sheet has more than 0 MB of text"):
        workbook.read(xlsx({"S": [["a"], [1], [2]]}), "S")


def test_a_parquet_file_too_large_is_refused_from_its_footer(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"a": np.zeros(2_500_001), "b": np.zeros(2_500_001)}), out)
    monkeypatch.setattr(parquet, "_columns", None)
    with pytest.raises(TableError, match="The table has 2,500,001 rows of 2 columns; at most 5 million values"):
        parquet.read(out.getvalue())


def test_a_cell_that_would_make_a_column_of_terabytes_leaves_that_column_out(here: list[str]) -> None:
    content = b"a,b\n" + b"1,x\n" * 10_000 + b"2," + b"y" * 2**20 + b"\n"
    table = read_file(content, "t", Format(), public=False)
    assert list(table.values) == ["a"]
    assert table.unused == ("b",)
