"""Explore: the experiment on one screen."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any

import streamlit as st

from pages import address, jobs, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.view import View
from pages.experiment.words import filled
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of
from pages.figures.operating_points import FIX_BOTH, FIX_GAMMA, FIX_M, table_1
from pages.figures.theme import Chart
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.live import live
from pages.server.jobs import Job
from pages.widgets import guarantees, notices, present, progress, rail, tabs
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.question import show_examples_and_actions, show_query, show_selectors

TITLE = "Explore"
_ABOVE = "shown_above_the_experiment"  # key in the session
_SLIDERS = ("epsilon", "gamma", "m")
_STYLE = """<style>
[data-testid=stMainBlockContainer]:has(.st-key-explore) { padding-left: 1.5rem; padding-right: 1.5rem; }
.st-key-explore { gap: 0.35rem; }
.st-key-examples button { min-height: 0; padding: 0 0.3rem; }
.st-key-actions button { min-height: 0; padding: 0.15rem 0.6rem; }
.st-key-top_row { row-gap: 0.2rem; }
.st-key-explore [data-testid=stWidgetLabel] { min-height: 0; margin-bottom: 0; }
</style>"""


def show() -> None:
    """Show the page."""
    if state.table().public:
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    if st.session_state.get(address.PRESENT):
        with present.page():
            present.show(scenario, table)
        return
    with st.container(key="explore"):
        st.html(_STYLE)
        show_examples_and_actions(scenario, table)
        show_selectors(scenario, table, address.hidden())
        show_query(scenario, table)
        guarantees.show_why_not_sampled(table)
        notices.show()
        st.session_state[_ABOVE] = _above(scenario)
        _experiment()


def _above(scenario: Scenario) -> tuple[Any, ...]:
    """Return everything that the rows above the charts depend on. Open popovers depend on the sliders too.

    The browser can say its name in one message with what the charts say, and then only the charts are drawn anew.
    """
    fixed = [getattr(scenario, field.name) for field in fields(scenario) if field.name not in _SLIDERS]
    is_open = any(st.session_state.get(key) for key in ("share", "options"))
    sliders = [getattr(scenario, name) for name in _SLIDERS if is_open]
    return fixed, sliders, state.notices(), live.can_run(), ledger.known()


@st.fragment
def _experiment() -> None:
    """Show sliders, charts and tabs. A moved slider reruns only this part of the page."""
    scenario, table = state.scenario(), state.table()
    if st.session_state[_ABOVE] != _above(scenario):
        st.rerun()
    notices.guarded(partial(_show_experiment, scenario, table))
    address.publish()


def _show_experiment(scenario: Scenario, table: Table) -> None:
    shown = jobs.view(scenario, table)
    if isinstance(shown, Job):
        progress.show(jobs.question(scenario, table), scenario, shown)
        return
    charts = charts_of(shown)
    problem = "" if shown.problem is None else plain(shown.problem)
    if live.can_run():
        live.show(shown, charts, problem, hidden=address.hidden())
    else:
        _plain(shown, charts, problem)
    tabs.show(shown)
    show_numbers(charts)


def _plain(shown: View, charts: dict[str, Chart], problem: str) -> None:
    """Ordinary sliders and charts, which follow after each move."""
    texts = filled(shown)
    st.markdown(f"## {escaped(texts['headline'])}")
    left, middle, right = st.columns([0.95, 1.5, 1.5], gap="small")
    with left:
        rail.show(shown, address.hidden())
    for column, names in ((middle, (ANSWERS, ERROR)), (right, (SENSITIVITY, POINTS))):
        with column:
            for name in names:
                if name == POINTS and _shows_table_1(shown):
                    continue
                if name in charts:
                    show_chart(charts[name], name, texts["line"])
                else:
                    st.warning(escaped(problem))
    st.markdown(f"**{escaped(texts['promise'])}** {escaped(texts['limits'])}")


def _shows_table_1(shown: View) -> bool:
    """Show Table 1 in the chart's place if that is selected, and return whether it is."""
    scenario = shown.scenario
    modes = ["Chart", FIX_GAMMA, FIX_M, FIX_BOTH]
    mode = st.segmented_control("Chart, or Table 1", modes, default="Chart", key="table_1", label_visibility="collapsed")
    if mode in (None, "Chart"):
        return False
    rows = table_1(scenario.m, scenario.gamma, str(mode), confidence=scenario.confidence)
    st.dataframe([{name: row[name] for name in ("bound", "m", "k", "ρ", "γ")} for row in rows], hide_index=True)
    return True
