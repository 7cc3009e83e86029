"""Fifty dots in the third panel, and the box that says how far off still matters."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages import charts
from pages.experiment.headlines.base import MeasuredHeadline
from pages.shared.escape import escaped
from pages.shared.widgets import control
from pages.state import place
from pages.state.view import Shown

ROOM = 56  # pixels of the box, which the chart gives up
_BOX = 120


def drawn(view: Shown) -> tuple[Any, str] | None:
    """The chart and its description; None for a kind of answer that has none."""
    return charts.as_dots(view.headline, view.leading, off(view))


def box(view: Shown) -> None:
    """How far off an answer may be before it is wrong: kept as ε moves, and chosen anew for another question."""
    chosen, after = off(view), view.answer.after.strip()
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
    """For this question; what is chosen in view of a confidential answer stays out of the link."""
    st.session_state["off_kept"] = _question(view), chosen
    place.go("off", "" if view.confidential else f"{chosen:.6g}")


def off(view: Shown) -> float:
    """What was chosen for this question, here or in a link; else what 95 in 100 answers keep to as they were first shown."""
    question, kept = st.session_state.get("off_kept", (None, 0.0))
    if question != _question(view):
        linked = place.number("off") if question is None else None
        kept = usual(view) if linked is None or linked < 0 else linked
        st.session_state["off_kept"] = _question(view), kept
        if linked is None:
            place.go("off", "")
    return float(kept)


def usual(view: Shown) -> float:
    """Within which 95 in 100 answers lie, in two digits; 1 for a kind of answer that does not say so."""
    said = view.headline
    if not isinstance(said, MeasuredHeadline):
        return 1.0
    reach = float(np.max(said.reaches(view.leading, SHARE_WITHIN)))
    return float(f"{reach:.2g}") if np.isfinite(reach) else 1.0


def _question(view: Shown) -> object:
    scenario = view.scenario
    return scenario.table, scenario.columns, repr(scenario.target), view.headline.exact.simulated  # no way leads from the table
