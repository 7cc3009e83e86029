"""Sizes of workbooks are read before they are parsed, and one that is wrong about its own size does no harm."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dpcore.errors import TableError
from pages.files import extent, workbook
from tests.pages.files.workbooks import ods_of, packed, xlsx_of, xlsx_parts

ROOT = Path(__file__).parents[3]
TEN = "<row><c t='inlineStr'><is><t>a</t></is></c></row>" + "".join(f"<row><c><v>{i}</v></c></row>" for i in range(10))
FAR_APART = '<row r="2"><c r="B2"><v>1</v></c></row><row r="12"><c r="D12" t="s"><v>1</v></c></row>'
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
FAR_BUT_EMPTY = '<row r="1048576" s="1"><c r="XFC1048576" s="1"></c><c r="XFD1048576" s="1"/></row>'
ALL = '<dimension ref="A1:XFD1048576"/>'
ODS_ROW = (
    '<table:table-row{}><table:table-cell office:value-type="float" office:value="{}"{}><text:p>1</text:p></table:table-cell>'
)


def _said(rows: str, dimension: str = "") -> bytes:
    return xlsx_of(f"{dimension}<sheetData>{rows}</sheetData>")


def _rows(rows: int = 1, columns: int = 1) -> str:
    down, right = f' table:number-rows-repeated="{rows}"', f' table:number-columns-repeated="{columns}"'
    return ODS_ROW.format(down * (rows > 1), 1, right * (columns > 1)) + "</table:table-row>"


def _read(content: bytes) -> dict[str, list[str]]:
    """The sheet S, in this process: what another would cost is not what is tested here."""
    read: dict[str, list[str]] = workbook.read(content, "S")[1].to_pydict()
    return read


def _size(content: bytes, most: int) -> tuple[int, int] | None:
    return extent.excel(zipfile.ZipFile(io.BytesIO(content)), "S", most)


@pytest.mark.parametrize("empty", ["", FAR_BUT_EMPTY], ids=["ten", "far but empty"])
@pytest.mark.parametrize("dimension", [ALL, "", '<dimension ref="A1"/>', '<dimension ref="A1:A2"/>'])
def test_a_small_sheet_is_read_whatever_it_says_of_its_size(dimension: str, empty: str) -> None:
    assert _read(_said(TEN + empty, dimension)) == {"a": [*"0123456789"]}


@pytest.mark.parametrize("dimension", [ALL, "", '<dimension ref="A1:A11"/>'])
def test_a_sheet_that_is_too_large_is_refused_with_its_size(dimension: str) -> None:
    with pytest.raises(TableError, match="has 1,048,576 rows of 16,384 columns; at most 5 million cells"):
        _read(_said(TEN + FAR, dimension))


@pytest.mark.parametrize(
    ("rows", "dimension", "most", "size"),
    [
        (FAR_APART, '<dimension ref="A1:J11"/>', 10, (11, 3)),  # looked at because it says 110
        (FAR_APART, '<dimension ref="A1:J11"/>', 110, None),  # not looked at
        (TEN, "", 10, None),
        (TEN, ALL, 11, None),
        ('<row r="3"><c r="AB3" t="s"><v>1</v></c></row><row r="9"><c r="C9"><is><t>x</t></is></c></row>', ALL, 1, (7, 26)),
    ],
    ids=["too many", "as many as there may be", "unsaid", "few", "far apart"],
)
def test_a_long_sheet_is_looked_at_where_it_says_that_it_is_too_large(
    monkeypatch: pytest.MonkeyPatch, rows: str, dimension: str, most: int, size: tuple[int, int] | None
) -> None:
    monkeypatch.setattr(extent, "_SHORT", 0)
    assert _size(_said(rows, dimension), most) == size


def test_a_sheet_without_a_text_that_can_be_found_is_left_to_its_parser() -> None:
    for broken in ({"xl/workbook.xml": "no XML"}, {"xl/_rels/workbook.xml.rels": "<Relationships/>"}):
        assert _size(packed(xlsx_parts({"S": [["a"]]}) | broken), 0) is None


@pytest.mark.parametrize("cell", ["", " table:style-name='x'"])
def test_a_million_empty_rows_at_the_end_of_an_ods_sheet_are_not_counted(cell: str) -> None:
    empty = (
        f'<table:table-row table:number-rows-repeated="1048573"><table:table-cell{cell} table:number-columns-repeated="16384"/>'
    )
    name = ODS_ROW.format("", 3, "").replace('float" office:value="3', "string").replace(">1<", ">a<")
    content = ods_of({"S": name + "</table:table-row>" + _rows() * 2 + empty + "</table:table-row>"})
    assert _read(content) == {"a": ["1", "1"]}


@pytest.mark.parametrize(("rows", "columns"), [(1_048_000, 1_000), (5_000_001, 1), (6, 1_000_000)])
def test_rows_of_an_ods_sheet_that_are_repeated_too_often_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(TableError, match=f"repeats rows until they have {rows * columns:,} cells; at most 5 million cells"):
        workbook.sheets(ods_of({"S": _rows(rows, columns)}))


def test_repeated_rows_are_found_wherever_the_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extent, "_CHUNK", 7)
    content = ods_of({"S": _rows(4, 3) + _rows(), "T": _rows(1, 9) + _rows(5)})
    assert extent.repeated(zipfile.ZipFile(io.BytesIO(content))) == 4 * 3 + 5


def test_a_sheet_of_too_much_text_is_refused_by_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_TEXT_BYTES", 20)
    with pytest.raises(TableError, match="The sheet has more than 0 MB of text"):
        workbook.read(_said(TEN), "S")


@pytest.mark.slow
def test_the_process_that_parses_takes_at_most_600_mb() -> None:
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
    code = (
        "import resource, sys\n"
        "from dpcore.errors import TableError\nfrom pages.files.tables import Sheet, read_file\n"
        "try:\n    read_file(sys.stdin.buffer.read(), 't', Sheet('S'), public=False)\n"
        "except TableError as error:\n    print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, input=out.getvalue())
    said = ended.stdout.split(b"\n")
    assert b"memory" in said[0]
    assert 300 < int(said[1]) <= 600
