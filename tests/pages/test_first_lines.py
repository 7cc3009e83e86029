"""A confidential file is seen once, in the preview: its first rows, and on request its first lines. No file is public before its
user says so."""

from __future__ import annotations

import re
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.files.tables import Table
from tests.pages.files.workbooks import xlsx
from tests.pages.visit import declarations, declare, everything, go, note, press, sound, text, upload, use, visit

_TITLE, _RECORD, _OTHER = "Ward Zanzibar", "qqcanaryqq", "otherbookcanary"
CSV = f"{_TITLE}\nPrinted by; Xylophone\n\nincome;note\n100;{_RECORD}\n200;b\n300;c\n".encode()
SAME_NAMES = b"Another title\nMade by;somebody\n\nincome;note\n7;u\n8;v\n9;w\n"
NAMELESS = b"Report of Zanzibar\n1;2;3\n4;5;6\n7;8;9\n"


def _looked(app: AppTest, *, on: bool = True) -> AppTest:
    toggle = next(one for one in app.toggle if one.label == "Show the first lines as they are")
    return sound(toggle.set_value(on).run())


def _number(app: AppTest, label: str) -> Any:
    return next(box for box in app.number_input if box.label == label)


def _comparable(sent: str) -> str:
    """Without the random ids of a tab and its widgets."""
    return re.sub(r"[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{6,}", "", sent)


def test_the_preview_shows_first_rows_and_on_request_the_first_lines() -> None:
    app = upload(visit(), "mine.csv", CSV)
    assert "**Detected:** semicolons between columns, decimal point, UTF-8, names in line 4." in text(app)
    preview = next(table for table in app.dataframe if not table.proto.editing_mode)
    assert preview.value.to_dict("list") == {"income": [100, 200, 300], "note": [_RECORD, "b", "c"]}
    assert "uses the confidential table: do not publish" in text(app)
    for canary in (_TITLE, "Xylophone"):
        assert canary not in everything(app)
    app = _looked(app)
    for canary in (_TITLE, "Xylophone", _RECORD):
        assert canary in everything(app)


def test_nothing_of_a_confidential_file_is_shown_after_the_preview() -> None:
    """On no page, and not on Your data either, whatever is read or declared there."""
    app = declare(_looked(upload(visit(), "mine.csv", CSV)), "note", type="number")
    assert "Do not fit the type" in note(app, "note")
    use(declare(app, "income", 0, 1_000))
    seen = [everything(app), *(everything(go(app, page)) for page in ("release", "people", "your_data"))]
    assert "A confidential file is shown once" in text(app)
    assert "not fit" not in note(app, "note")
    seen.append(everything(declare(app, "note", type="category", categories="b")))
    for canary in (_TITLE, "Xylophone", _RECORD):
        assert all(canary not in sent for sent in seen)
    assert _RECORD in everything(sound(app.radio(key="kind").set_value("Public").run()))


def test_after_the_preview_two_files_of_the_same_names_and_types_look_the_same() -> None:
    one, other = (_comparable(everything(_used(upload(visit(), "mine.csv", content)))) for content in (CSV, SAME_NAMES))
    assert one == other
    books = [xlsx({"Notes": [[said], ["x"]], "Stays": [["a", "b"], [1, said], [2, "y"]]}) for said in (_OTHER, "plain")]
    first, second = (_comparable(everything(_used(upload(visit(), "mine.xlsx", content), "a"))) for content in books)
    assert first == second
    assert _OTHER not in first


def _used(app: AppTest, column: str = "income") -> AppTest:
    """Your data once the table was used."""
    return go(use(declare(app, column, 0, 1_000)), "your_data")


def test_a_file_without_names_keeps_its_first_record_and_its_names_can_be_found_in_its_first_lines() -> None:
    app = upload(visit(), "mine.csv", NAMELESS)
    draft: Table = app.session_state["draft"].table
    assert {name: values.tolist() for name, values in draft.values.items()} == {
        "Column 1": [1, 4, 7],
        "Column 2": [2, 5, 8],
        "Column 3": [3, 6, 9],
    }
    assert "Zanzibar" in everything(_looked(app))
    _set_lines(app)


def _set_lines(app: AppTest) -> None:
    """Names in lines 1 and 2: wide enough to be read, and columns that no earlier draft had."""
    sound(_number(app, "Names begin in line").set_value(1).run())
    box: Any = next(box for box in app.selectbox if box.label == "Lines of names")
    sound(box.set_value(2).run())
    assert not app.error
    draft: Table = app.session_state["draft"].table
    assert list(draft.values) == ["Report of Zanzibar: 1", "Report of Zanzibar: 2", "Report of Zanzibar: 3"]


def test_a_line_without_names_loses_nothing() -> None:
    app = declare(upload(visit(), "mine.csv", CSV), "income", 0, 1_000)
    for line in (1, 3, 40):
        sound(_number(app, "Names begin in line").set_value(line).run())
        assert len(app.error) == 1
    sound(_number(app, "Names begin in line").set_value(4).run())
    assert not app.error
    row = declarations(app).value.iloc[0]
    assert (row["name"], row["lowest"], row["highest"]) == ("income", "0", "1000")


def test_what_was_said_of_one_file_is_not_said_of_the_next() -> None:
    app = upload(visit(), "one.csv", b"a\n1\n2\n3\n", kind="Public")
    sound(app.file_uploader(key="file").set_value(("two.csv", b"b\n1\n2\n3\n", "text/csv")).run())
    assert app.radio(key="kind").value == "Confidential"
    sound(app.radio(key="kind").set_value("Public").run())
    press(app, "try_example")
    assert app.radio(key="kind").value == "Confidential"


def test_the_file_to_try_is_there_with_one_click_and_gives_way_to_an_own_one() -> None:
    app = press(go(visit(), "your_data"), "try_example")
    draft: Table = app.session_state["draft"].table
    assert draft.form is not None
    assert draft.form.words.endswith("decimal comma, points between thousands, Windows-1252, names in line 5")
    assert len(draft) == 1_201  # with its line of totals
    assert list(draft.values)[:3] == ["Patient no.", "Stay no.", "Ward"]
    sound(app.file_uploader(key="file").set_value(("two.csv", b"b\n1\n2\n3\n", "text/csv")).run())
    assert list(app.session_state["draft"].table.values) == ["b"]
    press(app, "try_example")
    assert "Ward" in app.session_state["draft"].table.values
