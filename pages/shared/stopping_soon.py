"""On every page, while the server is about to stop: what it forgets, and where that is saved."""

from __future__ import annotations

import streamlit as st

from pages.server import contents, stopping
from pages.state import ledger


def show() -> None:
    """Nothing where nobody has said so."""
    if not stopping.soon():
        return
    spent = any(line for some in ledger.book().ledgers.values() for one in some for line in one.lines)
    what = "the ledger of your releases, uploads, lists and plans" if spent else "uploads, lists and plans"
    with st.container(border=True, key="stopping_soon"):
        st.warning(
            f"This server stops within minutes. It then forgets {what}. Save what you want back: on the page Release, everything "
            "of a table in one file. A link keeps what Explore shows.",
            icon=":material/power_settings_new:",
        )
        st.page_link(contents.link_to("release"), label="Save on the page Release", icon=":material/save:")
