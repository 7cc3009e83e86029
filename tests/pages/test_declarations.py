"""The editor of columns on Your data: what is ready, and what is kept in the tab or as a file."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from dpcore.targets import Mean, Query, Variance
from pages.files.tables import Table
from pages.ledger.press import part_of
from tests.pages.visit import (
    answer,
    ask,
    declarations,
    declare,
    edit,
    go,
    notices,
    opened,
    pick,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

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


def test_a_cell_that_cannot_be_is_a_sentence_and_the_rest_holds() -> None:
    app = edit(_declared(_begun()), "cost", unit="x" * 300, label="Costs")
    assert "Unit of cost stays as it was." in " ".join(error.value for error in app.error)
    assert "**Ready:** cost and ward." in text(app)
    assert _table(use(app)).column("cost").words == "Costs (€)"


def test_where_only_known_values_count_a_question_that_needs_every_value_is_not_offered() -> None:
    app = use(_declared(_begun()))
    offered = app.selectbox(key="pick_target").options
    assert "Mean" in offered
    assert "Quantile" not in offered
    assert scenario(app).target == Query(Mean((0, 100)), ("cost",))
    app = opened(pick(app, "target", "Variance"), "options")
    sound(app.selectbox(key="opt_ddof").set_value("n − 1").run())
    assert "Nothing was changed" in notices(app)
    assert scenario(app).target == Query(Variance((0, 100)), ("cost",))
    app = use(declare(_begun(), "cost", 0, 100, constant="50"))
    assert "Quantile" in app.selectbox(key="pick_target").options
    assert scenario(app).target == Mean((0, 100))


def test_units_in_cells_are_no_misfit() -> None:
    app = declare(_begun(b"weight;b\n" + b"67 kg;1\n80 kg;2\n" * 20), "weight", 0, 300)
    assert (_row(app, "weight")["unit"], _row(app, "weight")["note"]) == ("kg", "")
    assert not app.error


def test_edits_of_one_file_are_not_edits_of_the_next() -> None:
    app = upload(_declared(_begun()), "june.csv", STAYS.replace(b"n1\n", b"other\n"))
    assert "Ready:" not in text(app)
    assert (_row(app, "cost")["highest"], _row(app, "ward")["categories"]) == ("", "")
    assert "cost needs its lowest and its highest possible value." in text(app)


def test_what_was_typed_stays_while_another_page_is_shown_and_while_another_format_is_tried() -> None:
    app = edit(_declared(_begun()), "admitted", lowest="2024-01-01", highest="2024-12-31")
    go(go(app, "about"), "your_data")
    assert "**Ready:** cost, ward and admitted." in text(app)
    edit(app, "ward", categories="A; B; C")
    assert (_row(app, "cost")["highest"], _row(app, "admitted")["highest"]) == ("100", "2024-12-31")
    box: Any = app.selectbox(key="read_thousands")
    sound(box.set_value("'").run())
    assert (_row(app, "cost")["highest"], _row(app, "ward")["categories"]) == ("100", "A; B; C")


def _load(app: AppTest, content: bytes | str) -> AppTest:
    made = content.encode() if isinstance(content, str) else content
    return sound(
        app.file_uploader(key=f"declarations_{app.session_state['draft'].file.key}")
        .set_value(("declarations.json", made, "application/json"))
        .run()
    )


def _saved(files: list[tuple[str, str]]) -> str:
    """The declarations that the page shown last offers to save."""
    return next(content for key, content in reversed(files) if key == "save_declarations")


def test_saved_declarations_hold_for_the_next_file_and_bring_its_questions(files: list[tuple[str, str]]) -> None:
    app = answer(_declared(_begun()), "The rows are not about persons", "stay")
    app.text_input(key="file_codes").set_value("k. A.")
    use(sound(app.run()))
    ask(go(app, "release"), "Median of cost")
    asked = [type(one.target).__name__ for one in app.session_state["lists"]["stays.csv"].questions]
    go(app, "your_data")
    content = _saved(files)
    title = "Stays in May;;;;\n"
    app = _load(_begun(title.encode() + STAYS.replace(b"n1\n", b"other\n"), "may.csv"), content)
    assert (_row(app, "cost")["highest"], _row(app, "cost")["unit"], _row(app, "ward")["categories"]) == ("100", "€", "A; B")
    assert app.text_input(key="file_codes").value == "k. A."
    assert (app.text_input(key="unit_name").value, app.radio(key="several_rows").value) == (
        "stay",
        "The rows are not about persons",
    )
    assert "The columns are declared as in the file." in text(app)
    assert _table(use(app)).name == "may.csv"
    assert [type(one.target).__name__ for one in app.session_state["lists"]["may.csv"].questions] == asked


def test_a_settings_file_that_is_refused_leaves_what_was_declared_and_makes_no_table_public(
    files: list[tuple[str, str]],
) -> None:
    _begun(b"x,y\n1,2\n3,4\n")
    of_another = _saved(files)
    app = _declared(_begun())
    for content in (b"{", b"[" * 100_000, of_another):
        app = _load(app, content)
        assert "What was declared here stays." in " ".join(error.value for error in app.error)
        assert "**Ready:** cost and ward." in text(app)
    sound(_begun().radio(key="kind").set_value("Public").run())
    assert _load(_begun(), _saved(files)).radio(key="kind").value == "Confidential"


def test_columns_that_are_declared_anew_take_no_place_of_a_plan() -> None:
    """What is read otherwise is another function of the file, and so another release."""
    first, again = use(_declared(_begun())), use(_declared(_begun()))
    asked = scenario(first)
    parts = [part_of(asked, _table(first))]
    assert parts == [part_of(asked, _table(again))]
    for changed in (
        {"highest": "90"},
        {"constant": "3"},
        {"constant": "7"},
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
