"""Tables: what is done to each record, and errors that say what came and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import targets
from dpcore.base.columns import KNOWN
from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.guarantees.privacy import Unit
from pages.experiment.choices import target_kinds
from pages.files import text_file
from pages.files.limits import MOST_TEXT_BYTES
from pages.files.tables import Column, Table, read_catalog, read_csv

CSV = b"a,b,word\n1,10,x\n,20,y\ninf,30,z\n9,nan,w\n"
DATA = Path(__file__).parents[3] / "data"


def _table(*, public: bool) -> Table:
    return read_csv(CSV, "t", public=public).declared(Column("a", bounds=(0.0, 4.0)), Column("b", bounds=(0.0, 20.0)))


def test_a_column_that_is_not_all_numbers_is_text_and_only_an_empty_one_is_unused() -> None:
    table = read_csv(b"a,none,word,b\n1,,x,10\n,NA,2,20\n", "t", public=True)
    assert [(column.name, column.role) for column in table.columns] == [("a", "measure"), ("word", "text"), ("b", "measure")]
    assert table.unused == ("none",)
    assert [column.name for column in table.number_columns] == ["a", "b"]
    assert [column.name for column in table.text_columns] == ["word"]
    assert table.values["word"].tolist() == ["x", "2"]


def test_a_confidential_table_keeps_every_record() -> None:
    prepared = _table(public=False).prepare(("a", "b"))
    assert prepared.tolist() == [[1, 10], [2, 20], [np.inf, 30], [9, 10]]
    assert not prepared.flags.writeable


def test_a_public_table_drops_records_without_a_finite_value() -> None:
    table = _table(public=True)
    prepared = table.prepare(("a",))
    assert prepared.tolist() == [1, 9]
    assert table.size(("a",)) == 2
    assert table.size(("a", "b")) == 1


def test_a_confidential_column_without_bounds_is_refused() -> None:
    with pytest.raises(InvalidValueError) as caught:
        read_csv(CSV, "t", public=False).prepare(("a",))
    assert caught.value.name == "bounds of “a”"


def test_an_unknown_column_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownKindError) as caught:
        _table(public=True).prepare(("strange",))
    assert (caught.value.got, caught.value.known) == ("strange", ("a", "b", "word"))


@pytest.mark.parametrize("bounds", [(1.0, 1.0), (2.0, 1.0), (0.0, float("nan")), (0.0, float("inf"))])
def test_a_column_checks_its_bounds(bounds: tuple[float, float]) -> None:
    with pytest.raises(InvalidValueError):
        Column("a", bounds=bounds)


def _names_of(columns: int, quote: str = "") -> bytes:
    return ",".join(f"{quote}c{i}{quote}" for i in range(columns)).encode() + b"\n"


NAMES = 'n,name\n1, Ana \n2,\n3,NA\n4,None\n5,null\n6,nan\n7,   \n8,Ærø Ng\n9,"Ng, Andrew"\n'


def _names(*, public: bool) -> Table:
    return read_csv(NAMES.encode(), "t", public=public)


@pytest.mark.parametrize(
    ("public", "names"),
    [
        (False, ["Ana", "", "NA", "None", "null", "nan", "", "Ærø Ng", "Ng, Andrew"]),
        (True, ["Ana", "NA", "None", "null", "nan", "Ærø Ng", "Ng, Andrew"]),
    ],
)
def test_text_column_drops_empty_cells_only_if_public(public: bool, names: list[str]) -> None:
    prepared = _names(public=public).prepare(("name",))
    assert prepared.tolist() == names
    assert prepared.dtype == np.dtype("U10")
    assert not prepared.flags.writeable
    assert _names(public=public).size(("name",)) == len(names)


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "nan", "null", "None", "N/A"])
def test_a_column_of_numbers_takes_the_usual_words_for_a_missing_value(missing: str) -> None:
    table = read_csv(f"a,b\n1,x\n{missing},y\n3,z\n".encode(), "t", public=True)
    assert table.prepare(("a",)).tolist() == [1, 3]


def test_text_late_in_a_long_column_makes_all_of_it_text_as_it_was_written() -> None:
    content = "a,b\n" + "1.50,2\n" * 300_000 + "x,2\n"
    table = read_csv(content.encode(), "t", public=False)
    assert set(table.values["a"]) == {"1.50", "x"}
    assert len(table) == 300_001


@pytest.mark.parametrize(("records", "size"), [("1\n2\n", 2), ("1\n2", 2), ("1\n\n", 2), ("\n2\n", 2), ("1\n\n\n", 3)])
def test_a_missing_number_does_not_change_how_many_records_a_confidential_column_has(records: str, size: int) -> None:
    table = read_csv(f"a\n{records}".encode(), "t", public=False)
    assert (len(table), table.size(("a",))) == (size, size)


@pytest.mark.parametrize("names", [("n", "name"), ("name", "n"), ("name", "name")])
def test_text_is_used_alone(names: tuple[str, ...]) -> None:
    for use in (_names(public=True).prepare, _names(public=False).prepare, _names(public=True).size):
        with pytest.raises(InvalidValueError) as caught:
            use(names)
        assert (caught.value.name, caught.value.got) == ("columns", names)


def test_text_too_long_for_an_array_of_one_width_is_left_out() -> None:
    records = "".join(f"x,{number},z\n" for number in range(2_000)) + "y" * 30_000 + ",1,zz\n"
    table = read_csv(("long,b,short\n" + records).encode(), "t", public=False)
    assert table.unused == ("long",)
    assert sum(array.nbytes for array in table.values.values()) < MOST_TEXT_BYTES


def test_a_columns_role_is_text_exactly_where_its_values_are() -> None:
    for column in (Column("name"), Column("n", role="text")):
        with pytest.raises(InvalidValueError) as caught:
            _names(public=True).declared(column)
        assert (caught.value.name, caught.value.got) == (f"role of “{column.name}”", column.role)
    labelled = _names(public=True).declared(Column("name", label="Name", role="text"))
    assert labelled.text_columns[0].words == "Name"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"bounds": (0.0, 1.0)}, "bounds of “name”"),
        ({"categories": (0.0, 1.0)}, "categories of “name”"),
        ({"categories": ("a", "a")}, "categories of “name”"),
        ({"categories": ("a", "")}, "categories of “name”"),
        ({"categories": ("a", 1.0)}, "categories of “name”"),
        ({"categories": ()}, "categories of “name”"),
    ],
    ids=repr,
)
def test_a_column_of_text_has_no_bounds_and_its_categories_are_different_texts(given: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Column("name", role="text", **given)
    assert caught.value.name == name


def test_texts_are_categories_of_a_column_of_text_alone() -> None:
    categories: Any = ["F", "M"]
    assert Column("sex", role="text", categories=categories).categories == ("F", "M")
    with pytest.raises(InvalidValueError):
        Column("sex", categories=categories)
    table = read_csv(b"sex\nF\nM\n\n", "t", public=False).declared(Column("sex", role="text", categories=categories))
    assert "Count" in target_kinds(table)
    assert "Count" not in target_kinds(table.declared(Column("sex", role="text")))
    assert "Mean" not in target_kinds(table)


def test_the_tables_of_the_catalogue_have_a_value_in_every_record_and_lie_in_their_bounds() -> None:
    tables = read_catalog(DATA)
    assert len(tables) >= 3
    for table in tables.values():
        for column in table.columns:
            prepared = table.prepare((column.name,))
            assert len(prepared) == len(table)
            if column.bounds:
                assert column.bounds[0] <= prepared.min() <= prepared.max() <= column.bounds[1], (table.name, column.name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\n1,2\n3,4,5\n", "Line 3 of the file holds 3 values, but the header names 2 columns."),
        (b"\n\na,b\n1,2\n3,4,5,6\n", "Line 5 of the file holds 4 values, but the header names 2 columns."),
        (b"a,b\n1,2,3\n4,5,6\n", "Line 2 of the file holds 3 values, but the header names 2 columns."),
        (b'a,b\n"x\ny",2\n1,2\n3,4,5\n', "Line 5 of the file holds 3 values, but the header names 2 columns."),
        (b"a\n1,2\n3\n", "Line 2 of the file holds 2 values, but the header names 1 column."),
        (b"a,b\n\n\n" + b"," * 50_000 + b"\n1,2\n", "Line 4 of the file holds 50,001 values, but the header names 2 columns."),
        (_names_of(2_001) + b"1\n2\n", "The file names 2,001 columns; at most 2,000 are read."),
        (_names_of(2_001, '"') + b"1\n2\n", "The file names 2,001 columns; at most 2,000 are read."),
        (b'a,b\n1,2\n"3,4\n5,6\n', "A quotation mark is opened and never closed."),
        (b'"income,b\n1,2\n3,4\n', "A quotation mark is opened and never closed."),
        (b'a,b\n1,"2""\n3,4\n', "A quotation mark is opened and never closed."),
        (b"a" * 140_000 + b",b\n1,2\n3,4\n", "The names of the columns take more than 128 kB."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_file_is_said_in_plain_words(content: bytes, said: str) -> None:
    with pytest.raises(TableError) as caught:
        read_csv(content, "t", public=True)
    assert caught.value.problem == said
    assert caught.value.remedy.endswith(".")


def test_where_only_known_values_count_nothing_is_filled_whatever_the_records_are() -> None:
    for content in (CSV, CSV.replace(b"nan", b"7")):
        table = read_csv(content, "t", public=False).declared(Column("b", bounds=(0.0, 20.0), missing=KNOWN))
        with pytest.raises(InvalidValueError, match="takes missing values"):
            table.prepare(("b",), targets.Mean())
        with pytest.raises(InvalidValueError, match="takes missing values"):
            table.prepare(("b",), targets.SampleAndAggregate(targets.Mean(), 2, (0.0, 20.0)))
        counted = targets.Count(interval=(0.0, 15.0))
        for target in (targets.Sum((0.0, 20.0)), counted, targets.SampleAndAggregate(counted, 2, (0.0, 4.0))):
            kept = table.prepare(("b",), target)
            assert np.isnan(kept).sum() == content.count(b"nan")
            assert len(kept) == len(table)


@pytest.mark.parametrize("bad", ["", "  ", "x" * 41, "a\x00b", "a\u202eb", 3, None])
def test_a_unit_without_a_short_printable_name_is_refused(bad: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Unit(bad)
    assert (caught.value.name, caught.value.got) == ("name of what one row is", bad)


def test_the_tables_of_the_catalogue_state_their_units() -> None:
    units = {name: table.unit for name, table in read_catalog(DATA).items()}
    assert units["diabetes"] == Unit("patient", several=False)
    assert units["loan_defaults"] == Unit("loan", answered=True)
    assert units["breast_cancer"] == Unit("tumour")  # its source does not say whether a patient has several
    assert {name for name, unit in units.items() if not unit.answered} == {"breast_cancer"}
    assert all(unit.name != "row" for unit in units.values())


def _refused(content: bytes) -> str:
    with pytest.raises(TableError) as caught:
        read_csv(content, "t", public=False)
    return caught.value.problem


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_separator_behind_each_record_is_no_surplus(end: str) -> None:
    for records in ("1,2,\n3,4,", 'x,2,\n"3",4,', "x,NA,\n3,4,\n5,6,"):
        table = read_csv(f"a,b\n{records}{end}".encode(), "t", public=False)
        assert [column.name for column in table.columns] == ["a", "b"]
    assert "holds 3 values" in _refused(b"a,b\n1,2,\n3,4,5\n")


def test_more_values_than_fit_are_refused_however_few_bytes_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "MOST_VALUES", 6_000)
    assert len(read_csv(_names_of(3) + b"1\n" * 2_000, "t", public=False)) == 2_000
    assert "million values, empty ones included" in _refused(_names_of(3) + b"1\n" * 2_001)


@pytest.mark.parametrize(
    "where",
    ["csv.reader", "numpy.empty", "pages.files.text_file.cleaned", "pages.files.text_file._names"],
)
def test_memory_that_runs_out_is_a_sentence(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(where, none_left)
    assert _refused(b'a,b\n1,"x"\n2,y\n') == "This computer has too little memory left to read this file now."


def test_parts_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Truth values, numbers and text that turn up late, words of many widths and scripts: in parts of three as in one."""
    rows = [
        f"{i % 2 == 0},{i if i else ''},{'x' * (i % 7)} ,{'é🙂'[: i % 3]},{i if i < 17 else 'late'},{i}e-3" for i in range(20)
    ]
    content = ("t,n,w,u,l,f\n" + "\n".join(rows)).encode()
    whole = read_csv(content, "t", public=False)
    content = content.replace(b"t", b'"t"', 1)  # which the csv module reads
    monkeypatch.setattr(text_file, "_AT_ONCE", 3)
    monkeypatch.setattr(text_file, "_LEAST", 3)
    parts = read_csv(content, "t", public=False)
    assert [column.role for column in whole.columns] == ["measure", "measure", "text", "text", "text", "measure"]
    for name, values in whole.values.items():
        np.testing.assert_array_equal(parts.values[name], values)
        assert parts.values[name].dtype == values.dtype


@pytest.mark.parametrize("bounds", [None, (0.0, 1.0)])
def test_a_missing_one_of_two_numbered_categories_is_the_middle(bounds: tuple[float, float] | None) -> None:
    sex, age = Column("sex", bounds=bounds, categories=(0.0, 1.0)), Column("age", bounds=(0.0, 120.0))
    table = read_csv(b"sex,age\n0,10\n,20\n9,30\n", "t", public=False).declared(sex, age)
    prepared = table.prepare(("sex", "age"), targets.SufficientStatistics.suited((sex, age)))
    assert prepared[:, 0].tolist() == [0, 0.5, 9]
