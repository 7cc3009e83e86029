"""Pinned scenarios are compared with the one that is shown, shown again and unpinned."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.experiment import cost
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.tables import ours
from pages.exports.link import to_text
from pages.widgets.compare import LABEL
from tests.pages.session import opened, press, ran, scenario, warnings

TABLES = ours()


def _buttons(keys: set[str | None]) -> set[str]:
    return {key for key in keys if key is not None and key.startswith(("show_", "unpin_"))}


def _compared(app: AppTest) -> AppTest:
    """The page with the tab Compare open."""
    app.session_state["tabs"] = LABEL
    return ran(app)


def test_comparison_is_absent_without_pins() -> None:
    assert not opened().table


def test_pinned_scenarios_stand_beside_the_shown_one() -> None:
    app = press(opened(), "pin")
    assert [toast.value for toast in app.toast] == ["Pinned: 1 of 4"]
    app = _compared(press(app, "example_Histogram"))
    rows = app.table[0].value.astype(str)
    assert list(rows["scenario"]) == ["A", "now"]
    assert rows["what differs"][0] == "Mean of Time to default"
    assert "0.0195 years" in rows["error"][0]
    assert rows["k"][0] == "190"
    assert _buttons({button.key for button in app.button}) == {"show_A", "unpin_A"}
    app = _compared(press(app, "show_A"))
    assert scenario(app) == example_named("Mean", TABLES)
    assert list(app.table[0].value["scenario"]) == ["A (shown)"]
    app = _compared(press(app, "undo_button"))
    assert scenario(app).table == "diabetes"
    app = press(app, "unpin_A")
    assert not app.table
    assert list(_compared(press(app, "undo_button")).table[0].value["scenario"]) == ["A", "now"]


def test_fifth_pin_and_second_pin_of_the_same_are_refused() -> None:
    app = opened()
    for name in list(EXAMPLES)[:4]:
        app = press(press(app, f"example_{name}"), "pin")
    before = app.session_state["pinned"]
    app = press(app, "pin")
    assert "pinned already, as D" in warnings(app)
    app = press(press(app, "example_Letters"), "pin")
    assert "Four scenarios are pinned" in warnings(app)
    assert app.session_state["pinned"] == before
    assert len(before) == 4


def test_pin_whose_table_is_gone_says_so() -> None:
    app = _compared(press(press(opened(), "pin"), "example_Histogram"))
    pinned = app.session_state["pinned"][0]
    app.session_state["pinned"] = (pinned.with_(table="mine.csv"),)
    app = press(app, "show_A")
    assert "Its table is not here any more" in warnings(app)
    assert scenario(app).table == "diabetes"


def test_slow_pin_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(s=to_text(example_named("Curve", TABLES)))
    app.session_state["pinned"] = (example_named("Classifier", TABLES),)
    monkeypatch.setattr(cost, "QUICK", 0.0)
    pinned, now = _compared(ran(app)).table[0].value["error"]
    assert pinned == "Not drawn yet: show it."
    assert "0.0915" in now
