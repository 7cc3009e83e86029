"""The tab's book of releases: it survives a reload, and a second tab or a link does not see it.

One press is one release: callbacks of one session can run at the same time and reruns can repeat, so a press carries a
ticket that is spent under a lock. A new ticket is issued only on request, or when the scenario is another.
"""

from __future__ import annotations

import json
import secrets

import streamlit as st

from dpcore.scenario import Scenario
from dpcore.tables import Table
from pages.session import state, tab
from pages.session.book import Book


@st.cache_resource(max_entries=1_000, show_spinner=False)
def _book(tab_name: str) -> Book:
    return Book()


def book() -> Book:
    """This tab's book."""
    return _book(tab.name())


def follow_reload() -> None:
    """Take up the book that this tab had before a reload, with anything released since."""
    remembered = tab.remember()
    if remembered is None:
        return
    book().join(_book(remembered))
    st.session_state["tab"] = remembered
    st.rerun()


def compare(table: Table, *, on: bool) -> None:
    """Switch the comparison with a confidential table; that it was ever on stays with the tab's book."""
    state.compare(table.name, on=on)
    if on:
        book().looked.add(table.digest)


def ticket(scenario: Scenario, way: str) -> str:
    """The ticket of what is on the receipt; the same until the scenario is another, or another is asked for."""
    key = json.dumps([scenario.to_json(), way])
    if st.session_state.get("receipt", ("", ""))[0] != key:
        st.session_state["receipt"] = (key, secrets.token_hex(8))
    current: str = st.session_state["receipt"][1]
    return current


def another() -> None:
    """A fresh receipt for the same choices."""
    st.session_state.pop("receipt", None)


def caveats(table: Table) -> tuple[str, ...]:
    """What a release of this table must say beside its guarantee."""
    if not table.public and table.digest in book().looked:
        return ("The confidential table was looked at before this release: no guarantee covers choices made in view of it.",)
    return ()
