"""The mechanism's options: how a target is made private."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.norms import NORMS
from dpcore.errors import DpcoreError
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.workbench.defaults import mechanism_for, mechanism_kinds
from dpcore.workbench.scenario import Scenario
from pages.components.inputs import choice, number, numbers_in
from pages.session import state
from pages.session.sentences import plain


def show(scenario: Scenario) -> None:
    """Which mechanism, and its own options."""
    known, target = mechanism_kinds(scenario.target), scenario.target
    st.session_state["opt_mechanism"] = type(scenario.mechanism).__name__

    def change() -> None:
        state.change(**state.released_by(mechanism_for(target, scenario.mechanism, st.session_state["opt_mechanism"])))

    st.selectbox("Mechanism", known, key="opt_mechanism", on_change=change)
    if isinstance(scenario.mechanism, Exponential):
        _selection(scenario.mechanism)
    elif isinstance(scenario.mechanism, Bernstein):
        _polynomial(scenario.mechanism)
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")


def _selection(mechanism: Exponential) -> None:
    choice(
        "Calibrated in", "opt_norm", {"RANGE": "range of the scores' difference", "LINF": "2 × largest difference (papers)"},
        repr(mechanism.norm), lambda name: _remake(mechanism, norm=NORMS[name]),
    )  # fmt: skip
    choice(
        "Selection", "opt_selection", {"gumbel": "exponential mechanism", "permute-and-flip": "permute-and-flip"},
        mechanism.selection, lambda name: _remake(mechanism, selection=name),
    )  # fmt: skip


def _polynomial(mechanism: Bernstein) -> None:
    choice(
        "Calibrated in", "opt_norm", {"L1": "L1 over the lattice", "LINF": "points × largest difference (paper)"},
        repr(mechanism.norm), lambda name: _remake(mechanism, norm=NORMS[name]),
    )  # fmt: skip
    number(
        "Order of the polynomial", "opt_order", mechanism.order, lambda order: _remake(mechanism, order=int(order)),
        step=1, least=1,
    )  # fmt: skip
    st.session_state["opt_clip"] = "" if mechanism.clip is None else f"{mechanism.clip[0]:g}, {mechanism.clip[1]:g}"
    st.text_input(
        "Public range of the curve", key="opt_clip", placeholder="none: not clipped",
        help="Private values are clipped to it, which costs no privacy. It comes from what the curve can be, not from the table.",
        on_change=lambda: _reclip(mechanism, st.session_state["opt_clip"]),
    )  # fmt: skip


def _reclip(mechanism: Bernstein, text: str) -> None:
    try:
        clipped = replace(mechanism, clip=numbers_in(text) if text.strip() else None)
    except DpcoreError:
        state.change()
        state.say("The public range of the curve must be two numbers, the lower first, such as “0, 1”: the last one stays.")
    else:
        state.change(**state.released_by(clipped))


def _remake(mechanism: Any, **changes: Any) -> None:
    try:
        state.change(**state.released_by(replace(mechanism, **changes)))
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} The last one stays.")
