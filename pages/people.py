"""People: the cost of a limit on each person's rows, predicted before a release, in three questions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.targets.user_limits import ClippedTotals, ContributionBounded, clipped_at
from pages import jobs, state
from pages.escape import escaped
from pages.experiment import people_advice as advice
from pages.experiment.descriptions import question as question_words
from pages.experiment.error_sentences import plain
from pages.experiment.people import AboutPeople, Contributions, contributions, limit_of, moving_end, with_bounds, with_limit
from pages.experiment.people_advice import Advice
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Noise, Scenario
from pages.figures.people import ADDS_UP, BY_BOUND, BY_LIMIT, CAUSES, charts_of
from pages.figures.theme import Chart
from pages.files.tables import Table
from pages.live.tables import epsilon_stops
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import guarantees, notices, share
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.controls import control, popover, slider
from pages.widgets.form import change_target
from pages.widgets.question import show_query, show_selectors

TITLE = "People"
_ROWS = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_ROWS, _MOST_TIMES = 1_000_000, 1e9
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
            _show_without_people(table)
        else:
            _show_prediction(scenario, table)


def _show_without_people(table: Table) -> None:
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


def _show_prediction(scenario: Scenario, table: Table) -> None:
    """Show the question with its error, who is protected, and the three questions about its limits."""
    row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    try:
        found = contributions(scenario, table, jobs.question(scenario, table).database)
        charts = charts_of(found)
    except DpcoreError as error:
        st.markdown(f"# No prediction for this question\n{escaped(plain(error))}")
        st.button("Ask for the first question of this table", key="ask_first", on_click=state.ask_first)
        _show_actions(scenario, table)
        return
    with st.container(**row):
        size = advice.with_unit(found, found.chosen.total)
        st.markdown(f"# {escaped(f'{question_words(scenario, table)}: an error of about {size}')}")
        _show_actions(scenario, table)
    about = "**All numbers are about simulated people from the oracle, not about yours.** " if not table.public else ""
    protected = f"One person is protected, with all rows of that person: {descriptions.name(scenario.privacy)}."
    said = f"{protected} The noise is calibrated to the proved worst case. {advice.number_of_people(found)}".strip()
    with st.container(**row):
        st.markdown(about + escaped(said), width="content")
        guarantees.show_badge(guarantees.badge_of_chart(table))
    _show_questions(found, charts)


def _show_actions(scenario: Scenario, table: Table) -> None:
    """Show the link to the page, and what adds the question to the list on Release."""
    popover("Link", "link", "link", partial(share.show_link, "people"))
    if st.button("**Release**", key="to_release"):
        current_list.add(table, scenario.with_(noise=Noise.WORST_CASE))  # as predicted here
        st.switch_page(link_to("release"))


def _show_questions(found: Contributions, charts: dict[str, Chart]) -> None:
    """Show the three questions beside one another, and below them the numbers of all charts."""
    whose, which_limit, which_bound = st.columns(3, gap="medium")
    guarantee, on_limit, on_bounds = descriptions.name(found.scenario.privacy), advice.on_limit(found), advice.on_bounds(found)
    rows = isinstance(found.target, ContributionBounded)
    with whose:
        st.markdown("## Whose error is it?")
        if CAUSES in charts:
            show_chart(charts[CAUSES], "people_causes", guarantee)
        epsilon, ends = found.scenario.epsilon, (LEAST_EPSILON, MOST_EPSILON)
        slider("epsilon", "ε, privacy loss", "ε", epsilon_stops(epsilon), epsilon, _change_epsilon, ends=ends, step=0.01)
        _say(f"{advice.limit_words(found)} {advice.without_noise(found)}")
        _say(ADDS_UP)
    with which_limit:
        st.markdown("## How many rows per person, s?" if rows else "## How large a total per person, B?")
        show_chart(charts[BY_LIMIT], "people_error", guarantee)
        _show_limit(found)
        _say(on_limit.sentence)
        if on_limit.better is not None:
            size = on_limit.better.size
            act = partial(_change_limit, found, size)
            st.button(f"Take {found.symbol} = {size:,.10g}", key="take_best_limit", on_click=act)
        if found.can_limit_totals:
            _show_kind_of_limit(found)
    with which_bound:
        st.markdown("## Up to which value?")
        if BY_BOUND in charts:
            show_chart(charts[BY_BOUND], "people_bound", guarantee)
        _show_bounds(found, on_bounds)
    show_numbers(charts)


def _say(sentence: str) -> None:
    st.markdown(f":small[{escaped(sentence)}]")


def _change_epsilon(epsilon: float) -> None:
    state.change(epsilon=epsilon)


def _show_limit(found: Contributions) -> None:
    """Show the slider of s, or of B."""
    target, act = found.target, partial(_change_limit, found)
    if isinstance(target, ContributionBounded):
        where = " in each group" if target.groups_each is not None else ""
        label = f"Rows that count of each person{where}, s"
        slider("cap", label, "s", _ROWS, target.rows, act, ends=(1, _MOST_ROWS), step=1, form="%d")
        return
    sizes = [one.size for one in found.by_limit]
    both = "; the lower one moves with it" if all(target.totals) else ""
    label = f"{'Upper' if target.totals[1] else 'Lower'} bound of each person’s total, B{both}"
    slider("limit", label, "B", sizes, limit_of(target), act, ends=(sizes[0], _MOST_TIMES * sizes[-1]), step=sizes[0])


def _change_limit(found: Contributions, size: float) -> None:
    """Set s, or B."""

    def changed(target: AboutPeople) -> AboutPeople:
        return replace(target, rows=int(size)) if isinstance(target, ContributionBounded) else with_limit(target, size)

    change_target(found.scenario, changed)


def _show_kind_of_limit(found: Contributions) -> None:
    """Show the choice between a limit of rows and one of totals."""
    control(
        st.radio,
        "What is limited of each person?",
        [False, True],
        key="limited",
        holds=isinstance(found.target, ClippedTotals),
        act=lambda totals: change_target(found.scenario, partial(_limited, totals=totals)),
        format_func=lambda totals: "Total, B" if totals else "Rows, s",
        horizontal=True,
        help="A limit of rows gives each row of a person with many rows less weight, whatever they add up to. A limit of "
        "the total only clips what is above it, so it often loses less with the same noise.",
    )


def _limited(target: Any, *, totals: bool) -> AboutPeople:
    """Return the target with the other kind of limit, and about the same noise."""
    most = max(map(abs, target.question.target.bounds))
    if totals:
        return clipped_at(target.question, target.person, target.rows * most)
    return ContributionBounded(target.question, target.person, max(1, min(_MOST_ROWS, round(limit_of(target) / most))))


def _show_bounds(found: Contributions, on_bounds: Advice) -> None:
    """Show the slider of the bounds of a value, as far as they are narrower than declared, and the advice on them."""
    if found.by_bounds and found.bounds is not None and found.widest is not None:
        ends, (low, high) = [one.size for one in found.by_bounds], found.widest
        both = "; the lower one moves with it" if low < 0 < high else ""
        label = f"Upper bound of a value, U{both}" if high > 0 else "Lower bound of a value, its size, L"
        act, step = partial(_change_end, found), (high - low) / 100
        slider("bound", label, "bound", ends, moving_end(found.bounds), act, ends=(min(ends), max(ends)), step=step)
    _say(on_bounds.sentence)
    if on_bounds.better is not None:
        low, high = on_bounds.better.bounds
        act = partial(_change_end, found, on_bounds.better.size)
        st.button(f"Take {low:,.10g} to {high:,.10g}", key="take_best_bound", on_click=act)


def _change_end(found: Contributions, end: float) -> None:
    """Set the bounds of the values by the end that is moved. The oracle stays, because simulated values are clipped too."""
    assert found.widest is not None
    pairs = {one.size: one.bounds for one in found.by_bounds}
    low, high = found.widest
    typed = (-end, high) if high <= 0 else (low if low >= 0 else float(f"{low * end / high:.3g}"), end)
    change_target(found.scenario, lambda target: with_bounds(target, pairs.get(end, typed)))
