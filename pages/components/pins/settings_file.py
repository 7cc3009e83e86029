"""Under Link: saving the scenario shown and its pins as a file, and loading such a file."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import TableError
from pages.components import dropzone
from pages.session import address, pins, pins_file, state
from pages.session.listed import here

_NAME = "scenarios.json"
TOO_LONG = "These pins do not fit into a link of 8 kB. Save them as a file, under Link; whoever loads it there sees them."

LIST_TOO_LONG = (
    "This list of questions does not fit into a link of 8 kB. Save it as a file, under Link; whoever loads it there sees it."
)


def show() -> None:
    """Both, and why a link may not do."""
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")
    settings = pins_file.to_json(state.scenario(), pins.scenarios(), here.current(state.table()))
    st.download_button(
        "Save as a file", settings, _NAME, "application/json",
        key="save_pins", on_click="ignore", icon=":material/download:", help="The same as the link: settings, never data.",
    )  # fmt: skip
    dropzone.mend()
    turn = st.session_state.get("pins_turn", 0)
    st.file_uploader("Load a settings file", key=f"pins_file_{turn}", on_change=_load, args=(f"pins_file_{turn}",))


def _load(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    state.begin()
    st.session_state["pins_turn"] = st.session_state.get("pins_turn", 0) + 1  # the same file can be loaded again
    try:
        loaded = pins_file.read(file.getvalue(), state.tables(), state.example())
    except TableError as error:
        state.say(f"{file.name}: {error} Nothing was changed.")
        return
    state.offer_undo(scenario=state.scenario(), pins=pins.kept(), lists=here.all_of_them())
    for sentence in loaded.said:
        state.say(sentence)
    if loaded.shown is not None:
        state.adopt(loaded.shown)
    pins.adopt(loaded.pins)
    if loaded.listed is not None:
        here.adopt(loaded.listed.table, loaded.listed)
    state.say(f"{file.name} was loaded: what was shown and pinned before is one Undo away.")
