"""What could somebody learn about you? Odds as icons, of a change that is protected and of one that is not; and three trials."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import figure
from dpcore.plots.style import BLUE, VERMILION
from dpcore.workbench import changes
from dpcore.workbench.changes import Trial
from dpcore.workbench.scenario import TableRecords
from pages.components import badges, icons
from pages.components.escape import behind, escaped
from pages.session import draws
from pages.session.view import Refused, Shown, View, Waiting

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
        st.markdown(_nothing(view))
        return
    guesser = view.guesser
    st.markdown(_told(view, guesser))
    protected, unprotected = st.columns(2, gap="medium")
    with protected:
        _protected(view, guesser)
    with unprotected:
        _unprotected(view, guesser)


def _nothing(view: Waiting | Refused) -> str:
    if isinstance(view, Waiting):
        return "There is no private answer at this choice yet. Once the trials are made, this is counted."
    if view.on_release:
        return "There is no private answer at this choice. Release can give one, with noise that is sized to the worst case."
    return "There is no private answer at this choice. So there is nothing to learn from."


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
    st.markdown(_none_beyond(view) if trial is None else _one(view, view.guesser, trial))
    badges.public_draws()


def _told(view: Shown, guesser: Guesser) -> str:
    """What is counted, and why it is another number than that of the guarantee."""
    guarantee, adjacency = view.leading.guarantee, view.scenario.adjacency
    mine, other = words.in_or_not(adjacency)
    side = f"A possible answer lies on your side if it speaks for you: it is likelier when {mine} than when {other}. "
    return (
        f"The guarantee here is {view.promise}. "
        f"Somebody may know all other {words.counted_in(adjacency)}, and sees one private answer. "
        f"{side * guesser.sides}{_counted_by(guarantee, guesser)}"
    )


def _counted_by(guarantee: Guarantee, guesser: Guesser) -> str:
    if not guesser.sides:
        return "Each number here is a bound, by how far the answer moves and how wide the noise is: nobody is right more often."
    if not guesser.exact:
        return "For this kind of answer no exact number is known. So each number here is a bound: nobody is right more often."
    of = "random DP promises of protected changes alone" if isinstance(guarantee, RandomDP) else "is promised of every change"
    return f"This is counted exactly for this noise, and can be less than “{words.guess(guarantee)}”, which {of}."


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
    if furthest is None:
        st.markdown(
            f"### Left out\n{_not_beyond(sample.distances)}{_failed(sample.distances)} Of new random changes "
            f"{words.left_out(guarantee)} can be. Nothing is promised of those: a change further out can be told more often."
        )
        return
    times = f"{_far(view, furthest.distance)}, {figure(furthest.distance / sample.order_statistic)} times Δ̂"
    answered = " with an answer" * bool(np.isinf(sample.distances).any())
    st.markdown(
        f"### Left out\nIn the furthest of the {int(np.isfinite(sample.distances).sum()):,} trials{answered} "
        f"{view.headline.moved(once=True)} {times}. {_odds(view, guesser, furthest.distance)}{_failed(sample.distances)} "
        "Nothing is promised here: a change further out can be told more often."
    )
    _icons(view, guesser, furthest.distance, VERMILION)


def _not_beyond(distances: FloatArray) -> str:
    if len(distances) == 1:
        return "The one trial that was made is not beyond Δ̂."
    return f"None of the {len(distances):,} trials is beyond Δ̂{' and has an answer' * bool(np.isinf(distances).any())}."


def _failed(distances: FloatArray) -> str:
    """A sentence on the trials without an answer, if there are any."""
    failed = int(np.isinf(distances).sum())
    return f" In {counted(f'{failed:,}', ' trials')} there was no answer at all, which tells the most." if failed else ""


def _none_beyond(view: Shown) -> str:
    """Of the trials that are left out, where none of them has an answer."""
    if np.isinf(view.trials.sample.distances).any():
        return "In the trials beyond Δ̂ there was no answer at all. That alone tells which of the two tables it was."
    return "None of the trials is left out."


def _odds(view: Shown, guesser: Guesser, distance: float) -> str:
    """In words; the sentence on sides only where sides are known."""
    right = float(guesser.right(distance))
    if not guesser.sides:
        return _right("Whoever guesses", guesser, right)
    return words.on_your_side(view.scenario.adjacency, *_said(guesser, right))


def _icons(view: Shown, guesser: Guesser, distance: float, colour: str) -> None:
    if not guesser.sides:
        return
    right = float(guesser.right(distance))
    who = words.in_or_not(view.scenario.adjacency)
    each = zip(_counts(guesser, right), _said(guesser, right), who, strict=True)
    icons.arrays([(count, said, f"if {of}") for count, said, of in each], colour)


def _counts(guesser: Guesser, right: float) -> tuple[int, int]:
    """Filled icons: of over 99 they are 99, and of under 1 none."""
    yours = words.right_in_100(right, exact=guesser.exact)
    return yours, words.right_in_100(1 - right, exact=True) if guesser.exact else 100 - yours


def _said(guesser: Guesser, right: float) -> tuple[str, str]:
    """What the icons stand for."""
    yours = words.times_in_100(right, exact=guesser.exact)
    return yours, words.times_in_100(1 - right, exact=True) if guesser.exact else f"at least {_counts(guesser, right)[1]}"


def _right(who: str, guesser: Guesser, right: float) -> str:
    """An exact number is the best guesser's; a bound holds of everybody."""
    times = words.times_in_100(right, exact=guesser.exact)
    return f"{'The best guesser' if guesser.exact else who} is right {times} times in 100 (a coin: 50)."


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
    who = f"Whoever guesses {words.guessed(view.scenario.adjacency)}"
    moved = view.headline.moved(once=True)
    return (
        f"{_replaced(view, trial)}{moved[0].upper() + moved[1:]} {_far(view, trial.distance)}. "
        f"{_right(who, guesser, float(guesser.right(trial.distance)))}"
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
    again = view.scenario.oracle == TableRecords()
    whose = "drawn again from this public table" if again else "made up by the oracle"
    if after is None:
        return f"The {one}**{escaped(before)}**, {whose}, was left out. "
    return f"The {one}**{escaped(before)}** was replaced by the {one}**{escaped(after)}**, both {whose}. "
