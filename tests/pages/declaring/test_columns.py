"""The rows of the editor of columns: edits become declarations or sentences, and notes say what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.declaring.columns import Fit, codes_in, edited, fit, listed_in, note, row, typed, unfit
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import problems
from pages.files.form import Format

COST = Declaration(name="cost", type="number", lowest="0", highest="100")
WARD = Declaration(name="ward", type="category", categories=("A", "B"), spellings=(("b", "B"),))
DATE = "date, as 2024-12-31"


def test_edits_become_declarations() -> None:
    edits: dict[int, dict[str, Any]] = {
        0: {"highest": " 90 ", "unit": "€", "label": "Costs", "codes": "-999; k. A.", "lowest": None},
        1: {"used": False, "categories": "A, B, C; D; bb → B", "type": "text"},
    }
    (cost, ward), sentences = edited((COST, WARD), edits)
    assert sentences == []
    assert (cost.lowest, cost.highest, cost.unit, cost.label, cost.codes) == ("", "90", "€", "Costs", ("-999", "k. A."))
    assert (ward.used, ward.type, ward.categories, ward.spellings) == (False, "text", ("A, B, C", "D"), (("bb", "B"),))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("categories", ", ".join(f"w{i}" for i in range(10_000)), "The categories of “ward” must be at most 100 texts"),
        ("categories", "a -> b -> c", "is not a pair of spellings of ward"),
        ("categories", "a -> A; a -> B", "The spellings of “ward” must be pairs"),
        ("codes", "; ".join(map(str, range(101))), "The codes of “ward” must be at most 100 texts"),
        ("unit", "x" * 300, "The unit of “ward” must be a text"),
        ("type", "formula", "The type of ward is “formula”"),
    ],
)
def test_a_cell_that_cannot_be_is_a_sentence_and_every_other_cell_holds(field: str, value: str, said: str) -> None:
    (cost, ward), sentences = edited((COST, WARD), {0: {"highest": "7"}, 1: {"label": "Ward", field: value}})
    assert len(sentences) == 1
    assert said in sentences[0]
    assert sentences[0].endswith("of ward stays as it was.")
    assert (cost.highest, ward.label) == ("7", "Ward")
    assert getattr(ward, field) == getattr(WARD, field)


def test_a_refused_cell_keeps_what_was_there_before_the_edit() -> None:
    before, _ = edited((COST,), {0: {"unit": "€"}})
    assert edited((COST,), {0: {"unit": "x" * 300}}, before)[0] == before


def test_edits_of_rows_and_fields_that_do_not_exist_change_nothing() -> None:
    strange: dict[int, dict[str, Any]] = {7: {"type": "text"}, -1: {"type": "text"}, 0: {"name": "x", "note": "x", "more": 1}}
    assert edited((COST,), strange) == ((COST,), [])
    assert edited((COST,), {0: {"type": None, "used": "yes", "unit": 3}})[0][0].type == "number"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"lowest": "200"}, "The lowest value of cost is 200, and that is above its highest, 100."),
        ({"highest": "much"}, "The highest value of cost is “much”"),
        ({"lowest": ""}, "cost needs its lowest and its highest possible value."),
    ],
)
def test_bounds_that_cannot_be_keep_what_was_typed_and_are_a_sentence(cells: dict[str, str], said: str) -> None:
    declared, sentences = edited((COST,), {0: cells})
    assert sentences == []
    assert said in problems(declared)["cost"].problem
    assert {field: getattr(declared[0], field) for field in cells} == cells


def test_a_row_shows_lists_as_the_text_that_gives_them() -> None:
    shown = row(WARD, "a note")
    assert (shown["note"], shown["categories"]) == ("a note", "A; B; b → B")
    assert edited((WARD,), {0: {"categories": shown["categories"]}})[0] == (WARD,)
    for words in (("a, b",), ("a", "b"), (), ("a",)):
        assert listed_in(typed(words), "x")[0] == words
    assert codes_in("9,9; -1, k. A.") == ("9,9", "-1", "k. A.")


def test_list_of_a_million_spaces_is_refused_at_once() -> None:
    declared, (said,) = edited((WARD,), {0: {"categories": f"a{' ' * 1_000_000}b; c"}})
    assert declared == (WARD,)
    assert len(said) < 500


TEXTS = np.array(["1,5", "-999,00", "much", "", "k. A.", "7"])
COMMA = Format(delimiter=";", decimal=",")


@pytest.mark.parametrize(
    ("cells", "one", "expected"),
    [
        (TEXTS, Declaration(name="x", type="number", codes=("-999", "k. A.")), Fit(4, 1, 0)),
        (TEXTS, Declaration(name="x", type="number", constant="1"), Fit(5, 2, 0)),
        (np.array([1.5, np.nan, np.inf]), Declaration(name="x", type="number"), Fit(2, 1, 0)),
        (np.array(["2024-01-31", "31.01.2024", ""]), Declaration(name="x", type=DATE), Fit(2, 1, 0)),
        (np.array(["ja", "no", "maybe"]), Declaration(name="x", type="yes or no"), Fit(3, 1, 0)),
        (np.array(["A", "b", "C", ""]), WARD, Fit(3, 0, 1)),
        (np.array(["A", "b"]), Declaration(name="x", type="category"), Fit(2, 0, 0)),
        (np.array(["A", "b"]), Declaration(name="x", type="text"), Fit()),
        (np.array(["67,0 kg", "5", "91 lb"]), Declaration(name="x", type="number", unit="kg"), Fit(3, 1, 0)),
    ],
    ids=["codes", "constant", "infinite", "date", "yes or no", "category", "no list", "text", "unit"],
)
def test_cells_that_do_not_fit_are_counted(cells: Any, one: Declaration, expected: Fit) -> None:
    assert fit(cells, one, COMMA) == expected


def test_notes_say_what_does_not_fit_and_why_a_column_is_not_used() -> None:
    kg = Declaration(name="weight", type="number", unit="kg", lowest="0", highest="9")
    assert note(kg, fit=Fit(9, 2)) == "Do not fit the type, so missing: 2 cells."
    assert "every cell" in note(kg, fit=Fit(2, 2))  # the number of all cells is told to nobody
    assert note(WARD, fit=Fit(5, 0, 1)) == "In no category, so “other”: 1 cell."
    needs = problems((Declaration(name="x", type="number"),))["x"]
    assert note(Declaration(name="x", type="number"), fit=Fit(), needs=needs).startswith("Needs its lowest")
    off = Declaration(name="patient_nr", type="text", used=False)
    assert note(off, fit=Fit(), person=True) == "Says who a row is about."
    assert note(off, fit=Fit(), likely=True) == "Proposed as who a row is about."
    assert "of an identifier" in note(off, fit=Fit())
    assert "text without a list" in note(Declaration(name="notes", type="text", used=False), fit=Fit())
    assert note(off, fit=Fit(), unread=True).startswith("Cannot be used:")
    assert note(Declaration(name="cost", type="number", used=False), fit=Fit()) == "Not used."


def test_a_type_that_no_cell_fits_is_a_sentence() -> None:
    fits = {"cost": Fit(3, 3), "ward": Fit(3, 2)}
    assert unfit((COST, WARD), lambda one: fits[one.name]) == [
        "No cell of cost fits the type “number”, so all are missing. Choose another one under Type."
    ]
