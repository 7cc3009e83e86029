"""Explore: what privacy costs, for one table, target and oracle."""

from __future__ import annotations

import streamlit as st

from pages.components import answer, learned, notices, panels, selectors
from pages.session import state
from pages.session.view import view

TITLE = "Explore"
ORDER = 0


def show() -> None:
    """Selectors, the answer in a sentence, three panels each under its slider, and what could be learned."""
    if not state.made_up():
        state.take_own_n()
    selectors.show(state.scenario())
    notices.show()
    shown = view(state.scenario(), state.table())
    answer.show(shown)
    first, second, third = st.columns(3, gap="medium")
    with first:
        panels.sensitivity(shown)
    with second:
        panels.operating_point(shown)
    with third:
        panels.readers(shown)
    learned.show(shown)
