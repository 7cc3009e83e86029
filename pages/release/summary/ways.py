"""The ways to a summary and back to a question: which of them stands on the page."""

from __future__ import annotations

import streamlit as st

from pages.state import state

_STANDS = "summary_stands"


def stands() -> bool:
    """Whether a summary is asked for, in place of a question or a list."""
    return bool(st.session_state.get(_STANDS))


def show() -> None:
    """The button that leads to a summary."""
    st.button(
        "Summary of the whole table",
        key="summary_open",
        icon=":material/dashboard:",
        type="tertiary",
        on_click=_go,
        args=(True,),
        help="For each column how many values are known, the mean, the quartiles and bars: one press, one ε for all.",
    )


def show_back() -> None:
    """The button that leads back."""
    st.button("Ask a question instead", key="summary_close", type="tertiary", on_click=_go, args=(False,))


def _go(on: bool) -> None:
    state.begin()
    st.session_state[_STANDS] = on
