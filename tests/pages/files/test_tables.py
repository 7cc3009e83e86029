"""Tables: what is done to each record, and errors that say what came and what to do."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import targets
from dpcore.base.declared import CONSTANT, KNOWN
from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.guarantees.unit import Unit
from pages.experiment.defaults import target_kinds
from pages.files import csv_columns
from pages.files.csv_columns.file_content import MOST_TEXT_BYTES
from pages.files.csv_columns.header import MOST_COLUMNS
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
    assert caught.value.name == "bounds of “a”"


def test_an_unknown_column_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownKindError) as caught:
        _table(public=True).prepare(("strange",))
    assert (caught.value.got, caught.value.known) == ("strange", ("a", "b", "word"))


@pytest.mark.parametrize("bounds", [(1.0, 1.0), (2.0, 1.0), (0.0, float("nan")), (0.0, float("inf"))])
def test_a_column_checks_its_bounds(bounds: tuple[float, float]) -> None:
    with pytest.raises(InvalidValueError):
        Column("a", bounds=bounds)


NAMES = 'n,name\n1, Ana \n2,\n3,NA\n4,None\n5,null\n6,nan\n7,   \n8,Ærø Ng\n9,"Ng, Andrew"\n'


def _names(*, public: bool) -> Table:
    return read_csv(NAMES.encode(), "t", public=public)


def test_a_confidential_column_of_text_keeps_every_record_and_needs_no_bounds() -> None:
    prepared = _names(public=False).prepare(("name",))
    assert prepared.database.tolist() == ["Ana", "", "NA", "None", "null", "nan", "", "Ærø Ng", "Ng, Andrew"]
    assert prepared.database.dtype == np.dtype("U10")
    assert (prepared.replaced, prepared.clipped, prepared.dropped) == (2, 0, 0)
    assert not prepared.database.flags.writeable
    assert _names(public=False).size(("name",)) == 9


def test_a_public_column_of_text_drops_empty_values_and_nobody_whose_name_looks_like_none() -> None:
    prepared = _names(public=True).prepare(("name",))
    assert prepared.database.tolist() == ["Ana", "NA", "None", "null", "nan", "Ærø Ng", "Ng, Andrew"]
    assert (prepared.replaced, prepared.clipped, prepared.dropped) == (0, 0, 2)
    assert _names(public=True).size(("name",)) == 7


def test_what_was_prepared_is_not_the_tables_own_array() -> None:
    table = _names(public=False)
    assert not np.shares_memory(table.prepare(("name",)).database, table.values["name"])


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "nan", "null", "None", "N/A"])
def test_a_column_of_numbers_takes_the_usual_words_for_a_missing_value(missing: str) -> None:
    table = read_csv(f"a,b\n1,x\n{missing},y\n3,z\n".encode(), "t", public=True)
    assert table.prepare(("a",)).database.tolist() == [1, 3]


def test_truth_values_are_numbers() -> None:
    table = read_csv(b"a,b\nTrue,x\nFalse,y\n", "t", public=True)
    assert table.prepare(("a",)).database.tolist() == [1, 0]


def test_text_late_in_a_long_column_makes_all_of_it_text_as_it_was_written() -> None:
    content = "a,b\n" + "1.50,2\n" * 300_000 + "x,2\n"
    table = read_csv(content.encode(), "t", public=False)
    assert set(table.values["a"]) == {"1.50", "x"}
    assert len(table) == 300_001


@pytest.mark.parametrize("records", ["x\n\ny\n", 'x\n""\ny\n', "x\n  \ny", "x\n\t\ny\n"], ids=repr)
def test_a_blank_line_of_a_single_column_is_a_record_without_a_value(records: str) -> None:
    table = read_csv(f"\nname\n{records}".encode(), "t", public=False)
    assert table.prepare(("name",)).database.tolist() == ["x", "", "y"]


@pytest.mark.parametrize(("records", "size"), [("1\n2\n", 2), ("1\n2", 2), ("1\n\n", 2), ("\n2\n", 2), ("1\n\n\n", 3)])
def test_a_missing_number_does_not_change_how_many_records_a_confidential_column_has(records: str, size: int) -> None:
    table = read_csv(f"a\n{records}".encode(), "t", public=False)
    assert (len(table), table.size(("a",))) == (size, size)


def test_blank_lines_between_records_of_several_columns_are_no_records() -> None:
    assert (
        read_csv(NAMES.replace("\n4", "\n\n4").encode(), "t", public=False).values["name"].tolist()
        == _names(public=False).values["name"].tolist()
    )


@pytest.mark.parametrize("names", [("n", "name"), ("name", "n"), ("name", "name")])
def test_text_is_used_alone(names: tuple[str, ...]) -> None:
    for use in (_names(public=True).prepare, _names(public=False).prepare, _names(public=True).size):
        with pytest.raises(InvalidValueError) as caught:
            use(names)
        assert (caught.value.name, caught.value.got) == ("columns", names)


def test_a_table_of_empty_columns_is_refused() -> None:
    with pytest.raises(TableError, match="No column holds numbers or short text"):
        read_csv(b'a,b\n,\n," "\nNA,\n', "t", public=True)


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


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_usual_separators_line_ends_and_byte_order_marks_are_read(mark: str, end: str) -> None:
    lines = [["income", "größe"], ["1", "2"], ["3", "4"]]
    content = end.join(mark.join(line) for line in lines).encode("utf-8-sig")
    table = read_csv(content, "t", public=True)
    assert {name: values.tolist() for name, values in table.values.items()} == {"income": [1, 3], "größe": [2, 4]}


@pytest.mark.parametrize("records", ["1,2,3\n4,5,6\n", "1,2,3\n4,5,6\n7,8,9\n", "1,2,3\n1,5,6\n"])
def test_values_beyond_the_header_are_refused_and_never_shift_the_columns(records: str) -> None:
    with pytest.raises(TableError, match="but the header names 2 columns"):
        read_csv(f"a,b\n{records}".encode(), "t", public=True)


def test_the_tables_of_the_catalogue_have_a_value_in_every_record_and_lie_in_their_bounds() -> None:
    tables = read_catalog(DATA)
    assert len(tables) >= 3
    for table in tables.values():
        for column in table.columns:
            prepared = table.prepare((column.name,))
            assert (prepared.replaced, prepared.dropped) == (0, 0)
            assert prepared.clipped == 0, (table.name, column.name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\n1,2\n3,4,5\n", "Line 3 of the file holds 3 values, but the header names 2 columns."),
        (b"\n\na,b\n1,2\n3,4,5,6\n", "Line 5 of the file holds 4 values, but the header names 2 columns."),
        (b"a,b\n1,2,3\n4,5,6\n", "Line 2 of the file holds 3 values, but the header names 2 columns."),
        (b'a,b\n"x\ny",2\n1,2\n3,4,5\n', "Line 5 of the file holds 3 values, but the header names 2 columns."),
        (b"a\n1,2\n3\n", "Line 2 of the file holds 2 values, but the header names 1 column."),
        (b'a,b\n1,2\n"3,4\n5,6\n', "A quotation mark is opened and never closed."),
        (b'"income,b\n1,2\n3,4\n', "A quotation mark is opened and never closed."),
        (b'a,b\n1,"2""\n3,4\n', "A quotation mark is opened and never closed."),
        (b"a" * 140_000 + b",b\n1,2\n3,4\n", "A name in the header has more than 131,072 characters."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_file_is_said_in_plain_words(content: bytes, said: str) -> None:
    with pytest.raises(TableError) as caught:
        read_csv(content, "t", public=True)
    assert caught.value.problem == said
    assert caught.value.remedy.endswith(".")


@pytest.mark.slow
def test_no_refusal_of_a_file_holds_the_words_of_the_parser_beneath() -> None:
    """800 random files: none of the refusals quotes the library that reads."""
    rng = np.random.default_rng(1)
    beneath = ("C error", "tokenizing", "index_col", "EOF", "Too many columns", "field", "None", "Error", "..")
    refused = [said for size in rng.integers(5, 60, 800) if (said := _refusal(rng.choice(list('a1b2,;"\n\t |-'), size)))]
    assert len(refused) > 200
    assert not [said for said in refused if any(words in said for words in beneath)]


def _refusal(characters: np.ndarray) -> str:
    try:
        read_csv("".join(characters).encode(), "t", public=True)
    except TableError as error:
        return str(error)
    return ""


def test_a_long_name_does_not_fill_the_screen() -> None:
    assert len(read_csv(b"x" * 90_000 + b"," + b"x" * 90_000 + b"\n1,2\n3,4\n", "t", public=True).renamed[0]) < 300


def test_a_table_says_what_it_does_with_missing_values() -> None:
    assert _table(public=True).missing_rule(("a",)) == "Rows with a missing or infinite value were left out."
    assert _table(public=False).missing_rule(("a",)) == (
        "A missing value became the middle of its public bounds, missing text the empty text. No row was left out."
    )


def test_a_column_says_what_its_holder_chose_for_a_missing_value() -> None:
    bounds = (0.0, 20.0)
    table = _table(public=False).declared(
        Column("a", bounds=bounds, missing=KNOWN), Column("b", bounds=bounds, missing=CONSTANT, stands="4")
    )
    assert table.missing_rule(("a", "b")) == (
        "Only the known values of a counted. A missing b counted as 4. No row was left out."
    )
    mixed = table.declared(Column("b", bounds=bounds))
    assert mixed.missing_rule(("a", "b"), targets.Correlation((bounds, bounds))) == (
        "Only the known values of a counted. A missing b stayed missing: only known values count. No row was left out."
    )


def test_where_only_known_values_count_nothing_is_filled_whatever_the_records_are() -> None:
    for content in (CSV, CSV.replace(b"nan", b"7")):
        table = read_csv(content, "t", public=False).declared(Column("b", bounds=(0.0, 20.0), missing=KNOWN))
        with pytest.raises(InvalidValueError, match="takes missing values"):
            table.prepare(("b",), targets.Mean())
        with pytest.raises(InvalidValueError, match="takes missing values"):
            table.prepare(("b",), targets.SampleAndAggregate(targets.Mean(), 2, (0.0, 20.0)))
        counted = targets.Count(interval=(0.0, 15.0))
        for target in (targets.KnownMean((0.0, 20.0)), counted, targets.SampleAndAggregate(counted, 2, (0.0, 4.0))):
            kept = table.prepare(("b",), target).database
            assert np.isnan(kept).sum() == content.count(b"nan")
            assert len(kept) == len(table)


def test_a_table_has_a_unit_that_nobody_answered_for_until_its_holder_does() -> None:
    assert _table(public=False).unit == Unit()
    assert (Unit().name, Unit().several, Unit().answered) == ("row", None, False)


def test_an_answer_is_an_answer_and_a_name_is_one_short_line() -> None:
    assert Unit("stay", several=True) == Unit("  stay ", several=True, answered=True)
    assert Unit("order", answered=True) != Unit("order")
    assert Unit("two\n lines").name == "two lines"


@pytest.mark.parametrize("bad", ["", "  ", "x" * 41, "a\x00b", "a\u202eb", 3, None])
def test_a_unit_without_a_short_printable_name_is_refused(bad: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Unit(bad)
    assert (caught.value.name, caught.value.got) == ("name of what one row is", bad)


@pytest.mark.parametrize("bad", [1, "Yes", 0.0])
def test_whether_one_person_can_have_several_rows_is_yes_no_or_none(bad: object) -> None:
    with pytest.raises(InvalidValueError):
        Unit("stay", several=bad)


def test_the_tables_of_the_catalogue_state_their_units() -> None:
    units = {name: table.unit for name, table in read_catalog(DATA).items()}
    assert units["diabetes"] == Unit("patient", several=False)
    assert units["loan_defaults"] == Unit("loan", answered=True)
    assert units["breast_cancer"] == Unit("tumour")  # its source does not say whether a patient has several
    assert {name for name, unit in units.items() if not unit.answered} == {"breast_cancer"}
    assert all(unit.name != "row" for unit in units.values())


def _no_parser(monkeypatch: pytest.MonkeyPatch, error: type[BaseException] = AssertionError) -> None:
    def parser(*_: object, **__: object) -> None:
        raise error("the parser was asked")

    monkeypatch.setattr(pd, "read_csv", parser)


def _refused(content: bytes) -> str:
    with pytest.raises(TableError) as caught:
        read_csv(content, "t", public=False)
    return caught.value.problem


def _names_of(columns: int, quote: str = "") -> bytes:
    return ",".join(f"{quote}c{i}{quote}" for i in range(columns)).encode() + b"\n"


@pytest.mark.parametrize("quote", ["", '"'])
def test_more_than_2000_columns_are_refused_from_the_first_line_alone(quote: str, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = MOST_COLUMNS + 1
    content = _names_of(columns, quote) + b",".join([b"1"] * columns) * 2
    _no_parser(monkeypatch)
    assert _refused(content) == "The file names 2,001 columns; at most 2,000 are read."


def test_2000_columns_are_read() -> None:
    content = _names_of(MOST_COLUMNS) + (b",".join([b"1"] * (MOST_COLUMNS - 1)) + b",x\n") * 2
    table = read_csv(content, "t", public=False)
    assert (len(table.columns), len(table), len(table.text_columns)) == (MOST_COLUMNS, 2, 1)


@pytest.mark.slow
def test_a_line_of_millions_of_separators_is_refused_before_the_parser_takes_memory_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _no_parser(monkeypatch)
    assert (
        _refused(b"a,b\n1,2\n" + b"," * 3_000_000) == "Line 3 of the file holds 3,000,001 values, but the header names 2 columns."
    )
    quoted = b'a,b\n1,"2"\n' + b"," * 3_000_000
    assert _refused(quoted) == "Line 3 of the file holds 3,000,000 separators, but the header names 2 columns."


def test_a_surplus_is_found_wherever_the_blocks_end_that_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"\n\na,b\n1,2\n3,4,5\n6,7\n"
    for block in range(1, 25):
        monkeypatch.setattr(csv_columns.header, "_BLOCK", block)
        assert _refused(content) == "Line 5 of the file holds 3 values, but the header names 2 columns."
        assert read_csv(content.replace(b",5", b""), "t", public=False).values["a"].tolist() == [1, 3, 6]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_separator_behind_each_record_is_no_surplus(end: str) -> None:
    for records in ("1,2,\n3,4,", 'x,2,\n"3",4,', "x,NA,\n3,4,\n5,6,"):
        table = read_csv(f"a,b\n{records}{end}".encode(), "t", public=False)
        assert [column.name for column in table.columns] == ["a", "b"]
    assert "holds 3 values" in _refused(b"a,b\n1,2,\n3,4,5\n")


def test_more_values_than_fit_are_refused_however_few_bytes_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_columns.records, "MOST_VALUES", 6_000)
    assert len(read_csv(_names_of(3) + b"1\n" * 2_000, "t", public=False)) == 2_000
    assert "million values, empty ones included" in _refused(_names_of(3) + b"1\n" * 2_001)


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\n \r\n", b"\r\r"])
def test_a_byte_order_mark_with_nothing_behind_it_is_an_empty_file(content: bytes) -> None:
    assert _refused(content) == "The file is empty."


@pytest.mark.parametrize(
    "content",
    [
        b"a" + b"," * 1_500 + b"\n1,2\n",
        b",".join([b"same%d" % (i // 2) for i in range(1_000)]) + b"\n1,2\n",
        _names_of(1_000) + b"," * 999 + b"\n" + b"," * 999 + b"\n",
    ],
    ids=["no name", "twice", "empty"],
)
def test_a_refusal_lists_at_most_ten_things(content: bytes) -> None:
    said = _refused(content)
    assert said.count(",") + said.count(" and ") <= 11
    assert len(said) < 250


@pytest.mark.parametrize(
    "where",
    ["pandas.read_csv", "numpy.empty", "pages.files.csv_columns.records.cleaned", "pages.files.csv_columns.records.read_header"],
)
def test_memory_that_runs_out_is_a_sentence(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(where, none_left)
    assert _refused(b"a,b\n1,x\n2,y\n") == "This computer has too little memory left to read this file now."


def test_memory_that_runs_out_within_the_parser_is_the_same_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise pd.errors.ParserError("Error tokenizing data. C error: out of memory")

    monkeypatch.setattr(pd, "read_csv", none_left)
    assert _refused(b"a,b\n1,x\n2,y\n") == "This computer has too little memory left to read this file now."


def test_the_first_line_alone_is_looked_at_for_the_header() -> None:
    """A million records take no memory while the names are read."""
    content = b"a,b\n" + b"1,2\n" * 1_000_000
    tracemalloc.start()
    try:
        csv_columns.header.read_header(content, ",")
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_parts_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Truth values, numbers and text that turn up late, words of many widths and scripts: in parts of three as in one."""
    rows = [
        f"{i % 2 == 0},{i if i else ''},{'x' * (i % 7)} ,{'é🙂'[: i % 3]},{i if i < 17 else 'late'},{i}e-3" for i in range(20)
    ]
    content = ("t,n,w,u,l,f\n" + "\n".join(rows)).encode()
    whole = read_csv(content, "t", public=False)
    monkeypatch.setattr(csv_columns.records, "_records_together", lambda _: 3)
    monkeypatch.setattr(csv_columns.records, "_LEAST", 3)
    parts = read_csv(content, "t", public=False)
    assert [column.role for column in whole.columns] == ["measure", "measure", "text", "text", "text", "measure"]
    for name, values in whole.values.items():
        np.testing.assert_array_equal(parts.values[name], values)
        assert parts.values[name].dtype == values.dtype


