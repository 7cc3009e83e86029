"""Explore: what privacy costs, for one table, target and oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import streamlit as st

from pages.experiment.listed.question_list import QuestionList, question_of
from pages.experiment.scenario import Scenario
from pages.explore import bounds_cost, learned, one_record, oracle_check, wrong_oracle
from pages.files.tables import Table
from pages.reports.document import Edition, Report
from pages.server.page_list import link_to
from pages.shared import answer, frame, member_errors, notices, panels, private_choice, private_fit, selectors
from pages.shared.live import explore as live
from pages.shared.live import redraw
from pages.shared.pins import side_by_side
from pages.shared.reports import taking
from pages.shared.reports.view import report as report_of
from pages.state import address, ledger, pins, place, state
from pages.state.listed import changes, current_list
from pages.state.view import Shown, View, view

# The report of what Explore shows.


def _report(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:
    """Made of the view that may be shared, or of the one that its holder sees."""

    def make(edition: Edition) -> Report:
        shown = view(scenario, table, to_share=edition is Edition.SHARING)
        beside = side_by_side.rows(shown, to_share=edition is Edition.SHARING) if pins.kept_pins() else []
        return report_of(shown, edition, looked=ledger.looked_at(table), link=address.whole(places), beside=beside)

    taking.of_a_page(make, table)


# The first line of the first screen: what this is, and where to begin.


SENTENCE = "**What does it cost to publish an answer, and to protect those it is about?** Move a slider, or begin with"
# Whoever uses no mouse comes to the sliders without passing all that chooses the question
_SKIP = """<style>
.skip { position: absolute; left: -9999px; }
.skip:focus { position: fixed; top: 0.5rem; left: 40%; z-index: 999999; padding: 0.4rem 0.8rem; outline: 2px solid; }
.skip:focus { background: Canvas; }
.st-key-ways_in { margin-bottom: -0.7rem; }
.st-key-ways_in a, .st-key-ways_in button { min-height: 0; padding: 0 0.35rem; text-decoration: underline; }
</style>
<nav aria-label="Sliders">
<a class="skip" href="#how-sensitive-is-it">Skip to the trials m</a>
<a class="skip" href="#how-many-trials-do-i-need">Skip to γ</a>
<a class="skip" href="#what-would-be-published">Skip to ε</a>
</nav>"""


def show_ways_in() -> None:
    """A sentence, and a way to somebody's own file, to a lesson, and to the example."""
    with st.container(gap=None, key="ways_in"):
        st.html(_SKIP)
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            st.markdown(f":small[{SENTENCE}]", width="content")
            st.page_link(link_to("your_data"), label="your own file")
            st.page_link(link_to("learn"), label="a lesson")
            st.button("the example", key="back", type="tertiary", on_click=_example)


def _example() -> None:
    """It is shown, and what was shown before can be brought back."""
    before, example = state.scenario(), state.example()
    state.anew(example)
    if before != example:
        state.offer_undo(scenario=before)
        state.say("The example is shown.")


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
ORDER = 0
PLACES = place.OF_PANELS

_PANELS = {"sensitivity": panels.sensitivity, "trials": panels.operating_point, "answers": panels.readers}
_BELOW: dict[str, Callable[[View], None]] = {
    "beside": side_by_side.show,
    "odds": learned.odds,
    "record": one_record.drag,
    "changes": learned.a_few,
}
_SPEAKER = Path(__file__).parents[1] / "text" / "speaker.md"
_FIRST = "answer"  # of what is presented


def show() -> None:
    """Selectors, the answer in a sentence, three panels each under its slider, what is pinned beside it, and
    what could be learned; or one of these on a wall."""
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
    notices.show(over=True)
    show_list(state.scenario(), state.table())
    private_fit.note_on_explore(state.scenario())
    shown = _look()
    if live.offered(shown):
        live.lay(shown)
    _answer(shown)
    frame.arranged(
        list(_PANELS),
        lambda name, size: member_errors.guarded(partial(_PANELS[name], shown, size)),
        frame.BESIDE,
        in_a_row=len(_PANELS),
    )
    bounds_cost.show(shown)
    private_choice.show_bounds(shown.scenario, shown.table)
    wrong_oracle.show(shown)
    one_record.show(shown)
    oracle_check.show(shown)
    side_by_side.show(shown)
    learned.show(shown)
    return shown


def _answer(shown: View) -> None:
    """In sentences, whose numbers follow the hand where there is one to follow."""
    if isinstance(shown, Shown) and live.offered(shown):
        live.sentences(shown)
    else:
        answer.show(shown)


def _on_a_wall() -> View:
    """The answer, one panel, what is pinned or what could be learned, alone."""
    frame.begin_on_a_wall()
    shown = _look()
    names = [_FIRST, *_PANELS, *(name for name in _BELOW if name != "beside" or pins.kept_pins())]
    at = place.of("panel") if place.of("panel") in names else _FIRST
    notices.show(over=True)
    if live.offered(shown):
        live.lay(shown)
    if at in _PANELS:
        _PANELS[at](shown, frame.ALONE)
    elif at in _BELOW:
        with st.container(key="wall_text" if at == "changes" else None):
            _BELOW[at](shown)
    else:
        with st.container(key="wall_text"):
            _answer(shown)
    frame.ways_on_a_wall(names, at, lambda name: place.go("panel", name), _note(shown, at))
    return shown


def _note(shown: View, at: str) -> str:
    """What a speaker may say of a part in the state that is shown."""
    other = {"answers": not panels.shows_dots(shown), "odds": isinstance(shown, Shown) and not shown.guesser.sides}
    variant = "other" if other.get(at) else "proved" if isinstance(shown, Shown) and shown.proved else ""
    return _notes().get(f"{at} {variant}", _notes()[at])


@lru_cache(maxsize=1)
def _notes() -> dict[str, str]:
    """What a speaker may say of each part."""
    parts = _SPEAKER.read_text(encoding="utf-8").split("\n## ")[1:]
    return {name: " ".join(said.split()) for name, _, said in (part.partition("\n") for part in parts)}
