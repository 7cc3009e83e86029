"""What is said of a record that is dragged, and by which rules it follows the hand: of its place, and of γ and ε."""

from __future__ import annotations

import math
import sys
from typing import Any

from dpcore.answers.answer import moved_after
from dpcore.base.facts import facts
from dpcore.guarantees.guesser import Guesser
from pages.charts import live, moving
from pages.charts.drawn import BLUE, DARK_INKS, GREEN, VERMILION
from pages.charts.encoded import exactly
from pages.charts.icons import icons
from pages.charts.moving import Moving, named
from pages.charts.record_strip import NOT_PROTECTED, TRACK, record_strip
from pages.experiment.dragged import Dragged
from pages.shared import answer, counted_odds
from pages.shared.escape import behind, escaped, unmarked
from pages.shared.live import words
from pages.shared.live.counted_odds import steps_of
from pages.shared.live.mounts import pieces, slot
from pages.state.view import Shown

_HOME, _FAILED, _WITHIN, _BEYOND, _PROVED, _NONE = "home", "failed", "within", "beyond", "proved", "none"
_PROTECTED, _RIGHT = "protected", "guesses are right"
_BOUND = f"Whoever guesses is right at most {slot('guess')} times in 100 (a coin: 50)."
_FAILS = "At {} the target gives no answer. That alone tells which of the two tables it was."


def label(found: Dragged) -> str:
    """What is dragged, of the control that moves it."""
    return f"The row's {found.column.label or found.column.name}"


def sentences(view: Shown, found: Dragged) -> dict[str, str]:
    """By what holds at a place, with slots for what follows the hand: a heading, and at most three sentences under it."""
    own = escaped(found.words[found.home])
    instead = "in or left out" if found.removes else f"in place of {own}"
    at = f"At {slot('place')}, {instead}, {view.headline.moved(once=True)} {slot('moved')}"
    most = answer.with_unit(view, view.worst_case.value) if view.worst_case is not None else ""
    within, beyond = _within(view)
    delta = f"Δ̂ = {slot('delta')}"
    return {
        _HOME: f"### Drag this row out\nIt stands at {own}. Move the large dot by hand or by arrow keys: the others stay.",
        _FAILED: f"### No answer\n{_FAILS.format(slot('place'))}",
        _WITHIN: f"### Protected: within {delta}\n{at}. {within}",
        _BEYOND: f"### Not protected: beyond {delta}, nothing is promised\n{at}. {beyond}",
        _PROVED: f"### Protected, as every change is: at most {most} over all tables\n{at}. {_proved(view)}",
        _NONE: counted_odds.NOTHING,
    }


def _within(view: Shown) -> tuple[str, str]:
    """How often a guesser is right under noise that is sized to Δ̂, within it and beyond; and under the worst case, if proved."""
    told = _right(view, view.noise, "told_sampled")
    alone = f"For this pair alone, {told[0].lower()}{told[1:]}" if told else "How often a guesser is right is not known here."
    if view.worst_noise is None:
        lacks = facts(view.scenario.target).lacks
        none = f"Without {lacks} there is no finite worst case." if lacks else "No worst case is proved here."
        return told or _BOUND, f"{alone} {none}"
    worst = f" Under a proved worst case it is {slot('told_proved')}." if _follows(view, view.worst_noise) else ""
    return (told or _BOUND) + worst, alone + worst


def _proved(view: Shown) -> str:
    """The same under noise that is sized to the worst case; and under random DP."""
    told = _right(view, view.worst_noise, "told_proved") or _BOUND
    times = f"it is {slot('told_sampled')}, and " if _follows(view, view.noise) else ""
    return f"{told} Under random DP {times}this change is {slot('sampled')}."


def _right(view: Shown, noise: Any, name: str) -> str:
    """How often the best guesser is right, or anybody at most; nothing where that hangs on more than how wide the noise is."""
    return counted_odds.right("Whoever guesses", _guesser(view, noise), slot(name)) if _follows(view, noise) else ""


def _follows(view: Shown, noise: Any) -> bool:
    return noise is not None and _guesser(view, noise).in_proportion


def _guesser(view: Shown, noise: Any) -> Guesser:
    guesser: Guesser = noise.guesser(view.headline.exact.value.size)
    return guesser


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
    """Whether the answer moves by no more than Δ̂, as finely as the target resolves it."""
    return moving.at_most(_apart(found, at), covered(view, named("delta", view.noise.sensitivity.value)))


def covered(view: Shown, delta: Moving) -> Moving:
    """The furthest that counts as within Δ̂: 0 more for an answer that adds up over records."""
    return delta + named("resolution", view.trials.sample.resolution)


def _answered(found: Dragged, at: int) -> Moving:
    return moving.at_most(_apart(found, at), sys.float_info.max)


