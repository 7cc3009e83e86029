"""The tab Compare: the pinned scenarios and the one that is shown, side by side."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from pages import jobs, pins
from pages.escape import escaped
from pages.experiment.descriptions import differences, settings
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.view import View
from pages.experiment.view import view as view_of
from pages.experiment.words import Compared, comparable, compared, conclusion
from pages.exports.slide import MIME, slide
from pages.figures.charts import compare_chart
from pages.figures.theme import Chart
from pages.widgets.charts import show_chart

LABEL = "Compare"
_NOW = "now"


def is_offered() -> bool:
    """Return whether there is anything to compare."""
    return bool(pins.pinned())


def show(view: View) -> dict[str, Chart]:
    """Show the comparison of the pinned scenarios and the one on the page. Return no chart: the table has its numbers.

    Args:
        view: The view on the page.
    """
    now = pins.letter_of(view.scenario) or _NOW
    pinned = dict(zip(pins.LETTERS, pins.pinned(), strict=False))
    scenarios = pinned | {now: view.scenario}
    names = differences([_settings(one) for one in scenarios.values()])
    items = [
        compared(letter, name, view if letter == now else _view(one))
        for (letter, one), name in zip(scenarios.items(), names, strict=True)
    ]
    shown = next(one for one in items if one.letter == now)
    rows = [_row(one, shown=one is shown) for one in items]
    st.table([{name: escaped(cell) for name, cell in row.items()} for row in rows], border="horizontal")
    with st.container(horizontal=True, gap="xsmall", key="compare_buttons"):
        for letter, one in pinned.items():
            # A rerun changes the whole page, also from within a fragment.
            if letter != now and st.button(f"Show {letter}", key=f"show_{letter}", icon=":material/visibility:", type="tertiary"):
                pins.show(one)
                st.rerun()
            if st.button(f"Unpin {letter}", key=f"unpin_{letter}", icon=":material/keep_off:", type="tertiary"):
                pins.unpin(one)
                st.rerun()
    _show_chart(items, shown)
    return {}


def _view(scenario: Scenario) -> View | str:
    """Return what a pinned scenario shows, or why it is not drawn."""
    table = pins.table_of(scenario)
    if isinstance(table, str):
        return table
    try:
        question = jobs.question(scenario, table)
        drawn = jobs.quick_draws(question, scenario.m)
    except DpcoreError as error:
        return plain(error)
    return "Not drawn yet: show it." if drawn is None else view_of(scenario, question, drawn)


def _settings(scenario: Scenario) -> dict[str, str]:
    """Return the settings of a scenario in words."""
    found = pins.table_of(scenario)
    return {"table": scenario.table} if isinstance(found, str) else settings(scenario, found)


def _row(one: Compared, *, shown: bool) -> dict[str, str]:
    name, view = f"{one.letter} (shown)" if shown and one.letter != _NOW else one.letter, one.view
    error, delta, k = "no private answer", "", ""
    if isinstance(view, str):
        error = view
    elif one.error is None and view.problem is not None:
        error = plain(view.problem)
    elif one.error is not None:
        error, k = f"{one.error_in_words} ({one.meaning[0]})", f"{view.point.k:,}"
        delta = "" if view.order_statistic is None else figure(view.order_statistic)
    return {"scenario": name, "what differs": one.name, "error": error, "Δ̂": delta, "k": k, "guarantee": one.guarantee}


def _show_chart(items: list[Compared], shown: Compared) -> None:
    """Show the conclusion, the errors with the same meaning and unit as the current one, and which scenarios are not drawn."""
    alike = comparable(items, shown)
    if len(items) == 1:
        st.markdown("Change a setting to compare it with the pinned scenario.")
    elif len(alike) < 2 or shown not in alike:
        st.markdown("These errors differ in meaning or unit, so they are not drawn in one chart.")
    else:
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
