"""Answers that stay while another page is shown, which makes Streamlit forget what its widgets held."""

from __future__ import annotations

import streamlit as st


def hold(*keys: str) -> None:
    """Before these widgets are shown: what they hold is kept, and what was kept is held again."""
    kept: dict[str, object] = st.session_state.setdefault("answers_held", {})
    for key in keys:
        if key in st.session_state:
            kept[key] = st.session_state[key]
        elif key in kept:
            st.session_state[key] = kept[key]


def drop(*keys: str) -> None:
    """Forget these answers: the widgets begin anew."""
    for key in keys:
        st.session_state.pop(key, None)
        st.session_state.get("answers_held", {}).pop(key, None)
