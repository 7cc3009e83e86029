"""How far off an answer may be: the fifty dots with their box, and from a ± to ε, or from how long the trials may take to m."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.guarantees.operating_points import Bound, reachable_m
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages import state
from pages.experiment import cost
from pages.experiment.scenario import MOST_GAMMA, MOST_M
from pages.old import charts
from pages.old.experiment.error_curve import closest, least_epsilon, reach_at
from pages.old.experiment.headlines.base import MeasuredHeadline
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import EPSILON_GRID, control, number, while_open
from pages.old.state import place
from pages.old.state.draws import LONG_SECONDS
from pages.old.state.view import Shown

# Fifty dots in the third panel, and the box that says how far off still matters.


_BOX = 120


def dots(view: Shown) -> tuple[Any, str] | None:
    """The chart and its description; None for a kind of answer that has none."""
    return charts.as_dots(view.headline, view.leading, distance(view))


def show_box(view: Shown) -> None:
    """How far off an answer may be before it is wrong: kept as ε moves, and chosen anew for another question."""
    chosen, after = distance(view), view.answer.after.strip()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(":small[Wrong if off by more than]", width="content")
        control(
            st.number_input,
            "How far off an answer may be before it is wrong",
            key="off",
            holds=chosen,
            act=partial(_keep, view),
            min_value=0.0,
            step=float(f"{chosen / 10:.1g}") or 0.01,  # a tenth, in one digit
            format="%.4g",
            width=_BOX,
            label_visibility="collapsed",
        )
        if after:
            st.markdown(f":small[{escaped(after)}]", width="content")


def _keep(view: Shown, chosen: float) -> None:
    """For this question."""
    st.session_state["off_kept"] = _question(view), chosen
    place.go("off", f"{chosen:.6g}")


def distance(view: Shown) -> float:
    """What was chosen for this question, here or in a link; else what 95 in 100 answers keep to as they were first shown."""
    question, kept = st.session_state.get("off_kept", (None, 0.0))
    if question != _question(view):
        linked = place.number("off") if question is None else None
        kept = usual_distance(view) if linked is None or linked < 0 else linked
        st.session_state["off_kept"] = _question(view), kept
        if linked is None:
            place.go("off", "")
    return float(kept)


def usual_distance(view: Shown) -> float:
    """Within which 95 in 100 answers lie, in two digits; 1 for a kind of answer that does not say so."""
    said = view.headline
    if not isinstance(said, MeasuredHeadline):
        return 1.0
    reach = float(np.max(said.reaches(view.leading, SHARE_WITHIN)))
    return float(f"{reach:.2g}") if np.isfinite(reach) else 1.0


def _question(view: Shown) -> object:
    scenario = view.scenario
    return scenario.table, scenario.columns, repr(scenario.target)


_SHARES = {"95 times in 100": SHARE_WITHIN, "99 times in 100": 0.99}
_LEAST_SECONDS, _LEAST_STEP = 0.01, 1e-9
_WIDTH = 300  # pixels: beside the sentence on the last change, which stands below
_MORE = "**How accurate should it be?** More ε: more accurate, less protected. So ask for no more accuracy than you need."


def show_setting(view: Shown) -> None:
    """The popover, built only while it is open."""
    box = st.popover(
        ":small[Set ±]",
        key="how_accurate",
        type="tertiary",
        on_change="rerun",
        help="How accurate should it be? Say a ±, and get ε. Or say how long the trials may take, and get m.",
    )
    while_open(box, lambda: _both_ways(view))


def _both_ways(view: Shown) -> None:
    with st.container(width=_WIDTH):
        for sentence in state.notices():  # which the open popover can hide
            st.info(escaped(sentence))
        _accuracy(view)
        _seconds(view)


def _accuracy(view: Shown) -> None:
    headline = view.headline
    if not isinstance(headline, MeasuredHeadline) or not headline.short_reach(view.leading):
        st.markdown("The accuracy of this answer is no single ±, so no ε follows from one. Its error at each ε is under “Error”.")
        return
    st.markdown(_MORE)
    control(
        st.segmented_control,
        "How often",
        list(_SHARES),
        key="accurate_share",
        holds=st.session_state.get("accurate_kept", next(iter(_SHARES))),
        act=lambda share: st.session_state.update(accurate_kept=share),
        required=True,
    )
    how = str(st.session_state["accurate_share"])
    reach = reach_at(headline, view.leading, _SHARES[how])
    unit = f" ({escaped(headline.answer.after.strip())})" if headline.answer.after.strip() else ""
    near = float(f"{reach(view.scenario.epsilon):.3g}")
    step = float(f"{near / 10:.1g}") or _LEAST_STEP
    number(f"Within ± of the one without noise{unit}", "accurate_reach", near, partial(_want, view, how), form="%.6g", step=step)
    each = " Each number is taken alone, and this is the widest ±." * (len(headline.labels) > 1)
    simulated = " It is of a simulated table." * (headline.of_this_answer and headline.exact.simulated)
    st.markdown(f":small[This is the ± at ε = {view.scenario.epsilon:g}. Change it, and ε follows.{each}{simulated}]")


def _want(view: Shown, how: str, wanted: float) -> None:
    """The least ε on the slider under which the answer is so close, or why there is none."""
    headline, before = view.headline, state.scenario()
    assert isinstance(headline, MeasuredHeadline)
    state.begin()
    if not wanted > 0:
        state.say("A ± is a number above 0: ε stays as it is.")
        return
    reach = reach_at(headline, view.leading, _SHARES[how])
    found = least_epsilon(reach, wanted, steps=EPSILON_GRID)
    if found is None:
        state.say(_none(view, how, wanted, *closest(reach, EPSILON_GRID)))
        return
    state.change(epsilon=found)
    state.offer_undo(scenario=before)
    near = f"At it the ± is {_far(view, reach(found))}, {how}."
    state.say(f"ε was set to {found:g}, the least on the slider for ± {_far(view, wanted)}. {near}")


def _none(view: Shown, how: str, wanted: float, epsilon: float, reach: float) -> str:
    """That there is none, and what would help."""
    scenario = view.scenario
    at = "" if view.proved else f" at γ = {scenario.gamma:g}"
    said = f"No ε on the slider gives ± {_far(view, wanted)}{at}: with ε = {epsilon:g} it is ± {_far(view, reach)}, {how}."
    would = ["a wider ±"]
    if not view.proved:
        would += ["a larger γ"] * (scenario.gamma < MOST_GAMMA) + ["more trials"] * (scenario.m < MOST_M)
        would += ["the rank bound"] * (scenario.bound is not Bound.RANK)
    would += ["narrower public bounds", "a table with more rows"]
    return f"{said} What can help: {', '.join(would[:-1])}, or {would[-1]}. ε stays as it is."


def _far(view: Shown, distance: float) -> str:
    return counted(figure(distance), view.headline.answer.after)


def _seconds(view: Shown) -> None:
    scenario = view.scenario
    taken = scenario.m * cost.a_draw(scenario, scenario.resolved_oracle(view.table))
    now = max(_LEAST_SECONDS, float(f"{taken:.2g}"))
    number("Seconds for the trials", "accurate_seconds", now, partial(_wait, view), form="%.6g")
    trials = "the one trial takes" if scenario.m == 1 else f"the {scenario.m:,} trials take"
    st.markdown(f":small[About so long {trials}. Change it, and m follows.]")


def _wait(view: Shown, wait: float) -> None:
    """As many trials as take so long: not fewer than γ needs, and not more than the page offers."""
    scenario = state.scenario()
    state.begin()
    if not 0 < wait <= LONG_SECONDS:
        state.say(f"This page waits for up to {LONG_SECONDS:,.0f} seconds, and for more than 0: m stays as it is.")
        return
    a_draw = cost.a_draw(scenario, scenario.resolved_oracle(view.table))
    fits = cost.draws_within(wait, a_draw)
    least = reachable_m(scenario.gamma, scenario.bound, scenario.confidence)
    m = min(max(fits, least), MOST_M)
    state.change(m=m)
    state.offer_undo(scenario=scenario)
    takes = figure(max(_LEAST_SECONDS, m * a_draw))
    why = f", the fewest that γ = {scenario.gamma:g} needs" * (m > fits) + ", the most that this page offers" * (m < fits)
    state.say(f"m was set to {m:,}{why}. These trials take about {takes} s.")
