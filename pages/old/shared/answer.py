"""The answer in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import sampling_of
from pages.experiment.scenario import TableRecords
from pages.old.experiment import preview
from pages.old.experiment.changes import far_apart
from pages.old.shared import badges
from pages.old.shared.escape import behind, escaped, unmarked
from pages.old.state.view import Shown, View, Waiting
from pages.old.wording.question_words import question

SAME = 1e-9  # of a sensitivity, within which two are no different


@final
@dataclass(frozen=True)
class Sentences:
    """``heading``: what is asked and how far off an answer is. ``promise``: the guarantee and all that limits it, which stays in
    sight. ``known``: how that is known, and what else it means."""

    heading: str
    promise: tuple[str, ...]
    known: tuple[str, ...] = ()

    @property
    def body(self) -> tuple[str, ...]:
        """What stands under the heading where nothing opens."""
        return self.promise + self.known


def show(view: View, which: str) -> None:
    """Of the answer: its "headings", its "promises", or what is "known"; as ``live.words`` names them."""
    found = sentences(view)
    said = {"headings": f"# {found.heading}", "promises": " ".join(found.promise), "known": " ".join(found.known)}[which]
    if said:
        st.markdown(said)


def sentences(view: View) -> Sentences:
    """Of a view; or what stands in the way."""
    if isinstance(view, Waiting) and view.job.running:
        return Sentences(f"Making {counted(view.job.m, ' trials')}", (escaped(view.why),))
    if not isinstance(view, Shown):
        return Sentences("No private answer at this choice", (escaped(view.why),))
    return put_together(view, Said.of(view), proved=view.proved, same=_no_less(view))


def caption(view: View) -> str:
    """What a picture of the answer says beside it, as it travels alone: the ±, the guarantee, and what that does not protect.
    Empty where there is no answer."""
    if not isinstance(view, Shown):
        return ""
    found = sentences(view)
    if not sampling_of(view.leading.law).exact:
        return unmarked(f"{found.heading}. {found.promise[0]}")  # that it has none
    said, guarantee = Said.of(view), view.leading.guarantee
    parts = [_named(view, said.guarantee, proved=view.proved), _protected(view, guarantee, said)]
    parts += [] if view.proved else [unprotected(view, said)]
    return unmarked(" ".join([f"{found.heading}.", *filter(None, parts)]))


@final
@dataclass(frozen=True, kw_only=True)
class Said:
    """What γ and ε change in the sentences, as text: of the view that is shown, or a mark each where a browser puts it in."""

    guarantee: str
    reach: str
    together: str
    covered: str
    trials: str
    sensitivity: str
    guess: str
    left_out: str
    such_as: str
    weaker: str
    weakly: str
    afresh: str

    @classmethod
    def of(cls, view: Shown) -> Said:
        """As it is now."""
        sample, value, leading = view.trials.sample, view.noise.sensitivity.value, view.leading
        sampled: Any = view.noise.guarantee
        return cls(
            guarantee=words.name(leading.guarantee),
            reach=escaped(view.headline.reach(leading)),
            together=escaped(view.headline.together(leading)),
            covered=f"{int(np.count_nonzero(sample.distances <= value)):,}",
            trials=f"{sample.point.m:,}",
            sensitivity=with_unit(view, value),
            guess=words.guess(leading.guarantee),
            left_out=words.left_out(sampled),
            such_as=such_as(view),
            weaker=escaped(view.headline.short_reach(view.noise)),
            weakly=escaped(view.headline.reach(view.noise)),
            afresh=view.headline.on_fresh_records(leading),
        )


def put_together(view: Shown, said: Said, *, proved: bool, same: bool) -> Sentences:
    """The sentences of a view with these numbers: the guarantee that leads, and where that is the stronger one, what the sampled
    one would be. ``proved``: the worst case leads; ``same``: it is no larger than Δ̂."""
    leading = view.worst_noise if proved and view.worst_noise is not None else view.noise
    asked = escaped(question(view.scenario, view.table))
    heading = f"{asked}: {said.reach}{badges.whose(view)}"
    sampling = sampling_of(leading.law)
    if not sampling.exact:
        none = f"**No guarantee**: its noise is {escaped(sampling.words)}. Only noise that OpenDP samples exactly gets one."
        return Sentences(heading, (none,), tuple(filter(None, (said.together, said.afresh))))
    promise = [_named(view, said.guarantee, proved=proved)]
    promise += [] if proved else [unprotected(view, said), _oracle(view)]
    promise += [escaped(view.headline.rests_on)]
    sized = _instead(view, leading, said, same=same) if proved else _sized(view)
    known = [_trial(view, said, proved=proved), sized, _protected(view, leading.guarantee, said), said.together, said.afresh]
    return Sentences(heading, tuple(filter(None, promise)), tuple(filter(None, known)))


def _no_less(view: Shown) -> bool:
    """Whether the worst case is no larger than Δ̂."""
    worst = view.worst_case
    return worst is not None and worst.value <= view.noise.sensitivity.value * (1 + SAME)


def _named(view: Shown, guarantee: str, *, proved: bool) -> str:
    """The guarantee by its name, and that it is the stronger one; of the weaker one, what the stronger would protect first."""
    if proved:
        return f"**{guarantee[0].upper()}{guarantee[1:]}**, is differential privacy itself."
    return f"Differential privacy protects every change of {words.unit_of(view.scenario.adjacency)}; **{guarantee}**, is weaker."


def _trial(view: Shown, said: Said, *, proved: bool) -> str:
    """What was tried, and how far the answer moved."""
    tried, where = f"{said.trials} made-up tables", f"{said.covered} of them"
    if view.trials.sample.point.m == 1:
        tried, where = "a made-up table", "it"
    sized = "" if proved else ", so the noise is sized to that"
    moved = f"{view.headline.moved()} Δ̂ = {said.sensitivity}"
    return f"We {words.tried(view.scenario.adjacency)} in {tried} from the oracle. In {where} {moved}{sized}."


def with_unit(view: View, value: float) -> str:
    """How far the answer moves, with its unit."""
    return counted(words.figure(value), behind(moved_after(view.answer)))


def _sized(view: Shown) -> str:
    """What is known of all tables."""
    target = view.scenario.target
    if view.worst_case is not None:
        return f"The worst case over all tables is {with_unit(view, view.worst_case.value)}."
    if not preview.unlimited(target):
        return "No worst case is proved here."
    return f"Without {facts(target).lacks} there is no finite worst case."


def _protected(view: Shown, guarantee: Guarantee, said: Said) -> str:
    """What ε and δ say, as the odds of a guess."""
    which = "" if isinstance(guarantee, RandomDP) else ", whatever the table"
    return (
        f"**Protected**{which}: whoever guesses from the answer {words.guessed(view.scenario.adjacency)} is right "
        f"{said.guess} (a coin: 50)."
    )


def unprotected(view: Shown, said: Said) -> str:
    """The share without a promise, of random changes and of no people, with an example: γ is an average over the draws,
    unless there is a confidence."""
    guarantee = view.noise.guarantee
    assert isinstance(guarantee, RandomDP)
    sure = "" if guarantee.confidence is None else f", with confidence {words.sure(guarantee.confidence)}"
    who = words.counted_in(view.scenario.adjacency)
    return f"**Not protected**: of random changes, {said.left_out}{sure}: those with unusual {who}{said.such_as}."


def such_as(view: Shown) -> str:
    """An example of a row that is not protected, in the column's own unit."""
    apart = far_apart(view.scenario, view.columns, view.noise.sensitivity.value)
    return "" if apart is None else such_words(view, counted(words.figure(apart), after_of(view)))


def such_words(view: Shown, apart: str) -> str:
    """The same for a row that lies so far from its replacement, with the unit."""
    column = view.columns[0]
    return f", as where {escaped(column.label or column.name)} changes by more than {apart}"


def after_of(view: Shown) -> str:
    """The unit of the column that the example is of, as it follows a number."""
    return behind(view.columns[0].unit)


def _oracle(view: Shown) -> str:
    """What γ is not, and what a wrong oracle does."""
    none = "That is no count of people"
    return f"{none}." if view.scenario.oracle == TableRecords() else f"{none}, and a wrong oracle can leave out more."


def _instead(view: Shown, proved: Calibrated[Any], said: Said, *, same: bool) -> str:
    """What holds on every table, and what the weaker guarantee would be."""
    always = f"Over all tables it is at most {with_unit(view, proved.sensitivity.value)}, and the noise is sized to that"
    if same:
        return f"{always}: the weaker random DP would add no less noise."
    if said.weaker:
        return f"{always}; the weaker random DP would be {said.weaker}."
    cost = "That costs next to no accuracy: under" if view.free else "Under"
    return f"{always}. {cost} the weaker random DP, {said.weakly}{badges.whose(view)}."
