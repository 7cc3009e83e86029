"""What is said of a record that is dragged, and by which rules it follows the hand: of its place, and of γ and ε."""

from __future__ import annotations

import math
import sys
from typing import Any

from dpcore.answers.answer import moved_after
from dpcore.base.facts import facts
from pages.charts import live, moving
from pages.charts.drawn import DARK_INKS, VERMILION
from pages.charts.encoded import exactly
from pages.charts.moving import Moving, named
from pages.charts.record_strip import NOT_PROTECTED, TRACK, record_strip
from pages.experiment.dragged import Dragged
from pages.shared import answer, counted_odds
from pages.shared.escape import behind, escaped, unmarked
from pages.shared.live import words
from pages.shared.live.mounts import slot
from pages.state.view import Shown

_HOME, _FAILED, _WITHIN, _BEYOND, _PROVED, _NONE = "home", "failed", "within", "beyond", "proved", "none"
_PROTECTED = "protected"
_FAILS = "At {} the target gives no answer. That alone tells which of the two tables it was."


def label(found: Dragged) -> str:
    """What is dragged, of the control that moves it."""
    return f"The record's {found.column.label or found.column.name}"


def sentences(view: Shown, found: Dragged) -> dict[str, str]:
    """By what holds at a place, with slots for what follows the hand: a heading, and at most three sentences under it."""
    own = escaped(found.words[found.home])
    instead = "in or left out" if found.removes else f"in place of {own}"
    at = f"At {slot('place')}, {instead}, {view.headline.moved(once=True)} {slot('moved')}"
    within, beyond, proved = _told(view)
    most = answer.with_unit(view, view.worst_case.value) if view.worst_case is not None else ""
    return {
        _HOME: f"### Drag this record out\nIt stands at {own}. Move the large dot by hand or by arrow keys: the others stay.",
        _FAILED: f"### No answer\n{_FAILS.format(slot('place'))}",
        _WITHIN: f"### Protected\n{at}, within Δ̂ = {slot('delta')}. {within}",
        _BEYOND: f"### Not protected: nothing is promised for this change\n{at}, beyond Δ̂ = {slot('delta')}. {beyond}",
        _PROVED: f"### Protected, as every change is\n{at}, and over all tables at most {most}. {proved}",
        _NONE: counted_odds.NOTHING,
    }


def _told(view: Shown) -> tuple[str, str, str]:
    """How often a guesser is right: within Δ̂, beyond it, and under a proved worst case; each beside what the other guarantee
    would be, where there is one."""
    if not view.guesser.in_proportion:
        bound = f"Whoever guesses is right at most {slot('guess')} times in 100 (a coin: 50)."
        return bound, "How often a guesser is right is not known here.", bound
    right = counted_odds.right("Whoever guesses", view.guesser, slot("told"))
    alone = f"For this pair alone, {right[0].lower()}{right[1:]}"
    if view.worst_noise is None:
        lacks = facts(view.scenario.target).lacks
        none = f"Without {lacks} there is no finite worst case." if lacks else "No worst case is proved here."
        return right, f"{alone} {none}", right
    worst = f"Under a proved worst case it is {slot('told_proved')}."
    return f"{right} {worst}", f"{alone} {worst}", f"{right} Under random DP it is {slot('told_sampled')}: {slot('sampled')}."


def which(view: Shown, found: Dragged, at: int) -> Moving:
    """Which of the sentences holds, by its name, with the record at a place."""
    home = named(_HOME, float(at == found.home and not found.removes))
    by_delta = moving.where(_covered(view, found, at), moving.words_of(_WITHIN), moving.words_of(_BEYOND))
    lead = moving.where(named("proved", float(view.proved)), moving.words_of(_PROVED), by_delta)
    answered = moving.where(_answered(found, at), lead, moving.words_of(_FAILED))
    there = answered if found.removes else moving.where(home, moving.words_of(_HOME), answered)
    return moving.where(named("answered", 1.0), there, moving.words_of(_NONE))


def verdict(view: Shown, found: Dragged, at: int) -> Moving:
    """Whether it is protected there, in a word or two; nothing where there is nothing to say."""
    by_delta = _verdict(view, found, at)
    lead = moving.where(named("proved", float(view.proved)), moving.words_of(_PROTECTED), by_delta)
    there = moving.where(_answered(found, at), lead, moving.words_of(""))
    return moving.where(named("answered", 1.0), there, moving.words_of(""))


def _verdict(view: Shown, found: Dragged, at: int) -> Moving:
    """The same under the sampled sensitivity."""
    return moving.where(_covered(view, found, at), moving.words_of(_PROTECTED), moving.words_of(NOT_PROTECTED))


def _covered(view: Shown, found: Dragged, at: int) -> Moving:
    """Whether the answer moves by no more than Δ̂."""
    return moving.at_most(_apart(found, at), _delta(view))


def _answered(found: Dragged, at: int) -> Moving:
    return moving.at_most(_apart(found, at), sys.float_info.max)


def _apart(found: Dragged, at: int) -> Moving:
    return named("apart", float(found.distances[at]))


def _delta(view: Shown) -> Moving:
    return named("delta", view.noise.sensitivity.value)


def said(view: Shown, found: Dragged, at: int) -> dict[str, Moving]:
    """What each slot says with the record at a place."""
    after = unmarked(behind(moved_after(view.answer)))
    told = {"told": ("scale", view.leading), "told_sampled": ("sampledScale", view.noise)}
    if view.worst_noise is not None:
        told["told_proved"] = ("worstScale", view.worst_noise)
    return {
        "place": Moving(found.words[at], "place"),
        "moved": moving.counted(_apart(found, at), after),
        "delta": moving.counted(_delta(view), after),
        "guess": moving.general(named("guess", words.guessed_in_100(view.leading.guarantee))),
        "sampled": _verdict(view, found, at),
        **{name: _times(view, found, at, *of) for name, of in told.items()},
    }


def _times(view: Shown, found: Dragged, at: int, scale: str, noise: Any) -> Moving:
    """How often the best guesser is right on this pair, under the noise of this scale: counted in so many of its scales."""
    guesser = noise.guesser(view.headline.exact.value.size)
    distance = float(found.distances[at])
    now = counted_odds.said(guesser, float(guesser.right(distance)))[0]
    return moving.call("passed", now, named("yours", 0.0), named("steps", 0.0), _apart(found, at) / named(scale, noise.law.scale))


def part(view: Shown, found: Dragged) -> dict[str, Any]:
    """What a browser needs of it."""
    home = found.home
    figure, alt = record_strip(found, named("beyond", math.nan))
    made = {name: words.blocks(one) for name, one in sentences(view, found).items()}
    return {
        "label": label(found),
        "places": found.places.tolist(),
        "distances": exactly(found.distances),
        "texts": found.words,
        "home": home,
        "track": TRACK,
        "out": [VERMILION, DARK_INKS[VERMILION]],
        "figure": live.followed(figure, alt, there=named("answered", 1.0)),
        "words": {"variants": made, "by": which(view, found, home).rule},
        "said": {name: one.rule for name, one in said(view, found, home).items()},
        "verdict": verdict(view, found, home).rule,
    }


def standing(view: Shown, found: Dragged, at: int) -> str:
    """The sentences with the record at a place, as they are now."""
    text = sentences(view, found)[str(which(view, found, at).value)]
    for name, one in said(view, found, at).items():
        text = text.replace(slot(name), escaped(str(one.value)))
    return text
