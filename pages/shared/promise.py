"""A guarantee on the page: its name and whom it protects, and behind a click what it says word for word."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP
from dpcore.guarantees.unit import Unit
from pages.shared.escape import escaped


def show(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, *, later: str = "") -> None:
    """``unit``: what one row is. ``adjacency``: how neighbours differ. ``later``: what earlier answers did to the guarantee."""
    name = words.name(guarantee)
    weaker = " It is weaker than differential privacy." * isinstance(guarantee, RandomDP)
    said = f"**{name[0].upper()}{name[1:]}.**{weaker} {escaped(words.protects(unit, guarantee, adjacency))}"
    guessed = (
        f"Where {words.unit_of(adjacency)} is protected, whoever guesses from the answer {words.guessed(adjacency)} is right "
        f"{words.guess(guarantee)} (a coin: 50)."
    )
    st.markdown(f"{said} {guessed} {later}".rstrip())
    in_full(guarantee, unit, adjacency)


def in_full(guarantee: Guarantee, unit: Unit | None, adjacency: Adjacency) -> None:
    """The guarantee word for word, behind a click."""
    with st.expander("What this guarantee says", icon=":material/gavel:"):
        st.markdown(escaped(words.sentence(guarantee, adjacency, unit)))
