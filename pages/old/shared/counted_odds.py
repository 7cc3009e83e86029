"""The odds of a guesser in sentences and icons: of the furthest change that is protected and of the furthest left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.privacy import Guarantee, RandomDP
from pages.old.charts import Described
from pages.old.charts.drawn import BLUE, VERMILION
from pages.old.charts.icons import OF, icons
from pages.old.charts.moving import Moving, value_of
from pages.old.charts.told import ruler
from pages.old.experiment import changes
from pages.old.shared.answer import with_unit
from pages.old.shared.escape import escaped
from pages.old.shared.picture import image
from pages.old.state.view import Shown

_WIDE = 150  # pixels of an array of icons with its caption
_ARRAY, _RULER = ((325, 325), "8rem"), ((325, 60), "22rem")  # pixels as it is drawn, and how wide it is on the page
NOTHING = "There is no private answer at this choice. So there is nothing to learn from."
Sides = tuple[str, str]  # of 100 possible answers, so many lie on your side: if you are in, and if not


def show(view: Shown, which: str) -> None:
    """As they are now: of a "protected" change, or of one "beyond"."""
    (_show_protected if which == "protected" else _show_beyond)(view, view.guesser, view.leading.guarantee)


def _show_protected(view: Shown, guesser: Guesser, guarantee: Guarantee) -> None:
    edge = view.leading.sensitivity.value
    right = float(guesser.right(edge))
    times, filled = said(guesser, right), counts(guesser, right)
    st.markdown(protected(view, guarantee))
    _show_icons(view, guesser, right, BLUE)
    drawn, alt = ruler(filled[0], times[0])
    image(drawn, str(value_of(alt)), *_RULER)
    st.markdown(f":small[{at_best(guesser, times[0], str(guessed_in_100(guarantee)))}]")


def _show_beyond(view: Shown, guesser: Guesser, guarantee: Guarantee) -> None:
    st.markdown(told(view, guarantee, view.promise, words.guess(guarantee)))
    furthest = furthest_left_out(view)
    if furthest is None or not isinstance(guarantee, RandomDP):
        st.markdown(none_left_out(view, words.left_out(guarantee) if isinstance(guarantee, RandomDP) else None))
        return
    right = float(guesser.right(furthest))
    times = words.figure(furthest / view.trials.sample.order_statistic)
    st.markdown(left_out(view, furthest, times, said(guesser, right)))
    _show_icons(view, guesser, right, VERMILION)


def furthest_left_out(view: Shown) -> float | None:
    """How far the answer moved in the furthest trial beyond what is protected; None where none is."""
    found = changes.left_out(view.trials.sample, view.leading.sensitivity.value)
    return None if found is None else found.distance


def told(view: Shown, guarantee: Guarantee, promise: str, guess: str) -> str:
    """What is counted, and why it is another number than that of the guarantee."""
    guesser, adjacency = view.guesser, view.scenario.adjacency
    mine, other = words.in_or_not(adjacency, view.table.unit)
    whose = words.whose_side(adjacency, view.table.unit)
    side = f"A possible answer lies on {whose} if it is likelier when {mine} than when {other}. "
    return (
        f"The guarantee here is {promise}. "
        f"Somebody may know all other {words.counted_in(adjacency)}, and sees one private answer. "
        f"{side * guesser.sides}{_counted_by(guarantee, guesser, guess)}"
    )


def _counted_by(guarantee: Guarantee, guesser: Guesser, guess: str) -> str:
    if not guesser.sides:
        return "Each number here is a bound, by how far the answer moves and how wide the noise is: nobody is right more often."
    if not guesser.exact:
        return "For this kind of answer no exact number is known. So each number here is a bound: nobody is right more often."
    of = "random DP promises of protected changes alone" if isinstance(guarantee, RandomDP) else "is promised of every change"
    return f"This is counted exactly for this noise, and can be less than “{guess}”, which {of}."


def protected(view: Shown, guarantee: Guarantee) -> str:
    """What is counted: of the furthest change that is protected."""
    which = "the furthest protected change" if isinstance(guarantee, RandomDP) else "the largest change of any table"
    if not view.guesser.sides:
        return f"How well can it be guessed, in {which}?"
    mine = words.whose_side(view.scenario.adjacency, view.table.unit)
    return f"In {which}, so many of 100 answers point to {'you' if mine.startswith('your') else 'this row'}:"


def none_left_out(view: Shown, share: str | None) -> str:
    """Where no trial is beyond, of which new changes a ``share`` can be; None where no change is left out at all."""
    if share is None:
        return "### Left out\nNo change is left out: the noise is sized to the worst case over all tables."
    distances = view.trials.sample.distances
    return (
        f"### Left out\n{_not_beyond(distances)}{_failed(distances)} Of further random changes "
        f"{share} can be. Nothing is promised of those: a change further out can be told more often."
    )


def left_out(view: Shown, furthest: float, times: str, sides: Sides) -> str:
    """Of the furthest trial that is beyond, so many ``times`` Δ̂."""
    distances = view.trials.sample.distances
    answered = " with an answer" * bool(np.isinf(distances).any())
    return (
        f"### Left out\nIn the furthest of the {counted(int(np.isfinite(distances).sum()), ' trials')}{answered} "
        f"{view.headline.moved(once=True)} {with_unit(view, furthest)}, {times} times Δ̂. "
        f"{_odds(view, sides)}{_failed(distances)} Nothing is promised here: a change further out can be told more often."
    )


def _not_beyond(distances: FloatArray) -> str:
    if len(distances) == 1:
        return "The one trial that was made is not beyond Δ̂."
    return (
        f"None of the {counted(len(distances), ' trials')} is beyond Δ̂{' and has an answer' * bool(np.isinf(distances).any())}."
    )


def _failed(distances: FloatArray) -> str:
    """A sentence on the trials without an answer, if there are any."""
    failed = int(np.isinf(distances).sum())
    return f" In {counted(failed, ' trials')} there was no answer at all, which tells the most." if failed else ""


def _odds(view: Shown, sides: Sides) -> str:
    """In words; the sentence on sides only where sides are known."""
    if not view.guesser.sides:
        return right("Whoever guesses", view.guesser, sides[0])
    return words.on_your_side(view.scenario.adjacency, view.table.unit, *sides)


def right(who: str, guesser: Guesser, times: str) -> str:
    """An exact number is the best guesser's; a bound holds of everybody."""
    return f"{'The best guesser' if guesser.exact else who} is right {times} times in 100 (a coin: 50)."


