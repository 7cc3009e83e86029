"""Files as offices have them: where their names are, and that nothing of them is misread; and what is no line of names."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.errors import TableError
from pages.files.form import HeaderLines
from pages.files.header import different, found, joined
from pages.files.tables import Form, Format, Table, best, proposed, read_file
from pages.files.text_detection import detect
from tests.pages.files.real_files import GERMAN, REAL, RealFile
from tests.pages.files.workbooks import xlsx

pytestmark = pytest.mark.usefixtures("here")


def _read(content: bytes, form: Form | None = None) -> Table:
    return read_file(content, "t", form or best(proposed(content)).form, public=False)


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.name)
def test_every_value_of_a_real_file_is_read_as_it_is(file: RealFile) -> None:
    table = _read(file.content)
    assert table.form == file.form
    assert list(table.values) == list(file.columns)
    for name, values in file.columns.items():
        np.testing.assert_array_equal(table.values[name], values, err_msg=name)
    assert table.unused == ()


def test_columns_of_one_name_are_told_apart_and_it_is_said() -> None:
    assert _read(GERMAN.content).renamed == ("2 columns are named “Diagnose”: they are called “Diagnose” and “Diagnose (2)”.",)
    assert different(["a", "a", "a (2)", "", "Column 4", "a"]) == ["a", "a (3)", "a (2)", "Column 4 (2)", "Column 4", "a (4)"]
    assert different(["", ""]) == ["Column 1", "Column 2"]


_ABOVE = "Umsatz je Woche; gemäß Plan, und mehr\n1.234,5 | 2.345,6\t7\n\n"


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
@pytest.mark.parametrize(
    "body", ["a;b;c\nx;1.5;2024-01-01\ny;2.5;2024-01-02\n", "a,b,c\nx,1.5,1\ny,2.5,2\n", "a\tb\nx\t1.5\ny\t2\n"]
)
def test_lines_above_the_names_decide_nothing(body: str, encoding: str) -> None:
    alone = detect(body.encode())[0]
    below = detect(_ABOVE.encode(encoding) + body.encode())[0]
    assert below.names.first == 4
    assert (below.encoding, below.delimiter, below.decimal, below.thousands) == (
        *(alone.encoding, alone.delimiter, alone.decimal, alone.thousands),
    )
    plain, under = _read(body.encode(), alone), _read(_ABOVE.encode(encoding) + body.encode(), below)
    assert plain.digest == under.digest


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Report", "id,cost", "1,2", "3,4"], (1, 1)),
        (["Clinic,St. Mary", "Period,2024", "", "id,cost,ward", "1,2,a", "3,4,b"], (3, 1)),
        (["Export, cardio, Lyon", "", "id,cost,ward", "a,2,x", "b,4,y"], (2, 1)),  # as wide as the records
        (["sep=,", "id,cost", "1,2", "3,4"], (1, 1)),
        (["station,2019,2020", "a,1,2", "b,n/a,4"], (0, 1)),  # years are names
        (["name,cost", "a,k. A.", "b,3", "c,4"], (0, 1)),
        (["name,cost,days", "a,k. A.,n/a", "b,3,1", "c,4,2"], (0, 1)),
        ([",a,b", "0,1.5,2", "1,2.5,3"], (0, 1)),  # as pandas writes it
        (["a,b", "x,2,3", "y,5,6"], (0, 1)),  # records that are wider are told as names to nobody
        (["income", "1", "2"], (0, 1)),
        (["a,b", "x,y", "z,w"], (0, 1)),
        (["Patient,,Stay,", "no,age,days,cost", "1,41,3,100", "2,7,1,20"], (0, 2)),
        (["Patient,Age,Costs,", ",,drugs,care", "a,41,3,100", "b,7,1,20"], (0, 2)),
        (["Costs,,Patient,Age", "drugs,care,,", "3,100,a,41", "1,20,b,7"], (0, 2)),
        (["Report,,,", "no,age,days,cost", "1,41,3,100", "2,7,1,20"], (1, 1)),
        (["Printed:,today,,", "no,age,days,cost", "1,41,3,100", "2,7,1,20"], (1, 1)),
    ],
)
def test_the_line_of_names_is_found(lines: list[str], expected: tuple[int, int]) -> None:
    assert found([line.split(",") for line in lines]) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1,2", "3,4", "5,6"], (0, 0)),
        (["Anna,3,1.5", "Ben,5,2.5", "Eva,7,0.5"], (0, 0)),
        (["Report", "", "Anna,3,1.5", "Ben,5,2.5", "Eva,7,0.5"], (2, 0)),
        (["clinic,2021,2022", "a,1,2", "b,3,4"], (0, 1)),  # years are names
    ],
)
def test_a_file_without_names_is_found(lines: list[str], expected: tuple[int, int]) -> None:
    assert found([line.split(",") for line in lines]) == expected


_NO_NAMES: list[list[Any]] = [["Anna", 3.5, 1], ["Ben", 5, 2], ["Eva", 7, 0]]


@pytest.mark.parametrize("content", [b"Anna;3,5;1\nBen;5;2\nEva;7;0\n", xlsx({"S": _NO_NAMES})], ids=["csv", "xlsx"])
def test_a_file_without_names_keeps_its_first_record(content: bytes) -> None:
    (way,) = proposed(content)
    assert "no names, rows from line 1" in way.form.words
    table = _read(content)
    assert {name: values.tolist() for name, values in table.values.items()} == {
        "Column 1": ["Anna", "Ben", "Eva"],
        "Column 2": [3.5, 5, 7],
        "Column 3": [1, 2, 0],
    }
    assert table.unused == ()


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_decimal_commas_are_told_from_separators_in_a_file_without_names(mark: str) -> None:
    content = "".join(f"{i},5{mark}{i + 1},25{mark}{i}\n" for i in range(3, 9)).encode()
    assert detect(content)[0] == Format(delimiter=mark, decimal=",", names=HeaderLines(lines=0))


def test_a_record_that_is_wider_than_the_first_is_a_sentence_in_a_file_without_names() -> None:
    with pytest.raises(TableError, match="Line 3 of the file holds 3 values"):
        _read(b"1,2\n3,4\n5,6,7\n", Format(names=HeaderLines(lines=0)))


def test_a_cell_reaches_to_the_next_one() -> None:
    rows = [["Costs", "", "", "Stay"], ["drugs", "care", "age", "days"]]
    assert joined(rows) == ["Costs: drugs", "Costs: care", "Costs: age", "Stay: days"]
    assert joined([["e\u0301\u200b"], ["u\u0308"]]) == ["é: ü"]


@pytest.mark.parametrize(
    ("at", "said", "remedy"),
    [
        (HeaderLines(1), "Line 2 of the file holds 2 values, but the header names 1 column.", "say in which line"),
        (HeaderLines(2), "Line 4 of the file holds 7 values, but the header names 2 columns.", "say in which line"),
        (HeaderLines(3), "Line 3 of the file is empty.", "Say in which line"),
        (HeaderLines(9), "The file ends after line 8, and the names were looked for in line 9.", "Say in which line"),
        (HeaderLines(8, 2), "The file ends after line 8, and the names were looked for in line 9.", "Say in which line"),
        (HeaderLines(8), "The table has 0 rows below its names of columns; at least 2 are needed.", "Say in which line"),
    ],
)
def test_a_line_that_has_no_names_is_a_sentence(at: HeaderLines, said: str, remedy: str) -> None:
    assert isinstance(GERMAN.form, Format)
    with pytest.raises(TableError) as caught:
        _read(GERMAN.content, Format("windows-1252", ";", ",", ".", at))
    assert caught.value.problem == said
    assert remedy in caught.value.remedy


def test_columns_of_one_name_in_a_parquet_file_keep_their_own_values() -> None:
    out = io.BytesIO()
    pq.write_table(pa.table([pa.array([1, 2]), pa.array(["x", "y"]), pa.array([3, 4])], names=["a", "a", "b"]), out)
    table = _read(out.getvalue())
    assert {name: values.tolist() for name, values in table.values.items()} == {"a": [1, 2], "a (2)": ["x", "y"], "b": [3, 4]}
    assert table.renamed == ("2 columns are named “a”: they are called “a” and “a (2)”.",)
