"""The points of the second panel: each is taken as it is, a click on one that is refused says why, and enough is enough."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.guarantees.operating_points import Bound
from pages import state
from pages.experiment.scenario import MOST_M
from pages.old.charts.operating_points import GAMMAS, NAMES, confidence_for, least_m, shown_bounds
from pages.old.state.link import to_query
from tests.pages.visit import charts, notices, opened, scenario, sound, text, visit


def _after_a_click(bound: Bound, number: int) -> AppTest:
    """What the callback of the chart does with a click on a point."""

    def script(point: dict[str, object]) -> None:
        import streamlit as st

        from pages import state
        from pages.old.shared import proof

        st.session_state["points"] = {"selection": {"points": [point]}}
        proof.clicked()
        for sentence in state.notices():
            st.warning(sentence)

    m = least_m(bound, confidence_for(bound))[number]
    point = {"curve_number": shown_bounds(Bound.RANK).index(bound), "x": GAMMAS[number], "y": m}
    return sound(AppTest.from_function(script, args=(point,)).run())


@pytest.mark.slow
@pytest.mark.parametrize("confidence", [None, 0.8, 0.99])
def test_each_point_of_the_list_is_taken_as_it_is(confidence: float | None) -> None:
    """The list is of the confidence that is chosen, as the chart is."""
    chosen = {"bound": Bound.TOLERANCE, "confidence": confidence, "m": 2_000} if confidence else {}
    app = opened(visit(**to_query(state.example().with_(**chosen))), "numbers")
    figure = charts(app)["points"]["data"]
    for trace in figure[:3]:
        gamma, m = trace["x"][12], trace["y"][12]
        sound(app.selectbox(key="choose_point").set_value(f"{trace['name']}, γ = {gamma:g}, m = {m:,}").run())
        assert notices(app) == ""
        shown = scenario(app)
        assert (NAMES[shown.bound], shown.gamma, shown.m) == (trace["name"], gamma, m)
        assert shown.confidence == ((confidence or 0.95) if shown.bound is Bound.TOLERANCE else None)
        app = opened(visit(**to_query(state.example().with_(**chosen))), "numbers")


def test_a_click_on_a_hollow_point_says_in_a_sentence_why_nothing_changes() -> None:
    app = _after_a_click(Bound.DKW, 0)
    (said,) = [warning.value for warning in app.warning]
    assert "γ = 0.001 needs 5,486,187" in said
    assert f"{MOST_M:,}" in said
    assert "nothing was changed" in said
    assert "whole number" not in said  # the constructor's words
    assert scenario(app) == state.example()


def test_a_click_on_a_filled_point_chooses_it() -> None:
    number = len(GAMMAS) - 6
    app = _after_a_click(Bound.DKW, number)
    assert not app.warning
    shown = scenario(app)
    assert (shown.bound, shown.gamma, shown.m) == (Bound.DKW, GAMMAS[number], least_m(Bound.DKW, None)[number])


@pytest.mark.parametrize("gamma", [0.5, 0.3, 0.01])
def test_as_many_trials_as_are_called_enough_are(gamma: float) -> None:
    said = text(opened(visit(gamma=str(gamma), v="1"), "proof"))
    found = re.search(r"So ([\d,]+|one) trials? (?:are|is) enough for γ = [\d.]+: .*? once in ([\d,]+) times", said)
    assert found, said
    m = 1 if found[1] == "one" else int(found[1])
    assert 1 / int(found[2]) <= gamma < 1 / m
    assert int(found[2]) == m + 1
