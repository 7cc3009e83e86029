"""Release: a receipt, one press, one response with its guarantee, the plan, and the ledger."""

from __future__ import annotations

import streamlit as st

from pages.components import books, budgets, entered, notices, plans, progress, receipt
from pages.session import ledger, state, tab

TITLE = "Release"
ORDER = 3


def show() -> None:
    """The receipt with its plan, then what was released, then the ledger: once it is known which tab this is."""
    st.markdown("# Make one private release")
    state.take_own_n()
    notices.show()
    if tab.known() is None:
        st.markdown("Your browser is asked which tab this is, so that what was released in it before is found.")
        return
    scenario, table = state.scenario(), state.table()
    left, right = st.columns(2, gap="large")
    with left:
        drawing = ledger.book().drawing
        if drawing is not None and drawing.open:
            progress.of_release(drawing)
        else:
            receipt.show(scenario, table)
        plans.show(scenario, table)
    with right:
        books.entries()
        budgets.show(table)
        books.ledgers(table)
        entered.show(scenario, table)
