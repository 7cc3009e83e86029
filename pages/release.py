"""The page Release: a list of questions, the receipt, the answers and the ledger."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages import address, state
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.releasing import answers, current_list, questions, receipt
from pages.releasing import ledger as ledger_part
from pages.widgets import notices, progress

TITLE = "Release"
ORDER = 3
_STYLE = """<style>
@media (min-width: 641px) {
  [data-testid=stLayoutWrapper]:has(> .st-key-release_bar) { position: sticky; top: 3.25rem; z-index: 50; }
  .st-key-release_bar { padding: 0.4rem 0; background: Canvas; background: light-dark(#ffffff, #171614); }
}
</style>"""  # keeps the bar visible below the navigation, if there is room for it


def show() -> None:
    """Show the page, once the browser has said its name."""
    state.take_own_n()
    table = state.table()
    if said := current_list.mend_oracle(table):
        state.say(said)
    st.markdown("# Publish private answers")
    notices.show_lost_ledger()
    if ledger.known() is None:
        st.markdown("Your browser is asked for its ledger's name, so that earlier releases are found.")
        return
    st.html(_STYLE)
    st.session_state["release_page"] = "begun"
    _show_part(table)


@st.fragment
def _show_part(table: Table) -> None:
    """Show everything that a change of the list or of the ledger can change. Only a click on Release reruns the whole page."""
    again = st.session_state.pop("release_page", None) is None
    if again and (st.session_state.pop("clicked_release", False) or state.table() is not table):
        st.rerun()
    st.session_state.pop("clicked_release", None)
    notices.guarded(partial(_show, table))
    if again:
        address.publish("release")


def _show(table: Table) -> None:
    notices.show_last_change()
    bar = st.container(horizontal=True, vertical_alignment="center", key="release_bar")
    left, right = st.columns([5, 3], gap="large")
    drawing = ledger.book().drawing
    if drawing is not None and drawing.open:
        with left:
            progress.show_release(drawing)
            answers.show(None, table)
    else:
        made, kinds = current_list.current(table)
        released = current_list.released(made, table)
        with left:
            if released is None:
                questions.show(made, table)
            answers.show(released, table)
        with right:
            receipt.show(made, kinds, table, bar)
    with right:
        ledger_part.show(table)
