"""Choosing an operating point: by a click in its chart, or from a list, which the keyboard reaches too."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees.operating_points import Bound
from dpcore.plots.operating_points import GAMMAS, NAMES, confidence_for, least_m, shown_bounds
from dpcore.workbench.scenario import MOST_M
from pages.session import state


def clicked() -> None:
    """The point of the chart that was clicked becomes the choice."""
    chosen = st.session_state["points"]["selection"]["points"]
    bounds = shown_bounds(state.scenario().bound)
    if chosen and chosen[0]["curve_number"] < len(bounds):
        _choose(bounds[chosen[0]["curve_number"]], float(chosen[0]["x"]), int(chosen[0]["y"]))


def choices() -> None:
    """The chart's points that this page can draw, as a list."""
    scenario = state.scenario()
    points = {
        f"{NAMES[bound]}, γ = {gamma:g}, m = {m:,}": (bound, gamma, m)
        for bound in shown_bounds(scenario.bound)
        for gamma, m in zip(GAMMAS, least_m(bound, confidence_for(bound, scenario.confidence)), strict=True)
        if m <= MOST_M
    }
    st.selectbox(
        "Operating point", list(points), index=None, key="choose_point", placeholder="Choose a point",
        on_change=lambda: _choose(*points[st.session_state["choose_point"]]) if st.session_state["choose_point"] else None,
    )  # fmt: skip


def _choose(bound: Bound, gamma: float, m: int) -> None:
    changes = {"bound": bound, "confidence": confidence_for(bound, state.scenario().confidence), "gamma": gamma}
    if m <= MOST_M:  # else the sentence is that of a γ which needs more draws than the page makes
        changes["m"] = m
    state.change(**changes)
