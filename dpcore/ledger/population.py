"""The interval for the population that a released mean or share stands for: by sampling alone, and by sampling and noise.

It holds where the table is a random sample of it (mathematics, section 22.1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.answers.ratio import last_possible
from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError

SHARE = 0.95  # of samples and releases in which the interval holds the population's number
_OF_SPREAD, _OF_NUMBER = 0.005, 0.005  # of the rest: that the noise on the spread, or on a number of values, is larger
_BLOCKS = 500  # of a sampling law: each counts at the end that makes the interval wider
_NUMBERS = 3  # of known values that are tried, from the fewest to the most that there can be
_TALLEST = 1e-12  # a tail of a sampling law that is left out

Steps = tuple[FloatArray, FloatArray, FloatArray]
"""A sampling law in blocks: the lower end of each, the upper end, and its probability, (k,) each."""


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """A released mean of values between public ``bounds``, or a share, which is the mean of values that are 0 or 1.

    ``noisy``: the released number (1,); or, of the known values alone, their sum, each from −1 at the lower bound to 1 at the
    upper, and how many they are (2,), as ``answers.Ratio`` has them. ``records``: of the table, public. ``law``: of the noise on
    each number, in its own unit. InvalidValueError where something else is given.
    """

    noisy: FloatArray
    records: int
    law: Any
    bounds: Interval = (0.0, 1.0)

    def __post_init__(self) -> None:
        if self.noisy.shape not in ((1,), (2,)) or not np.isfinite(self.noisy).all():
            raise InvalidValueError("noisy", "one released number, or a sum and a number of values", self.noisy.tolist())
        if not self.bounds[0] < self.bounds[1] or not np.isfinite(self.bounds).all():
            raise InvalidValueError("bounds", "a lower and an upper one", self.bounds)

    @property
    def _of_known(self) -> bool:
        return len(self.noisy) == 2

    @property
    def above(self) -> float:
        """The noisy sum of all values that are known, each from −1 to 1."""
        low, high = self.bounds
        return float(self.noisy[0]) if self._of_known else self.records * (2 * (float(self.noisy[0]) - low) / (high - low) - 1)

    @property
    def below(self) -> float:
        """How many they are, with noise where that is confidential."""
        return float(self.noisy[1]) if self._of_known else float(self.records)

    @property
    def centre(self) -> float:
        """The released mean, from −1 to 1."""
        return min(max(self.above / max(self.below, 1.0), -1.0), 1.0)

    @property
    def noise(self) -> tuple[Any, float]:
        """The law of the noise on ``above``, and how many times as much a mean of 1 has of that on ``below``."""
        scale = self.law.scale if self._of_known else self.law.scale * self.records * 2 / (self.bounds[1] - self.bounds[0])
        return replace(self.law, scale=scale), float(self._of_known)

    def numbers(self, least: int) -> list[int]:
        """How many values there can be, up to so much noise; empty where they can be fewer than ``least``."""
        if not self._of_known:
            return [self.records] if self.records >= least else []
        near = self.law.half_width(1 - _OF_NUMBER) if self.law.scale else 0.0
        fewest, most = math.ceil(self.below - near), min(math.floor(self.below + near), self.records)
        if fewest < least or most < fewest:
            return []
        return sorted({int(number) for number in np.linspace(fewest, most, _NUMBERS)})

    def of_unit(self, mean: float) -> float:
        """A mean from −1 to 1 in the values' own unit."""
        low, high = self.bounds
        return min(max(low + (high - low) * (mean + 1) / 2, low), high)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Spread:
    """A released variance of the same values, Σ(x − mean)²/number, and the law of its noise; in the square of their unit."""

    variance: float
    law: Any


@final
@dataclass(frozen=True)
class ForPopulation:
    """``sampling``: by sampling alone, as if there were no noise; None where the released variance is 0 or below.
    ``both``: by sampling and noise, which holds the population's number in ``SHARE`` of samples and releases at least, a mean
    where there are many values."""

    sampling: Interval | None
    both: Interval


def share_of_population(released: Estimate) -> ForPopulation | None:
    """Of a share, from it alone; None where the known values can be none (mathematics, section 22.2).

    π is kept where the released number is no further out than in 2.5 % of samples and releases on either side: with X ~
    Binomial(C, π) and noise Z, Z′,  Ñ − rC̃ = 2(X − Cπ) + Z − rZ′,  r = 2π − 1. So it holds at every π, also near 0 and 1.
    """
    numbers = released.numbers(1)
    if not numbers:
        return None
    low, high = _clopper_pearson((released.centre + 1) / 2, max(1.0, released.below))
    alone = (2 * low - 1, 2 * high - 1)
    kept = (1 - SHARE - _OF_NUMBER * released.noise[1]) / 2
    return _answer(released, alone, numbers, lambda mean, number: _binomial(number, (mean + 1) / 2), kept)


