"""Explore: what privacy costs, for one table, target and oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import QuestionList, question_of
from pages.old.explore import (
    attacked,
    bounds_cost,
    learned,
    what_is_an_oracle,
    wrong_oracle,
)
from pages.old.reports.document import Report
from pages.old.shared import (
    answer,
    frame,
    member_errors,
    notices,
    panels,
    proof,
    query,
    selectors,
    standing_words,
)
from pages.old.shared.frame import Frame
from pages.old.shared.live import explore as live
from pages.old.shared.live import redraw
from pages.old.shared.pins import side_by_side
from pages.old.shared.reports import taking
from pages.old.shared.reports.view import report as report_of
from pages.old.state import address, doubts, pins, place
from pages.old.state.listed import changes, current_list
from pages.old.state.view import Shown, View, view
from pages.server.page_list import link_to

# The report of what Explore shows.


def _report(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:

    def make() -> Report:
        shown = view(scenario, table)
        return report_of(shown, link=address.whole(places), beside=side_by_side.rows(shown) if pins.kept_pins() else [])

    taking.of_a_page(make)


# The first line of the first screen: what this is, and where to begin.


SENTENCE = "What does privacy cost? Move ε, or begin with"
# Whoever uses no mouse comes to the sliders without passing all that chooses the question
_SKIP = """<style>
.skip { position: absolute; left: -9999px; }
.skip:focus { position: fixed; top: 0.5rem; left: 40%; z-index: 999999; padding: 0.4rem 0.8rem; outline: 2px solid; }
.skip:focus { background: Canvas; }
.st-key-ways_in { margin-bottom: -0.7rem; }
.st-key-ways_in a, .st-key-ways_in button { min-height: 0; padding: 0 0.35rem; text-decoration: underline; }
</style>
<nav aria-label="Sliders">
<a class="skip" href="#epsilon">Skip to ε</a>
</nav>"""


def show_ways_in() -> None:
    """A sentence, and a way to somebody's own file and to a lesson."""
    with st.container(gap=None, key="ways_in"):
        st.html(_SKIP)
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            st.markdown(f":small[{SENTENCE}]", width="content")
            st.page_link(link_to("your_data"), label="your own file")
            st.page_link(link_to("learn"), label="a lesson")


# On Explore, where there is a list: the question shown goes into it, or back into its place.


def show_list(scenario: Scenario, table: Table) -> None:
    """Nothing without a list of this table."""
    made = current_list.current(table)
    if made is None:
        return
    redraw.with_the_page()
    edited = changes.edited(table)
    with st.container(horizontal=True, vertical_alignment="center", key="list_bar"):
        if edited is not None:
            st.markdown(f"You edit question {edited + 1} of your list.")
            st.button("Put it back", key="list_back", icon=":material/check:", on_click=partial(changes.add, table, scenario))
            st.button("Leave it as it was", key="list_leave", type="tertiary", on_click=changes.leave_edited)
        elif here := _place(made, scenario, table):
            st.markdown(f"This is question {here} of your list of {len(made.questions)}, on Release.")
        else:
            take = partial(changes.add, table, scenario)
            st.button("Add to the list", key="list_take", icon=":material/playlist_add:", on_click=take)
            st.markdown(f"You have a list of {len(made.questions)} on Release.")


def _place(made: QuestionList, scenario: Scenario, table: Table) -> int:
    """At which place the question is, from 1; 0 where it is at none."""
    shown = question_of(scenario, table)
    asked = [(one.target, one.columns) for one in made.questions]
    return asked.index((shown.target, shown.columns)) + 1 if (shown.target, shown.columns) in asked else 0


TITLE = "Explore"
KNOWN = "How is it known?"
ORDER = 0
PLACES = place.OF_PANELS

_KNOWN = {"sensitivity": panels.sensitivity, "trials": panels.operating_point}
_PANELS = _KNOWN | {"answers": panels.readers}
_BELOW: dict[str, Callable[[View], None]] = {
    "beside": side_by_side.show,
    "odds": learned.protected,
    "left_out": learned.beyond,
    "changes": learned.a_few,
}
_FIRST = "answer"  # of what is presented


def show() -> None:
    """What is asked, the answer with its ±, ε, what would be published beside what could be learned, and the guarantee; below it
    what opens. Or one part of it on a wall."""
    if notices.show_missing_table():
        return
    if not state.made_up():
        state.take_own_n()
    redraw.begin()
    shown = _on_a_wall() if place.presenting() else _beside()
    redraw.show(shown, _look, live.stands)


def _look() -> View:
    return view(state.scenario(), state.table())


def _beside() -> View:
    show_ways_in()
    selectors.show(state.scenario(), PLACES, partial(_report, state.scenario(), state.table(), PLACES))
    query.show(state.scenario(), state.table())
    notices.show(over=True)
    show_list(state.scenario(), state.table())
    standing_words.note_on_explore(state.table())
    shown = _look()
    if live.offered(shown):
        live.lay(shown, hold=not doubts.opens(doubts.KNOWN))
    _said(shown, "headings")
    panels.trade(shown)
    _first(shown)
    with st.container(key="limits_promise"):
        _said(shown, "promises")
    _how_it_is_known(shown)
    learned.show(shown)
    bounds_cost.show(shown)
    wrong_oracle.show(shown)
    attacked.show(shown)
    side_by_side.show(shown)
    return shown


def _said(shown: View, which: str) -> None:
    """Of the answer in sentences, whose numbers follow the hand where there is one to follow."""
    if isinstance(shown, Shown) and live.offered(shown):
        live.sentences(shown, which)
    else:
        answer.show(shown, which)


def _first(shown: View) -> None:
    """What would be published, and beside it what could be learned."""
    _side_by_side({"answers": partial(panels.readers, shown), "odds": lambda _: learned.protected(shown)})


def _side_by_side(draws: dict[str, Callable[[Frame], None]]) -> None:
    frame.arranged(list(draws), lambda name, size: member_errors.guarded(partial(draws[name], size)), frame.BESIDE, in_a_row=2)


def _how_it_is_known(shown: View) -> None:
    """Behind a line: what was tried, what an oracle is, the trials, and what trials buy."""
    box = doubts.box(doubts.KNOWN, KNOWN, "function")
    if box.open:
        with box:
            _said(shown, "known")
            what_is_an_oracle.show(shown)
            _side_by_side({name: partial(draw, shown) for name, draw in _KNOWN.items()})
            _table_1(shown)


def _table_1(shown: View) -> None:
    """What γ, m or both buy under each bound: it hangs on γ."""
    if live.offered(shown):
        redraw.part(lambda view: proof.show(view.scenario))
    else:
        proof.show(shown.scenario)


def _on_a_wall() -> View:
    """The answer, one panel, what is pinned or what could be learned, alone."""
    frame.begin_on_a_wall()
    shown = _look()
    names = [_FIRST, *_PANELS, *(name for name in _BELOW if name != "beside" or pins.kept_pins())]
    at = place.of("panel") if place.of("panel") in names else _FIRST
    notices.show(over=True)
    if live.offered(shown):
        live.lay(shown, hold=True)
    if at in _PANELS:
        _PANELS[at](shown, frame.ALONE)
    elif at in _BELOW:
        with st.container(key="wall_text" if at == "changes" else None):
            _BELOW[at](shown)
    else:
        with st.container(key="wall_text"):
            for which in ("headings", "promises", "known"):
                _said(shown, which)
    frame.ways_on_a_wall(names, at, lambda name: place.go("panel", name))
    return shown
