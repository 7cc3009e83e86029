"""People: the cost of a limit on each person's rows, predicted before a release."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from pages import jobs, state
from pages.contributions import questions
from pages.escape import escaped
from pages.experiment.descriptions import question as question_words
from pages.experiment.error_sentences import plain
from pages.experiment.people import advice
from pages.experiment.people.prediction import Contributions, contributions
from pages.experiment.scenario import Noise, Scenario
from pages.figures.people import charts_of
from pages.files.tables import Table
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import badges, notices, share
from pages.widgets.question import show_query, show_selectors

TITLE = "People"
_STYLE = """<style>
[data-testid=stMainBlockContainer]:has(.st-key-people) { padding-left: 1.5rem; padding-right: 1.5rem; }
.st-key-people { gap: 0.35rem; }
.st-key-people h1 { font-size: 1.15rem; padding: 0 0 0.9rem; }
.st-key-people h2 { font-size: 1rem; padding: 0 0 0.4rem; }
.st-key-people [data-testid=stWidgetLabel] { min-height: 0; margin-bottom: 0; }
</style>"""


def show() -> None:
    """Show the page."""
    state.begin_with_people()
    if state.table().public:
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    with st.container(key="people"):
        st.html(_STYLE)
        show_selectors(scenario, table)
        show_query(scenario, table)
        notices.show()
        if table.persons is None:
            _without_people(table)
        else:
            _predicted(scenario, table)


def _actions(scenario: Scenario, table: Table) -> None:
    """Show the link to the page, and what adds the question to the list on Release."""
    share.show_link("people")
    if st.button("**Release**", key="to_release"):
        current_list.add(table, scenario.with_(noise=Noise.WORST_CASE))  # as predicted here
        st.switch_page(link_to("release"))


def _predicted(scenario: Scenario, table: Table) -> None:
    try:
        exact = jobs.question(scenario, table).exact
        found = contributions(scenario, table, exact.database)
        charts, _ = charts_of(found), found.other
    except DpcoreError as error:
        st.markdown(f"# No prediction for this question\n{escaped(plain(error))}")
        st.button("Ask for the first question of this table", key="ask_first", on_click=state.ask_first)
        _actions(scenario, table)
    else:
        _summary(found, table, simulated=exact.simulated)
        questions.show(found, charts)


def _summary(found: Contributions, table: Table, *, simulated: bool) -> None:
    """Show the question with its error, who is protected, and the source of the numbers."""
    asked, error = question_words(found.scenario, table), advice.with_unit(found, found.chosen.total)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"# {escaped(f'{asked}: an error of about {error}')}")
        _actions(found.scenario, table)
    said = [
        f"One person is protected, with all rows of that person: {descriptions.name(found.scenario.privacy)}. The noise is "
        "calibrated to the proved worst case.",
        advice.number_of_people(found),
        *([] if simulated else advice.remarks(found)),
    ]
    about = "**All numbers are about simulated people from the oracle, not about yours.** " if simulated else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(about + escaped(" ".join(filter(None, said))), width="content")
        badges.show(badges.of_chart(table))


def _without_people(table: Table) -> None:
    """Show that no row of the table belongs to a person, and what to do."""
    st.markdown(
        f"# {escaped(table.title or table.name)} has no people\n"
        "No column of this table says who a row is about, so each row stands for itself. This page is about tables in which a "
        "person can have many rows. If yours is one, answer “Yes” to that question on the page Your data, and select the column "
        "that identifies the person. Your settings on Explore stay as they are."
    )
    with st.container(horizontal=True):
        st.button("Show a table of people", key="show_people", on_click=state.show_people, icon=":material/group:")
        st.page_link(link_to("your_data"), label="To Your data", icon=":material/upload_file:")
