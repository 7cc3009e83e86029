"""Guarantees: badges that say whether something may be published, the whole sentence, and why noise is no longer sampled."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, Guarantee, Unit
from pages.escape import escaped
from pages.files.tables import Table
from pages.ledger import session as ledger

SIMULATED = "simulated table: may be published"
PUBLIC_TABLE = "public table, simulated noise: may be published"
NO_GUARANTEE = "no guarantee: counted apart from other answers about the same table. Do not publish it as a private answer"
CONFIDENTIAL = "uses the confidential table: do not publish"
PRIVATE = "private answer: may be published under the printed guarantee"

# Each light has its own shape, so no meaning depends on colour.
_YES, _NEVER = ":green[:material/check_circle:]", ":red[:material/block:]"
_LOOKS = {
    SIMULATED: f":small[{_YES} *{{}}*]",
    PUBLIC_TABLE: f":small[{_YES} *{{}}*]",
    NO_GUARANTEE: f"{_NEVER} **{{}}**",
    CONFIDENTIAL: f"{_NEVER} **{{}}**",
    PRIVATE: f"{_YES} **{{}}**",
}


def show_badge(badge: str) -> None:
    """Show one of these badges."""
    st.markdown(_LOOKS[badge].format(badge))


def badge_of_chart(table: Table) -> str:
    """Return the words of the badge of a chart."""
    return PUBLIC_TABLE if table.public else SIMULATED


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
    if came:
        anew = " Or start a new demonstration under the ledger on Release." * (not book.why_no_demonstration(table))
        st.markdown(
            ":material/verified_user: Sampled noise is offered only in the first release of a table, which can answer several "
            f"questions. Before this one came {came}, and may have led to it. The proved worst case and blocks keep their "
            f"guarantee.{anew}"
        )