def mean_of_population(released: Estimate, spread: Spread) -> ForPopulation | None:
    """Of a mean, with a released variance of the same values; None where the known values can be fewer than two (mathematics,
    section 22.3).

    The variance is at most what it was released as and the 99.5 % point of its noise, and a quarter of the bounds' distance
    squared. μ is kept where the released number is no further out than in 2.25 % of samples and releases on either side (2 % of
    known values), with Student's law for the sampling error of a mean.
    """
    numbers = released.numbers(2)
    if not numbers:
        return None
    width = released.bounds[1] - released.bounds[0]
    of_unit = (2 / width) ** 2
    number = max(2.0, released.below)
    alone: Interval | None = None
    if spread.variance > 0:
        near = _student(number - 1, (1 + SHARE) / 2) * math.sqrt(min(spread.variance * of_unit, 1.0) / (number - 1))
        alone = (max(released.centre - near, -1.0), min(released.centre + near, 1.0))
    further = spread.law.half_width(1 - 2 * _OF_SPREAD) if spread.law.scale else 0.0
    most = min(max(spread.variance + further, 0.0) * of_unit, 1.0)
    scale = math.sqrt(most * numbers[0] / (numbers[0] - 1) * numbers[-1])
    places = np.linspace(0, 1, _BLOCKS + 1).clip(_TALLEST, 1 - _TALLEST)
    ends = scale * _student(numbers[0] - 1, places)
    steps = ends[:-1], ends[1:], np.full(_BLOCKS, 1 / _BLOCKS)
    kept = (1 - SHARE - _OF_SPREAD - _OF_NUMBER * released.noise[1]) / 2
    return _answer(released, alone, numbers[-1:], lambda *_: steps, kept)


def _answer(released: Estimate, alone: Interval | None, numbers: list[int], steps: Any, kept: float) -> ForPopulation:
    """In the values' own unit. ``steps(mean, number)``: the sampling law of Σ(value − mean); ``kept``: the least tail."""
    law, times = released.noise
    in_unit = None if alone is None else (released.of_unit(alone[0]), released.of_unit(alone[1]))

    def possible(mean: float) -> bool:
        away = released.above - mean * released.below
        return any(_outside(away, steps(mean, number), law, times * abs(mean)) > kept for number in numbers)

    ends = [last_possible(released.centre, end, possible) for end in (-1.0, 1.0)]
    inside = [] if alone is None else list(alone)
    both = released.of_unit(min(*ends, *inside)), released.of_unit(max(*ends, *inside))
    return ForPopulation(in_unit, both)


def _outside(away: float, steps: Steps, law: Any, times: float) -> float:
    """The smaller of P(D + W >= away) and P(D + W <= away), each at most too large: D in these steps, W = Z − times·Z′."""
    low, high, weights = steps
    return min(float(weights @ _above(away - high, law, times)), float(weights @ _above(low - away, law, times)))


def _above(distance: FloatArray, law: Any, times: float) -> FloatArray:
    """P(W >= distance), of a symmetric law; of no noise that 0 is as far."""
    if not law.scale:
        return np.asarray(distance <= 0, dtype=np.float64)
    half = law.beyond(np.abs(distance), times) / 2
    return np.asarray(np.where(distance >= 0, half, 1 - half))


def _binomial(number: int, share: float) -> Steps:
    """2(X − number·share), X binomial: each X by itself up to 500, else blocks of X within 8 standard deviations and 40."""
    from scipy.special import bdtr

    share = min(max(share, 0.0), 1.0)
    near = 8 * math.sqrt(number * share * (1 - share)) + 40
    least, most = max(0, math.floor(number * share - near)), min(number, math.ceil(number * share + near))
    ends = np.unique(np.linspace(least, most, min(most - least + 1, _BLOCKS)).astype(np.int64))
    upto = np.where(ends >= number, 1.0, bdtr(ends.astype(np.float64), number, share))
    begins = np.concatenate([[least], ends[:-1] + 1])
    weights = np.diff(upto, prepend=0.0)
    low, high = (np.asarray(2.0 * (end - number * share), dtype=np.float64) for end in (begins, ends))
    return low, high, np.asarray(weights, dtype=np.float64)


def _clopper_pearson(share: float, number: float) -> Interval:
    """The exact interval of a share without noise (Clopper & Pearson 1934), of a number inside that need not be whole."""
    from scipy.special import betaincinv

    inside, tail = share * number, (1 - SHARE) / 2
    low = 0.0 if inside <= 0 else float(betaincinv(inside, number - inside + 1, tail))
    high = 1.0 if inside >= number else float(betaincinv(inside + 1, number - inside, 1 - tail))
    return low, high


def _student(freedom: float, share: Any) -> Any:
    """The quantile of Student's law."""
    from scipy.special import stdtrit

    return stdtrit(freedom, share)
