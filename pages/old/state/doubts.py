"""What the address says of what opens on Explore: which of it is open, how unlike the world is, and what it is drawn from."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from dpcore.base.quoted import quoted
from pages.experiment.scenario import plain_form
from pages.old.state import place, unfolded
from pages.old.state.link import REFUSED, field_of

# keys of what opens
KNOWN, LEFT_OUT, ATTACK = "known", "left_out", "attack"
WRONG_ORACLE, BOUNDS_COST = "wrong_oracle", "bounds_cost"
_ALL = (KNOWN, LEFT_OUT, WRONG_ORACLE, BOUNDS_COST, ATTACK)
_ARRIVED = "world_arrived"
LEAST, MOST, FIRST = 1e-7, 1.0, 0.001  # of τ


def box(key: str, title: str, icon: str) -> Any:
    """Behind a line that is built only while it is open; it opens where the address says so."""
    return unfolded.box("doubts", _ALL, key, title, icon, _leave_world)


def opens(key: str) -> bool:
    """Whether it is open, before it is drawn."""
    return bool(st.session_state.get(key, key in unfolded.opened("doubts", _ALL)))


def _leave_world() -> None:
    if WRONG_ORACLE not in unfolded.opened("doubts", _ALL):
        link_world(None)  # it is kept for its columns, and a link brings back what is shown


def tau() -> float:
    """How unlike one record of the world is: what was chosen here or in a link."""
    found = place.number("tau")
    return FIRST if found is None else min(MOST, max(LEAST, found))


def keep_tau(value: float) -> None:
    """From now on."""
    place.go("tau", f"{value:.6g}")


def arrived() -> bool:
    """Once after an address was taken: then the other world is the one that it has, or none."""
    return bool(st.session_state.pop(_ARRIVED, False))


def linked_world() -> Any:
    """The oracle of the other world that the address has, whether or not it fits; None without one."""
    text = place.of("world")
    try:
        return field_of("oracle", text) if text else None
    except REFUSED:
        return None


def link_world(oracle: Any) -> None:
    """The other world's oracle, or that there is none: one whose parameters are too many is not in the address."""
    text = "" if oracle is None else json.dumps(plain_form(oracle), separators=(",", ":"), ensure_ascii=False)
    place.go("world", text if len(text) <= place.room("world") else "")


def adopted() -> list[str]:
    """After an address was taken: a sentence for each part that cannot be read."""
    st.session_state[_ARRIVED] = True
    said = []
    text, found = place.of("tau"), place.number("tau")
    if text and (found is None or not LEAST <= found <= MOST):
        place.go("tau", "")
        said.append(
            f"In the link, how unlike the world is, τ (“tau=” in the address), is {quoted(text[:20])}: expected a number from "
            f"{LEAST:g} to {MOST:g}. {FIRST:g} is shown."
        )
    if place.of("world") and linked_world() is None:
        place.go("world", "")
        said.append("In the link, the oracle of the other world (“world=” in the address) cannot be read. Another one is shown.")
    return said
