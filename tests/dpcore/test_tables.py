"""Tables: what is done to each record, and errors that say what came and what to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.tables import Column, Table, read_catalog, read_csv

CSV = b"a,b,word\n1,10,x\n,20,y\ninf,30,z\n9,nan,w\n"
DATA = Path(__file__).parents[2] / "data"


def _table(*, public: bool) -> Table:
    return read_csv(CSV, "t", public=public).declared(Column("a", bounds=(0.0, 4.0)), Column("b", bounds=(0.0, 20.0)))


def test_columns_of_text_are_named_as_unused() -> None:
    table = _table(public=True)
    assert [column.name for column in table.columns] == ["a", "b"]
    assert table.unused == ("word",)


def test_a_confidential_table_keeps_every_record_and_counts_what_it_did() -> None:
    prepared = _table(public=False).prepare(("a", "b"))
    assert prepared.database.tolist() == [[1, 10], [2, 20], [np.inf, 30], [9, 10]]
    assert (prepared.replaced, prepared.clipped, prepared.dropped) == (2, 3, 0)
    assert not prepared.database.flags.writeable


def test_a_public_table_drops_records_without_a_finite_value() -> None:
    table = _table(public=True)
    prepared = table.prepare(("a",))
    assert prepared.database.tolist() == [1, 9]
    assert (prepared.replaced, prepared.clipped, prepared.dropped) == (0, 1, 2)
    assert table.size(("a",)) == 2
    assert table.size(("a", "b")) == 1


def test_a_confidential_column_without_bounds_is_refused() -> None:
    with pytest.raises(InvalidValueError) as caught:
        read_csv(CSV, "t", public=False).prepare(("a",))
    assert caught.value.name == "bounds of a"


def test_an_unknown_column_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownKindError) as caught:
        _table(public=True).prepare(("strange",))
    assert (caught.value.got, caught.value.known) == ("strange", ("a", "b"))


@pytest.mark.parametrize("bounds", [(1.0, 1.0), (2.0, 1.0), (0.0, float("nan")), (0.0, float("inf"))])
def test_a_column_checks_its_bounds(bounds: tuple[float, float]) -> None:
    with pytest.raises(InvalidValueError):
        Column("a", bounds=bounds)


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_usual_separators_line_ends_and_byte_order_marks_are_read(mark: str, end: str) -> None:
    lines = [["income", "größe"], ["1", "2"], ["3", "4"]]
    content = end.join(mark.join(line) for line in lines).encode("utf-8-sig")
    table = read_csv(content, "t", public=True)
    assert {name: values.tolist() for name, values in table.values.items()} == {"income": [1, 3], "größe": [2, 4]}


@pytest.mark.parametrize("records", ["1,2,3\n4,5,6\n", "1,2,3\n4,5,6\n7,8,9\n", "1,2,3\n1,5,6\n"])
def test_values_beyond_the_header_are_refused_and_never_shift_the_columns(records: str) -> None:
    with pytest.raises(TableError, match="as many values as the header"):
        read_csv(f"a,b\n{records}".encode(), "t", public=True)


def test_the_tables_of_the_catalogue_have_a_value_in_every_record_and_lie_in_their_bounds() -> None:
    tables = read_catalog(DATA)
    assert len(tables) >= 3
    for table in tables.values():
        for column in table.columns:
            prepared = table.prepare((column.name,))
            assert (prepared.replaced, prepared.dropped) == (0, 0)
            assert prepared.clipped == 0, (table.name, column.name)
