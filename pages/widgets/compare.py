"""The tab Compare: the pinned scenarios and the one that is shown, side by side."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from pages import jobs, pins
from pages.escape import escaped
from pages.experiment.comparison import Compared, comparable, conclusion
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.view import View
from pages.experiment.view import view as view_of
from pages.exports.settings import differences, settings
from pages.exports.slide import MIME, slide
from pages.figures.compare import compare_chart
from pages.server.jobs import Job
from pages.widgets.charts import show_chart

LABEL = "Compare"
NOW = "now"


def is_offered() -> bool:
    """Return whether there is anything to compare."""
    return bool(pins.pinned())


def show(view: View) -> None:
    """Show the comparison, if anything is pinned.

    Args:
        view: The view on the page.
    """
    if not is_offered():
        return
    now = pins.letter_of(view.scenario)
    scenarios = dict(zip(pins.LETTERS, pins.pinned(), strict=False))
    if not now:
        scenarios[NOW] = view.scenario
    names = differences([_settings(one) for one in scenarios.values()])
    items = [
        Compared(letter, name, view if letter in (now, NOW) else _view(one))
        for (letter, one), name in zip(scenarios.items(), names, strict=True)
    ]
    shown = next(one for one in items if one.letter in (now, NOW))
    rows = [_row(one, shown=one is shown) for one in items]
    st.table([{name: escaped(cell) for name, cell in row.items()} for row in rows], border="horizontal")
    with st.container(horizontal=True, gap="xsmall", key="compare_buttons"):
        for letter, one in zip(pins.LETTERS, pins.pinned(), strict=False):
            if letter != now:
                _button(f"Show {letter}", f"show_{letter}", "visibility", pins.show, one)
            _button(f"Unpin {letter}", f"unpin_{letter}", "keep_off", pins.unpin, one)
    _show_chart(items, shown)


def _button(label: str, key: str, icon: str, act: Callable[[Scenario], None], scenario: Scenario) -> None:
    """Show a button that changes the whole page, also from within a fragment."""
    if st.button(label, key=key, icon=f":material/{icon}:", type="tertiary"):
        act(scenario)
        st.rerun()


def _view(scenario: Scenario) -> View | str:
    """Return what a pinned scenario shows, or why it is not drawn."""
    table = pins.table_of(scenario)
    if isinstance(table, str):
        return table
    question = jobs.question(scenario, table)
    try:
        if not jobs.are_quick(question, scenario.m):
            return "Not drawn yet: show it."
        drawn = jobs.draws(question, scenario.m)
        return "Not drawn yet: show it." if isinstance(drawn, Job) else view_of(scenario, question, drawn)
    except DpcoreError as error:
        return plain(error)


def _settings(scenario: Scenario) -> dict[str, str]:
    """Return the settings of a scenario in words."""
    found = pins.table_of(scenario)
    return {"table": scenario.table} if isinstance(found, str) else settings(scenario, found)


def _row(one: Compared, *, shown: bool) -> dict[str, str]:
    found = {"scenario": f"{one.letter} (shown)" if shown and one.letter != NOW else one.letter, "what differs": one.name}
    if isinstance(one.view, str):
        return found | {"error": one.view, "Δ̂": "", "k": "", "guarantee": ""}
    if one.error is None:
        why = "" if one.view.problem is None else plain(one.view.problem)
        return found | {"error": why or "no private answer", "Δ̂": "", "k": "", "guarantee": ""}
    delta = "" if one.view.order_statistic is None else figure(one.view.order_statistic)
    error = f"{one.error_in_words} ({one.meaning[0]})"
    return found | {"error": error, "Δ̂": delta, "k": f"{one.view.point.k:,}", "guarantee": one.guarantee}


def _show_chart(items: list[Compared], shown: Compared) -> None:
    """Show the conclusion, the errors that have the sense and the unit of the current one, and which scenarios are left out."""
    if len(items) == 1:
        st.markdown("Change a setting to compare it with the pinned scenario.")
        return
    alike = comparable(items, shown)
    if len(alike) < 2 or shown not in alike:
        st.markdown("These errors differ in meaning or unit, so they are not drawn in one chart.")
        return
    said = conclusion(alike)
    st.markdown(f"**{escaped(said)}**")
    show_chart(compare_chart(alike, shown, said), "compare", "")
    if len(alike) < len(items):
        others = ", ".join(one.letter for one in items if one not in alike)
        st.markdown(f"Without {escaped(others)}, whose error is not known or means something else.")
    st.download_button(
        "PowerPoint slide",
        lambda: slide(alike),
        "comparison.pptx",
        MIME,
        key="compare_slide",
        on_click="ignore",
        icon=":material/slideshow:",
        help="The conclusion, a chart that you can edit, and the guarantees.",
    )