def _apart(found: Dragged, at: int) -> Moving:
    return named("apart", float(found.distances[at]))


def said(view: Shown, found: Dragged, at: int) -> dict[str, Moving]:
    """What each slot says with the record at a place."""
    after = unmarked(behind(moved_after(view.answer)))
    slots = {
        "place": Moving(found.words[at], "place"),
        "moved": moving.counted(_apart(found, at), after),
        "delta": moving.counted(named("delta", view.noise.sensitivity.value), after),
        "guess": moving.general(named("guess", counted_odds.guessed_in_100(view.leading.guarantee))),
        "sampled": _verdict(view, found, at),
    }
    return slots | {f"told_{name}": _times(view, found, at, name, *of) for name, of in _noises(view).items()}


def _noises(view: Shown) -> dict[str, tuple[Any, str]]:
    """What is sized to Δ̂ and what to the worst case, whose guessers can be told by distances, each with what its scale is
    looked up as."""
    both = {"sampled": (view.noise, "sampledScale"), "proved": (view.worst_noise, "worstScale")}
    return {name: of for name, of in both.items() if _follows(view, of[0])}


def _times(view: Shown, found: Dragged, at: int, name: str, noise: Any, scale: str, *, counts: bool = False) -> Moving:
    """How often the best guesser is right on this pair, in words or as a number: by how many scales of the noise it is apart."""
    guesser = _guesser(view, noise)
    right, of = float(guesser.right(float(found.distances[at]))), counted_odds.counts if counts else counted_odds.said
    table, apart = f"{name}_{'counts' if counts else 'times'}", _apart(found, at) / named(scale, noise.law.scale)
    return moving.call("passed", of(guesser, right)[0], named(table, 0.0), named(f"{name}_steps", 0.0), apart)


def _tables(view: Shown) -> dict[str, Any]:
    """From how many scales on a guesser is right 51, 52, … times in 100, and how that is said from 50 on."""
    made: dict[str, Any] = {}
    for name, (noise, _) in _noises(view).items():
        guesser = _guesser(view, noise)
        made[f"{name}_steps"] = exactly(steps_of(guesser, noise.law.scale))
        every = [times / 100 for times in range(50, 101)]
        made[f"{name}_times"] = [counted_odds.said(guesser, right)[0] for right in every]
        made[f"{name}_counts"] = [counted_odds.counts(guesser, right)[0] for right in every]
    return made


def _icons(view: Shown, found: Dragged) -> list[dict[str, Any]]:
    """Of 100 guesses so many that are right, under noise that is sized to Δ̂ and to the worst case: beyond Δ̂ in another colour."""
    at, noises, slots = found.home, _noises(view), said(view, found, found.home)
    there, within = moving.where(named("answered", 1.0), _answered(found, at), False), _covered(view, found, at)
    seen = {
        "sampled": [(BLUE, moving.where(there, within, False)), (VERMILION, moving.where(within, False, there))],
        "proved": [(GREEN, there)],
    }
    arrays = [(name, *one) for name in noises for one in seen[name]]
    return [_array(name, colour, shown, _filled(view, found, name), slots[f"told_{name}"]) for name, colour, shown in arrays]


def _array(name: str, colour: str, there: Moving, filled: Moving, times: Moving) -> dict[str, Any]:
    leads, beside = named("proved", 0.0), {"sampled": "under random DP", "proved": "under a proved worst case"}[name]
    first, second = (moving.words_of(one) for one in ((_RIGHT, beside) if name == "proved" else (beside, _RIGHT)))
    of = moving.where(leads, first, second)
    captions = {one: [("p", pieces(counted_odds.caption(slot(f"told_{name}"), one)))] for one in (_RIGHT, beside)}
    by = moving.where(there, of, moving.words_of(""))
    return {
        "figure": live.followed(*icons(filled, times, of, colour), there=there),
        "caption": {"variants": captions, "by": by.rule},
    }


def _filled(view: Shown, found: Dragged, name: str) -> Moving:
    """As many icons as the words say."""
    return _times(view, found, found.home, name, *_noises(view)[name], counts=True)


def part(view: Shown, found: Dragged) -> dict[str, Any]:
    """What a browser needs of it."""
    home = found.home
    figure, alt = record_strip(found, covered(view, named("beyond", math.nan)))
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
        "words": {"parts": [{"said": {"variants": made, "by": which(view, found, home).rule}, "icons": _icons(view, found)}]},
        "told": _tables(view),
        "said": {name: one.rule for name, one in said(view, found, home).items()},
        "verdict": verdict(view, found, home).rule,
    }


def standing(view: Shown, found: Dragged, at: int) -> str:
    """The sentences with the record at a place, as they are now."""
    text = sentences(view, found)[str(which(view, found, at).value)]
    for name, one in said(view, found, at).items():
        text = text.replace(slot(name), escaped(str(one.value)))
    return text
