"""What a question about people has beside the question: the cap, or the settings of a choice that comes before it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import settles
from dpcore.workbench.scenario import Scenario
from pages.server.contents import link_to
from pages.shared import form
from pages.shared.inputs import number
from pages.state import choosing, state

_ALL = "over all groups together"
_KEEPING = {False: "All of them, with less weight", True: "s of them, chosen under a public salt"}
_MOST_SALT = 2**53 - 1  # that a box for numbers holds


def show(scenario: Scenario) -> None:
    """s, with groups in how many of them a person counts, and which rows of a person do; of a choice its own settings, and the
    way back."""
    target: Any = scenario.target
    if settles(target):
        form.show(_target, partial(form.propose, take=lambda target: state.change(target=target)), inner=False)
        st.button("Ask the question itself instead", key="opt_question_itself", on_click=choosing.leave)
        return
    put = partial(_put, form.owner_of(target))
    number(
        "Rows a person counts for, s",
        "opt_cap",
        target.rows,
        partial(put, "rows"),
        step=1,
        least=1,
        most=1_000_000,
    )
    if len(target.groups) > 1:
        st.session_state["opt_groups_each"] = target.groups_each
        st.number_input(
            "Groups a person counts in",
            1,
            len(target.groups),
            key="opt_groups_each",
            value=None,
            step=1,
            placeholder=_ALL,
            help="Without a number, s is a cap over all groups together. With one, s rows count in each of so many groups.",
            on_change=lambda: put("groups_each", st.session_state["opt_groups_each"]),
        )
    _keeping(target.salt, put)
    st.page_link(link_to("people"), label="What each s costs, on the page People", icon=":material/group:")


def _keeping(salt: int | None, put: Callable[[str, Any], None]) -> None:
    """All rows of a person with less weight, or s of them under a salt."""
    st.session_state["opt_keeping"] = salt is not None
    st.radio(
        "Which rows of a person with more count?",
        list(_KEEPING),
        key="opt_keeping",
        format_func=_KEEPING.__getitem__,
        on_change=lambda: put("salt", 0 if st.session_state["opt_keeping"] else None),
        help="Weights are better for nearly every question, because a choice of rows adds an error of its own. Choose rows where "
        "the answer has to be made of whole rows, as a count is that others will compare with theirs.",
    )
    if salt is None:
        return
    if salt <= _MOST_SALT:
        number("Salt: a public number that says which", "opt_salt", salt, partial(put, "salt"), step=1, least=0, most=_MOST_SALT)
    else:
        st.markdown(f"The rows are chosen under the salt {salt:,}.")
    st.button(
        "Another salt", key="opt_another_salt", icon=":material/casino:", on_click=lambda: put("salt", secrets.randbits(31))
    )


def _target() -> Any:
    return state.scenario().target


def _put(owner: form.Owner, name: str, value: Any) -> None:
    def changed() -> Any:
        return replace(_target(), **{name: value})

    form.in_time(owner, _target, lambda: form.propose(changed, lambda target: state.change(target=target)))
