"""The three questions of the page People, each with its chart, its advice and its control."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.guarantees import words
from dpcore.targets.clipped_totals import ClippedTotals
from pages.contributions import controls
from pages.experiment.people import advice
from pages.experiment.people.prediction import Contributions, Prediction, bounds_of
from pages.figures.people import ADDS_UP, BY_BOUND, BY_LIMIT, CAUSES, ROWS, rows_chart
from pages.figures.theme import Chart
from pages.old.shared.escape import escaped
from pages.widgets.charts import show_chart, show_numbers

WHOSE, WHICH_BOUND, WHOSE_ROWS = "Whose error is it?", "Up to which value?", "How much do people bring?"
WHICH_ROWS, WHICH_TOTAL = "How many rows per person, s?", "How large a total per person, B?"


def show(found: Contributions, charts: dict[str, Chart]) -> None:
    """Show the three questions beside one another, and below them the rows of people and the numbers of all charts.

    Args:
        found: The predictions.
        charts: Their charts by name.
    """
    whose, which_limit, which_bound = st.columns(3, gap="medium")
    with whose:
        _chart(found, WHOSE, charts.get(CAUSES), "people_causes")
        controls.epsilon(found)
        _say(f"{advice.causes(found)} {advice.without_noise(found)}")
        _say(ADDS_UP)
    with which_limit:
        _which_limit(found, charts[BY_LIMIT])
    with which_bound:
        _chart(found, WHICH_BOUND, charts.get(BY_BOUND), "people_bound")
        controls.bounds(found)
        on_bounds = advice.on_bounds(found)
        _say(on_bounds.sentence)
        if on_bounds.better is not None:
            low, high = bounds_of(on_bounds.better.target)
            _take(
                on_bounds.better,
                f"Take {low:,.10g} to {high:,.10g}",
                "take_best_bound",
                lambda end: controls.change_end(found, end),
            )
    box = st.expander(WHOSE_ROWS, key="people_rows", on_change="rerun", icon=":material/bar_chart:")
    if box.open:
        charts[ROWS] = rows_chart(found)
        with box:
            _chart(found, "", charts[ROWS], "people_rows_chart")
    show_numbers(charts)


def _which_limit(found: Contributions, chart: Chart) -> None:
    _chart(found, WHICH_TOTAL if isinstance(found.target, ClippedTotals) else WHICH_ROWS, chart, "people_error")
    controls.limit(found)
    on_limit = advice.on_limit(found)
    _say(f"{on_limit.sentence} {advice.on_other_limit(found)}")
    if on_limit.better is not None:
        label = f"Take {found.symbol} = {on_limit.better.size:,.10g}"
        _take(on_limit.better, label, "take_best_limit", lambda size: controls.change_limit(found, size))
    if found.can_limit_totals:
        controls.kind_of_limit(found)


def _chart(found: Contributions, title: str, chart: Chart | None, key: str) -> None:
    if title:
        st.markdown(f"### {title}")
    if chart is not None:
        show_chart(chart, key, words.name(found.scenario.privacy))


def _say(sentence: str) -> None:
    if sentence.strip():
        st.markdown(f":small[{escaped(sentence)}]")


def _take(better: Prediction, label: str, key: str, act: Callable[[float], None]) -> None:
    st.button(escaped(label), key=key, on_click=act, args=(better.size,))
