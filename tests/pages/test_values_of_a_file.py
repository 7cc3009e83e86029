"""Your data: what means that nothing is known, rows that are left out, units, lists; and whether a file fits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visit import declarations, declare, edit, note, sound, text, upload, visit

WARDS = ("Chirurgie", "Chirugie", "Innere")


def _row(i: int) -> str:
    return f"{i % 70:05};{i},5;{50 + i % 40},0 kg;{WARDS[i % 3]};n{i}"


STRAY = ["00007;-999;k. A.;n/a;x", "00009;70031;91,0 lb;Geriatrie;y", ";5;5,0 kg;Innere;z"]
STAYS = ("patient_nr;cost;weight;ward;notes\n" + "\n".join([*map(_row, range(140)), *STRAY]) + "\nSumme;99999;;;\n").encode()


def _begun(content: bytes = STAYS, *, kind: str = "Confidential") -> AppTest:
    return upload(visit(), "stays.csv", content, kind=kind)


def _declared(app: AppTest, *, codes: str = "-999; k. A.; n/a", last: int = 1) -> AppTest:
    app.text_input(key="file_codes").set_value(codes)
    app.number_input(key="last_lines").set_value(last)
    declare(sound(app.run()), "cost", 0, 1000)
    declare(app, "weight", 0, 200)
    return edit(app, "ward", categories="Chirurgie; Innere")


def test_notes_and_sentences_say_what_is_detected_and_missing() -> None:
    app = _begun()
    kinds = dict(zip(declarations(app).value["name"], declarations(app).value["type"], strict=True))
    assert kinds == {"patient_nr": "text", "cost": "number", "weight": "number", "ward": "category", "notes": "text"}
    said = text(app)
    assert note(app, "patient_nr") == "Proposed as who a row is about."
    assert "text without a list" in note(app, "notes")
    assert dict(zip(declarations(app).value["name"], declarations(app).value["unit"], strict=True))["weight"] == "kg"
    for name in ("cost", "weight", "ward"):
        assert len(re.findall(rf"(?:^|\. |edit: ){name} needs", said, re.MULTILINE)) == 1
    _declared(app)
    assert "**Ready:** cost, weight and ward." in text(app)
    assert "needs" not in text(app)
    assert note(app, "cost") == ""
    assert note(app, "weight").startswith("Do not fit the type, so missing: 1 cell.")
    assert note(app, "ward").startswith("In no category, so “other”: ")
    edit(app, "cost", used=False)
    assert note(app, "cost") == "Not used."
    assert "**Ready:** weight and ward." in text(app)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("last_lines", 143, "fewer than 2 rows are left"),
        ("file_codes", "; ".join(f"c{i}" for i in range(51)), "at most 50 texts"),
        ("file_codes", "x" * 300, "of at most 200 characters"),
    ],
)
def test_what_cannot_hold_of_a_file_is_a_sentence_and_nothing_is_lost(key: str, value: Any, said: str) -> None:
    app = _declared(_begun())
    box = app.number_input(key=key) if key == "last_lines" else app.text_input(key=key)
    sound(box.set_value(value).run())
    errors = " ".join(error.value for error in app.error)
    assert said in errors or "each of 1 to 200 characters" in errors
    assert "**Ready:** cost, weight and ward." in text(app)
