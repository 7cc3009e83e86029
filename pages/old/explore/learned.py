"""What could somebody learn about you? Odds as icons, of a change that is protected and of one that is not; and three trials."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.base.types import person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.guesser import Guesser
from pages.experiment.scenario import TableRecords
from pages.old.experiment import changes
from pages.old.shared import answer, badges, counted_odds, frame
from pages.old.shared.escape import escaped
from pages.old.shared.live import explore as live
from pages.old.shared.live import redraw
from pages.old.shared.widgets import control
from pages.old.state import doubts, draws
from pages.old.state.view import Refused, Shown, View, Waiting

TITLE, OF_A_ROW = "What could somebody learn about you?", "What could somebody learn about one row?"
BEYOND = "Whom does it leave out?"
TYPICAL, EDGE, LEFT_OUT = "A typical one", "The one at Δ̂", "The furthest left out"


def show(view: View) -> None:
    """The odds of a guesser who sees one answer, of a change that is left out; and three of the trials: what opens."""
    box = doubts.box(doubts.LEFT_OUT, BEYOND, "person_search")
    if box.open:
        with box:
            _odds(view, "beyond")
            if isinstance(view, Shown):
                a_few(view)


def protected(view: View) -> None:
    """The odds of a guesser who sees one answer, of a change that is protected, from made-up tables alone."""
    with frame.BESIDE.heading("odds"):  # as high as that of the chart beside it
        st.markdown(f"## {OF_A_ROW if view.table.unit.of_no_person else TITLE}")
    _odds(view, "protected")


def beyond(view: View) -> None:
    """The odds of a change that is left out, and how they are counted: on a wall."""
    st.markdown(f"## {BEYOND}")
    _odds(view, "beyond")


def _odds(view: View, which: str) -> None:
    if isinstance(view, Shown) and live.counts(view):
        live.odds(view, which)
    elif isinstance(view, Shown):
        redraw.with_the_page()
        counted_odds.show(view, which)
    else:
        st.markdown(_nothing(view))


def _nothing(view: Waiting | Refused) -> str:
    if isinstance(view, Waiting):
        return "There is no private answer at this choice yet. Once the trials are made, this is counted."
    if view.on_release:
        return "There is no private answer at this choice. Release can give one, with noise that is sized to the worst case."
    return counted_odds.NOTHING


def a_few(view: View) -> None:
    """Three of the trials, whose odds hang on the noise."""
    if live.offered(view):
        redraw.part(three)
    else:
        three(view)


def three(view: View) -> None:
    """One at a time: what was replaced by what, how far the answer moved, and how often a guess is right."""
    st.markdown("### Three of the trials")
    if not isinstance(view, Shown):
        return
    control(
        st.segmented_control,
        "Which trial",
        [TYPICAL, EDGE, LEFT_OUT],
        key="trial",
        holds=st.session_state.get("trial_shown", TYPICAL),
        act=lambda which: st.session_state.update(trial_shown=which),
        label_visibility="collapsed",
        required=True,
    )
    trial = _chosen(view, st.session_state["trial"])
    st.markdown(_none_beyond(view) if trial is None else _trial_words(view, view.guesser, trial))
    badges.show(badges.PUBLIC_DRAWS)


def _none_beyond(view: Shown) -> str:
    """Of the trials that are left out, where none of them has an answer."""
    if np.isinf(view.trials.sample.distances).any():
        return "In the trials beyond Δ̂ there was no answer at all. That alone tells which of the two tables it was."
    return "None of the trials is left out."


def _chosen(view: Shown, which: str) -> changes.Trial | None:
    sample = view.trials.sample
    if which == TYPICAL:
        return changes.typical(sample)
    return changes.at_the_edge(sample) if which == EDGE else changes.left_out(sample, view.leading.sensitivity.value)


def _trial_words(view: Shown, guesser: Guesser, trial: changes.Trial) -> str:
    """What was replaced by what, how far the answer moved, and how often a guesser is right."""
    if not np.isfinite(trial.distance):
        return "In this trial the target gave no answer. That alone tells which of the two tables it was."
    who = f"Whoever guesses {words.guessed(view.scenario.adjacency)}"
    moved = view.headline.moved(once=True)
    return (
        f"{_replaced(view, trial)}{moved[0].upper() + moved[1:]} {answer.with_unit(view, trial.distance)}. "
        f"{counted_odds.right(who, guesser, counted_odds.said(guesser, float(guesser.right(trial.distance)))[0])}"
    )


def _replaced(view: Shown, trial: changes.Trial) -> str:
    """The records in words; nothing where they cannot be drawn again at once."""
    of_the_table = isinstance(view.scenario.oracle, TableRecords)
    if of_the_table and not view.table.public:
        return ""
    try:
        made = draws.change(view.exploration, view.trials.sample, trial)
    except DpcoreError:
        return ""
    if made is None:
        return ""
    person = person_of(view.scenario.target, view.trials.sample.oracle)
    before, after = changes.parts(made, view.columns, person)
    one = "person with " if person else "row "
    again = view.scenario.oracle == TableRecords()
    whose = "drawn again from this public table" if again else "made up by the oracle"
    if after is None:
        return f"The {one}**{escaped(before)}**, {whose}, was left out. "
    return f"The {one}**{escaped(before)}** was replaced by the {one}**{escaped(after)}**, both {whose}. "
