"""The left rail of Explore: the sliders, the kind of noise, the bound, and Δ̂."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import streamlit as st

from dpcore.guarantees.operating_points import Bound
from pages import state
from pages.experiment import words
from pages.experiment.scenario import (
    LEAST_CONFIDENCE,
    LEAST_EPSILON,
    LEAST_GAMMA,
    LEAST_M,
    MOST_CONFIDENCE,
    MOST_EPSILON,
    MOST_GAMMA,
    MOST_M,
    Noise,
)
from pages.experiment.view import View, kinds_of_noise
from pages.figures.operating_points import confidence_for
from pages.live.tables import epsilon_stops, gamma_stops, m_stops
from pages.widgets.controls import control, slider

_LABELS = {"epsilon": ("ε", "privacy loss"), "gamma": ("γ", "unprotected share"), "m": ("m", "sampled pairs")}
_HELP = {
    "epsilon": "ε: how much one row can change the probability of any answer. Larger is more accurate and less private.",
    "gamma": "γ: the share of random changes of one row that may be unprotected. Smaller needs more sampled pairs.",
    "m": "m: how many pairs of neighbouring tables are sampled. More pairs certify a smaller γ.",
    "noise": "How the noise is calibrated. Sampled: random DP. Worst case and blocks: differential privacy, without an oracle.",
    "bound": "The theorem that certifies γ. It determines k: Δ̂ is the k-th smallest of the m distances.",
}


def show(view: View, hidden: Collection[str] = ()) -> None:
    """Show the rail with ordinary sliders.

    Args:
        view: The view.
        hidden: Controls to hide, by name.
    """
    for name in _LABELS:
        if name not in hidden:
            _show_slider(name, view)
    _show_choices(view, hidden)
    texts = words.filled(view)
    st.markdown("  \n".join(filter(None, (texts["summary"], texts["guess"]))))


def _show_slider(name: str, view: View) -> None:
    """Show a slider, with a box for exact values."""

    def act(value: Any) -> None:
        state.change(**{name: value})

    scenario = view.scenario
    exist = scenario.m if view.sample is None else len(view.sample.distances)
    symbol, meaning = _LABELS[name]
    label, value, about = f"{symbol}, {meaning}", getattr(scenario, name), _HELP[name]
    if name == "epsilon":
        stops, ends = epsilon_stops(value), (LEAST_EPSILON, MOST_EPSILON)
        slider(name, label, symbol, stops, value, act, ends=ends, step=0.01, about=about)
    elif name == "gamma":
        slider(name, label, symbol, gamma_stops(value), value, act, ends=(LEAST_GAMMA, MOST_GAMMA), step=0.01, about=about)
    else:
        stops_of_m, ends_of_m = m_stops(exist, value), (LEAST_M, MOST_M)
        slider(name, label, symbol, stops_of_m, value, act, ends=ends_of_m, step=1, form="%d", about=about)


def _show_choices(view: View, hidden: Collection[str]) -> None:
    """Show the selectors of the kind of noise and of the bound."""
    scenario = view.scenario
    kinds = list(dict.fromkeys((*kinds_of_noise(view.question), scenario.noise)))
    if len(kinds) > 1 and "noise" not in hidden:
        control(
            st.segmented_control,
            "Noise",
            kinds,
            key="noise",
            holds=scenario.noise,
            act=set_noise,
            format_func=lambda one: one.words,
            help=_HELP["noise"],
        )
    if "bound" in hidden:
        return
    control(
        st.selectbox,
        "Bound",
        list(Bound),
        key="bound",
        holds=scenario.bound,
        act=lambda bound: state.change(bound=bound, confidence=confidence_for(bound, state.scenario().confidence)),
        format_func=lambda bound: bound.words,
        help=_HELP["bound"],
    )
    if scenario.confidence is not None:
        control(
            st.number_input,
            "Confidence",
            LEAST_CONFIDENCE,
            MOST_CONFIDENCE,
            key="confidence",
            holds=scenario.confidence,
            act=lambda value: state.change(confidence=value),
            format="%g",
            help="Confidence over the draws, with which the share of unprotected changes is at most γ.",
        )


def set_noise(noise: Noise | None) -> None:
    """Select a kind of noise. A second click on the selected kind changes nothing."""
    if noise is not None:
        state.change(noise=noise)
