"""What all questions of a list share: ε, what gives way, the cap on a person's rows, the trials, and of what a ± is meant."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.targets.together import MOST_PARTS
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import MOST_EPSILON
from pages.files.tables import Table
from pages.shared import widgets
from pages.state.listed import changes, wanted

_KEEPS = {"epsilon": "ε in all, so that the other answers give way", "noise": "the other ±, so that ε gives way"}
_JOINTLY = {False: "each answer, taken alone", True: "all answers at once"}


def show(made: QuestionList, table: Table) -> None:
    """ε in all, what a change keeps, the cap on a person's rows, and the trials."""
    widgets.slider(
        "list_epsilon",
        "ε for all answers together (more ε: more accurate, less protected)",
        "ε",
        widgets.EPSILON_GRID,
        made.total,
        lambda value: wanted.settle_total(table, value),
        most=MOST_EPSILON * MOST_PARTS,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(made.questions) > 1:
            _choice("When a question changes, keep", "keeps", _KEEPS, made.keeps, table)
        if made.joined:
            _choice("± is meant of", "jointly", _JOINTLY, made.jointly, table)
        if (cap := changes.cap(made)) is not None:
            _cap(cap, table)
        box = st.popover("Trials", key="list_trials", icon=":material/tune:", on_change="rerun")
        widgets.while_open(box, lambda: _trials(made, table))


def _cap(rows: int, table: Table) -> None:
    """One for the whole list."""
    widgets.control(
        st.number_input,
        "Rows a person counts for, s",
        1,
        1_000_000,
        key="list_cap",
        holds=rows,
        act=partial(changes.set_cap, table),
        step=1,
        width=190,
        help="Of somebody with more rows, each counts for less, so that all together count as s. The page People shows what "
        "each s costs in noise and in rows that do not count.",
    )


def _trials(made: QuestionList, table: Table) -> None:
    _number("Share of changes that may be left out, γ", "gamma", made.gamma, table, least=0.001, most=0.5, step=0.01)
    _number("Number of trials, m", "m", made.m, table, least=1, most=100_000, step=100)
    widgets.control(
        st.number_input,
        "Seconds for the trials",
        0.001,
        900.0,
        key="list_seconds",
        holds=float(f"{max(wanted.takes(made, table), 0.001):.2g}"),
        act=partial(wanted.wait, table),
        format="%.6g",
    )
    st.markdown(":small[A smaller γ needs more trials; more trials give a steadier Δ̂ at the same γ.]")


def _choice(
    label: str, name: str, words: dict[object, str] | dict[str, str] | dict[bool, str], value: object, table: Table
) -> None:
    widgets.control(
        st.selectbox,
        label,
        list(words),
        key=f"list_{name}",
        holds=value,
        act=lambda chosen: wanted.settle(table, **{name: chosen}),
        format_func=words.__getitem__,
        width=330,
    )


def _number(label: str, name: str, value: float, table: Table, *, least: float, most: float, step: float) -> None:
    kind = type(value)
    widgets.control(
        st.number_input,
        label,
        kind(least),
        kind(most),
        key=f"list_{name}",
        holds=value,
        act=lambda given: wanted.settle(table, **{name: given}),
        step=kind(step),
        format="%d" if kind is int else "%.6g",
    )
