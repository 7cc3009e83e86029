"""What a guarantee says, and what earlier answers do to the next one, in sentences."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee
from dpcore.guarantees.unit import Unit
from pages.escape import escaped
from pages.files.tables import Table
from pages.ledger import session as ledger


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
