"""Parts of a page that fold out: which are open stands in the address, and what is in one is built only while it is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.old.state import place

_KNOWN = "lines_that_fold_out"


def box(name: str, keys: Sequence[str], key: str, title: str, icon: str, then: Callable[[], None] = lambda: None) -> Any:
    """Behind a line; it opens where the address says so, under ``name``, as one of the ``keys``. ``then``: after each change."""
    if key not in st.session_state:
        st.session_state[key] = key in opened(name, keys)
    st.session_state.setdefault(_KNOWN, set()).add(key)
    made = st.expander(title, key=key, on_change=lambda: _keep(name, keys, key, then), icon=f":material/{icon}:")
    if made.open != (key in opened(name, keys)):
        _keep(name, keys, key, then)
    return made


def opened(name: str, keys: Sequence[str]) -> list[str]:
    """Which are open, as the address says."""
    return [key for key in place.of(name).split(",") if key in keys]


def unfold(name: str, key: str) -> None:
    """It is open when it is drawn next."""
    there = place.of(name).split(",") if place.of(name) else []
    place.go(name, ",".join(dict.fromkeys([*there, key])))
    st.session_state.pop(key, None)


def adopted() -> None:
    """After an address was taken: what is open is what it says."""
    for key in st.session_state.get(_KNOWN, ()):
        st.session_state.pop(key, None)


def _keep(name: str, keys: Sequence[str], key: str, then: Callable[[], None]) -> None:
    """It is open from now on, or no more."""
    before = opened(name, keys)
    place.go(name, ",".join(one for one in keys if (st.session_state[key] if one == key else one in before)))
    then()
