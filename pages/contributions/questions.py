"""The three questions of the page People, each with its chart, its advice and its control."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpcore.base.facts import facts
from dpcore.guarantees import descriptions
from dpcore.targets.capped import Capped
from dpcore.targets.clipped_totals import ClippedTotals, clipped_at
from pages import state
from pages.escape import escaped
from pages.experiment.people import advice
from pages.experiment.people.prediction import Contributions, limit_of, moving_end, with_bounds, with_limit
from pages.experiment.people.rows import AboutPeople
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON
from pages.figures.people import ADDS_UP, BY_BOUND, BY_LIMIT, CAUSES, ROWS, rows_chart
from pages.figures.theme import Chart
from pages.live.tables import epsilon_stops
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.controls import control
from pages.widgets.form import change_target
from pages.widgets.slider import slider

WHOSE, WHICH_BOUND, WHOSE_ROWS = "Whose error is it?", "Up to which value?", "How much do people bring?"
WHICH_ROWS, WHICH_TOTAL = "How many rows per person, s?", "How large a total per person, B?"
_KINDS = {False: "Rows, s", True: "Total, B"}
_ROWS = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_ROWS, _MOST_TIMES = 1_000_000, 1e9


def show(found: Contributions, charts: dict[str, Chart]) -> None:
    """Show the three questions beside one another, and below them the rows of people and the numbers of all charts.

    Args:
        found: The predictions.
        charts: Their charts by name.
    """
    whose, which_limit, which_bound = st.columns(3, gap="medium")
    with whose:
        _chart(found, WHOSE, charts.get(CAUSES), "people_causes")
        _show_epsilon(found)
        _say(f"{advice.causes(found)} {advice.without_noise(found)}")
        _say(ADDS_UP)
    with which_limit:
        _which_limit(found, charts[BY_LIMIT])
    with which_bound:
        _chart(found, WHICH_BOUND, charts.get(BY_BOUND), "people_bound")
        _show_bounds(found)
        on_bounds = advice.on_bounds(found)
        _say(on_bounds.sentence)
        if on_bounds.better is not None:
            low, high = on_bounds.better.bounds
            end, label = on_bounds.better.size, f"Take {low:,.10g} to {high:,.10g}"
            st.button(label, key="take_best_bound", on_click=_change_end, args=(found, end))
    box = st.expander(WHOSE_ROWS, key="people_rows", on_change="rerun", icon=":material/bar_chart:")
    if box.open:
        charts = charts | {ROWS: rows_chart(found)}
        with box:
            _chart(found, "", charts[ROWS], "people_rows_chart")
    show_numbers(charts)


def _which_limit(found: Contributions, chart: Chart) -> None:
    _chart(found, WHICH_TOTAL if isinstance(found.target, ClippedTotals) else WHICH_ROWS, chart, "people_error")
    _show_limit(found)
    on_limit = advice.on_limit(found)
    _say(f"{on_limit.sentence} {advice.on_other_limit(found)}")
    if on_limit.better is not None:
        size = on_limit.better.size
        label = f"Take {found.symbol} = {size:,.10g}"
        st.button(label, key="take_best_limit", on_click=_change_limit, args=(found, size))
    if found.can_limit_totals:
        _show_kind_of_limit(found)


def _chart(found: Contributions, title: str, chart: Chart | None, key: str) -> None:
    if title:
        st.markdown(f"## {title}")
    if chart is not None:
        show_chart(chart, key, descriptions.name(found.scenario.privacy))


def _say(sentence: str) -> None:
    if sentence.strip():
        st.markdown(f":small[{escaped(sentence)}]")


def _show_epsilon(found: Contributions) -> None:
    """Show the slider of ε."""
    here, ends = found.scenario.epsilon, (LEAST_EPSILON, MOST_EPSILON)

    def set_epsilon(value: float) -> None:
        state.change(epsilon=value)

    slider("epsilon", "ε, privacy loss", "ε", epsilon_stops(here), here, set_epsilon, ends=ends, step=0.01)


def _show_kind_of_limit(found: Contributions) -> None:
    """Show the choice between a limit of rows and one of totals."""
    control(
        st.radio,
        "What is limited of each person?",
        list(_KINDS),
        key="limited",
        holds=isinstance(found.target, ClippedTotals),
        act=lambda totals: change_target(found.scenario, partial(_limited, totals=totals)),
        format_func=_KINDS.__getitem__,
        horizontal=True,
        help="A limit of rows gives each row of a person with many rows less weight, whatever they add up to. A limit of "
        "the total only clips what is above it, so it often loses less with the same noise.",
    )


def _limited(target: AboutPeople, *, totals: bool) -> AboutPeople:
    """Return the target with the other kind of limit, and about the same noise."""
    most = max(map(abs, facts(target.question.target).bounds))
    if totals:
        assert isinstance(target, Capped)
        return clipped_at(target.question, target.person, target.rows * most)
    assert isinstance(target, ClippedTotals)
    return Capped(target.question, target.person, max(1, min(_MOST_ROWS, round(limit_of(target) / most))))


def _show_limit(found: Contributions) -> None:
    """Show the slider of s, or of B."""
    target, set_limit = found.target, partial(_change_limit, found)
    if isinstance(target, Capped):
        where = " in each group" if target.groups_each is not None else ""
        label = f"Rows that count of each person{where}, s"
        slider("cap", label, "s", _ROWS, target.rows, set_limit, ends=(1, _MOST_ROWS), step=1, form="%d")
        return
    sizes, own = [one.size for one in found.by_limit], limit_of(target)
    both = "; the lower one moves with it" if all(target.totals) else ""
    label = f"{'Upper' if target.totals[1] else 'Lower'} bound of each person’s total, B{both}"
    slider("limit", label, "B", sizes, own, set_limit, ends=(sizes[0], _MOST_TIMES * sizes[-1]), step=sizes[0])


def _change_limit(found: Contributions, size: float) -> None:
    """Set s, or B."""

    def changed(target: AboutPeople) -> AboutPeople:
        return replace(target, rows=int(size)) if isinstance(target, Capped) else with_limit(target, size)

    change_target(found.scenario, changed)


def _show_bounds(found: Contributions) -> None:
    """Show the slider of the bounds of a value, as far as they are narrower than declared."""
    if not found.by_bounds or found.bounds is None or found.widest is None:
        return
    ends, (low, high) = [one.size for one in found.by_bounds], found.widest
    both = "; the lower one moves with it" if low < 0 < high else ""
    label = f"Upper bound of a value, U{both}" if high > 0 else "Lower bound of a value, its size, L"
    own, step = moving_end(found.bounds), (high - low) / 100
    slider("bound", label, "bound", ends, own, partial(_change_end, found), ends=(min(ends), max(ends)), step=step)


def _change_end(found: Contributions, end: float) -> None:
    """Set the bounds of the values by the end that is moved. The oracle stays, because simulated values are clipped too."""
    assert found.widest is not None
    pairs = {one.size: one.bounds for one in found.by_bounds}
    low, high = found.widest
    typed = (-end, high) if high <= 0 else (low if low >= 0 else float(f"{low * end / high:.3g}"), end)
    change_target(found.scenario, lambda target: with_bounds(target, pairs.get(end, typed)))
