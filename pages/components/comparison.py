"""The switch behind which a confidential table itself is looked at."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.tables import Table
from pages.session import ledger, state


def show(table: Table) -> None:
    """It looks the same wherever its effect is seen."""
    st.session_state["compare"] = state.compared(table.name)
    st.toggle(
        "Compare with the table", key="compare",
        on_change=lambda: ledger.compare(table, on=st.session_state["compare"]),
        help="Shows what the table itself says: its own answer, a regression's records, how many rows its people have. It is "
        "for you alone. Whatever you then choose in view of it (target, oracle, bounds, ε, rows a person) is covered by no "
        "guarantee, and every later release of this table says so.",
    )  # fmt: skip
