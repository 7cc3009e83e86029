"""One more question for a list: a kind of question about a column, or the one that is set up on Explore."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.base.types import can_be_asked
from dpcore.targets.together import MOST_PARTS
from dpcore.workbench.defaults import columns_for, kind_called, target_kinds, title
from dpcore.workbench.listed.question_list import QuestionList, question_of
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.shared.escape import escaped
from pages.state.listed import changes
from pages.wording.question_words import question_of as words_of


def show(made: QuestionList, scenario: Scenario, table: Table) -> None:
    """Both ways; nothing where the list is full."""
    if len(made.questions) >= MOST_PARTS:
        st.markdown(f"A list holds {MOST_PARTS} questions, and this one is full.")
        return
    with st.popover("Add a question", key="list_add", icon=":material/playlist_add:", on_change="rerun") as box:
        if box.open:
            _of_a_column(table)
            _shown(made, scenario, table)


def _of_a_column(table: Table) -> None:
    kinds = [kind for kind in target_kinds(table) if can_be_asked(kind_called(kind))]
    kind = st.selectbox("Ask for", kinds, key="list_kind", format_func=title)
    names = [column.name for column in table.columns if kind and column.name in columns_for(kind, table, (column.name,))]
    column = st.selectbox("Of", names, key="list_column", format_func=lambda name: table.column(name).words)
    st.button(
        "Add it",
        key="list_add_kind",
        disabled=not (kind and column),
        icon=":material/add:",
        on_click=partial(changes.add_kind, table, kind or "", column or ""),
    )


def _shown(made: QuestionList, scenario: Scenario, table: Table) -> None:
    shown = question_of(scenario, table)
    if any((one.target, one.columns) == (shown.target, shown.columns) for one in made.questions):
        st.markdown(":small[For conditions, groups and other settings, set a question up on Explore, then add it here.]")
        return
    st.markdown(f":small[Or the question that is set up on Explore: **{escaped(words_of(shown.target, shown.columns, table))}**]")
    st.button("Add that", key="list_add_shown", icon=":material/add:", on_click=partial(changes.add_shown, table))
