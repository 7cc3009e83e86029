"""On Explore, where there is a list: the question shown goes into it, or back into its place."""

from __future__ import annotations

import streamlit as st

from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import QuestionList, question_of
from pages.old.state.listed import changes, current_list


def show(scenario: Scenario, table: Table) -> None:
    """Nothing without a list of this table."""
    made = current_list.current(table)
    if made is None:
        return
    edited = changes.edited(table)

    def take() -> None:
        changes.add(table, state.scenario())

    with st.container(horizontal=True, vertical_alignment="center", key="list_bar"):
        if edited is not None:
            st.markdown(f"You edit question {edited + 1} of your list.")
            st.button("Put it back", key="list_back", icon=":material/check:", on_click=take)
            st.button("Leave it as it was", key="list_leave", type="tertiary", on_click=changes.leave_edited)
        elif here := _place(made, scenario, table):
            st.markdown(f"This is question {here} of your list of {len(made.questions)}, on Release.")
        else:
            st.button("Add to the list", key="list_take", icon=":material/playlist_add:", on_click=take)
            st.markdown(f"You have a list of {len(made.questions)} on Release.")


def _place(made: QuestionList, scenario: Scenario, table: Table) -> int:
    """At which place the question is, from 1; 0 where it is at none."""
    shown = question_of(scenario, table)
    asked = [(one.target, one.columns) for one in made.questions]
    return asked.index((shown.target, shown.columns)) + 1 if (shown.target, shown.columns) in asked else 0
