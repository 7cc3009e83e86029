"""Messages about the last change, with Undo, in the lower right corner. They overlay the page, so nothing moves."""

from __future__ import annotations

import streamlit as st

from pages import state
from pages.escape import escaped

_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-notices) {
  position: fixed; right: 1.5rem; bottom: 1rem; z-index: 99; width: auto;
  max-width: min(36rem, 90vw); max-height: 40vh; overflow: auto;
}
.st-key-notices { gap: 0.3rem; align-items: flex-end; }
.st-key-notices [data-testid="stAlert"], .st-key-notices button { background: var(--st-background-color); border-radius: 0.5rem; }
</style>"""


def show() -> None:
    """Show the messages about the last change, and Undo if it can be undone."""
    st.html(_STYLE)
    with st.container(key="notices"):  # present in each run, so later elements keep their position and the focus
        for sentence in state.notices():
            st.warning(escaped(sentence), icon=":material/info:")
        if "undo" in st.session_state:
            st.button("Undo", key="undo_button", on_click=state.undo, icon=":material/undo:")
