"""A browser that is connected anew runs its page again, so that a server that was started meanwhile says what it has forgotten.

By itself Streamlit's page stands as it was until somebody does something. It asks for a run where a part of it runs again by the
clock, and one of ours does so once a day: that part shows nothing.
"""

from __future__ import annotations

import streamlit as st

_A_DAY = 86_400.0  # seconds; a browser's clock counts up to 24 of these


@st.fragment(run_every=_A_DAY)
def listen() -> None:
    """On every page, for as long as it is open."""
