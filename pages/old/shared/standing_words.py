"""What a guarantee says, and what earlier answers do to the next one, in sentences."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP
from dpcore.guarantees.unit import Unit
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.old.shared.escape import escaped

# A guarantee on the page: its name and whom it protects, and behind a click what it says word for word.


def show_promise(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, *, key: str) -> None:
    """``unit``: what one row is. ``adjacency``: how neighbours differ. ``key``: another one for each on a page."""
    name = words.name(guarantee)
    st.markdown(f"**{name[0].upper()}{name[1:]}**")
    with st.container(key=f"limits_{key}"):
        said = [escaped(words.protected(unit, guarantee, adjacency))]
        if isinstance(guarantee, RandomDP):
            said.append("Differential privacy leaves no change unprotected: random DP is weaker.")
            who = f"Those that involve unusual {words.counted_in(adjacency)} are left out."
            said.append(f"{words.unprotected(guarantee, adjacency)} {who}")
        st.markdown("\n\n".join(said))
    st.markdown(
        f"Where {words.unit_of(adjacency)} is protected, whoever guesses from the answer {words.guessed(adjacency)} is right "
        f"{words.guess(guarantee)}. A coin is right 50 times."
    )
    in_full(guarantee, unit, adjacency)


def in_full(guarantee: Guarantee, unit: Unit | None, adjacency: Adjacency) -> None:
    """The guarantee word for word, behind a click."""
    with st.expander("What this guarantee says", icon=":material/gavel:"):
        st.markdown(escaped(words.sentence(guarantee, adjacency, unit)))


def why_not_sampled(table: Table) -> str:
    """Why noise is no longer sized by trials for this table, and what to do; empty if it may be."""
    book = ledger.book()
    came = book.ledger(table).sampling_ended_by
    if not came:
        return ""
    offered = (
        "Noise sized by trials is offered only in the first release of a table, which can answer several questions. Before this "
        f"one came {came}, and may have led to it."
    )
    anew = " Or start a new demonstration under the ledger on Release." * (not book.why_no_demonstration(table))
    return f"{offered} What keeps its guarantee is the proved worst case, or blocks.{anew}"


def note_on_explore(table: Table) -> None:
    """On Explore, once nothing sampled is released of the table any more."""
    if said := why_not_sampled(table):
        st.markdown(f":material/verified_user: {said}")
