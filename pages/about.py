"""About and limits: the guarantee as a reader may rely on it, and what is known to be weak."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.components import notices

TITLE = "About and limits"
ORDER = 9


def show() -> None:
    """One text."""
    notices.show()
    st.markdown((Path(__file__).parent / "text" / "about.md").read_text(encoding="utf-8"))
