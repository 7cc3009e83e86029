"""A released number with as many digits as its ± supports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from itertools import islice
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.types import FloatArray

TOO_FEW = "too few to tell"
EMPTY = (
    "“Too few to tell” stands where the noisy number of values is so small that there may be none at all. Nothing can be said of "
    "their mean then. A larger ε, fewer groups or a wider condition would help."
)
_DIGITS = 3  # of a ±
_FURTHEST = 1e15  # times its ±, from which on no float has more digits
_LEAST_PLACE = -9  # digits after the point that people read


def in_full(value: float) -> str:
    """A number of a response: six significant digits or all before the point, and no powers of ten that people would count."""
    return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:,.6g}"


def first_of(texts: Iterable[str], size: int) -> str:
    """The first three of so many texts, for a row of a ledger; an ellipsis stands for the others."""
    return "; ".join(islice(texts, 3)) + "; …" * (size > 3)


def beside(value: float, inside: float, after: str, near: float = 0.0) -> str:
    """A number with its unit, rounded to its ±, and beside one outside its range the nearest that is inside: "-0.002, so 0".

    That one has all its digits, for its ± is measured from it.
    """
    said = counted(to_place(value, near), after)
    return said if value == inside else f"{said}, so {counted(f'{inside:,.15g}', after)}"


def to_place(value: float, near: float) -> str:
    """The number, rounded to the place of the third digit of its ±, as people write it; in full where it has none."""
    if not 0 < near < math.inf or abs(value) > _FURTHEST * near:
        return in_full(value)
    rounded = Decimal(value).quantize(Decimal(1).scaleb(_place(near)), ROUND_HALF_EVEN)
    return f"{rounded:,f}" if rounded else f"{abs(rounded):,f}"


def plus_minus(near: float, after: str) -> str:
    """± with its unit: what rounding took from the number is added, and the sum rounded up, so that the printed number and ± hold
    as often as the whole ones. Of an infinite one that nothing can be told."""
    if not math.isfinite(near):
        return TOO_FEW
    return counted(f"±\u00a0{widened(near)}", after) + everyday(near, after)


def widened(near: float) -> str:
    """The half-width of a rounded number, in three digits, rounded up after half the number's last digit."""
    if near <= 0:
        return "0"
    last = Decimal(1).scaleb(_place(near))
    size = Decimal(near) + last / 2
    unit = Decimal(1).scaleb(max(_place(float(size)), _place(near)))
    up = size.quantize(unit, ROUND_CEILING)
    return f"{up.normalize():,f}" if up == up.to_integral_value() else f"{up:,f}"


def rows(kind: Any, response: Any, near: tuple[float, ...]) -> tuple[tuple[str, str, str], ...]:
    """Each part of a response: its name, what stands for it, and its ±, '' where none is known.

    A number is rounded to what its ± supports, and one of which nothing can be told is not shown.
    """
    parts = kind.parts(response)
    if len(near) != len(parts):
        return tuple((name, said, "") for name, said in parts)
    texts = kind.rounded(response, near) if kind.rounded is not None else tuple(said for _, said in parts)
    return tuple(
        (name, text, plus_minus(one, kind.after)) if math.isfinite(one) else (name, TOO_FEW, "")
        for (name, _), text, one in zip(parts, texts, near, strict=True)
    )


def _place(near: float) -> int:
    """The power of ten of the third digit of a ±."""
    return max(math.floor(math.log10(near)) - _DIGITS + 1, _LEAST_PLACE)


# One number that people see of a response, and the noisy numbers that it is computed from.


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ShownNumber:
    """``noisy``: the numbers of the response that it takes, (e,), each in its own unit. ``of``: what is computed of them,
    (..., e) -> (...). ``limits``: what it is then cut off at.
    ``after``: the unit as it stands behind the number."""

    name: str
    after: str
    noisy: FloatArray
    of: Callable[[FloatArray], FloatArray]
    limits: Interval = (-math.inf, math.inf)

    @property
    def value(self) -> float:
        """The number that is shown."""
        return float(np.clip(self.of(self.noisy), *self.limits))

    def called(self, name: str) -> ShownNumber:
        """The same by another name."""
        return replace(self, name=name)


def itself(noisy: FloatArray) -> FloatArray:
    """(..., 1) -> (...): of a number that is shown as it is."""
    return noisy[..., 0]
