"""The four questions about people whose error is predicted: a count, a sum, a mean, and a share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.norms import L1, L2, Norm
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from pages.experiment.contributions.cap import MOST, Cap, Keeping
from pages.experiment.contributions.noise import Errors, Noise, moments
from pages.experiment.contributions.parts import AtCap

Moved = tuple[float, float]
"""How far one row moves the numbers that are released: one that gets lost, and one that becomes another."""


class Released(Protocol):
    """What is released under noise, and what becomes of it."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """By one row of weight 1."""
        ...

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """Of the answer that is made of it."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Added:
    """Σ w·clip(v), under noise."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """max(|L|, |U|), and max(U, 0) − min(L, 0): a person may have no row that counts (mathematics, section 9.1)."""
        low, high = bounds
        return max(abs(low), abs(high)), max(high, 0.0) - min(low, 0.0)

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """Exact (mathematics, section 9.3)."""
        whole, none = capped.uncapped, np.zeros(len(capped.value))
        return Errors(
            truth=whole.sum,
            answer=capped.value,
            clipped_low=whole.low,
            clipped_high=whole.high,
            dropped=capped.value - (whole.sum + whole.low + whole.high),
            from_noise=none,
            salts=capped.variance_of_value,
            noise=none + noise.variance * scale**2,
        )


@final
@dataclass(frozen=True, slots=True)
class Divided:
    """(Σ w·u, Σ w), u = 2(clip(v) − L)/(U − L) − 1, both under noise; L + (U − L)(S̃/max(C̃, 1) + 1)/2, clipped to [L, U]."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """2 and 2 in L1, √2 and 2 in L2 (mathematics, section 13.1)."""
        return {L1: 2.0, L2: math.sqrt(2)}[norm], 2.0

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """By quadrature; the variance over salts is that of the ratio without noise, linear in both sums
        (mathematics, section 9.4)."""
        whole, floor, half = capped.uncapped, np.maximum(capped.number, 1.0), (bounds[1] - bounds[0]) / 2
        rows = np.where(whole.number > 0, whole.number, np.nan)
        sums = (capped.value - bounds[0] * capped.number) / half - capped.number
        answer = bounds[0] + half * (sums / floor + 1)
        first, second = moments(sums, capped.number, scale, noise)
        return Errors(
            truth=whole.sum / rows,
            answer=answer,
            clipped_low=whole.low / rows,
            clipped_high=whole.high / rows,
            dropped=answer - (whole.sum + whole.low + whole.high) / rows,
            from_noise=half * first,
            salts=_of_ratio(capped, (bounds[0] + bounds[1]) / 2),
            noise=half**2 * np.maximum(second - first**2, 0.0),
        )


def _of_ratio(capped: AtCap, middle: float) -> FloatArray:
    """Var(V − rC)/max(C, 1)², where r = V/C, or the middle of the bounds for C below 1."""
    floor = np.maximum(capped.number, 1.0)
    ratio = np.where(capped.number < 1, middle, capped.value / floor)
    variance = capped.variance_of_value - 2 * ratio * capped.covariance + ratio**2 * capped.variance_of_number
    return np.asarray(np.maximum(variance, 0.0) / floor**2)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """``name``: as people say it. ``bounds``: of each value where they are known beforehand; None where they are to be chosen."""

    name: str
    released: Released
    bounds: Interval | None

    def pairs(self, bounds: Sequence[Interval] | None, /) -> tuple[Interval, ...]:
        """Its own bounds, or those that were chosen; InvalidValueError for both, for neither, and for a pair the wrong way."""
        if self.bounds is not None:
            if bounds is not None:
                raise InvalidValueError("bounds of the values", f"left out, because a {self.name} has its own", tuple(bounds))
            return (self.bounds,)
        if not bounds:
            raise InvalidValueError("bounds of the values", "at least one pair of bounds", bounds)
        pairs = tuple(interval("bounds of the values", pair) for pair in bounds)
        if max(abs(end) for pair in pairs for end in pair) > MOST:
            raise InvalidValueError("bounds of the values", f"numbers from −{MOST:g} to {MOST:g}", pairs)
        return pairs


COUNT = Asked("count of rows", Added(), (0.0, 1.0))  # the sum of a one for each row
SUM = Asked("sum", Added(), None)
MEAN = Asked("mean", Divided(), None)
SHARE = Asked("share", Divided(), (0.0, 1.0))  # the mean of ones and zeros


# On which terms people are protected, and the sensitivity that a cap then has.


_OF_USERS = (Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER)


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """The ``noise`` with its privacy level, which people are neighbours, and how their rows are kept."""

    noise: Noise
    adjacency: Adjacency
    keeping: Keeping = Keeping.WEIGHTS

    def __post_init__(self) -> None:
        if self.adjacency not in _OF_USERS:
            raise InvalidValueError("adjacency", "of one user: add or remove one, or replace one", self.adjacency)

    def sensitivity(self, asked: Asked, cap: Cap, bounds: Interval, groups: int = 1) -> float:
        """How far adding, removing or replacing a person of capped rows moves what is released, in the noise's norm.

        With t = g in L1 and √g in L2 for g groups of s rows, and c = 2 in L1 and √2 in L2, it is t·s·lost under add/remove,
        and t·s·max(changed, c·lost) under replace-one with more than one group, s·changed without (mathematics, section 9.1).
        """
        lost, changed = asked.released.moved(bounds, self.noise.norm)
        power = 1.0 if self.noise.norm == L1 else 0.5
        at_most, two = cap.groups_of(groups) ** power, 2**power
        if self.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
            return float(at_most * cap.rows * lost)
        return cap.rows * changed if groups == 1 else float(at_most * cap.rows * max(changed, two * lost))
