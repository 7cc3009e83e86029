"""A link to a table that is not here: it waits, as it is, until that table comes or something else is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import streamlit as st

from dpcore.workbench.scenario import VERSION, Scenario
from pages.state import state
from pages.state.link import REFUSED, VERSION_KEY, field_of

_KEY = "link_waiting"
Query = dict[str, str]


def waits(query: Mapping[str, str]) -> bool:
    """Whether a link is to a table that is not here; from now on it is the one that waits."""
    gone = query.get(VERSION_KEY) == str(VERSION) and query.get("table", state.example().table) not in state.tables()
    if gone:
        st.session_state[_KEY] = dict(query), state.scenario()
    else:
        leave()
    return gone


def query() -> Query | None:
    """The link that waits; None where none does, or where something else was chosen since."""
    waiting, shown = st.session_state.get(_KEY, (None, None))
    return waiting if waiting is not None and shown == state.scenario() else None


def leave() -> None:
    """Something else was chosen: the link waits no longer."""
    st.session_state.pop(_KEY, None)


def asked(waiting: Query) -> Scenario | None:
    """What the link asks, by itself: nothing of it is filled in from another table. None where it does not say all, or what it
    says cannot be."""
    try:
        named = {field.name for field in fields(Scenario)}
        given: dict[str, Any] = {name: field_of(name, text) for name, text in waiting.items() if name in named - {"version"}}
        return Scenario(**given)
    except REFUSED:
        return None
