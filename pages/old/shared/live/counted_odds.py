"""The odds of a guesser under the hand: the sentences and icons of ``pages/old/shared/counted_odds.py``, by how far a
change is in units of the noise's scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees import words as in_words
from dpcore.guarantees.guesser import Guesser
from pages.old.charts import live, moving
from pages.old.charts.drawn import BLUE, VERMILION
from pages.old.charts.encoded import exactly
from pages.old.charts.moving import Moving, named
from pages.old.charts.sampler import furthest
from pages.old.charts.told import ruler
from pages.old.experiment.live import tables
from pages.old.shared import counted_odds
from pages.old.shared.live import words
from pages.old.shared.live.mounts import pieces, slot
from pages.old.state.view import Shown

_COIN = 50  # times in 100
_HAIR = 1e-9  # as dpcore/guarantees/words.py has it: what is so little above a hundredth is not rounded up
_BEYOND, _LEFT_OUT = "out", "left_out"
_EDGE, _FURTHEST = ("yours", "theirs"), ("further_yours", "further_theirs")  # slots of the two changes
_FILLED = ("icons_yours", "icons_theirs")


def protected(view: Shown) -> dict[str, Any]:
    """What the part of the page with the odds of a protected change needs, whatever the trials are."""
    said = {name: counted_odds.protected(view, noise.guarantee) for name, noise in _noises(view).items()}
    variants = {"none": counted_odds.NOTHING} | said
    there = named("answered", 0.0)
    icons = [*_icons(view, _EDGE, BLUE, there), _ruler(view, there)]
    return {"parts": [{"said": {"variants": _variants(variants), "by": words.leads().rule}, "icons": icons}]}


def _ruler(view: Shown, there: Moving) -> dict[str, Any]:
    """How often the best guesser is right."""
    drawn = ruler(_passed(_FILLED[0], _EDGE[0]), rules()[_EDGE[0]])
    said = pieces(counted_odds.at_best(view.guesser, slot(_EDGE[0]), slot("guess")))
    return {"figure": live.followed(*drawn, there=there), "caption": {"variants": {0: [("p", said)]}, "by": 0}, "wide": True}


def beyond(view: Shown) -> dict[str, Any]:
    """What the part with how that is counted, and with the odds of a change that is left out, needs."""
    by, out = words.leads(), named("leavesOut", 0.0)
    told = {"none": counted_odds.NOTHING} | {name: _told(view, noise) for name, noise in _noises(view).items()}
    which = moving.where(out, moving.words_of(_BEYOND), by)
    return {
        "parts": [
            {"said": {"variants": _variants(told), "by": by.rule}, "icons": []},
            {"said": {"variants": _LEFT_OUT, "by": which.rule}, "icons": _icons(view, _FURTHEST, VERMILION, out)},
        ]
    }


def _noises(view: Shown) -> dict[str, Any]:
    """By what leads."""
    return {words.SAMPLED: view.noise} | ({} if view.worst_noise is None else {words.PROVED: view.worst_noise})


def of_the_trials(view: Shown) -> dict[str, Any]:
    """What is said of those that are left out."""
    far = furthest(view.trials.sample.distances)
    beyond = {
        words.SAMPLED: counted_odds.none_left_out(view, words.left_out_of(view)),
        words.PROVED: counted_odds.none_left_out(view, None),
        _BEYOND: counted_odds.left_out(view, far, slot("times"), _slots(_FURTHEST)),
    }
    return {_LEFT_OUT: _variants(beyond)}


def _variants(sentences: dict[str, str]) -> dict[str, Any]:
    return {name: words.blocks(one) for name, one in sentences.items()}


def _icons(view: Shown, slots: tuple[str, str], colour: str, there: Moving) -> list[dict[str, Any]]:
    """An array for each side, where sides are known."""
    said, filled = rules(), [_passed(name, side) for name, side in zip(_FILLED, slots, strict=True)]
    drawn = counted_odds.arrays(view, filled, [said[name] for name in slots], colour)
    captions = [counted_odds.caption(slot(name), of) for name, of in zip(slots, counted_odds.conditions(view), strict=True)]
    return [
        {"figure": live.followed(*one, there=there), "caption": {"variants": {0: [("p", pieces(caption))]}, "by": 0}}
        for one, caption in zip(drawn, captions, strict=False)
    ]


def rules() -> dict[str, Moving]:
    """What the slots say."""
    said = {slot: _passed(slot.removeprefix("further_"), slot) for slot in (*_EDGE, *_FURTHEST)}
    return said | {"times": moving.figure(named("furthest", 1.0) / named("delta", 1.0))}


def _passed(name: str, slot: str) -> Moving:
    """Of a table with a row for each hundredth: by how many of the noise's scales the change of a slot is."""
    far = named("furthest" if slot in _FURTHEST else "leading", 1.0) / named("scale", 1.0)
    return moving.call("passed", 0, named(name, 0.0), named("steps", 0.0), far)


def of_the_grids(view: Shown) -> dict[str, Any]:
    """How often the guesser is right at each distance, whatever the trials are: what is said and how many icons are filled, on
    either side."""
    epsilon, numbers = view.scenario.epsilon, view.headline.exact.value.size
    law = tables.law_at(view.scenario, epsilon)
    guesser = tables.guesser_at_one(view.leading, law, numbers, epsilon)
    key = "steps", *tables.law_key(view.scenario), epsilon, numbers, type(view.leading.guarantee)
    steps = tables.kept(key, lambda: steps_of(guesser, law.scale))
    every = [times / 100 for times in range(_COIN, 101)]
    said = zip(*(counted_odds.said(guesser, right) for right in every), strict=True)
    filled = zip(*(counted_odds.counts(guesser, right) for right in every), strict=True)
    return {"steps": exactly(steps)} | dict(zip((*_EDGE, *_FILLED), (*said, *filled), strict=True))


def steps_of(guesser: Guesser, scale: float) -> FloatArray:
    """Beyond how many of the noise's scales a guesser is right 51, 52, … 100 times in 100, as it is rounded."""
    hundredths = np.arange(_COIN + 1, 101)
    least = (hundredths - 0.5) / 100 if guesser.exact else (hundredths - 1 + _HAIR) / 100
    return np.array([guesser.distance(float(right)) / scale for right in least])


def _slots(names: tuple[str, str]) -> counted_odds.Sides:
    return slot(names[0]), slot(names[1])


def _told(view: Shown, noise: Any) -> str:
    but = view.promise.removeprefix(in_words.name(view.leading.guarantee))
    return counted_odds.told(view, noise.guarantee, words.guarantee(noise) + but, words.guess())
