"""Workbooks: a sheet gives the columns of its CSV, and what is locked, broken, empty or too large is a sentence."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest

from dpcore.errors import TableError
from pages.files.tables import Seen, Sheet, Table, best, proposed, read_csv, read_file
from tests.pages.files.workbooks import ods, packed, xlsx

pytestmark = pytest.mark.usefixtures("here")

_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
STAYS = [
    ["cost", "ward", "yes", "seen", "mixed"],
    [1234.5, "Süd", True, datetime.date(2024, 1, 31), 1],
    [2, 'say "x", or\ny', False, None, "two"],
    [None, None, None, datetime.date(1960, 2, 29), 2.5],
]
CSV = 'cost,ward,yes,seen,mixed\n1234.5,Süd,True,2024-01-31,1\n2,"say ""x"", or\ny",False,,two\n,,,1960-02-29,2.5\n'


def _read(content: bytes, sheet: str) -> Table:
    return read_file(content, "t", Sheet(sheet), public=False)


def _refused(content: bytes, sheet: str | None = None) -> str:
    with pytest.raises(TableError) as caught:
        proposed(content) if sheet is None else _read(content, sheet)
    assert caught.value.remedy.endswith(".")
    return caught.value.problem


def test_a_sheet_gives_the_columns_of_a_csv_of_the_same_table() -> None:
    table, same = _read(xlsx({"Stays": STAYS}), "Stays"), read_csv(CSV.encode(), "t", public=False)
    assert table.columns == same.columns
    for name, values in same.values.items():
        np.testing.assert_array_equal(table.values[name], values)
    assert table.digest == same.digest
    assert table.form == Sheet("Stays")


def test_each_of_many_sheets_can_be_chosen() -> None:
    content = ods({"first": [["a"], [1], [2]], "second & last": [["b", "c"], [1.5, "x"], [2, "y"]]})
    first, second = ("a", "1", "2"), ("b | c", "1.5 | x", "2 | y")
    assert proposed(content) == (Seen(Sheet("first"), first, 3, 1), Seen(Sheet("second & last"), second, 3, 2))
    assert best(proposed(content)).form == Sheet("second & last")
    assert _read(content, "first").values["a"].tolist() == [1, 2]
    assert _read(content, "second & last").values["b"].tolist() == [1.5, 2]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "The sheet is empty."),
        ([["a"], [1]], "The table has 1 row below its names of columns; at least 2 are needed."),
        ([[1, 2], [3, 4], [5, 6]], "Line 1 of the file holds numbers, not names of columns."),
    ],
)
def test_a_sheet_that_is_no_table_is_a_sentence(rows: list[list[Any]], said: str) -> None:
    assert _refused(xlsx({"S": rows}), "S") == said


def test_dates_in_two_orders_stay_text() -> None:
    days = ["01.02.2024", "13.02.2024", "02/14/2024"]
    assert _read(xlsx({"S": [["day"], *([day] for day in days)]}), "S").values["day"].tolist() == days


@pytest.mark.parametrize("first", ["<b>", "{x}"])
def test_a_sheet_is_never_taken_for_a_web_page_or_json(first: str) -> None:
    assert list(_read(xlsx({"S": [[first], [1], [2]]}), "S").values) == [first]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (xlsx({}), "The workbook has no sheet with a table."),
        (xlsx({"S": STAYS})[:-40], "The workbook is broken, or of a kind that is not read."),
        (_OLE2 + "EncryptedPackage".encode("utf-16-le"), "The workbook is protected by a password."),
        (packed({"word/document.xml": "x"}), "The workbook is broken, or of a kind that is not read."),
        (packed({"xl/workbook.xml": "no XML"}), "The workbook is broken, or of a kind that is not read."),
    ],
    ids=["no sheet", "cut off", "password", "document", "no xml"],
)
def test_what_is_no_workbook_that_can_be_read_is_a_sentence(content: bytes, said: str) -> None:
    assert _refused(content) == said


def test_a_sheet_that_is_not_there_is_a_sentence() -> None:
    assert _refused(xlsx({"S": STAYS}), "T") == "The workbook has no sheet of this name."
