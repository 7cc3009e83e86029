"""Under Share, or Link: saving the scenario shown and its pins as a file, and loading such a file."""

from __future__ import annotations

import streamlit as st

from pages.shared.saved import loading
from pages.state import address
from pages.state.saved import writing

_NAME = "scenarios.json"
TOO_LONG = "These pins do not fit into a link of 8 kB. Save them as a file, under Share; whoever loads it there sees them."

LIST_TOO_LONG = (
    "This list of questions does not fit into a link of 8 kB. Save it as a file, under Share; whoever loads it there sees it."
)


def show() -> None:
    """Both, and why a link may not do."""
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")
    st.markdown("**A settings file** holds the same as the link, however much it is.")
    st.download_button(
        "Save as a file",
        writing.view(),
        _NAME,
        "application/json",
        key="save_pins",
        on_click="ignore",
        icon=":material/download:",
        help="The same as the link: settings, never data. To save the ledger too, use the page Release.",
    )
    loading.drop("Load a settings file", "link")
