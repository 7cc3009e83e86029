"""Guarantees in full, and the reason if noise is no longer sampled for a table."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, Guarantee, Unit
from pages.escape import escaped
from pages.files.tables import Table
from pages.ledger import session as ledger


def show_in_full(guarantee: Guarantee, unit: Unit | None, adjacency: Adjacency) -> None:
    """Show the whole sentence of a guarantee in an expander.

    Args:
        guarantee: The guarantee.
        unit: The protected unit.
        adjacency: The neighbours.
    """
    with st.expander("What this guarantee says", icon=":material/gavel:"):
        st.markdown(escaped(descriptions.sentence(guarantee, adjacency, unit)))


def show_why_not_sampled(table: Table) -> None:
    """Show why noise is no longer sampled for a table and what to do, if that is so."""
    book = ledger.book()
    came = book.ledger(table).sampling_ended_by
    if not came:
        return
    anew = " Or start a new demonstration under the ledger on Release." * (not book.why_no_demonstration(table))
    st.markdown(
        ":material/verified_user: Sampled noise is offered only in the first release of a table, which can answer several "
        f"questions. Before this one came {came}, and may have led to it. The proved worst case and blocks keep their "
        f"guarantee.{anew}"
    )
