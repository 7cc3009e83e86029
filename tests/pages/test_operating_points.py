"""The points of the second panel: those that the page would refuse are marked and not offered, and a click on one says why."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.guarantees.operating_points import Bound
from pages.charts.operating_points import GAMMAS, NAMES, confidence_for, least_m, shown_bounds
from pages.experiment.scenario import MOST_M
from pages.state import state
from pages.state.link import to_query
from tests.pages.visit import charts, notices, opened, scenario, sound, visit


def _offered(app: AppTest) -> list[str]:
    return list(app.selectbox(key="choose_point").options)


def _after_a_click(bound: Bound, number: int) -> AppTest:
    """What the callback of the chart does with a click on a point."""

    def script(point: dict[str, object]) -> None:
        import streamlit as st

        from pages.shared import proof
        from pages.state import state

        st.session_state["points"] = {"selection": {"points": [point]}}
        proof.clicked()
        for sentence in state.notices():
            st.warning(sentence)

    m = least_m(bound, confidence_for(bound))[number]
    point = {"curve_number": shown_bounds(Bound.RANK).index(bound), "x": GAMMAS[number], "y": m}
    return sound(AppTest.from_function(script, args=(point,)).run())


def test_hollow_points_of_the_chart_are_those_that_the_list_leaves_out() -> None:
    app = opened(visit(), "numbers")
    figure = charts(app)["points"]["data"]
    offered = _offered(app)
    hollow = 0
    for trace in figure[:3]:
        for gamma, m, symbol in zip(trace["x"], trace["y"], trace["marker"]["symbol"], strict=True):
            assert (symbol == "circle-open") == (m > MOST_M)
            assert (f"{trace['name']}, γ = {gamma:g}, m = {m:,}" in offered) == (m <= MOST_M)
            hollow += m > MOST_M
    assert hollow == 6
    assert len(offered) == 3 * len(GAMMAS) - hollow
    assert figure[-1]["name"] == f"over {MOST_M:,} trials"


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


def test_the_chart_of_the_draws_says_that_its_band_is_for_the_whole_curve() -> None:
    app = visit()
    alts = [element.proto.alt for element in app.get("plotly_chart") if hasattr(element.proto, "alt")]
    assert any("a 95 % band, which holds for the whole curve at once" in alt for alt in alts)
    assert any(f"Hollow points need more than {MOST_M:,} trials" in alt for alt in alts)
    names = [trace["name"] for trace in charts(app)["cdf"]["data"]]
    assert "95 %, whole curve" in names
