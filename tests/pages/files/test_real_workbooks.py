"""Workbooks as they come out of an office: each gives the right values, or is a sentence."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from dpcore.errors import TableError
from pages.files import tables, workbook
from pages.files.cells import values_of
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.form import Format
from pages.files.tables import Sheet, best, proposed, read_file
from tests.pages.files.binary_workbooks import ole2, xls, xlsb
from tests.pages.files.workbooks import packed, xlsx, xlsx_of, xlsx_parts

# Styles by their place: as it is, date, percent, money, date and time, time, elapsed time.
FORMATS = ("0", "14", "10", "164", "22", "20", "165")
STYLES = (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>'
    '<numFmt numFmtId="164" formatCode="#,##0.00 &quot;€&quot;"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts>'
    f"<cellXfs>{''.join(f'<xf numFmtId={chr(34)}{i}{chr(34)}/>' for i in FORMATS)}</cellXfs></styleSheet>"
)
NAME = '<c t="inlineStr"><is><t>x</t></is></c>'
STAYS = [["ward", "seen"], ["A", 45356.0], ["B", 45357.25]]


def _column(*cells: str) -> list[Any]:
    """Of the cells below the name x, with a row between them that is always filled."""
    rows = "".join(f"<row>{cell}<c><v>1</v></c></row>" for cell in cells)
    named = f"<row>{NAME}{NAME.replace('>x<', '>y<')}</row>"
    return _read(xlsx_of(f"<sheetData>{named}{rows}</sheetData>", styles=STYLES))["x"]


def _read(content: bytes) -> dict[str, list[Any]]:
    """The sheet S, in this process: what another would cost is not what is tested here."""
    columns = values_of(tables._cells(*workbook.read(content, "S")), Format())
    return {name: values.tolist() for name, values in columns.items()}


def _sheets(content: bytes) -> list[str]:
    names: list[str] = [sheet["name"] for sheet in workbook.seen(content)[0]["sheets"]]
    return names


def _problem(content: bytes) -> str:
    with pytest.raises(TableError) as caught:
        workbook.seen(content)
    return caught.value.problem


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (
            ['<c s="1"><v>45356</v></c>', '<c s="1"><v>36525</v></c>', '<c t="d"><v>2024-02-29</v></c>'],
            ["2024-03-05", "1999-12-31", "2024-02-29"],
        ),
        (
            ['<c s="4"><v>45356.4375</v></c>', '<c s="4"><v>45356.3333333333</v></c>', '<c s="4"><v>45357</v></c>'],
            ["2024-03-05 10:30:00", "2024-03-05 08:00:00", "2024-03-06"],
        ),
        (
            ['<c s="5"><v>0.4375</v></c>', '<c s="6"><v>1.25</v></c>', '<c s="6"><v>100.0625</v></c>'],
            ["10:30:00", "30:00:00", "2401:30:00"],
        ),
        (['<c s="2"><v>0.25</v></c>', '<c s="2"><v>1</v></c>'], [0.25, 1.0]),
        (['<c s="3"><v>1234.5</v></c>', '<c s="3"><v>-2</v></c>'], [1234.5, -2.0]),
        (["<c><v>1</v></c>", NAME, "<c><v>2.5</v></c>"], ["1", "x", "2.5"]),
        (["<c><v>1</v></c>", '<c s="1"><v>45356</v></c>', '<c t="b"><v>1</v></c>'], ["1", "2024-03-05", "True"]),
        (['<c t="str"><f>A1&amp;B1</f><v>r</v></c>', "<c><f>1+1</f><v>2</v></c>"], ["r", "2"]),
    ],
    ids=["dates", "times of days", "elapsed", "percent", "money", "mixed", "mixed with dates", "formulas"],
)
def test_a_cell_is_read_by_what_it_holds_and_not_by_how_it_looks(cells: list[str], values: list[Any]) -> None:
    assert _column(*cells) == values


@pytest.mark.parametrize("error", ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"])
def test_an_error_in_a_cell_is_missing(error: str) -> None:
    assert str(_column("<c><v>1</v></c>", f'<c t="e"><f>1/0</f><v>{error}</v></c>', "<c><v>3</v></c>")) == "[1.0, nan, 3.0]"


def _changed(workbook_part: tuple[str, str], relations_part: tuple[str, str] = ("", "")) -> bytes:
    parts = xlsx_parts({"S": [["a"], [1], [2]], "T": [["b"], [3], [4]]})
    changes = {"xl/workbook.xml": workbook_part, "xl/_rels/workbook.xml.rels": relations_part}
    return packed(parts | {name: parts[name].replace(*change) for name, change in changes.items()})


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_offered_only_where_no_other_is(state: str) -> None:
    assert _sheets(_changed(('name="S"', f'name="S" state="{state}"'))) == ["T"]
    assert _sheets(_changed(("<sheet ", f'<sheet state="{state}" '))) == ["S", "T"]


@pytest.mark.parametrize(
    ("content", "days"),
    [(xls(STAYS, frozenset({1})), ["2024-03-05", "2024-03-06 06:00:00"]), (xlsb(STAYS), [45356.0, 45357.25])],
    ids=["xls", "xlsb"],
)
def test_the_binary_forms_of_excel_are_read(content: bytes, days: list[Any]) -> None:
    assert _sheets(content) == ["S"]
    assert _read(content) == {"ward": ["A", "B"], "seen": days}


def _protected_xls() -> bytes:
    """With the record FILEPASS after the first one."""
    first, password = struct.pack("<HHHHHH8x", 0x809, 16, 0x600, 5, 0, 0), struct.pack("<HHHHH44x", 0x2F, 50, 1, 1, 1)
    return ole2({"Workbook": first + password + bytes(100)})


@pytest.mark.parametrize(
    "content",
    [ole2({"EncryptionInfo": b"x", "EncryptedPackage": b"y" * 5_000}), ole2({"EncryptedPackage": b"y"}), _protected_xls()],
    ids=["xlsx", "a package alone", "xls"],
)
def test_a_protected_workbook_is_named_so(content: bytes) -> None:
    assert _problem(content) == "The workbook is protected by a password."


@pytest.mark.usefixtures("here")
def test_numbers_that_are_text_have_the_marks_that_most_of_them_have() -> None:
    """As a system writes them that makes a workbook of its texts; those that are numbers stay what they are."""
    content = xlsx({"S": [["a", "b"], ["1.234,50 €", 0.25], ["-2,5", "1.000"], [1234.5, 1e-7], ["k. A.", "0,125"]]})
    (seen,) = workbook.seen(content)[0]["sheets"]
    assert seen["marks"] == (",", ".")
    form = Sheet("S", decimal=",", thousands=".")
    assert best(proposed(content)).form == form
    table = read_file(content, "t", form, public=False)
    assert table.values["b"].tolist() == [0.25, 1000, 1e-7, 0.125]
    euros = Declaration(name="a", type="number", lowest="-9", highest="9999", unit="€", codes=("k. A.",))
    read = declared_table(table, (euros,), public=False).values["a"]
    np.testing.assert_array_equal(read, [1234.5, -2.5, 1234.5, float("nan")])
