"""The odds of a guesser under the hand: the sentences and icons of ``pages/shared/counted_odds.py``, by how far a
change is in units of the noise's scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees import words as in_words
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.privacy import RandomDP
from pages.charts.encoded import exactly
from pages.charts.sampler import furthest
from pages.experiment.live import tables
from pages.shared import answer, counted_odds
from pages.shared.live import words
from pages.shared.live.mounts import Piece, pieces, slot
from pages.state.view import Shown

_COIN = 50  # times in 100
_HAIR = 1e-9  # as dpcore/guarantees/words.py has it: what is so little above a hundredth is not rounded up
_BEYOND = "out"
Block = tuple[str, list[Piece]]


def odds(view: Shown) -> dict[str, Any]:
    """What the part of the page with the odds needs."""
    largest = furthest(view.trials.sample.distances)
    leads = [words.PROVED if name == words.SAME else name for name in words.which(view)]
    beyond = words.sensitivities(view).values < largest
    ends = [_BEYOND if name == words.SAMPLED and out else name for name, out in zip(leads, beyond, strict=True)]
    by_gamma, by_furthest = words.by_place(leads), words.by_place(ends)
    return {
        "parts": [
            {"of": by_gamma, "variants": {"none": _blocks(counted_odds.NOTHING)} | _blocks_by_guarantee(view)},
            {"of": by_gamma, "variants": {"none": []} | _protected(view)},
            {"of": by_furthest, "variants": {"none": []} | _left_out(view, largest)},
        ],
        "furthest": largest,
        "beyond": _BEYOND,
        "sides": view.guesser.sides,
        "who": counted_odds.conditions(view),
        "in": [counted_odds.OF, counted_odds.FILLED, counted_odds.FOR],
    }


def of_the_grids(view: Shown) -> dict[str, Any]:
    """How often the guesser is right at each distance, whatever the trials are."""
    epsilon, numbers = view.scenario.epsilon, view.headline.exact.value.size
    law = tables.law_at(view.scenario, epsilon)
    guesser = tables.guesser_at_one(view.leading, law, numbers, epsilon)
    key = "steps", *tables.law_key(view.scenario), epsilon, numbers, type(view.leading.guarantee)
    steps = tables.kept(key, lambda: _steps(guesser, law.scale))
    return {"odds": {"steps": exactly(steps), "counted": [_counted(guesser, times) for times in range(_COIN, 101)]}}


def _steps(guesser: Guesser, scale: float) -> FloatArray:
    """Beyond how many of the noise's scales a guesser is right 51, 52, … 100 times in 100, as it is rounded."""
    hundredths = np.arange(_COIN + 1, 101)
    least = (hundredths - 0.5) / 100 if guesser.exact else (hundredths - 1 + _HAIR) / 100
    return np.array([guesser.distance(float(right)) / scale for right in least])


def _counted(guesser: Guesser, times: int) -> list[int | str]:
    """Filled icons and what they stand for, on either side."""
    yours, theirs = counted_odds.counts(guesser, times / 100)
    said_yours, said_theirs = counted_odds.said(guesser, times / 100)
    return [yours, said_yours, theirs, said_theirs]


def _blocks_by_guarantee(view: Shown) -> dict[str, list[Block]]:
    but = view.promise.removeprefix(in_words.name(view.leading.guarantee))
    guess = f"at most {slot('guess')} times in 100"
    return {
        name: _blocks(counted_odds.told(view, noise.guarantee, words.named(noise) + but, guess)) for name, noise in _noises(view)
    }


def _protected(view: Shown) -> dict[str, list[Block]]:
    made = {}
    for name, noise in _noises(view):
        sampled = isinstance(noise.guarantee, RandomDP)
        edge = slot("moved") if sampled else answer.with_unit(view, noise.sensitivity.value)
        made[name] = _blocks(counted_odds.protected(view, noise.guarantee, edge, (slot("yours"), slot("theirs"))))
    return made


def _left_out(view: Shown, largest: float) -> dict[str, list[Block]]:
    beyond = counted_odds.left_out(view, largest, slot("times"), (slot("yours"), slot("theirs")))
    made = {_BEYOND: beyond, words.SAMPLED: counted_odds.none_left_out(view, words.left_out_of(view))}
    made[words.PROVED] = counted_odds.none_left_out(view, None)
    return {name: _blocks(sentence) for name, sentence in made.items()}


def _noises(view: Shown) -> list[tuple[str, Any]]:
    made = {words.SAMPLED: view.noise, words.PROVED: view.worst_noise}
    return [(name, noise) for name, noise in made.items() if noise is not None]


def _blocks(sentence: str) -> list[Block]:
    """A heading of the third level and what stands under it, or that alone."""
    heading, below, body = sentence.partition("\n")
    return [("h3", pieces(heading.removeprefix("### "))), ("p", pieces(body))] if below else [("p", pieces(sentence))]
