"""Learn: the papers' figures and tables beside ours."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.learn import gallery

TITLE = "Learn"
ORDER = 4
PLACES = ("exhibit",)


def show() -> None:
    """What the page is for, and one exhibit at a time."""
    st.markdown(
        "# The papers' figures, and ours\n"
        "Each figure and table of the papers that this app rests on, made again: at the settings of the paper, with what agrees, "
        "what does not, and why. What you see was computed once and stored. Each leads to a smaller one that is computed now."
    )
    notices.show()
    gallery.show()
