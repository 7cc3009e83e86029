"""Saving what is declared as a file, and loading it for the next file with the same columns."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import TableError
from pages.files.declarations.settings import Settings
from pages.shared.escape import escaped
from pages.state.saved import waiting, writing
from pages.your_data import kept

_NAME = "declarations.json"


def show(settings: Settings | None) -> None:
    """Both buttons; None where what is declared cannot be saved now."""
    with st.container(horizontal=True):
        st.download_button(
            "Save settings",
            "" if settings is None else writing.declared(settings),
            _NAME,
            "application/json",
            key="save_settings",
            disabled=settings is None,
            on_click="ignore",
            icon=":material/download:",
            help="What you declared, how the file is read, and what one row is: for the next file with the same columns. It "
            "holds no record. To save the ledger too, use the page Release.",
        )
        box = st.popover("Load settings", key="load_settings", on_change="rerun", icon=":material/upload:")
        if box.open:
            with box:
                turn = st.session_state.get("settings_version", 0)
                st.file_uploader("Settings file", key=f"settings_{turn}", on_change=_load, args=(f"settings_{turn}",))
    if problem := st.session_state.pop("settings_problem", ""):
        st.error(escaped(problem))
    if said := st.session_state.get("settings_said", ""):
        st.markdown(f":material/check: {escaped(said)}")


def _load(key: str) -> None:
    """The declarations fill the form at once; what else the file holds waits until the table is used."""
    file = st.session_state[key]
    if file is None:
        return
    try:
        saved = waiting.read(file.getvalue())
        if saved.declarations is None:
            raise TableError("The file says nothing of how a table is declared.", "Load it on the page Release.")
        kept.refuse_settings_of_another(saved.declarations)
    except TableError as error:
        st.session_state["settings_problem"] = f"{file.name}: {error} What was declared here stays."
        return
    st.session_state["settings_waiting"] = saved.declarations
    if saved.accounts or saved.views is not None:
        waiting.keep(file.name, saved)