def arrays(view: Shown, filled: Sequence[int | Moving], stand_for: Sequence[str | Moving], colour: str) -> list[Described]:
    """For each side an array of 100 icons, and a description; none where no sides are known."""
    each = zip(filled, stand_for, conditions(view), strict=True)
    return [icons(many, words, of, colour) for many, words, of in each] if view.guesser.sides else []


def caption(stands_for: str, of: str) -> str:
    """Under an array."""
    return f"**{stands_for} {OF}** {escaped(of)}"


def _show_icons(view: Shown, guesser: Guesser, chance: float, colour: str) -> None:
    words = said(guesser, chance)
    drawn = arrays(view, counts(guesser, chance), words, colour)
    with st.container(horizontal=True, gap="medium"):
        for (figure, alt), stands_for, of in zip(drawn, words, conditions(view), strict=False):
            with st.container(width=_WIDE, gap="small"):
                image(figure, str(value_of(alt)), *_ARRAY)
                st.markdown(f":small[{caption(stands_for, of)}]")


def at_best(guesser: Guesser, times: str, promised: str) -> str:
    """Under the ruler: what this noise gives away, and what ε and δ promise of any noise."""
    if not guesser.exact:
        return f"Whoever guesses is right {times} times in 100"
    return f"The best guesser is right {times} times in 100; promised: at most {promised}"


def guessed_in_100(guarantee: Guarantee) -> int:
    """How often somebody is right at most."""
    return int(words.guess(guarantee).removeprefix("at most ").removesuffix(" times in 100"))


def conditions(view: Shown) -> Sides:
    """Which of the two arrays of icons is which."""
    mine, other = words.in_or_not(view.scenario.adjacency, view.table.unit)
    return f"if {mine}", f"if {other}"


def counts(guesser: Guesser, chance: float) -> tuple[int, int]:
    """Filled icons: of over 99 they are 99, and of under 1 none."""
    yours = words.right_in_100(chance, exact=guesser.exact)
    return yours, words.right_in_100(1 - chance, exact=True) if guesser.exact else 100 - yours


def said(guesser: Guesser, chance: float) -> Sides:
    """What the icons stand for."""
    yours = words.times_in_100(chance, exact=guesser.exact)
    return yours, words.times_in_100(1 - chance, exact=True) if guesser.exact else f"at least {counts(guesser, chance)[1]}"
