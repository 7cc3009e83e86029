"""Sentences about the last change, with a way back where there is one."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import escaped
from pages.session import state


def show() -> None:
    """The sentences of the last change."""
    for sentence in state.notices():
        st.warning(escaped(sentence), icon=":material/info:")
    if "undo" in st.session_state:
        st.button("Undo", key="undo_button", on_click=state.undo, icon=":material/undo:")
