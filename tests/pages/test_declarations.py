"""The table of declarations on Your data: what is ready, and what is kept in the tab."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.files.tables import Table
from pages.ledger.book import part_of
from tests.pages.visit import declarations, declare, edit, scenario, sound, text, upload, use, visit

STAYS = (
    "id;cost;ward;admitted;notes\n"
    + "".join(f"{i};{'' if i % 9 == 0 else f'{i},5'};{'AB'[i % 2]};0{1 + i % 9}.03.2024;n{i}\n" for i in range(40))
).encode()


def _begun(content: bytes = STAYS, name: str = "stays.csv") -> AppTest:
    return upload(visit(), name, content)


def _declared(app: AppTest) -> AppTest:
    declare(app, "cost", 0, 100, unit="€")
    return edit(app, "ward", categories="A; B")


def _table(app: AppTest) -> Table:
    found: Table = app.session_state["uploads"][scenario(app).table]
    return found


def _row(app: AppTest, name: str) -> dict[str, object]:
    frame = declarations(app).value
    row: dict[str, object] = frame[frame["name"] == name].iloc[0].to_dict()
    return row


def test_what_is_ready_and_what_is_not_is_said_and_what_is_not_stays_out() -> None:
    app = _declared(_begun())
    assert "**Ready:** cost and ward." in text(app)
    assert "admitted needs its lowest and its highest possible value." in text(app)
    assert [column.name for column in _table(use(app)).columns] == ["cost", "ward"]
    assert _table(app).column("cost").words == "cost (€)"


def test_nothing_of_a_confidential_tables_values_is_proposed_as_a_bound_or_a_category() -> None:
    frame = declarations(_begun()).value
    assert set(frame["lowest"]) | set(frame["highest"]) | set(frame["categories"]) == {""}
    public = sound(_begun().radio(key="kind").set_value("Public").run())
    assert _row(public, "cost")["highest"] == "39.5"


def test_the_same_file_again_in_the_same_tab_is_found_declared() -> None:
    app = _declared(_begun())
    use(app)
    upload(app, "other.csv", b"a\n1\n2\n")
    upload(app, "stays again.csv", STAYS)
    assert (_row(app, "cost")["lowest"], _row(app, "ward")["categories"]) == ("0", "A; B")
    assert "**Ready:** cost and ward." in text(app)


def test_a_cell_that_is_too_long_is_a_sentence_and_the_row_stays() -> None:
    app = edit(_declared(_begun()), "cost", unit="x" * 300)
    assert "This row stays as it was." in " ".join(error.value for error in app.error)
    assert _row(app, "cost")["unit"] == ""


@pytest.mark.slow
def test_where_only_known_values_count_a_question_that_needs_every_value_is_not_offered() -> None:
    app = use(_declared(_begun()))
    offered = app.selectbox(key="pick_target").options
    assert "Number: Mean of known values" in offered
    assert "Number: Mean" not in offered
    app = use(declare(_begun(), "cost", 0, 100, missing="it counts as a constant"))
    assert "Number: Mean" in app.selectbox(key="pick_target").options


def test_a_column_can_be_declared_in_a_form_without_the_table() -> None:
    app = _begun()
    sound(app.selectbox(key="one_column").set_value("cost").run())
    boxes = {box.label: box for box in app.text_input}
    boxes["Lowest"].set_value("0")
    boxes["Highest"].set_value("90")
    boxes["Unit"].set_value("€")
    sound(next(button for button in app.button if button.label == "Set").click().run())
    assert (_row(app, "cost")["highest"], _row(app, "cost")["unit"]) == ("90", "€")
    assert "**Ready:** cost." in text(app)


@pytest.mark.slow
def test_columns_that_are_declared_anew_take_no_place_of_a_plan() -> None:
    """What is read otherwise is another function of the file, and so another release."""
    first, again = use(_declared(_begun())), use(_declared(_begun()))
    asked = scenario(first)
    parts = [part_of(asked, _table(first))]
    assert parts == [part_of(asked, _table(again))]
    for changed in (
        {"highest": "90"},
        {"missing": "it counts as a constant", "constant": "3"},
        {"missing": "it counts as a constant", "constant": "7"},
        {"type": "category", "categories": "1; 2"},
        {"type": "text"},
    ):
        parts.append(part_of(asked, _table(use(edit(_declared(_begun()), "cost", **changed)))))
    assert len(set(parts)) == len(parts)


def test_dates_counted_from_another_day_are_another_part_of_the_file() -> None:
    parts = set()
    for lowest, highest in (("2024-01-01", "2024-12-30"), ("2023-01-01", "2023-12-31")):  # as many days
        app = use(edit(_begun(), "admitted", lowest=lowest, highest=highest))
        parts.add(part_of(scenario(app), _table(app)))
        assert f"in days since {lowest}" in _table(app).read_as(("admitted",))
    assert len(parts) == 2
