"""What all questions of a list share: ε, what gives way, the trials, and in which sense a ± is meant."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.workbench.listed.question_list import QuestionList
from dpcore.workbench.tables import Table
from pages.shared import sliders
from pages.state.listed import wanted

_KEEPS = {"epsilon": "ε, so that the other answers give way", "noise": "the other ±, so that ε gives way"}
_JOINTLY = {False: "each answer, taken alone", True: "all answers at once"}


def show(made: QuestionList, table: Table) -> None:
    """The slider of ε for all numbers together, and what a change keeps."""
    if made.joined:
        sliders.slider(
            "list_epsilon",
            "ε for all numbers together (more ε: more accurate, less protected)",
            "ε",
            sliders.EPSILON_GRID,
            made.epsilon,
            lambda value: wanted.settle(table, epsilon=value),
        )
    with st.container(horizontal=True):
        if len(made.joined) > 1:
            _choice("When a question changes, keep", "keeps", _KEEPS, made.keeps, table)
        if made.joined:
            _choice("± is meant of", "jointly", _JOINTLY, made.jointly, table)
    box = st.popover("Trials", key="list_trials", icon=":material/tune:", on_change="rerun")
    if box.open:
        with box:
            _trials(made, table)


def _trials(made: QuestionList, table: Table) -> None:
    _number("Share of changes that may be left out, γ", "gamma", made.gamma, table, least=0.001, most=0.5, step=0.01)
    _number("Number of trials, m", "m", made.m, table, least=1, most=100_000, step=100)
    st.session_state["list_seconds"] = float(f"{max(wanted.takes(made, table), 0.001):.2g}")
    st.number_input(
        "Seconds for the trials",
        0.001,
        900.0,
        key="list_seconds",
        format="%.6g",
        on_change=lambda: wanted.wait(table, st.session_state["list_seconds"]),
    )
    st.markdown(":small[A smaller γ needs more trials; more trials give a steadier Δ̂ at the same γ.]")


def _choice(
    label: str, name: str, words: dict[object, str] | dict[str, str] | dict[bool, str], value: object, table: Table
) -> None:
    key = f"list_{name}"
    st.session_state[key] = value
    st.selectbox(
        label,
        list(words),
        key=key,
        format_func=words.__getitem__,
        width=252,
        on_change=lambda: wanted.settle(table, **{name: st.session_state[key]}),
    )


def _number(label: str, name: str, value: float, table: Table, *, least: float, most: float, step: float) -> None:
    key, kind = f"list_{name}", type(value)
    st.session_state[key] = value
    st.number_input(
        label,
        kind(least),
        kind(most),
        key=key,
        step=kind(step),
        format="%d" if kind is int else "%.6g",
        on_change=partial(_take, table, name, key),
    )


def _take(table: Table, name: str, key: str) -> None:
    wanted.settle(table, **{name: st.session_state[key]})
