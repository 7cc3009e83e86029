"""Your data: what means that nothing is known, rows that are left out, units, lists; and whether a file fits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.errors import TableError
from pages.old.your_data.typed_lists import listed_in
from tests.pages.visit import (
    answer,
    declarations,
    declare,
    edit,
    everything,
    sound,
    text,
    upload,
    visit,
)

pytestmark = pytest.mark.slow

WARDS = ("Chirurgie", "Chirugie", "Innere")


def _row(i: int) -> str:
    return f"{i % 70:05};{i},5;{50 + i % 40},0 kg;{WARDS[i % 3]};n{i}"


STRAY = ["00007;-999;k. A.;n/a;x", "00009;70031;91,0 lb;Geriatrie;y", ";5;5,0 kg;Innere;z"]
STAYS = ("patient_nr;cost;weight;ward;notes\n" + "\n".join([*map(_row, range(140)), *STRAY]) + "\nSumme;99999;;;\n").encode()
CANARIES = ("70031", "91,0 lb", "Geriatrie", "99999", "Summe")


def _begun(content: bytes = STAYS, *, kind: str = "Confidential") -> AppTest:
    return upload(visit(), "stays.csv", content, kind=kind)


def _declared(app: AppTest, *, codes: str = "-999; k. A.; n/a", last: int = 1) -> AppTest:
    app.text_input(key="file_codes").set_value(codes)
    app.number_input(key="last_lines").set_value(last)
    declare(sound(app.run()), "cost", 0, 1000)
    declare(app, "weight", 0, 200)
    return edit(app, "ward", categories="Chirurgie; Innere")


def _one(app: AppTest, label: str) -> Any:
    return next(box for kind in (app.text_input, app.text_area, app.checkbox) for box in kind if box.label.startswith(label))


def _set(app: AppTest, column: str, **boxes: Any) -> AppTest:
    """The form for one column, its boxes by the first word of their labels."""
    sound(app.selectbox(key="one_column").set_value(column).run())
    for label, value in boxes.items():
        _one(app, label).set_value(value)
    return sound(next(button for button in app.button if button.label == "Set").click().run())


def test_each_column_stands_in_one_list_and_what_was_detected_is_said() -> None:
    app = _begun()
    kinds = dict(zip(declarations(app).value["name"], declarations(app).value["type"], strict=True))
    assert kinds == {"patient_nr": "text", "cost": "number", "weight": "number", "ward": "category", "notes": "text"}
    said = text(app)
    assert "**Left out, because numbers with leading zeros are no quantity:** patient_nr." in said
    assert "**Left out, because it is text without a list of words:** notes." in said
    assert "weight: numbers with the unit kg, as detected." in said
    for name in ("cost", "weight", "ward"):
        assert len(re.findall(rf"(?:^|\. |edit: ){name} needs", said, re.MULTILINE)) == 1
    _declared(app)
    assert "**Ready:** cost, weight and ward." in text(app)
    assert "needs" not in text(app)
    edit(app, "cost", used=False)
    assert "**Left out, because it is not ticked under Use:** cost." in text(app)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("last_lines", 143, "fewer than 2 rows are left"),
        ("file_codes", "; ".join(f"c{i}" for i in range(51)), "has 51 entries, and it can have 50"),
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


@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        ({"Categories": "\n".join(f"w{i}" for i in range(10**5))}, "The list of ward has 100,000 words, and it can have 100."),
        ({"Other": "Chirugie Chirurgie"}, "is no pair of spellings of ward"),
        ({"Other": "a → Innere\na → Chirurgie"}, "has two meanings"),
    ],
)
def test_a_list_that_cannot_be_is_a_sentence_and_the_column_stays(boxes: dict[str, str], said: str) -> None:
    app = _set(_declared(_begun()), "ward", **boxes)
    errors = " ".join(error.value for error in app.error)
    assert said in errors
    assert "This column stays as it was." in errors
    assert "**Ready:** cost, weight and ward." in text(app)


def test_codes_are_proposed_of_public_tables_alone() -> None:
    content = STAYS.replace(b"k. A.", b"60,0 kg")
    assert set(declarations(_begun(content)).value["codes"]) == {""}
    public = declarations(_begun(content, kind="Public")).value.set_index("name")
    assert public.loc["cost"]["codes"] == "-999"
    assert public.loc["ward"]["codes"] == "n/a"
    assert (public.loc["cost"]["lowest"], public.loc["weight"]["highest"]) == ("0.5", "89")


def test_nothing_of_a_confidential_file_is_on_the_page() -> None:
    app = answer(_declared(_begun()), "Yes")
    for canary in CANARIES:
        assert canary not in everything(app)


def _without_names(sent: str) -> str:
    """What the page sends, without what the server calls its widgets, files and pages."""
    return re.sub(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}", "", sent)


@pytest.mark.slow
def test_the_page_is_the_same_for_two_files_of_the_same_names_and_types() -> None:
    """Values, their number that fits, blanks and codes differ; names, types, unit, rows and whether a column is empty do not."""
    other = STAYS
    for old, new in (
        (b"70031", b"-5"),
        (b"91,0 lb", b"91,0 kg"),
        (b"Geriatrie", b"Innere"),
        (b"-999", b"7,25"),
        (b"00007", b"00008"),
    ):
        assert old in other
        other = other.replace(old, new)
    pages = [_without_names(everything(answer(_declared(_begun(content)), "Yes"))) for content in (STAYS, other)]
    assert pages[0] == pages[1]


def test_a_list_of_a_million_blanks_is_refused_at_once() -> None:
    """An hour, where each is a place to look for an arrow from."""
    with pytest.raises(TableError, match="has one that is too long"):
        listed_in(f"a{' ' * 1_000_000}b", "ward")
