"""The difference or the ratio of two numbers of one response, with an interval of its noise."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.base.rounded import ShownNumber
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import GEOMETRIC, LAPLACE, NORMAL
from dpcore.mechanisms.whole_noise import GeometricLaw

SHARE = 0.95  # of intervals that hold what they are of without noise
_DRAWS, _SEED = 50_000, 2017  # of the noise, each with its mirror image; always the same
_NOISE: dict[str, Callable[[np.random.Generator, tuple[int, int], float], FloatArray]] = {
    LAPLACE: lambda rng, size, scale: scale * rng.laplace(size=size),
    NORMAL: lambda rng, size, scale: scale * rng.standard_normal(size),
    GEOMETRIC: lambda rng, size, scale: GeometricLaw(scale).simulate(np.zeros(size[1]), size=size[0], rng=rng),
}


class Derived(Enum):
    """What is computed of two numbers."""

    DIFFERENCE = "difference"
    RATIO = "ratio"


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class DerivedNumber:
    """``value``: of the two released numbers. ``within``: the interval of the noise, from its lower end to its upper; None where
    none is bounded, because the noise of a ratio's denominator reaches 0. ``after``: the unit as it stands behind a number."""

    how: Derived
    first: ShownNumber
    second: ShownNumber
    value: float
    within: Interval | None
    after: str


def shown_numbers(release: Release[Any], answer: KindOfAnswer) -> tuple[ShownNumber, ...]:
    """The numbers of a response that can be compared; none where the answer is no numbers, or has noise of an unknown law."""
    shown = facts(answer).shown
    known = release.composes_as in _NOISE or release.scale == 0
    if shown is None or not known or not isinstance(release.response, np.ndarray):
        return ()
    found: tuple[ShownNumber, ...] = shown(release.response)
    return found


def derived(release: Release[Any], answer: KindOfAnswer, first: int, second: int, how: Derived) -> DerivedNumber:
    """A − B or A/B, of the numbers of ``shown_numbers`` at two places, as ``between`` has it.

    InvalidValueError for a place that is none, and twice the same, and for what ``between`` refuses.
    """
    numbers = shown_numbers(release, answer)
    for name, place in (("first number", first), ("second number", second)):
        if not 0 <= place < len(numbers):
            raise InvalidValueError(name, f"one of the {len(numbers)} numbers of the answer", place)
    if first == second:
        raise InvalidValueError("second number", "another than the first", numbers[second].name)
    return between(numbers[first], numbers[second], how, scale=release.scale, composes_as=release.composes_as)


def between(first: ShownNumber, second: ShownNumber, how: Derived, *, scale: float, composes_as: str) -> DerivedNumber:
    """A − B or A/B, of two numbers of one response, with a 95 % interval of the noise.

    ``scale``: of the response's noise, and ``composes_as`` says of which law it is, as its release has both.

    It is computed from the response alone, so it costs no privacy. What the answers would be without noise is released −
    noise: 50,000 draws of the noise and their mirror images, each number with noise of its own (of the response's law and
    scale), give as many such pairs. The interval goes from the 2.5 % point of their A − B or A/B to the 97.5 % point. It
    tells of the noise alone.

    It holds A − B or A/B without noise in 95 of 100 releases: exactly, up to the draws' own error (± 0.1), for a difference of
    two numbers that are shown as they are, and for their ratio by Fieller's argument (1954): A − θB has noise of a known law
    for each θ (mathematics, section 19.2). A pair whose B has changed its sign lies beyond both ends; where more than 2.5 % do,
    the interval has no ends, and that counts among the 95. So where most releases have none, fewer of the others hold: 87 in
    100 for A = 3, B = 2 and Laplace noise of scale 1. Where a number is itself a mean of a noisy sum and a noisy number of
    values, the 95 is approximate: 94 to 96 for differences and 94 to 98 for ratios, simulated with 1 to 100 values under noise
    of scale 1, at the bounds too.

    InvalidValueError for noise of another law, a difference of numbers in different units, and a ratio to 0.
    """
    if composes_as not in _NOISE and scale != 0:
        raise InvalidValueError("law of the noise", " or ".join(_NOISE), composes_as)
    if how is Derived.DIFFERENCE and first.after != second.after:
        units = f"{_unit(first)} and {_unit(second)}"
        raise InvalidValueError("units of the two numbers", "the same, for a difference; a ratio can have two", units)
    if how is Derived.RATIO and second.value == 0:
        raise InvalidValueError("second number", "other than 0, for a ratio divides by it", second.name)
    if how is Derived.DIFFERENCE:
        value, after = first.value - second.value, first.after
    else:
        value, after = first.value / second.value, _per(first, second)
    within: Interval | None = (value, value)
    if scale != 0:
        within = _interval(how, first, second, value, _without_noise(scale, composes_as, first, second))
    return DerivedNumber(how=how, first=first, second=second, value=value, after=after, within=within)


def _interval(
    how: Derived, first: ShownNumber, second: ShownNumber, value: float, without_noise: list[FloatArray]
) -> Interval | None:
    """From 2.5 % of what it can be without noise to 97.5 %, within what is possible, the released one among it."""
    ones, others = without_noise
    if how is Derived.DIFFERENCE:
        lower = upper = ones - others
    else:
        turned = others * math.copysign(1.0, second.value) <= 0
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = ones / others
        lower, upper = np.where(turned, -np.inf, found), np.where(turned, np.inf, found)
    tail = (1 - SHARE) / 2
    low, high = float(np.quantile(lower, tail, method="lower")), float(np.quantile(upper, 1 - tail, method="higher"))
    low, high = _inside(low, high, *_possible(how, first.limits, second.limits))
    low, high = min(value, low), max(value, high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _inside(low: float, high: float, least: float, most: float) -> Interval:
    """What is possible of an interval; one that lies wholly beyond is moved to the end first, for it must not have width 0."""
    if low >= most or high <= least:
        low, high = (most - (high - low), most) if low >= most else (least, least + (high - low))
    return max(low, least), min(high, most)


def _without_noise(scale: float, composes_as: str, *numbers: ShownNumber) -> list[FloatArray]:
    """What each number could be without noise, (draws,) each."""
    sizes = [number.noisy.size for number in numbers]
    half = _NOISE[composes_as](np.random.default_rng(_SEED), (_DRAWS, sum(sizes)), scale)
    each = np.split(np.concatenate([half, -half]), np.cumsum(sizes)[:-1], axis=1)
    return [number.of(number.noisy - one) for number, one in zip(numbers, each, strict=True)]


def _possible(how: Derived, first: Interval, second: Interval) -> Interval:
    """What two numbers within these limits can come to."""
    if how is Derived.DIFFERENCE:
        return first[0] - second[1], first[1] - second[0]
    if not all(map(math.isfinite, (*first, *second))) or second[0] <= 0 <= second[1]:
        return -math.inf, math.inf
    corners = [one / other for one in first for other in second]
    return min(corners), max(corners)


def _per(one: ShownNumber, other: ShownNumber) -> str:
    """The unit of a ratio, as it stands behind it; nothing for two of one unit."""
    if one.after == other.after:
        return ""
    return f"{one.after} per {other.after.strip() or '1'}" if other.after.strip() else one.after


def _unit(number: ShownNumber) -> str:
    return number.after.strip() or "no unit"
