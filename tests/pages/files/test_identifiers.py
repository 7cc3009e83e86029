"""Identifiers that look like numbers stay text as they were written, in text files and workbooks; numbers stay numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.declarations.proposal import proposed
from pages.files.form import Format
from pages.files.tables import Sheet, Table, read_csv, read_file
from tests.pages.files.binary_workbooks import xls, xlsb
from tests.pages.files.workbooks import ods, xlsx, xlsx_of

_PLAIN = [str(i) for i in range(12_000)]
IDENTIFIERS = {
    "codes only": ["2E10", "7E0", "3e5"],
    "a code with one point": ["2E10", "1.5"],
    "a late code": [*_PLAIN, "2E10"],
    "a code among missing values": ["", "NA", "7E0", "12"],
    "one of 16 digits": ["1", "1234567890123456"],
    "below zero": ["1", "-9007199254740993"],
    "with zeros behind a point": ["1", "9007199254740993.00"],
    "beside a missing one": ["", "9007199254740993", "5"],
    "in 64 bits without a sign": ["18446744073709551615", "1"],
    "in more than 64 bits": ["1", "1" + 30 * "0" + "7"],
    "a late large one": [*_PLAIN, "9007199254740993"],
    "more digits than Python parses": ["1", "7" * 5_000],
    "zeros in front": ["00123", "17"],
    "late ones with zeros in front": [*_PLAIN, *(f"{i:05}" for i in range(200))],
}
NUMBERS = {
    "small": ["1.5e-07", "3.2E+05", "1e-3"],
    "a point before E": ["1.5E10", "2.0E7"],
    "a sign behind E": ["1e+16", "2E+10"],
    "large floats": ["1.2345678901234567e+18", "1.7e+308"],
    "15 digits": ["999999999999999", "-999999999999999.5", ""],
    "many decimals": ["0.12345678901234567", "12.345678901234567890"],
}


def _csv(cells: list[str]) -> Table:
    return read_csv("\n".join(["b,a", *(f"1,{cell}" for cell in cells), ""]).encode(), "t", public=False)


def _proposed(table: Table, name: str = "a") -> str:
    return next(one.type for one in proposed(table) if one.name == name)


@pytest.mark.parametrize("cells", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_a_column_with_an_identifier_is_text(cells: list[str]) -> None:
    table = _csv(cells)
    assert table.values["a"].tolist() == cells
    assert _proposed(table) in ("text", "category")


def test_one_whole_number_with_zeros_in_front_keeps_the_column_as_it_is_written_wherever_it_is() -> None:
    assert _csv([*_PLAIN, "00123"]).values["a"].tolist() == [*_PLAIN, "00123"]


@pytest.mark.parametrize("cells", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_programs_stay_numbers(cells: list[str]) -> None:
    table = _csv(["2E10", *cells])
    assert table.values["a"].dtype.kind == "U"
    table = _csv(cells)
    assert table.values["a"].tolist() == pytest.approx([float(cell or "nan") for cell in cells], nan_ok=True, rel=1e-15)
    assert _proposed(table) == "number"


def test_numbers_beside_a_column_of_codes_stay_numbers() -> None:
    table = read_csv(b"a,b,c,d\n2E10,1.5,True,inf\n7E0,,False,1\n", "t", public=False)
    assert {name: values.dtype.kind for name, values in table.values.items()} == {"a": "U", "b": "f", "c": "f", "d": "f"}


@pytest.mark.parametrize("cell", ["7E0", "9.007.199.254.740.993", "9.007.199.254.740.993,0"])
def test_marks_between_thousands_make_no_difference(cell: str) -> None:
    form = Format(delimiter=";", decimal=",", thousands=".")
    table = read_csv(f"b;a\n1;1.234\n2;{cell}\n".encode(), "t", public=False, form=form)
    assert table.values["a"].tolist() == ["1.234", cell]


def test_a_declared_number_reads_codes() -> None:
    declared = Declaration(name="a", type="number", lowest="0", highest="1e40")
    table = declared_table(_csv(["2E10", "5", "007"]), (declared,), public=False)
    assert table.values["a"].tolist() == [2e10, 5, 7]


def test_a_late_code_prevents_a_unit() -> None:
    assert _proposed(_csv([*["67 kg"] * 300, "2E10"])) in ("text", "category")


def _cell(value: str, options: str = "") -> str:
    return f"<c{options}><v>{value}</v></c>"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("make", [xlsx, ods, lambda sheets: xls(sheets["S"]), lambda sheets: xlsb(sheets["S"])])
def test_workbook_column_with_rounded_number_is_not_read(make: Callable[[dict[str, Any]], bytes]) -> None:
    rows = [["code", "number", "id", "cost"], ["2E10", 2e10, 9007199254740993.0, 1.5], ["7E0", 7.0, 1.0, 1e303]]
    table = read_file(make({"S": rows}), "t", Sheet("S"), public=False)
    assert table.values["code"].tolist() == ["2E10", "7E0"]
    assert table.values["number"].tolist() == [2e10, 7]
    assert table.values["cost"].tolist() == [1.5, 1e303]
    assert table.unused == ("id",)
    assert table.renamed == (
        "“id” is not read: some of its numbers have more digits than a workbook keeps. Store identifiers as text.",
    )


@pytest.mark.usefixtures("here")
def test_cells_of_excel_keep_their_types() -> None:
    names = "<row>" + "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in "abc") + "</row>"
    row = _cell("9007199254740993", ' s="0" t="n"') + _cell("9007199254740993", ' t="str"') + _cell("1.2345678901234E+18")
    content = xlsx_of(f"<sheetData>{names}<row>{row}</row><row>{_cell('5') * 3}</row></sheetData>")
    table = read_file(content, "t", Sheet("S"), public=False)
    assert table.unused == ("a",)
    assert table.values["b"].tolist() == ["9007199254740993", "5"]
    assert table.values["c"].tolist() == [1.2345678901234e18, 5]
