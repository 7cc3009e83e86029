"""What of the noise on a number follows a hand: so many times its scale, or, of noise in whole numbers, rules of their own.

Each takes the law as it is now and its scale, which moves. The rules are ``wholeNoise``, ``wholeError`` and ``wholeDensity`` of
``drawing/functions.js``, which compute what ``dpcore/mechanisms/whole_noise.py`` does.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.mechanisms.response_law import GEOMETRIC, NoiseLaw
from pages.old.charts import moving
from pages.old.charts.moving import Moving, Numbers


def follows(law: Any) -> bool:
    """Whether there is a rule for a law."""
    return isinstance(law, NoiseLaw) and (law.in_proportion or _whole(law))


def half_width(law: Any, share: float, scale: Moving) -> Moving:
    """How far from 0 that share of the noise on one number reaches."""
    if _whole(law):
        return moving.call("wholeNoise", law.half_width(share), (1 + share) / 2, scale)
    half: Moving = of_scale_one(law).half_width(share) * scale
    return half


def mean_error(law: Any, scale: Moving) -> Moving:
    """E|noise|."""
    if _whole(law):
        return moving.call("wholeError", math.nan, scale)
    error: Moving = of_scale_one(law).mean_error * scale
    return error


def density(law: Any, at: FloatArray, scale: Moving) -> Numbers:
    """How likely noise of so many scales is."""
    if _whole(law):
        return moving.call("wholeDensity", law.density(at * scale.value), at, scale)
    of_one: FloatArray = of_scale_one(law).density(at)
    return of_one / scale


def even(law: Any, halves: FloatArray, scale: Moving) -> Numbers:
    """Noise that rises: on either side of 0 by turns, so far that this share of it lies nearer to 0."""
    sides = np.where(np.arange(1, len(halves) + 1) % 2, -1.0, 1.0)
    if _whole(law):
        levels = np.sort(0.5 + sides * halves / 2)
        return moving.call("wholeNoise", law.quantile(levels), levels, scale)
    one = of_scale_one(law)
    return scale * np.sort(sides * np.array([one.half_width(half) for half in halves]))


def simulated(law: Any, numbers: int, scale: Moving, rng: np.random.Generator) -> Numbers:
    """Noise on so many numbers, drawn once."""
    if _whole(law):
        levels = rng.random(numbers)
        return moving.call("wholeNoise", law.quantile(levels), levels, scale)
    drawn: FloatArray = of_scale_one(law).simulate(np.zeros(numbers), size=1, rng=rng)[0]
    return scale * drawn


def of_scale_one(law: Any) -> Any:
    """The same law, in units of its scale."""
    return replace(law, scale=1.0)


def _whole(law: Any) -> bool:
    return facts(law).composes_as == GEOMETRIC
