"""What a question about people has beside the question: the cap, or the settings of a choice that comes before it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import settles
from dpcore.workbench.scenario import Scenario
from pages.components import form
from pages.components.inputs import number
from pages.session import choosing, state

_ALL = "over all groups together"


def show(scenario: Scenario) -> None:
    """s, and with groups in how many of them a person counts; of a choice its own settings, and the way back."""
    target: Any = scenario.target
    if settles(target):
        form.show(target, partial(form.propose, take=lambda target: state.change(target=target)), inner=False)
        st.button("Ask the question itself instead", key="opt_question_itself", on_click=choosing.leave)
        return
    number(
        "Rows a person counts for, s", "opt_cap", target.rows, partial(_put, "rows"), step=1, least=1,
        most=1_000_000,
    )  # fmt: skip
    if len(target.groups) > 1:
        st.session_state["opt_groups_each"] = target.groups_each
        st.number_input(
            "Groups a person counts in", 1, len(target.groups), key="opt_groups_each", value=None, step=1, placeholder=_ALL,
            help="Without a number, s is a cap over all groups together. With one, s rows count in each of so many groups.",
            on_change=lambda: _put("groups_each", st.session_state["opt_groups_each"]),
        )  # fmt: skip


def _put(name: str, value: Any) -> None:
    target: Any = state.scenario().target
    form.propose(lambda: replace(target, **{name: value}), lambda target: state.change(target=target))
