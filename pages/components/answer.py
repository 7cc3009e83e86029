"""The answer in a sentence."""

from __future__ import annotations

import streamlit as st

from dpcore.words import figure, percent
from pages.session.view import View

_SHARE = 0.9


def show(view: View) -> None:
    """What is promised and what it costs, in one paragraph; or what stands in the way."""
    st.markdown(_words(view))


def _words(view: View) -> str:
    scenario, noise = view.scenario, view.sampled_noise
    unit = f" {view.unit}" if view.unit and view.unit != "share" else ""
    if noise is None or view.sample is None:
        return f"# No private answer at this choice\n{view.problem or view.no_answer}"
    reach = noise.law.half_width(_SHARE)
    worst = (
        f"the worst case over all tables is {figure(view.worst_case.value)}{unit}"
        if view.worst_case is not None
        else "over all tables there is no finite worst case"
    )
    if view.worst_case is not None and view.worst_case.value <= noise.sensitivity.value * 1.05:
        worst += ", no more than sampling found, so the page Release can give differential privacy itself at this cost"
    delta = f", δ = {scenario.delta:g}" if scenario.delta else ""
    return (
        f"# Random DP at ε = {scenario.epsilon:g}{delta}, γ = {scenario.gamma:g}: nine answers in ten lie within "
        f"± {figure(reach)}{unit} of the non-private one\nReplacing one record moved the answer by at most "
        f"Δ̂ = {figure(noise.sensitivity.value)}{unit} in {scenario.point.k:,} of {scenario.m:,} random pairs of tables; {worst}. "
        f"On up to {percent(scenario.gamma)} of pairs, those with unusual records, nothing is promised: "
        "random DP is weaker than differential privacy."
    )
