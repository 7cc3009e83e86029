"""Saving everything of a table as one file; it offers itself once something would be lost."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.tables import Table
from pages.state import ledger
from pages.state.saved import writing

_NAME = "settings.json"
_FORGETS = "**This server forgets the ledger when it restarts: save it.**"
_HELP = (
    "How the table is declared, the question shown, pins and list, the plan, the ledger with its answers, the budget, and "
    "whether you looked. Do not publish the file: it holds a digest of the table, which confirms a guess of its values. If your "
    "browser cannot write it, as on a full disk, nothing is lost here: make room and press again."
)


def show(table: Table) -> None:
    """The button, and why to press it."""
    with st.container(horizontal=True, vertical_alignment="center", key="saving"):
        st.download_button(
            "Save all of this",
            writing.everything(table),
            _NAME,
            "application/json",
            key="save_all",
            on_click="ignore",
            icon=":material/save:",
            help=_HELP,
        )
        if writing.worth_it(table):
            st.markdown(_FORGETS, width="stretch")


def incomplete(table: Table) -> None:
    """That what came from a file may not be all."""
    if said := ledger.book().incomplete(table):
        st.markdown(f":material/draft: {said}")
