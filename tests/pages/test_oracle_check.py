"""Is the oracle like the table? On Explore for a public table; of a confidential one nothing is computed."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from pages.experiment import oracle_compared
from tests.pages.visit import charts, declare, link, opened, pick, press, settled, sound, text, upload, use, visit

KEY = "oracle_check"
CORRELATION = {"kind": "Correlation", "bounds": [[0, 1], [0, 1]]}


def _open(app: AppTest | None = None) -> AppTest:
    return opened(settled(visit() if app is None else app), KEY)


def test_a_public_table_stands_beside_a_made_up_one_and_its_changes_are_tried() -> None:
    app = _open()
    assert "check_column_chart" in charts(app)
    assert "random changes from this table's own rows. **" in text(app)
    assert "with 95 % confidence). Promised was up to 1 in 20 on average. That average is over Δ̂" in text(app)
    assert "with 95 % confidence). For this table these changes leave open whether it would hold." in text(app)
    assert "no more than chance makes" in text(app)
    assert re.search(r"At the value where they differ most, the shares of rows below it differ by [\d.]+ points\.", text(app))
    narrow = _open(link(table="loan_defaults", oracle={"kind": "Uniform", "low": 0.9, "high": 1.0}))
    assert "For this table the promise would not hold." in text(narrow)
    assert "in 19 of 20 cases" in text(narrow)


@pytest.mark.slow
def test_two_columns_are_shown_together() -> None:
    app = _open(link(table="two_classes", columns=["x1", "x2"], target=CORRELATION))
    assert "check_pair_chart" in charts(app)
    assert "Rank correlation: 0.737 in the table" in text(app)
    assert "can be more sensitive on the table" in text(app)
    app = sound(app.selectbox(key="check_across").set_value("x2").run())
    assert "Up: x1" in text(app)  # a choice of one is a sentence
    assert not [box for box in app.selectbox if box.key == "check_up"]


def test_of_a_confidential_table_nothing_is_computed() -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 90) for i in range(200)) + b"\n"
    app = use(declare(upload(visit(), "mine.csv", content), "income", 0, 100))
    with patch.object(oracle_compared, "oracle_check", side_effect=AssertionError):
        app = _open(app)
    assert "No guarantee covers what is released after it." in text(app)
    assert not {"check_column_chart", "check_pair_chart"} & set(charts(app))
    assert "this table's own rows" not in text(app)


def test_the_records_themselves_need_no_check() -> None:
    app = _open(pick(visit(), "oracle", "TableRecords"))
    assert "there is nothing to compare" in text(app)
    assert "check_column_chart" not in charts(app)


def test_what_takes_long_is_tried_on_request() -> None:
    with patch.object(oracle_compared, "AT_ONCE", 1e-9):
        app = _open()
        assert "once you ask for them" in text(app)
        app = press(app, "check_try")
        assert "random changes from this table's own rows. **" in text(app)
        assert "We made 100 " in text(app)
