"""Looks at a confidential table before it is used: in the tab's book, and in what is declared in view of them."""

from __future__ import annotations

import streamlit as st

from pages.files.declarations.settings import Settings
from pages.files.tables import Table
from pages.shared.widgets import drop, hold
from pages.state import ledger, state, table_identity

_KEY = "looked_same"
_SAME, _OTHERS = "Yes, or nobody knows", "No, about others"


def looked_at(draft: Table) -> bool:
    """Whether this tab has looked at the table that the draft is, under any name."""
    book = ledger.book()
    return any(name in book.looked for name in table_identity.of(book).found(draft))


def forget() -> None:
    """Another file, or other settings: what was said of the last ones does not hold for it."""
    drop(_KEY)


def look(name: str, title: str) -> None:
    """The holder of the table of this name in the tab's book looks at it: that stays with the book, and with the bytes of the
    file, however these are read later (``stay_known``). ``title``: by which it is asked about then."""
    mine, digest = ledger.book(), st.session_state["draft_digest"]
    known = table_identity.of(mine)
    known.names[digest] = name
    known.know_file(digest, title)
    with mine.lock:
        mine.looked.add(name)


def stay_known(draft: Table) -> None:
    """However the file is read after a look at it, it is the file that was looked at."""
    if seen := table_identity.of(ledger.book()).names.get(st.session_state["draft_digest"]):
        named(draft, seen)


def named(draft: Table, seen: str) -> str:
    """The draft's name in the tab's book, where it is the table that was ``seen``."""
    found = table_identity.settle(ledger.book(), draft, seen, used=False)
    state.rename_tables(ledger.book().same)
    return found


def in_settings() -> bool:
    """Whether the settings that were loaded were declared in view of a confidential table."""
    loaded: Settings | None = st.session_state.get("settings")
    return loaded is not None and loaded.looked


def ask() -> bool:
    """Whether the settings that were loaded count as a look at this table too: unless it is about other people."""
    if not in_settings():
        return False
    hold(_KEY)
    st.warning(
        "These settings were declared by somebody who had looked at a confidential table. For a table of the same people no "
        "guarantee covers what was chosen in view of it, and every release says so.",
        icon=":material/visibility:",
    )
    said = st.radio("Is this table about the same people or things as that one, or some of them?", [_SAME, _OTHERS], key=_KEY)
    return bool(said == _SAME)
