"""People: what keeping s of each person's rows costs and saves, before anything is released."""

from __future__ import annotations

from functools import partial

from pages.people import caps_and_bounds, charts, headline, report, ways_on
from pages.shared import absent, comparison, notices, private_choice, selectors
from pages.shared.wall import frame
from pages.state import place, state
from pages.state.contributions import Analysis, analysis

TITLE = "People"
ORDER = 2
PLACES = ("panel", *place.OF_CHOICES)
PANELS = {
    "people_rows": (caps_and_bounds.cap, charts.rows),
    "people_error": (caps_and_bounds.epsilon, charts.error),
    "people_map": (caps_and_bounds.bound, charts.bounds),
    "people_levels": (charts.compared,),
    "people_groups": (charts.groups,),
    "people_table": (charts.configurations,),
}


def show() -> None:
    """Selectors, the cost of this cap in a sentence, and the charts, each under its slider; or what stands in the way."""
    if absent.show():
        return
    state.begin_with_people()
    if not state.made_up():
        state.take_own_n()
    scenario, table = state.scenario(), state.table()
    selectors.show(scenario, PLACES, partial(report.of_people, scenario, table, PLACES))
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
        frame.arranged(list(PANELS), lambda name, _: _panel(name, found), charts.BESIDE, in_a_row=3)
    private_choice.show(scenario, table)


def _panel(name: str, found: Analysis) -> None:
    for part in PANELS[name]:
        part(found)
