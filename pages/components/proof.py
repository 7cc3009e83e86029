"""How is this proved? The bound, k, Table 1 as numbers and the miss law; and the numbers behind the charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from dpcore import plots, preview
from dpcore.errors import DpcoreError
from dpcore.operating_points import Bound, OperatingPoint
from dpcore.plots.sampler import chance_of_missing_more
from dpcore.scenario import Scenario
from dpcore.words import figure, percent, sentence
from pages.components import badges, points
from pages.session import state
from pages.session.view import View

_BOUNDS = {
    "RANK": "RANK: the pair and the m draws are exchangeable, so P(G ≤ G₍ₖ₎) ≥ k/(m+1)",
    "DKW": "DKW: Theorem 15 of Rubinstein & Aldà (2017), with the paper's optimal ρ",
    "TOLERANCE": "TOLERANCE: the drawn Δ̂ itself covers 1 − γ of pairs, with confidence over the draws (Wilks 1941)",
}


def proof(view: View) -> None:
    """The bound, k, Table 1 and the miss law, in a popover that is built only while it is open."""
    box = st.popover("How is this proved?", key="proof", on_change="rerun", icon=":material/function:")
    if box.open:
        with box:
            _proof(view)


def numbers(view: View) -> None:
    """The table behind every chart, in a popover that is built only while it is open."""
    box = st.popover("Numbers", key="numbers", on_change="rerun", icon=":material/table:", help="The numbers behind the charts")
    if box.open:
        with box:
            _numbers(view)


def _proof(view: View) -> None:
    scenario, point = view.scenario, view.scenario.point
    st.session_state["bound"] = scenario.bound.name
    st.radio("Bound", list(_BOUNDS), key="bound", format_func=lambda name: _BOUNDS[name], on_change=_change_bound)
    if scenario.confidence is not None:
        st.session_state["confidence"] = scenario.confidence
        st.number_input(
            "Confidence over the draws", 0.5, 0.9999, key="confidence", step=0.01, format="%g",
            on_change=lambda: state.change(confidence=st.session_state["confidence"]),
        )  # fmt: skip
    st.markdown(f"m = {point.m:,}, k = {point.k:,}, γ = {point.gamma:g}: Δ̂ is the {point.k:,}-th smallest distance.")
    if view.sampled_noise is not None:
        st.markdown(sentence(view.sampled_noise.guarantee))
    st.markdown("**Table 1 of the paper at this choice**, for three bounds:")
    st.table(table_1(scenario))
    st.markdown(
        f"**In one run** the drawn Δ̂ can miss more than γ of pairs: here with probability "
        f"{percent(chance_of_missing_more(point))} (continuous distances). More draws bring the miss closer to γ."
    )
    st.plotly_chart(plots.miss(point), height=240, key="miss", alt="Chance that the drawn Δ̂ misses more than a share of pairs.")
    st.plotly_chart(plots.orders(point), height=240, key="orders", alt="Order k/m of Δ̂ for each γ under three bounds.")
    if view.worst_case is not None:
        st.markdown(f"**Worst case** {figure(view.worst_case.value)}: {view.worst_case.proof}")
    badges.public_draws()


def _change_bound() -> None:
    bound = Bound[st.session_state["bound"]]
    state.change(bound=bound, confidence=plots.SHOWN_CONFIDENCE if bound is Bound.TOLERANCE else None)


def table_1(scenario: Scenario) -> list[dict[str, str]]:
    """Least m for γ, least γ for m, least k for both, under each bound."""
    gamma, m = scenario.gamma, scenario.m
    names = ("bound", f"least m for γ = {gamma:g}", f"least γ for m = {m:,}", "least k for both")
    rows = []
    for bound in Bound:
        confidence = (scenario.confidence or plots.SHOWN_CONFIDENCE) if bound is Bound.TOLERANCE else None
        least = partial(OperatingPoint.for_gamma, gamma, bound=bound, confidence=confidence)
        reach = partial(OperatingPoint.for_sample_size, m, bound=bound, confidence=confidence)
        both = partial(OperatingPoint.for_both, m, gamma, bound=bound, confidence=confidence)
        title = bound.name + (f" at {confidence:g}" if confidence else "")
        rows.append(dict(zip(names, (title, _cell(least, "m"), _cell(reach, "gamma"), _cell(both, "k")), strict=True)))
    return rows


def _cell(make: Callable[[], OperatingPoint], name: str) -> str:
    try:
        value = getattr(make(), name)
    except DpcoreError:
        return "out of reach"
    return f"{value:,}" if isinstance(value, int) else figure(value)


def _numbers(view: View) -> None:
    st.markdown("**How sensitive is it?** Quantiles of the distances drawn")
    if view.sample is not None:
        shares = np.array([0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0])
        drawn = np.quantile(view.sample.distances, shares, method="inverted_cdf")
        rows = [{"share of pairs": percent(s), "moves by at most": figure(float(g))} for s, g in zip(shares, drawn, strict=True)]
        st.table(rows)
        badges.public_draws()
    st.markdown("**What does it cost to know?** Choose a row instead of clicking the chart")
    points.choices()
    if view.answer is not None and view.sampled_noise is not None:
        st.markdown("**What do readers get?**")
        reach, worst = view.sampled_noise.law.half_width(0.9), view.worst_noise
        st.table(
            [
                {
                    "of": label,
                    "simulated table" if view.answer.simulated else "non-private": figure(float(value)),
                    "± sampled, 9 in 10": figure(reach),
                    "± worst case, 9 in 10": figure(worst.law.half_width(0.9)) if worst else "no finite worst case",
                }
                for label, value in zip(preview.labels(view.scenario, view.table), view.answer.value, strict=True)
            ]
        )
        if view.confidential:
            badges.confidential()
