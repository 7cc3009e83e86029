"""The switch behind which a confidential table itself is looked at."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.tables import Table
from pages.shared import badges
from pages.state import ledger, state


def show(table: Table) -> None:
    """It looks the same wherever its effect is seen."""
    st.session_state["compare"] = state.compared(table.name)
    st.toggle(
        "Compare with the table",
        key="compare",
        on_change=lambda: ledger.compare(table, on=st.session_state["compare"]),
        help="Shows what the table itself says: its own answer, a regression's records, how many rows its people have. It is "
        "for you alone. Whatever you then choose in view of it (target, oracle, bounds, ε, rows a person) is covered by no "
        "guarantee, and every later release of this table says so.",
    )


def boundary(table: Table) -> None:
    """What is shown of this table: the public one itself, a confidential one that is compared with, or a made-up one; and the
    switch between these."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if not table.public:
            show(table)
        badge(table, simulated=not table.public and not state.compared(table.name))


def badge(table: Table, *, simulated: bool) -> None:
    """What a chart was made from; and that its settings can have been chosen in view of a table that was looked at before."""
    {
        badges.PUBLIC_TABLE: badges.public_table,
        badges.CONFIDENTIAL: badges.confidential,
        badges.LOOKED: badges.simulated_after_a_look,
        badges.SIMULATED: badges.simulated,
    }[said(table, simulated=simulated)]()


def said(table: Table, *, simulated: bool) -> str:
    """The words of that badge, which a picture of the chart has too."""
    if not simulated:
        return badges.PUBLIC_TABLE if table.public else badges.CONFIDENTIAL
    looked = ledger.looked_at(table)
    return badges.LOOKED if looked else badges.SIMULATED
