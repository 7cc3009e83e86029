"""Your data takes files as they are: it says how one is read, and its holder can change that."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from streamlit.testing.v1 import AppTest

from pages.files.tables import Format, Table
from tests.pages.files.workbooks import xlsx
from tests.pages.visit import declarations, declare, scenario, sound, text, upload, use, visit

_EXCEL = "cost;ward\n1.234,5;Süd\n2,5;Nord\n".encode("windows-1252")


def _set(app: AppTest, field: str, value: str) -> AppTest:
    box: Any = next(box for box in app.selectbox if box.key == f"read_{field}")
    return sound(box.set_value(value).run())


def _draft(app: AppTest) -> Table:
    draft: Table = app.session_state["draft"].table
    return draft


def test_what_was_detected_is_said_and_goes_with_the_table() -> None:
    app = upload(visit(), "excel.csv", _EXCEL)
    said = "**Detected:** semicolons between columns, decimal comma, points between thousands, Windows-1252, names in line 1."
    assert said in text(app)
    assert _draft(app).values["cost"].tolist() == [1234.5, 2.5]
    use(declare(app, "cost", 0, 10_000))
    assert app.session_state["uploads"][scenario(app).table].form == Format("windows-1252", ";", ",", ".")


def test_each_part_can_be_changed_and_the_file_is_read_again() -> None:
    app = upload(visit(), "points.csv", b"cost;ward\n1.234;a\n2.345;b\n")
    assert _draft(app).values["cost"].tolist() == [1.234, 2.345]
    assert "1.234 is read as a little more than one." in text(app)
    _set(app, "decimal", ",")
    assert _draft(app).values["cost"].dtype.kind == "U"
    _set(app, "thousands", ".")
    assert "decimal comma, points between thousands" in text(app)
    assert "can be read in two ways" not in text(app)
    assert _draft(app).values["cost"].tolist() == [1234, 2345]


def test_a_choice_that_cannot_be_read_is_a_sentence_and_can_be_taken_back() -> None:
    app = upload(visit(), "points.csv", b"a;b,c\n1;2\n3;4\n")
    _set(app, "delimiter", ",")
    assert _draft(app) is not None
    _set(app, "delimiter", ";")
    _set(app, "encoding", "utf-16")
    assert app.session_state["draft"].table is None
    assert app.error
    _set(app, "encoding", "utf-8")
    assert not app.error
    assert len(_draft(app)) == 2


def _bounds_of_cost(app: AppTest) -> list[str]:
    cost = declarations(app).value.iloc[0]
    return [cost["lowest"], cost["highest"]]


def test_bounds_of_a_public_table_are_read_off_what_was_read_last() -> None:
    app = upload(visit(), "points.csv", b"cost;ward\n1.234;a\n2.345;b\n", kind="Public")
    assert _bounds_of_cost(app) == ["1.234", "2.345"]
    _set(_set(app, "decimal", ","), "thousands", ".")
    assert _bounds_of_cost(app) == ["1234", "2345"]


def test_a_parquet_file_is_explored_like_a_csv() -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"cost": [1234.5, 2.5], "stays": [[1], [2]]}), out)
    app = upload(visit(), "stays.parquet", out.getvalue())
    assert "**Detected:** a Parquet file, with dates as text such as 2024-01-31." in text(app)
    assert app.session_state["draft"].table.unused == ("stays",)
    app = use(declare(app, "cost", 0, 10_000))
    assert scenario(app).columns == ("cost",)
    upload(app, "broken.parquet", out.getvalue()[:-5])
    assert "The Parquet file is broken" in app.error[0].value


def test_a_sheet_of_a_workbook_is_chosen_and_explored() -> None:
    content = xlsx({"Notes *": [["read me"]], "Stays": [["cost", "ward"], [1234.5, "A"], [2.5, "B"]]})
    app = upload(visit(), "stays.xlsx", content)
    assert "**Detected:** the sheet “Stays” of a workbook" in text(app)
    box = next(box for box in app.selectbox if box.label == "Sheet")
    assert box.options == ["Notes \\*: 1 row, 1 column", "Stays: 3 rows, 2 columns"]
    sound(box.set_value("Notes *").run())
    assert "0 rows below its names" in app.error[0].value
    sound(next(box for box in app.selectbox if box.label == "Sheet").set_value("Stays").run())
    assert not app.error
    assert _draft(app).values["cost"].tolist() == [1234.5, 2.5]
    assert scenario(use(declare(app, "cost", 0, 10_000))).columns == ("cost",)
