"""Explore: the experiment on one screen."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages import jobs, state
from pages.experiment.scenario import Scenario
from pages.experiment.view import View, view
from pages.experiment.words import guarantee_line, headline, promise
from pages.figures.charts import charts_of
from pages.figures.theme import Chart
from pages.files.tables import Table
from pages.old.shared import list_bar, notices, standing_words
from pages.old.shared.escape import escaped
from pages.old.wording.sentences import plain
from pages.server.jobs import Job
from pages.widgets import actions, progress, rail
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.question import show_examples, show_query, show_selectors

TITLE = "Explore"
ORDER = 0.5
PLACES = ()
_STYLE = """<style>
[data-testid=stMainBlockContainer]:has(.st-key-explore) { padding-left: 1.5rem; padding-right: 1.5rem; }
.st-key-explore { gap: 0.35rem; }
.st-key-examples button { min-height: 0; padding: 0 0.4rem; }
.st-key-explore [data-testid=stWidgetLabel] { min-height: 0; margin-bottom: 0; }
</style>"""


def show() -> None:
    """Show the page."""
    if notices.show_missing_table():
        return
    if state.table().public:
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    with st.container(key="explore"):
        st.html(_STYLE)
        show_examples()
        show_selectors(scenario, table, partial(actions.show, scenario, table))
        show_query(scenario, table)
        list_bar.show(scenario, table)
        standing_words.note_on_explore(table)
        notices.show(over=True)
        _experiment(scenario, table)


def _experiment(scenario: Scenario, table: Table) -> None:
    question = jobs.question(scenario, table)
    drawn = jobs.draws(question, scenario.m)
    if isinstance(drawn, Job):
        progress.show(question, scenario, drawn)
        return
    shown = view(scenario, question, drawn)
    st.markdown(f"#### {escaped(headline(shown))}")
    charts = charts_of(shown)
    left, middle, right = st.columns([0.95, 1.5, 1.5], gap="small")
    with left:
        rail.show(shown)
    for column, names in ((middle, ("answers", "error")), (right, ("sensitivity", "points"))):
        with column:
            for name in names:
                _panel(shown, charts, name)
    first, rest = promise(shown)
    st.markdown(f"**{escaped(first)}** {escaped(rest)}")
    show_numbers(charts)


def _panel(shown: View, charts: dict[str, Chart], name: str) -> None:
    line = guarantee_line(None if shown.noise is None else shown.noise.guarantee)
    if name in charts:
        show_chart(charts[name], name, line)
    else:
        st.warning(escaped(_problem(shown)))


def _problem(shown: View) -> str:
    assert shown.problem is not None
    return plain(shown.problem)
