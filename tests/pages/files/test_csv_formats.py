"""Text files as people have them: what is detected, that it is a constant from then on, and what a stray cell can change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore.base.serialization import from_plain, to_plain
from dpcore.errors import InvalidValueError
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.form import DECIMALS, DELIMITERS, ENCODINGS, THOUSANDS, Format, HeaderLines
from pages.files.tables import Table, proposed, read_csv, read_file
from pages.files.text_detection import detect

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
    "form", _FORMS[::3], ids=lambda form: "".join(list(to_plain(form).values())[:4]).encode("unicode_escape").decode()
)
def test_every_way_to_write_a_table_is_detected_and_read(form: Format) -> None:
    table = _read(_file(form))
    # what is not different in Windows-1252 and Latin-1 is called by the name of the larger
    expected = replace(form, encoding="windows-1252") if form.encoding == "latin-1" else form
    assert table.form == expected
    assert table.values["cost"].tolist() == list(_VALUES)
    name, word = _words(form)
    assert table.values[name].tolist() == [f"{word} {i}" for i in range(5)]


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
    form = detect("\n".join(["a;b", *(f"{cell};1" for cell in cells)]).encode())[0]
    assert (form.decimal, form.thousands) == (decimal, thousands)


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
    for wrong in ("0.123", "12.5", "1.2345", "1234.567", ".123", "1..234", "1.234.5"):
        assert _read(f"a;b\n1.234;1\n{wrong};2\n".encode(), form).values["a"].tolist() == ["1.234", wrong]


def test_a_number_is_the_same_to_its_last_bit_with_and_without_thousands() -> None:
    numbers = np.random.default_rng(1).lognormal(10, 3, 3_000)
    plain = _read("\n".join(["a", *(f"{x:.9f}" for x in numbers)]).encode(), Format())
    grouped = _read("\n".join(["a;b", *(f"{x:,.9f};1" for x in numbers)]).encode(), Format(delimiter=";", thousands=","))
    np.testing.assert_array_equal(plain.values["a"], grouped.values["a"])


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
@pytest.mark.parametrize("place", [2_999])
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
    assert np.isnan(other[place]) or stray in ("True", "9" * 30)


def _numbers_of(cells: list[str], form: Format) -> np.ndarray:
    content = "\n".join(["a,b", *(f'"{cell}",1' for cell in cells)]).encode()
    declared = Declaration(name="a", type="number", lowest="0", highest="1e40")
    return declared_table(_read(content, form), (declared,), public=False).values["a"]


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
    assert detect(content.encode())[0].names == HeaderLines()


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


def test_a_letter_that_is_composed_changes_no_other_cell() -> None:
    """The sign of ohms and the letter omega stay two characters, whatever else is in the file."""
    rows = ["1;k\u2126", "2;\u212b", "3;\u2000x\u037e", "4;e\u0301"]
    whole, other = (_read("\n".join(["a;b", *rows[:3], last]).encode(), Format(delimiter=";")) for last in ("4;e", rows[3]))
    assert other.values["b"].tolist() == [*whole.values["b"][:3].tolist(), "é"]
    assert whole.values["b"].tolist()[:2] == ["k\u2126", "\u212b"]


def test_a_letter_with_many_marks_takes_no_longer_than_its_length() -> None:
    """They are put in order, which takes minutes where all of them are put in order together."""
    marks = "\u0301\u0316" * 50_000
    table = _read(f"a;b\n1;x{marks}\n2;y\n".encode(), Format(delimiter=";"))
    assert table.values["a"].tolist() == [1.0, 2.0]
