"""What the page People says where it has nothing to show, and what to do then."""

from __future__ import annotations

import streamlit as st

from dpcore.base.types import settles
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.server.contents import link_to
from pages.shared.escape import escaped
from pages.state import choosing, state


def without_people(table: Table) -> None:
    """The table's rows are nobody's: how it gets people, and a table that has some."""
    st.markdown(
        f"# {escaped(table.title or table.name)} has no people\n"
        "Each row of this table is a record of its own, so no person has several. This page is about tables in which one person "
        "can have many rows. If that is so in yours, answer “Yes” to that question on the page Your data, and name the column "
        "that says whose a row is. What you chose stays as it is on Explore."
    )
    with st.container(horizontal=True):
        st.button("Show a table of people", key="show_people", on_click=state.show_people, icon=":material/group:")
        _to_your_data()


def without_answer(scenario: Scenario, why: str) -> None:
    """There are people, and no prediction; nor does a choice have one, which has a section of its own."""
    if settles(scenario.target):
        st.button("Ask the question itself instead", key="question_itself", on_click=choosing.leave)
        return
    st.markdown(f"# No prediction for this question\n{escaped(why)}")
    st.button("Ask for the first question of this table", key="ask_first", on_click=state.ask_first)


def _to_your_data() -> None:
    st.page_link(link_to("your_data"), label="To Your data", icon=":material/upload_file:")
