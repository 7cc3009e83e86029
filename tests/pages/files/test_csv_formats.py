"""Text files as people have them: what is detected, that it is a constant from then on, and what a stray cell can change."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from dpcore.base.plain import from_plain, to_plain
from dpcore.errors import InvalidValueError, TableError
from pages.files.csv_columns.detection import detected
from pages.files.csv_columns.format import DECIMALS, DELIMITERS, ENCODINGS, THOUSANDS, Format
from pages.files.csv_columns.header_lines import HeaderLines
from pages.files.tables import Table, proposed, read_csv, read_file

pytestmark = pytest.mark.slow

_VALUES = (1234.5, -2.25, 0.5, 1234567.75, 12.0)


def _read(content: bytes, form: Format | None = None) -> Table:
    return read_csv(content, "t", public=False, form=form)


def _written(value: float, form: Format) -> str:
    whole, decimals = f"{value:,.2f}".replace(",", "_").split(".")
    return whole.replace("_", form.thousands) + form.decimal + decimals


def _file(form: Format) -> bytes:
    name, word = _words(form)
    records = [f'"{_written(value, form)}"{form.delimiter}{word} {i}' for i, value in enumerate(_VALUES)]
    return "\n".join([f"cost{form.delimiter}{name}", *records]).encode(form.encoding)


def _words(form: Format) -> tuple[str, str]:
    """A name and a word that the encoding has, and only it where that can be."""
    return ("długość", "późno") if form.encoding == "windows-1250" else ("größe", "naïve")


_FORMS = [
    Format(encoding, delimiter, decimal, thousands)
    for encoding in ENCODINGS
    for delimiter in DELIMITERS
    for decimal in DECIMALS
    for thousands in THOUSANDS
    if thousands != decimal
]


@pytest.mark.parametrize(
    "form", _FORMS, ids=lambda form: "".join(list(to_plain(form).values())[:4]).encode("unicode_escape").decode()
)
def test_every_way_to_write_a_table_is_detected_and_read(form: Format) -> None:
    table = _read(_file(form))
    # what is not different in Windows-1252 and Latin-1 is called by the name of the larger
    expected = replace(form, encoding="windows-1252") if form.encoding == "latin-1" else form
    assert table.form == expected
    assert table.values["cost"].tolist() == list(_VALUES)
    name, word = _words(form)
    assert table.values[name].tolist() == [f"{word} {i}" for i in range(5)]


def test_a_mark_of_byte_order_is_no_part_of_a_name() -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        assert list(_read("größe;b\n1;2\n3;4\n".encode(encoding)).values) == ["größe", "b"]


def test_control_characters_of_latin_1_are_not_taken_for_windows_1252() -> None:
    assert detected("größe\n1\n\x81\n".encode("latin-1")).encoding == "latin-1"


@pytest.mark.parametrize(
    ("cells", "decimal", "thousands"),
    [
        (["1.234", "5.678"], ".", ""),  # plain where nothing speaks for thousands
        (["1.234", "5.678", "1.234.567"], ",", "."),
        (["1.234", "0,5"], ",", "."),
        (["01.02.2024", "02.03.2024"], ".", ""),
        (["10:30", "x,y", "Main St 1,200"], ".", ""),
        (["12", "13"], ".", ""),
        (["1\u202f234", "1\u00a0234"], ".", " "),
    ],
)
def test_what_numbers_are_written_with_is_what_most_cells_fit(cells: list[str], decimal: str, thousands: str) -> None:
    form = detected("\n".join(["a;b", *(f"{cell};1" for cell in cells)]).encode())
    assert (form.decimal, form.thousands) == (decimal, thousands)


def test_marks_within_quotation_marks_are_no_delimiters() -> None:
    assert detected(b'"a, b, c";d\n1;2\n').delimiter == ";"


@pytest.mark.parametrize("stray", ["0.5", "1,5", "1.234.567,5", "01.02.2024", "€", "\xff"])
@pytest.mark.parametrize("form", [Format(delimiter=";", decimal=",", thousands="."), Format(delimiter=";", decimal=",")])
def test_once_it_is_confirmed_no_cell_changes_how_others_are_read(stray: str, form: Format) -> None:
    rows = [f"{i},25;x" for i in range(3_000)]
    whole = _read("\n".join(["cost;note", *rows]).encode(), form)
    other = _read(("\n".join(["cost;note", *rows[:-1]]) + f"\n7;{stray}").encode("latin-1", "replace"), form)
    assert other.form == whole.form == form
    np.testing.assert_array_equal(other.values["cost"][:-1], whole.values["cost"][:-1])
    assert other.values["note"][:-1].tolist() == whole.values["note"][:-1].tolist()


def test_a_group_of_digits_that_is_too_short_is_no_number() -> None:
    form = Format(delimiter=";", decimal=",", thousands=".")
    for wrong in ("12.5", "1.2345", "1234.567", ".123", "1..234", "1.234.5"):
        assert _read(f"a;b\n1.234;1\n{wrong};2\n".encode(), form).values["a"].tolist() == ["1.234", wrong]


@pytest.mark.parametrize("late", [3, 2_500, 5_999])
def test_thousands_that_turn_up_late_are_read(late: int) -> None:
    form = Format(thousands="'")
    rows = [f"{i}.5" for i in range(6_000)]
    rows[late] = "1'234'567.25"
    rows[late - 1] = ""
    expected = [float(row.replace("'", "")) if row else np.nan for row in rows]
    np.testing.assert_array_equal(_read("\n".join(["a,b", *(f"{row},1" for row in rows)]).encode(), form).values["a"], expected)
    rows[-1] = "word"
    assert _read("\n".join(["a,b", *(f"{row},1" for row in rows)]).encode(), form).values["a"].tolist() == rows


def test_a_number_is_the_same_to_its_last_bit_with_and_without_thousands() -> None:
    numbers = np.random.default_rng(1).lognormal(10, 3, 3_000)
    plain = _read("\n".join(["a", *(f"{x:.9f}" for x in numbers)]).encode(), Format())
    grouped = _read("\n".join(["a;b", *(f"{x:,.9f};1" for x in numbers)]).encode(), Format(delimiter=";", thousands=","))
    np.testing.assert_array_equal(plain.values["a"], grouped.values["a"])


def test_a_column_of_thousands_without_a_value_is_unused() -> None:
    table = _read(b"a;b;c\n1.000;;x\n2.000;NA;y\n;;z\n", Format(delimiter=";", decimal=",", thousands="."))
    np.testing.assert_array_equal(table.values["a"], [1000, 2000, np.nan])
    assert table.unused == ("b",)


def test_another_form_than_the_files_is_a_table_or_a_sentence() -> None:
    content = "größe;b\n1,5;2\n3,5;4\n".encode("latin-1")
    assert [said for form in _FORMS if not (said := _said(content, form)).endswith(".")] == []


def _said(content: bytes, form: Format) -> str:
    try:
        return f"{_read(content, form)}."
    except TableError as error:
        return error.remedy


def test_a_form_says_itself_in_words_and_json() -> None:
    form = Format("windows-1252", ";", ",", ".")
    assert form.words == "semicolons between columns, decimal comma, points between thousands, Windows-1252, names in line 1"
    assert Format().words == "commas between columns, decimal point, UTF-8, names in line 1"
    for one in _FORMS:
        assert from_plain(Format, json.loads(json.dumps(to_plain(one)))) == one


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        {},
        {"encoding": "utf-8"},
        to_plain(Format()) | {"more": ""},
        to_plain(Format()) | {"encoding": "ebcdic"},
        to_plain(Format()) | {"decimal": ["."]},
        to_plain(Format()) | {"thousands": "."},
    ],
)
def test_a_form_that_is_none_is_refused(said: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_plain(Format, said)
    assert caught.value.name in ("format", "decimal", "encoding of a file", "thousands of a file")


@pytest.mark.parametrize("form", [Format(), Format(decimal=","), Format(decimal=",", thousands="."), Format(thousands="'")])
@pytest.mark.parametrize("stray", ["word", "1.5.2", "€ 5", "inf", "True", "NA", "9" * 30, "-", "01.02.2024"])
@pytest.mark.parametrize("place", [0, 2_999])
@pytest.mark.parametrize("usual", ["{}", "{}{d}25", "True"])
def test_no_cell_makes_text_of_a_column_that_is_declared_to_hold_numbers(
    form: Format, stray: str, place: int, usual: str
) -> None:
    cells = [usual.format(i, d=form.decimal) for i in range(3_000)]
    whole = _numbers_of(cells, form)
    cells[place] = stray
    other = _numbers_of(cells, form)
    kept = np.arange(3_000) != place
    assert not np.isnan(whole).any()
    np.testing.assert_array_equal(other[kept], whole[kept])
    assert np.isnan(other[place]) or stray in ("inf", "True", "9" * 30)


def _numbers_of(cells: list[str], form: Format) -> np.ndarray:
    content = "\n".join(["a,b", *(f'"{cell}",1' for cell in cells)]).encode()
    return read_csv(content, "t", public=False, form=form, numbers=frozenset("a")).values["a"]


def test_a_declared_column_without_a_number_stays() -> None:
    for cells in (["", ""], ["x", "y"], ["x", ""]):
        assert np.isnan(_numbers_of(cells, Format())).all()


def test_utf_16_stays_utf_16_where_all_bytes_could_be_ascii() -> None:
    """One letter beyond ASCII must not decide how all others are read."""
    for content in (b"aabb\n1122\n3344\n", "aabb\n1122\n33é\n".encode("latin-1")):
        with pytest.raises(TableError, match="0 rows"):
            _read(content, Format("utf-16"))


_CLINICS = "".join(f"c{i},{i + 3},{i + 4},{i + 5}\n" for i in range(30))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param('name,score,age,days\n"anna",NA,NA,NA\n' + _CLINICS, id="no value is known"),
        pytest.param("name,score,age,days\nanna,-,k. A.,n/a\n" + _CLINICS, id="said otherwise"),
        pytest.param("name,score,,\nanna,NA,-,NA\n" + _CLINICS, id="below names that are open"),
        pytest.param("clinic,2021,2022,2023\nAnna Huber,closed,closed,7\n" + _CLINICS, id="words below years"),
        pytest.param("clinic,2021,2022,2023\nAnna Huber,closed,closed,closed\n" + _CLINICS, id="words alone below years"),
        pytest.param("clinic,a,2022,2023\nc1,1,2,3\nAnna Huber,closed,closed,closed\n" + _CLINICS, id="below a row"),
    ],
)
def test_no_record_of_words_is_taken_for_names(content: str) -> None:
    """Its neighbours would have another number of records."""
    assert detected(content.encode()).names == HeaderLines()


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("Żywienie położnictwo wewnętrzne późno", "windows-1250"),
        ("für Gebühren größe Gerät", "cp850"),
        ("für Gebühren größe Gerät", "mac_roman"),
        ("hôpital général réadmis", "cp850"),
        ("hôpital général réadmis", "mac_roman"),
        ("œuvre l’été m³ 10² „so“ a–b wait…what ¿qué? 5‰ Škoda", "windows-1252"),
        ("für Gebühren größe Gerät cirugía coração ação", "windows-1252"),
    ],
)
def test_the_encoding_is_told_by_the_letters_within_words(words: str, encoding: str) -> None:
    table = _read("\n".join(["a;b", *(f"{word};1" for word in words.split())]).encode(encoding))
    assert isinstance(table.form, Format)
    assert table.form.encoding == encoding
    assert table.values["a"].tolist() == words.split()


@pytest.mark.parametrize(("blank", "encoding"), [("\xa0", "windows-1252"), ("\u2009", "utf-8"), ("\u202f", "utf-16")])
def test_a_hard_or_narrow_blank_stands_between_thousands(blank: str, encoding: str) -> None:
    table = _read(f"coût;b\n1{blank}234,50;x\n12,5;y\n12{blank}345{blank}678,00;z\n".encode(encoding))
    assert table.values["coût"].tolist() == [1234.5, 12.5, 12345678]


@pytest.mark.parametrize(
    ("cells", "value", "doubt"),
    [
        ([*(f"1.{i}" for i in range(234, 250)), "226", "9999"], 1234, False),
        ([*(f"1,{i}" for i in range(234, 250)), "226", "-999"], 1234, False),
        ([*(f"1.{i}" for i in range(234, 250)), "1250"], 1.234, False),
        ([*(f"1,{i}" for i in range(234, 250)), "0,512"], 1.234, False),
        ([f"1.{i}" for i in range(234, 250)], 1.234, True),
        (["1,234", "12"], 1.234, True),
        (["1.5", "2"], 1.5, False),
    ],
)
def test_what_stands_beside_it_tells_whether_1_234_is_a_whole_number_or_it_is_in_doubt(
    cells: list[str], value: float, doubt: bool
) -> None:
    content = ("a;b\n" + "".join(f"{cell};x\n" for cell in cells)).encode()
    (way,) = proposed(content)
    assert way.in_doubt is doubt
    assert read_file(content, "t", way.form, public=False).values["a"][0] == value


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_looks_alike_is_read_alike(encoding: str) -> None:
    table = _read("Su\u0308d;b\nMu\u0308ller\u200b;1\nMüller;2\n".encode(encoding))
    assert table.values["Süd"].tolist() == ["Müller"] * 2


def test_a_letter_that_is_composed_changes_no_other_cell() -> None:
    """The sign of ohms and the letter omega stay two characters, whatever else is in the file."""
    rows = ["1;k\u2126", "2;\u212b", "3;\u2000x\u037e", "4;e\u0301"]
    whole, other = (_read("\n".join(["a;b", *rows[:3], last]).encode(), Format(delimiter=";")) for last in ("4;e", rows[3]))
    assert other.values["b"].tolist() == [*whole.values["b"][:3].tolist(), "é"]


def test_a_letter_with_many_marks_takes_no_longer_than_its_length() -> None:
    """They are put in order, which takes minutes where all of them are put in order together."""
    marks = "\u0301\u0316" * 50_000
    table = _read(f"a;b\n1;x{marks}\n2;y\n".encode(), Format(delimiter=";"))
    assert table.values["a"].tolist() == [1.0, 2.0]
