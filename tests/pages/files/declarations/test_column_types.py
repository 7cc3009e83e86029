"""Types of columns: each cell is read by itself, as it is declared, and what is declared wrongly is a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.columns import CONSTANT, KNOWN
from dpcore.errors import InvalidValueError, TableError
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration

YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "date, as 2024-12-31", "date, as 31.12.2024", "date, as 12/31/2024"


def _read(kind: str, *cells: str | float, **said: Any) -> list[object]:
    array = np.array(cells)
    values: list[object] = TYPES[kind].values(array, Declaration(name="x", type=kind, **said)).tolist()
    return values


def _missing(values: list[object]) -> list[bool]:
    return [value == "" or value != value for value in values]


def test_a_number_is_read_by_itself_and_anything_else_is_missing() -> None:
    values = _read("number", "1.5", "k.A.", "", "-2e3", "1,5", "1_0", " 7 ", "0x10")
    assert _missing(values) == [False, True, True, False, True, True, False, True]
    assert [value for value in values if value == value] == [1.5, -2000, 7]


@pytest.mark.parametrize(("constant", "rule", "stands"), [("2,5", CONSTANT, 2.5), ("0", CONSTANT, 0), ("", KNOWN, np.nan)])
def test_number_with_constant_replaces_missing(constant: str, rule: str, stands: float) -> None:
    said: dict[str, Any] = {"lowest": "0", "highest": "10", "constant": constant}
    np.testing.assert_array_equal(_read("number", 1.0, np.nan, **said), [1, stands])
    column = TYPES["number"].column(Declaration(name="x", type="number", **said))
    assert (column.missing, column.stands) == (rule, constant)


def test_a_word_that_is_not_in_the_list_is_other_and_a_blank_is_missing() -> None:
    assert _read("category", "a", " b ", "A", "", categories=("a", "b")) == ["a", "b", "other", ""]
    assert _read("category", "a", "B", categories=("a", "b"), spellings=(("a", "b"), ("B", "b"))) == ["b", "b"]
    assert _read("category", "a", "", categories=("a",), constant="a") == ["a", "a"]


def test_yes_and_no_are_one_and_zero_in_several_languages() -> None:
    values = _read("yes or no", "yes", "NEIN", "True", "0", "x", "maybe", "")
    assert values[:5] == [1, 0, 1, 0, 1]
    assert _missing(values)[5:] == [True, True]
    assert _read("yes or no", "ja", "", constant="no") == [1, 0]


@pytest.mark.parametrize(
    ("kind", "cell"),
    [(YEAR_FIRST, "2024-03-05"), (DAY_FIRST, "5.3.2024"), (DAY_FIRST, "05/03/2024"), (MONTH_FIRST, "03/05/2024")],
)
def test_a_date_is_a_number_of_days_since_a_public_one(kind: str, cell: str) -> None:
    said: dict[str, Any] = {"lowest": "2024-01-01", "highest": "31.12.2024"}
    assert _read(kind, cell, f"{cell} 10:22:33", **said) == [64, 64]
    column = TYPES[kind].column(Declaration(name="x", type=kind, **said))
    assert (column.bounds, column.unit) == ((0, 365), "days since 2024-01-01")


def test_dates_in_another_order_are_missing_and_change_no_other() -> None:
    said: dict[str, Any] = {"lowest": "2024-01-01", "highest": "2024-12-31"}
    values = _read(DAY_FIRST, "05.03.2024", "2024-03-05", "03/31/2024", "31.02.2024", "5.3.24", "", "06.03.2024", **said)
    assert _missing(values) == [False, True, True, True, True, True, False]
    assert (values[0], values[-1]) == (64, 65)


@pytest.mark.parametrize(
    ("kind", "said", "words"),
    [
        ("number", {"lowest": "1 m", "highest": "2"}, "“1 m”, which cannot be read as a number"),
        ("number", {"lowest": "1", "highest": "nan"}, "be read as a number"),
        ("number", {"lowest": "2", "highest": "1"}, "above its highest"),
        ("number", {"lowest": "0", "highest": "1,500"}, "read in two ways"),
        ("number", {"lowest": "3", "highest": "3"}, "not below its highest, 3"),
        ("number", {"lowest": "0", "highest": "1e308"}, "A bound of x is 1e+308 in size"),
        ("number", {"lowest": "-1e-310", "highest": "0"}, "too close together to compute with"),
        ("number", {"lowest": "1", "highest": "1.0000000000000002"}, "too close together to compute with"),
        (
            YEAR_FIRST,
            {"lowest": "2024-01-01", "highest": "2024-12-31", "constant": "2025-01-01"},
            "which x cannot be",
        ),
        ("number", {"lowest": "0", "highest": "1", "constant": "3"}, "which x cannot be"),
        ("category", {}, "needs the list of its categories"),
        ("category", {"categories": ("a", "a")}, "“a” twice"),
        ("category", {"categories": ("a",), "constant": "b"}, "which x cannot be"),
        ("yes or no", {"constant": "maybe"}, "which x cannot be"),
        (YEAR_FIRST, {"lowest": "2024", "highest": "2025"}, "“2024”, which cannot be read as a date"),
        (YEAR_FIRST, {"lowest": "2024-12-31", "highest": "2024-01-01"}, "the earlier one first"),
        (YEAR_FIRST, {"lowest": "2024-01-01", "highest": "2024-12-31", "constant": "x"}, "be read as a date"),
    ],
)
def test_what_cannot_be_declared_is_a_sentence_and_a_way_on(kind: str, said: dict[str, Any], words: str) -> None:
    with pytest.raises(TableError) as caught:
        TYPES[kind].column(Declaration(name="x", type=kind, **said))
    assert words in str(caught.value)
    assert caught.value.remedy.endswith(".")


@pytest.mark.parametrize(
    "said",
    [
        {"unit": "x" * 201},
        {"categories": ("a",) * 101},
        {"unit": "a\nb"},
    ],
)
def test_a_field_that_is_no_short_text_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        Declaration(name="x", type="number", **said)
