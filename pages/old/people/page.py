"""People: what keeping s of each person's rows costs and saves, before anything is released."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages import state
from pages.files.tables import Table
from pages.old.people import cost, questions
from pages.old.shared import badges, exports, notices
from pages.old.shared.escape import escaped
from pages.old.state import place
from pages.old.state.contributions import analysis
from pages.server.page_list import link_to
from pages.widgets.question import show_query, show_selectors

# What the page People says where it has nothing to show, and what to do then.


def without_people(table: Table) -> None:
    """The table's rows are nobody's: how it gets people, and a table that has some."""
    st.markdown(
        f"# {escaped(table.title or table.name)} has no people\n"
        "Each row of this table stands by itself, so no person has several. This page is about tables in which one person "
        "can have many rows. If that is so in yours, answer “Yes” to that question on the page Your data, and name the column "
        "that says whose a row is. What you chose stays as it is on Explore."
    )
    with st.container(horizontal=True):
        st.button("Show a table of people", key="show_people", on_click=state.show_people, icon=":material/group:")
        st.page_link(link_to("your_data"), label="To Your data", icon=":material/upload_file:")


def without_answer(why: str) -> None:
    """There are people, and no prediction."""
    st.markdown(f"# No prediction for this question\n{escaped(why)}")
    st.button("Ask for the first question of this table", key="ask_first", on_click=state.ask_first)


TITLE = "People"
ORDER = 2
PLACES = ("panel", place.OPEN)


def show() -> None:
    """Show the selectors and three questions about the target, or what is missing for them."""
    if notices.show_missing_table():
        return
    state.begin_with_people()
    if not state.made_up():
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    show_selectors(scenario, table, partial(exports.show_link, PLACES))
    show_query(scenario, table)
    notices.show()
    if table.persons is None:
        without_people(table)
        return
    found = analysis(scenario, table)
    if isinstance(found, str):
        without_answer(found)
    else:
        cost.show(found)
        badges.show(badges.of_chart(table))
        questions.show(found)
