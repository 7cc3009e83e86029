"""Scenarios side by side on Explore: pinning, what differs, the table, opening again, and the way back."""

from __future__ import annotations

import json

import pytest
from pages.old.state.view import NOT_MADE
from streamlit.testing.v1 import AppTest

from pages import state
from pages.old.state import draws
from tests.pages.test_confidential import CSV, TRACES
from tests.pages.visit import (
    charts,
    confidential,
    declare,
    everything,
    link,
    notices,
    opened,
    press,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

_PARTS = ("Δ̂", "±, 95 in 100", "guarantee", "trials")


def _heading(app: AppTest) -> str:
    """What the part side by side is headed by."""
    return next((shown.value.partition(": ")[2] for shown in app.markdown if shown.value.startswith("## Side by side")), "-")


def _rows(app: AppTest) -> dict[str, dict[str, str]]:
    """The table side by side, by scenario."""
    table = next(shown.value for shown in app.table if "what differs" in shown.value.columns)
    return {row["scenario"]: {name: row[name] for name in table.columns} for _, row in table.iterrows()}


def _exact(app: AppTest, name: str, value: float) -> AppTest:
    """A box beside a slider set."""
    return sound(app.number_input(key=f"exact_{name}").set_value(value).run())


def _pinned(*epsilons: float) -> AppTest:
    """The example pinned at each ε; the last one is shown."""
    app = visit()
    for epsilon in epsilons:
        press(_exact(app, "epsilon", epsilon), "pin")
    return app


def _again(app: AppTest, **more: str) -> AppTest:
    """A new session at the address that this one is at."""
    return visit(**(_address(app) | more))


def _address(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def test_a_pin_stands_beside_what_is_changed_then_and_the_heading_says_what_differs() -> None:
    app = press(visit(), "pin")
    assert "A is what is shown now: nothing differs yet." in text(app)
    _exact(app, "epsilon", 2.0)
    assert _heading(app) == r"ε = 1 \| ε = 2"
    rows = _rows(app)
    assert list(rows) == ["A", "now"]
    assert [rows["A"][part] for part in _PARTS] == [
        "0.00652 years",
        "± 0.0195 years (about 7 days)",
        "random DP, ε = 1, γ = 0.05",
        "199",
    ]
    assert [rows["now"][part] for part in _PARTS] == [
        "0.00652 years",
        "± 0.00977 years (about 4 days)",
        "random DP, ε = 2, γ = 0.05",
        "199",
    ]
    assert rows["A"]["seconds (about)"] == "under 0.01"


def test_where_one_is_random_dp_and_the_other_pure_the_heading_and_each_legend_say_so() -> None:
    app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, gamma=0.05, pins={"A": {"gamma": 0.5}})
    assert _heading(app) == r"random DP, γ = 0.5 \| pure DP"
    traces = charts(app)["beside_cdf_all"]["data"]
    assert [trace["name"] for trace in traces if trace["mode"] == "lines"] == ["A: random DP, γ = 0.5, now: pure DP"]
    assert "Δ̂ does not size the noise of now: the worst case does." in text(app)
    assert "Δ̂ does not size" not in text(_exact(app, "gamma", 0.4))


@pytest.mark.slow
def test_the_same_scenario_is_pinned_once_and_a_fifth_one_says_which_to_let_go() -> None:
    app = press(_pinned(0.5, 1.0, 2.0, 5.0), "pin")
    assert "pinned already, as D" in notices(app)
    press(_exact(app, "epsilon", 10.0), "pin")
    assert notices(app) == "Four scenarios are pinned, which is all there is room for. Let A go, the first one, or B, C or D."
    assert list(_rows(app)) == ["A", "B", "C", "D", "now"]
    press(press(app, "let_go_A"), "pin")
    assert [_rows(app)[name]["what differs"] for name in ("A, shown now", "B")] == ["ε = 10", "ε = 1"]


def test_what_was_shown_is_pinned_when_another_is_opened_and_undo_brings_all_back() -> None:
    app = _exact(press(visit(), "pin"), "epsilon", 2.0)
    press(app, "open_A")
    assert scenario(app).epsilon == 1.0
    assert "What was shown before is pinned as B." in notices(app)
    assert [row["what differs"] for row in _rows(app).values()] == ["ε = 1", "ε = 2"]
    press(app, "undo_button")
    assert scenario(app).epsilon == 2.0
    assert list(_rows(app)) == ["A", "now"]


@pytest.mark.slow
def test_nothing_of_a_confidential_table_is_shown_beside_that_explore_would_not_show() -> None:
    app = _exact(press(confidential(CSV, 0, 10_000), "pin"), "epsilon", 2.0)
    app.session_state["readers_shown"] = "Error"
    sound(app.run())
    assert text(app).count("*simulated table: may be published*") == 2
    assert "Not your data" in json.dumps(charts(app)["beside_errors_all"])
    assert not any(canary in everything(opened(app, "link")) for canary in TRACES)


@pytest.mark.slow
def test_a_pin_of_a_table_that_was_declared_anew_says_so_and_is_opened_only_where_it_still_fits() -> None:
    app = press(confidential(CSV, 0, 10_000), "pin")
    use(declare(upload(app, "mine.csv", CSV), "income", 0, 20_000))
    assert "**A**: Its table was declared anew since" in text(app)
    press(app, "open_A")
    assert scenario(app).table == "mine.csv"
    use(declare(upload(app, "mine.csv", b"cost\n" + b"1\n2\n" * 40), "cost", 0, 10))
    press(app, "open_B")
    assert "B cannot be opened: its table was declared anew since" in notices(app)
    assert scenario(app).columns == ("cost",)


def test_trials_that_take_long_are_not_begun_for_a_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _exact(press(visit(), "pin"), "m", 999)
    monkeypatch.setattr(draws, "APART_SECONDS", 0.0)
    other = _again(app)
    assert f"**A**: {NOT_MADE}" in text(other)
    assert [_rows(other)["A"][part] for part in _PARTS] == ["none", "none", "none", "199"]
    press(other, "open_A")
    assert [row["Δ̂"] for row in _rows(other).values()] == ["0.00652 years", "0.00617 years"]


def test_the_draws_of_a_pin_leave_the_sessions_job_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended() -> None:
        raise AssertionError("the job was ended")

    monkeypatch.setattr(draws, "stop", ended)
    sample = draws.Exploration(state.example(), state.catalog()["loan_defaults"]).apart()
    assert sample is not None
    assert sample.explored
