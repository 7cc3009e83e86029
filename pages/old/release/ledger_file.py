"""Under the ledger: saving it as a file, loading such a file, and a new demonstration on a public table."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.errors import TableError
from pages import state
from pages.files.tables import Table
from pages.ledger import ledger_file
from pages.ledger import session as ledger
from pages.old.shared import dropzone
from pages.old.shared.escape import escaped
from pages.old.wording.sentences import plain

_NAME = "ledger.json"
_FORGETS = "**This server forgets the ledger when it restarts: save it.**"
_HELP = (
    "The lines of this table's ledger with their answers, and the budget. Do not publish the file: it holds a digest of the "
    "table, which confirms a guess of its values."
)
_ABOUT_LOADING = (
    "A file is loaded whole, into an empty ledger of the same table. It cannot prove that nothing was released since it was "
    "saved: so from then on noise is sized to proved worst cases, and no longer by trials."
)
_DEMONSTRATION = (
    "Empties the ledger of this public table, with its answers. Nothing of a public table is secret, so this is for teaching: no "
    "guarantee covers the answers of several demonstrations together."
)


def show(table: Table) -> None:
    """The buttons, and where a file is dropped."""
    book = ledger.book()
    if lines := book.ledger(table).lines:
        with st.container(horizontal=True, vertical_alignment="center", key="saving"):
            st.download_button(
                "Save the ledger",
                partial(ledger_file.write, book, table),
                _NAME,
                "application/json",
                key="save_ledger",
                on_click="ignore",
                icon=":material/save:",
                help=_HELP,
            )
            st.markdown(_FORGETS, width="stretch")
    begun = book.is_drawing or book.ledger(table).responded or bool(lines)
    if begun and not book.why_no_demonstration(table):
        st.button(
            "Start a new demonstration (no guarantee)",
            key="new_demonstration",
            icon=":material/restart_alt:",
            help=_DEMONSTRATION,
            on_click=partial(_start_demonstration, table),
        )
    with st.expander("Load a saved ledger", icon=":material/upload_file:"):
        st.markdown(_ABOUT_LOADING)
        dropzone.mend()
        key = f"ledger_file_{st.session_state.get('ledger_file_turn', 0)}"
        st.file_uploader("A file that “Save the ledger” gave you", type=["json"], key=key, on_change=_load, args=(key, table))
        if problem := st.session_state.pop("ledger_file_problem", ""):
            st.error(escaped(problem))


def _start_demonstration(table: Table) -> None:
    state.begin()
    book = ledger.book()
    with book.lock:
        refused = book.start_demonstration(table)
    if not refused:
        for receipt in ("", "_list"):
            ledger.another(receipt)
    state.say(refused or "A new demonstration was started: the ledger of this table is empty.")


def _load(key: str, table: Table) -> None:
    """Load it, or say why not; the same file can be dropped again."""
    file = st.session_state[key]
    if file is None:
        return
    state.begin()
    st.session_state["ledger_file_turn"] = st.session_state.get("ledger_file_turn", 0) + 1
    try:
        refused = ledger_file.load(ledger.book(), table, ledger_file.read(file.getvalue()))
    except TableError as error:
        refused = plain(error)
    if refused:
        st.session_state["ledger_file_problem"] = f"{file.name}: {refused} Nothing was changed."
        return
    state.say(f"{file.name} was loaded. From now on the noise for this table is sized to proved worst cases.")
