"""About and limits: the guarantee as a reader may rely on it, and what is known to be weak."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.about import audits
from pages.server.pool import pool
from pages.shared import notices
from pages.shared.escape import escaped

TITLE = "About and limits"
ORDER = 9


def show() -> None:
    """One text, and the audit."""
    notices.show()
    st.markdown((Path(__file__).parents[1] / "text" / "about.md").read_text(encoding="utf-8"))
    st.markdown(f"Long runs are made **{escaped(pool().where)}**. {escaped(pool().trouble)}")
    st.markdown("## The audit")
    audits.show()
