"""A page of one file."""

import streamlit as st

TITLE = "Greeting"
ORDER = 1.5


def show() -> None:
    """One sentence."""
    st.markdown("# Good morning from one file")
