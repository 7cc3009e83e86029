"""Where on a page somebody is, for pages that have places: a few names in the address beside the scenario's."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

NAMES = ("exhibit",)
_LONGEST = 100  # characters of a name


def take(query: Mapping[str, str]) -> None:
    """What an address says of a place."""
    st.session_state["place"] = {name: query[name][:_LONGEST] for name in NAMES if name in query}


def of(name: str) -> str:
    """The place that somebody is at, or ''."""
    return _places().get(name, "")


def go(name: str, place: str) -> None:
    """Be there from now on."""
    st.session_state["place"] = _places() | {name: place}


def written(names: tuple[str, ...]) -> dict[str, str]:
    """What the address of a page with these names has to say."""
    return {name: place for name, place in _places().items() if name in names}


def _places() -> dict[str, str]:
    kept: dict[str, str] = st.session_state.get("place", {})
    return kept
