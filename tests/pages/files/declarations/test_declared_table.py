"""A file under its declarations: no cell decides how another is read, and what does not fit is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore.base.columns import KNOWN
from dpcore.errors import TableError
from pages.files.declarations import declared_table as module
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.declarations.proposal import proposed as propose
from pages.files.persons import Persons
from pages.files.tables import Form, Parquet, Table, proposed, read_csv, read_file

COST = Declaration(name="cost", type="number", lowest="0", highest="1000")
WARD = Declaration(name="ward", type="category", categories=("01", "2"))


def _table(content: bytes, *declared: Declaration, public: bool = False, form: Form | None = None) -> Table:
    draft = read_file(content, "t", form or proposed(content)[0].form, public=False)
    return declared_table(draft, declared, public=public)


def test_a_category_is_read_as_it_is_written_also_where_all_of_it_looks_like_numbers() -> None:
    table = _table(b"cost,ward\n1,01\n2,2\n3,02\n", COST, WARD)
    assert table.values["ward"].tolist() == ["01", "2", "other"]
    assert table.column("ward").categories == ("01", "2", "other")


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ((replace(COST, used=False),), "No column is used."),
        ((replace(COST, lowest=""),), "cost needs its lowest and its highest possible value."),
    ],
)
def test_without_a_ready_column_there_is_no_table(declared: tuple[Declaration, ...], said: str) -> None:
    with pytest.raises(TableError) as caught:
        _table(b"cost,ward\n1,01\n2,2\n", *declared)
    assert said in str(caught.value)


def test_the_rule_for_missing_values_is_the_columns_and_a_public_table_leaves_records_out() -> None:
    content = b"cost,ward\n1,01\n,2\n"
    assert _table(content, COST).column("cost").missing == KNOWN
    assert _table(content, COST, public=True).column("cost").missing == ""
    filled = _table(content, replace(COST, constant="3"), public=True)
    assert (filled.values["cost"].tolist(), filled.column("cost").stands) == ([1, 3], "3")


@pytest.mark.usefixtures("here")
def test_a_workbook_or_parquet_file_is_read_by_the_same_declarations() -> None:
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    from tests.pages.files.workbooks import xlsx

    out = io.BytesIO()
    pq.write_table(pa.table({"cost": ["1", "k.A.", "3"], "ward": [2, 1, None]}), out)
    table = _table(out.getvalue(), COST, replace(WARD, categories=("1", "2")))
    assert np.array_equal(table.values["cost"], [1, np.nan, 3], equal_nan=True)
    assert table.values["ward"].tolist() == ["2", "1", ""]
    book = _table(xlsx({"S": [["cost", "ward"], ["1", 2], ["k.A.", 1], [3, None]]}), COST, replace(WARD, categories=("1", "2")))
    assert np.array_equal(book.values["cost"], [1, np.nan, 3], equal_nan=True)
    assert book.values["ward"].tolist() == ["2", "1", ""]


@pytest.mark.parametrize("letters", [260, 6_000])
def test_one_long_value_changes_no_cell_of_another_column_nor_another_cell_of_its_own(
    monkeypatch: pytest.MonkeyPatch, letters: int
) -> None:
    """200 values of 262 characters are more text than is read here: then they are cut, each by itself."""
    monkeypatch.setattr(module, "MOST_TEXT_BYTES", 4 * 200 * 262)
    lines = [f"{'x' * (letters if i == 5 else 3)},01,{i}" for i in range(200)]
    content = ("notes,ward,cost\n" + "\n".join(lines) + "\n").encode()
    notes = Declaration(name="notes", type="text")
    alone, beside = _table(content, WARD), _table(content, notes, WARD, COST)
    for table in (alone, beside):
        assert set(table.values["ward"].tolist()) == {"01"}
    assert set(beside.values["notes"][:5].tolist()) == {"xxx"}
    assert 10 <= len(beside.values["notes"][5]) <= letters


def test_how_many_characters_count_is_told_by_the_type_and_the_number_of_records_alone() -> None:
    long = "y" * 300
    content = f"ward,day\n{long},2024-03-05 {long}\n01,2024-03-06\n".encode()
    day = Declaration(name="day", type="date, as 2024-12-31", lowest="2024-01-01", highest="2024-12-31")
    table = _table(content, replace(WARD, categories=("01", "y" * 200)), day)
    assert table.values["ward"].tolist() == ["other", "01"]
    assert table.values["day"].tolist() == [64, 65]


def test_a_column_that_is_blank_in_this_file_is_all_missing_and_not_left_out() -> None:
    content = b"cost,ward\n,01\n,2\n"
    draft = read_file(content, "t", proposed(content)[0].form, public=False)
    assert [one.name for one in propose(draft)] == ["ward", "cost"]
    assert np.isnan(_table(content, COST, WARD).values["cost"]).all()


def test_people_of_a_column_that_is_not_in_the_file_are_refused() -> None:
    draft = read_csv(b"cost,who\n1,a\n2,b\n", "t", public=False)
    declared = (Declaration(name="cost", type="number", lowest="0", highest="5"),)
    with pytest.raises(TableError, match="no column id that can be read"):
        declared_table(draft, declared, public=False, persons=Persons("id"))


@pytest.mark.usefixtures("here")
def test_people_whose_numbers_a_float_does_not_tell_apart_stay_two_in_a_parquet_file() -> None:
    import io
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    digits = pa.array([Decimal("1.0000000000000000001"), Decimal("1.0000000000000000002"), None], pa.decimal128(30, 19))
    out = io.BytesIO()
    pq.write_table(pa.table({"cost": [1, 2, 3], " who": digits}), out)
    draft = read_file(out.getvalue(), "t", Parquet(), public=False)
    table = declared_table(draft, (COST,), public=False, persons=Persons("who"))
    assert table.size(()) == 3
    assert len(set(table.values["who"].tolist())) == 3


def test_more_rows_than_a_table_of_people_can_have_are_said_where_it_is_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.files import persons as module

    content = b"cost,who\n1,a\n2,b\n3,c\n"
    draft = read_csv(content, "t", public=False)
    monkeypatch.setattr(module, "MOST_ROWS", 2)
    with pytest.raises(TableError, match="A table of people can have 2 rows, and this one has more"):
        declared_table(draft, (COST,), public=False, persons=Persons("who"))
    assert len(declared_table(draft, (COST,), public=False)) == 3
