"""Sentences about the last change, with a way back where there is one."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import escaped
from pages.session import ledger, state

FORGOTTEN = (
    "This tab released answers before, and this server has forgotten them: it was restarted, or it is another one. So the ledger "
    "here is not all. Enter the earlier releases on the page Release, under the ledger, before you release more."
)


def show() -> None:
    """The sentences of the last change; and on every page that a ledger was lost."""
    if ledger.book().forgotten:
        st.warning(FORGOTTEN, icon=":material/history_toggle_off:")
    for sentence in state.notices():
        st.warning(escaped(sentence), icon=":material/info:")
    if "undo" in st.session_state:
        st.button("Undo", key="undo_button", on_click=state.undo, icon=":material/undo:")
