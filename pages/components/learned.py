"""What could somebody learn about you? Odds as icons, of a change that is protected and of one that is not; and three trials."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.types import person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.words import figure
from dpcore.plots.style import BLUE, VERMILION
from dpcore.workbench import changes
from dpcore.workbench.changes import Trial
from dpcore.workbench.scenario import TableRecords
from pages.components import badges, icons
from pages.components.escape import behind, escaped
from pages.session import draws
from pages.session.view import Shown, View, Waiting

TITLE = "What could somebody learn about you?"
TYPICAL, EDGE, LEFT_OUT = "A typical one", "The one at Δ̂", "The furthest left out"


def show(view: View) -> None:
    """The odds of a guesser who sees one answer, from made-up tables alone; and three of the trials."""
    odds(view)
    if isinstance(view, Shown):
        three(view)


def odds(view: View) -> None:
    """Of a change that is protected, and of one that is not."""
    st.markdown(f"## {TITLE}")
    if not isinstance(view, Shown):
        waits = (
            "Once the trials are made, this is counted." if isinstance(view, Waiting) else "So there is nothing to learn from."
        )
        st.markdown(f"There is no private answer at this choice{' yet' * isinstance(view, Waiting)}. {waits}")
        return
    guesser = view.guesser
    st.markdown(_told(view, guesser))
    protected, unprotected = st.columns(2, gap="medium")
    with protected:
        _protected(view, guesser)
    with unprotected:
        _unprotected(view, guesser)


def three(view: View) -> None:
    """Three of the trials, one at a time: what was replaced by what, how far the answer moved, and how often a guess is right."""
    st.markdown("### Three of the trials")
    if not isinstance(view, Shown):
        return
    st.session_state["trial"] = st.session_state.get("trial_shown", TYPICAL)

    def keep() -> None:
        st.session_state["trial_shown"] = st.session_state["trial"]

    st.segmented_control(
        "Which trial", [TYPICAL, EDGE, LEFT_OUT], key="trial", label_visibility="collapsed", required=True, on_change=keep
    )  # fmt: skip
    trial = _chosen(view, st.session_state["trial"])
    st.markdown("None of the trials is left out." if trial is None else _one(view, view.guesser, trial))
    badges.public_draws()


def _told(view: Shown, guesser: Guesser) -> str:
    """What is counted, and why it is another number than that of the guarantee."""
    guarantee, (mine, other) = words.guess(view.leading.guarantee), words.in_or_not(view.scenario.adjacency)
    counted_by = (
        f"This is counted exactly for this noise, and can be less than “{guarantee}”, which any noise of this guarantee keeps to."
        if guesser.exact
        else "For this kind of answer no exact number is known. So each number here is a bound: nobody is right more often."
    )
    return (
        f"Somebody may know all other {words.counted_in(view.scenario.adjacency)}, and sees one private answer. "
        f"A possible answer lies on your side if it speaks for you: it is likelier when {mine} than when {other}. {counted_by}"
    )


def _protected(view: Shown, guesser: Guesser) -> None:
    sensitivity = view.leading.sensitivity.value
    which = f"In each change that is protected {view.headline.moved()} Δ̂ = {_far(view, sensitivity)}. For the furthest of them:"
    if not isinstance(view.leading.guarantee, RandomDP):
        which = f"Whatever the table, no change is larger than {_far(view, sensitivity)}. For the largest:"
    st.markdown(f"### Protected\n{which} {_lower(_odds(view, guesser, sensitivity))}")
    _icons(view, guesser, sensitivity, BLUE)


def _unprotected(view: Shown, guesser: Guesser) -> None:
    guarantee = view.leading.guarantee
    if not isinstance(guarantee, RandomDP):
        st.markdown("### Left out\nNo change is left out: the noise is sized to the worst case over all tables.")
        return
    sample = view.trials.sample
    furthest = changes.left_out(sample, view.leading.sensitivity.value)
    failed = int(np.isinf(sample.distances).sum())
    if furthest is None:
        none = "one trial that was made is" if len(sample.distances) == 1 else f"{len(sample.distances):,} trials is"
        more = f" In {counted(f'{failed:,}', ' trials')} there was no answer at all, which tells the most." if failed else ""
        st.markdown(
            f"### Left out\nNone of the {none} beyond Δ̂{' and has an answer' * bool(failed)}.{more} Of new random changes "
            f"{words.left_out(guarantee)} can be."
        )
        return
    times = f"{_far(view, furthest.distance)}, {figure(furthest.distance / sample.order_statistic)} times Δ̂"
    st.markdown(
        f"### Left out\nIn the furthest of the {len(sample.distances):,} trials {_moved(view)} {times}. "
        f"{_odds(view, guesser, furthest.distance)}"
    )
    _icons(view, guesser, furthest.distance, VERMILION)


def _odds(view: Shown, guesser: Guesser, distance: float) -> str:
    """In words; the sentence on sides only where sides are known."""
    right = float(guesser.right(distance))
    if not guesser.sides:
        return f"Whoever guesses is right {_times(guesser, right)} (a coin: 50)."
    return words.on_your_side(view.scenario.adjacency, *_counts(guesser, right), exact=guesser.exact)


def _icons(view: Shown, guesser: Guesser, distance: float, colour: str) -> None:
    if not guesser.sides:
        return
    right = float(guesser.right(distance))
    meant = ("", "") if guesser.exact else ("at most ", "at least ")
    who = words.in_or_not(view.scenario.adjacency)
    each = zip(_counts(guesser, right), meant, who, strict=True)
    icons.arrays([(count, how, f"if {of}") for count, how, of in each], colour)


def _counts(guesser: Guesser, right: float) -> tuple[int, int]:
    yours = words.right_in_100(right, exact=guesser.exact)
    return yours, words.right_in_100(1 - right, exact=True) if guesser.exact else 100 - yours


def _times(guesser: Guesser, right: float) -> str:
    return f"{'' if guesser.exact else 'at most '}{words.right_in_100(right, exact=guesser.exact)} times in 100"


def _moved(view: Shown) -> str:
    """What was measured in one trial, as it stands before a distance."""
    return "the answer moved by" if view.headline.exact.value.size == 1 else view.headline.moved()


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _far(view: Shown, distance: float) -> str:
    return counted(figure(distance), behind(moved_after(view.answer)))


def _chosen(view: Shown, which: str) -> Trial | None:
    sample = view.trials.sample
    if which == TYPICAL:
        return changes.typical(sample)
    return changes.at_the_edge(sample) if which == EDGE else changes.left_out(sample, view.leading.sensitivity.value)


def _one(view: Shown, guesser: Guesser, trial: Trial) -> str:
    """What was replaced by what, how far the answer moved, and how often a guesser is right."""
    if not np.isfinite(trial.distance):
        return "In this trial the target gave no answer. That alone tells which of the two tables it was."
    right = _times(guesser, float(guesser.right(trial.distance)))
    moved = _moved(view)
    return (
        f"{_replaced(view, trial)}{moved[0].upper() + moved[1:]} {_far(view, trial.distance)}. "
        f"Whoever guesses {words.guessed(view.scenario.adjacency)} is right {right} (a coin: 50)."
    )


def _replaced(view: Shown, trial: Trial) -> str:
    """The records in words; nothing where they cannot be drawn again at once."""
    of_the_table = isinstance(view.scenario.oracle, TableRecords)
    if of_the_table and not view.table.public:
        return ""
    try:
        made = draws.change(view.scenario, view.trials.sample, trial)
    except DpcoreError:
        return ""
    if made is None:
        return ""
    person = person_of(view.scenario.target, view.trials.sample.oracle)
    before, after = changes.parts(made, view.columns, person)
    one = "person with " if person else "record "
    whose = "drawn again from this public table" if of_the_table else "made up by the oracle"
    if after is None:
        return f"The {one}**{escaped(before)}**, {whose}, was left out. "
    return f"The {one}**{escaped(before)}** was replaced by the {one}**{escaped(after)}**, both {whose}. "
