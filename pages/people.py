"""People: what keeping s of each person's rows costs and saves, before anything is released."""

from __future__ import annotations

import streamlit as st

from pages.components import comparison, notices, private_choice, selectors
from pages.components.people import caps_and_bounds, charts, headline, ways_on
from pages.session import place, state
from pages.session.contributions import analysis

TITLE = "People"
ORDER = 2
PLACES = place.OF_CHOICES
ROWS = (
    (
        (caps_and_bounds.cap, charts.rows),
        (caps_and_bounds.epsilon, charts.error),
        (caps_and_bounds.bound, charts.bounds),
    ),
    ((charts.compared,), (charts.groups,), (charts.configurations,)),
)


def show() -> None:
    """Selectors, the cost of this cap in a sentence, and the charts, each under its slider; or what stands in the way."""
    state.begin_with_people()
    if not state.made_up():
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    selectors.show(scenario)
    notices.show()
    if table.persons is None:
        ways_on.without_people(table)
        return
    found = analysis(scenario, table)
    if isinstance(found, str):
        ways_on.without_answer(scenario, found)
        comparison.boundary(table)
    else:
        headline.show(found)
        comparison.boundary(table)
        for row in ROWS:
            for box, parts in zip(st.columns(3, gap="medium"), row, strict=True):
                with box:
                    for part in parts:
                        part(found)
    private_choice.show(scenario, table)
