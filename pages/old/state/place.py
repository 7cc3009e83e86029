"""What an address says beside the scenario, for pages that have more to say, as what of Learn."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

PRESENT = "present"
OPEN = "open"
OF_LEARN = (PRESENT, "panel", "exhibit", "lesson", "step")
NAMES = (*OF_LEARN, OPEN)
_LONGEST = 100  # characters of a name
_MOST = 2**53 - 1  # of a whole number in a browser


def take(query: Mapping[str, str]) -> None:
    """What an address says of a place."""
    st.session_state["place"] = {name: query[name][:_LONGEST] for name in NAMES if name in query}


def of(name: str) -> str:
    """The place that somebody is at, or ''."""
    return all_of_them().get(name, "")


def presenting() -> bool:
    """Whether what is shown is on a wall."""
    return of(PRESENT) == "1"


def go(name: str, place: str) -> None:
    """Be there from now on."""
    go_to({name: place})


def go_to(places: Mapping[str, str]) -> None:
    """Be at several from now on."""
    st.session_state["place"] = all_of_them() | dict(places)


def written(names: tuple[str, ...]) -> dict[str, str]:
    """What the address of a page with these names has to say."""
    return {name: place for name, place in all_of_them().items() if place and name in names}


def number(name: str, *, whole: bool = False) -> float | None:
    """The place as a finite number, which a box can hold; None where it is none, or not ``whole``."""
    try:
        found = int(of(name)) if whole else float(of(name))
    except ValueError:
        return None
    return found if math.isfinite(found) and (not whole or abs(found) <= _MOST) else None


def all_of_them() -> dict[str, str]:
    """Each place that somebody is at, by its name."""
    kept: dict[str, str] = st.session_state.get("place", {})
    return kept
