"""What one record adds to a number of an answer, as a whole number times a public step: sums of these are exact in any order.

A target that is a sum of such numbers states them as ``summands``, one a number of its answer; then it can be answered where its
records are never all in memory (mathematics, section 13.5). A missing value adds 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

from dpcore.base.bounds import Interval
from dpcore.base.condition import Category


@final
@dataclass(frozen=True, slots=True)
class OfKnown:
    """1 where the value is known."""

    step: ClassVar[float] = 1.0


@final
@dataclass(frozen=True, slots=True)
class OfInside:
    """1 where the value is of the category, or in the interval."""

    category: Category
    interval: Interval | None
    step: ClassVar[float] = 1.0


@final
@dataclass(frozen=True, slots=True)
class OfSides:
    """1 where the value is of the category, or in the interval, and −1 where it is known and not there."""

    category: Category
    interval: Interval | None
    step: ClassVar[float] = 1.0


@final
@dataclass(frozen=True, slots=True)
class OfPlaces:
    """u(x) = 2·(clip(x) − low)/(high − low) − 1, which as a float is a multiple of 2⁻⁵³ already: no rounding is added."""

    bounds: Interval
    step: ClassVar[float] = 2.0**-53


@final
@dataclass(frozen=True, slots=True)
class OfValues:
    """clip(x), rounded to the nearest multiple of ulp(max|bound|): of values as large as the bound no digit is lost."""

    bounds: Interval

    @property
    def step(self) -> float:
        """The distance of neighbouring floats at the larger bound."""
        return math.ulp(max(map(abs, self.bounds)))


Summand = OfKnown | OfInside | OfSides | OfPlaces | OfValues


def in_steps(total: int, step: float) -> float:
    """total·step for a step that is a power of two, rounded once: what ``math.fsum`` gives of the records' own floats."""
    top, bottom = step.as_integer_ratio()
    return total * top / bottom
