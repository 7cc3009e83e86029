"""Release: a receipt, one press, one response with its guarantee, the plan, and the ledger."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.release import books, budgets, entered, plans
from pages.release.listed import show as listed
from pages.shared import absent, notices, progress, receipt
from pages.shared.saved import loading, saving
from pages.state import ledger, state, tab
from pages.state.listed import here

TITLE = "Release"
ORDER = 3


def show() -> None:
    """The receipt with its plan, then what was released, then the ledger: once it is known which tab this is."""
    if absent.show():
        return
    state.take_own_n()
    many = here.current(state.table()) is not None
    st.markdown("# Release a list of answers" if many else "# Make one private release")
    notices.show(over=many)
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
            _asked(scenario, table)
    with right:
        saving.show(table)
        books.entries(table)
        budgets.show(table)
        books.ledgers(table)
        entered.show(scenario, table)
        with st.expander("Load what you saved", icon=":material/upload_file:"):
            loading.drop("A file that “Save all of this” gave you", "release")


def _asked(scenario: Scenario, table: Table) -> None:
    """The list of questions, where there is one; else the question that is shown, with the plan."""
    made = here.current(table)
    if made is not None:
        listed.show(made, scenario, table)
        return
    receipt.show(scenario, table)
    listed.begin(table)
    plans.show(scenario, table)