@pytest.mark.parametrize("bounds", [None, (0.0, 2.0), (0.0, 5.0)])
def test_a_missing_one_of_three_numbered_categories_is_none_of_them(bounds: tuple[float, float] | None) -> None:
    grade, age = Column("grade", bounds=bounds, categories=(0.0, 1.0, 2.0)), Column("age", bounds=(0.0, 120.0))
    table = read_csv(b"grade,age\n0,10\n,20\n2,30\n", "t", public=False).declared(grade, age)
    target = targets.SufficientStatistics.suited((grade, age))
    assert target is not None
    assert (target.x_bounds, target.categories) == (((0.0, 2.0),), (3,))
    prepared = table.prepare(("grade", "age"), target)
    assert prepared.database[[0, 2], 0].tolist() == [0, 2]
    assert np.isnan(prepared.database[1, 0])
    assert target.answer((grade, age)).labels == ("grade = 1", "grade = 2", "intercept")


@pytest.mark.parametrize("bounds", [None, (0.0, 1.0)])
def test_a_missing_one_of_two_numbered_categories_is_the_middle(bounds: tuple[float, float] | None) -> None:
    sex, age = Column("sex", bounds=bounds, categories=(0.0, 1.0)), Column("age", bounds=(0.0, 120.0))
    table = read_csv(b"sex,age\n0,10\n,20\n9,30\n", "t", public=False).declared(sex, age)
    prepared = table.prepare(("sex", "age"), targets.SufficientStatistics.suited((sex, age)))
    assert prepared.database[:, 0].tolist() == [0, 0.5, 9]
    assert (prepared.replaced, prepared.clipped) == (1, 1)
