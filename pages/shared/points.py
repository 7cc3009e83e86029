"""Choosing an operating point: by a click in its chart, or from a list, which the keyboard reaches too."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.guarantees.operating_points import Bound
from dpcore.plots.operating_points import GAMMAS, NAMES, confidence_for, least_m, shown_bounds
from dpcore.workbench.scenario import MOST_M
from pages.shared.live import mounts
from pages.state import state


def clicked() -> None:
    """The point of the chart that was clicked becomes the choice."""
    chosen = st.session_state["points"]["selection"]["points"]
    bounds = shown_bounds(state.scenario().bound)
    if chosen and chosen[0]["curve_number"] < len(bounds):
        _choose(bounds[chosen[0]["curve_number"]], float(chosen[0]["x"]), int(chosen[0]["y"]))


def picked() -> None:
    """The same, of the chart that follows the hand."""
    said: Any = st.session_state[mounts.key_of("trials")].get("picked")
    by_name = {NAMES[bound]: bound for bound in shown_bounds(state.scenario().bound)}
    if (
        isinstance(said, dict)
        and said.get("name") in by_name
        and all(isinstance(said.get(one), (int, float)) for one in ("gamma", "m"))
    ):
        _choose(by_name[said["name"]], float(said["gamma"]), int(said["m"]))


def _confidence(bound: Bound) -> float | None:
    return confidence_for(bound, state.scenario().confidence)


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
        "Operating point",
        list(points),
        index=None,
        key="choose_point",
        placeholder="Choose a point",
        on_change=lambda: _choose(*points[st.session_state["choose_point"]]) if st.session_state["choose_point"] else None,
    )


def _choose(bound: Bound, gamma: float, m: int) -> None:
    changes = {"bound": bound, "confidence": confidence_for(bound, state.scenario().confidence), "gamma": gamma}
    if m <= MOST_M:  # else the sentence is that of a γ which needs more draws than the page makes
        changes["m"] = m
    state.change(**changes)
