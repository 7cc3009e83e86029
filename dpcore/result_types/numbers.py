"""Answers that are numbers, that are chosen, or that are a ratio of two noisy numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.columns import Column
from dpcore.base.text import beside, counted, first_of, in_full
from dpcore.base.types import Target
from dpcore.result_types.kind import SHARE as SHARE
from dpcore.result_types.kind import KindOfAnswer, simulated

_MOST_LABEL = 40  # characters
_POSSIBLE = {SHARE: (0.0, 1.0), "rows": (0.0, np.inf), "people": (0.0, np.inf)}


@final
@dataclass(frozen=True, slots=True)
class Numbers(KindOfAnswer):
    """Numbers, each with a label, in one unit.

    Args:
        labels: A name for each number. If their number differs from the numbers of a response, these are called "number 1", ….
        unit: The unit that all share, or ''.
        bars: Whether the numbers are parts of one whole, and drawn as bars.
        amount: Whether they are amounts, as counts and sums are: 0 means none.

    Examples:
        >>> Numbers(("women", "men"), "rows", amount=True).parts(np.array([12.5, -3.0]))
        (('women', '12.5 rows'), ('men', '-3 rows, so 0 rows'))
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    bars: bool = False
    amount: bool = False

    @property
    def from_zero(self) -> bool:
        """True if 0 means nothing at all, so that bars may start there."""
        return self.bars or self.amount or self.unit == SHARE

    def names(self, size: int) -> tuple[str, ...]:
        """Return a name for each of ``size`` numbers."""
        return self.labels if len(self.labels) == size else tuple(f"number {place}" for place in range(1, size + 1))

    def brief(self, response: FloatArray, /) -> str:
        """Return the first numbers."""
        return first_of(map(in_full, response), response.size)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each label and its number. A number outside the possible range has the nearest possible one beside it."""
        return tuple(zip(self.names(response.size), self.rounded(response, (0.0,) * response.size), strict=True))

    def rounded(self, response: FloatArray, near: tuple[float, ...], /) -> tuple[str, ...]:
        """Return the numbers as text, each rounded to its margin, in full if that is 0."""
        low, high = _POSSIBLE.get(self.unit, (-np.inf, np.inf))
        inside = np.clip(response, low, high)
        return tuple(beside(value, end, self.after, one) for value, end, one in zip(response, inside, near, strict=True))

    def values(self, response: FloatArray, /) -> FloatArray:
        """Return the numbers that a chart shows: the response itself."""
        return response

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """Return a number for each label."""
        return dict(zip(self.names(response.size), response.tolist(), strict=True))


@final
@dataclass(frozen=True, slots=True)
class Choice(KindOfAnswer):
    """One of several candidates, chosen by their scores.

    Args:
        labels: A name for each candidate.
        unit: The unit of the scores.

    Examples:
        >>> Choice(("a", "b"), "rows").parts("b")
        (('The choice', 'b'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""  # a candidate has no unit
    picked: ClassVar[bool] = True

    def brief(self, response: object, /) -> str:
        """Return the candidate as text."""
        return str(response)

    def parts(self, response: object, /) -> tuple[tuple[str, str], ...]:
        """Return the candidate, named as the choice."""
        return (("The choice", str(response)),)

    def plain(self, response: object, /) -> object:
        """Return the candidate itself."""
        return response


@final
@dataclass(frozen=True, slots=True)
class Place(KindOfAnswer):
    """A value on a column's scale, chosen by its score: a median or another quantile.

    Args:
        labels: The one name of the answer.
        unit: The unit of the scale. Scores have another: they count records.
        ranked: Whether a score counts the records between a value and the wanted one.

    Examples:
        >>> Place(("Median of height",), "cm").parts(171.5)
        (('Median of height', '171.5 cm'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    ranked: bool = True
    moved_unit: ClassVar[str] = ""  # scores move between neighbours, not values
    picked: ClassVar[bool] = True  # so a mechanism that chooses leaves it as it is

    def values(self, response: float, /) -> FloatArray:
        """Return the number that a chart shows."""
        return np.array([response], dtype=np.float64)

    def brief(self, response: float, /) -> str:
        """Return the value as text."""
        return in_full(response)

    def parts(self, response: float, /) -> tuple[tuple[str, str], ...]:
        """Return the name, and the value with its unit."""
        return ((self.labels[0], counted(in_full(response), self.after)),)

    def plain(self, response: float, /) -> dict[str, float]:
        """Return the value under its name."""
        return {self.labels[0]: float(response)}


# A mean that is computed from two noisy numbers.

SUM, NUMBER = "sum of the known values, each from −1 at the lower bound to 1 at the upper", "number of known values"
_HALVINGS = 60
_NEAR_AN_END = 0.9  # of the way from the middle of the bounds; at the very end a margin is up to 5% larger
_DRAWS = 4_000  # enough for a smooth curve of errors


@final
@dataclass(frozen=True, slots=True)
class Ratio(KindOfAnswer):
    """A mean S/C from a noisy sum S and a noisy number of values C, cut off at its public bounds.

    A response has two numbers: the sum of the values scaled to [−1, 1] between the bounds, and how many they are.

    Args:
        labels: The one name of the mean.
        unit: Its unit.
        bounds: The public bounds of each value.

    Examples:
        >>> Ratio(("Mean of height",), "cm", (100.0, 200.0)).parts(np.array([2.0, 10.0]))
        (('Mean of height', '160 cm'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    bounds: Interval = (0.0, 1.0)
    moved_unit: ClassVar[str] = ""  # a scaled sum and a number move between neighbours

    def value(self, responses: FloatArray, /) -> FloatArray:
        """Return the means within the bounds, (..., 2) -> (...): of S/max(C, 1), which is always a number."""
        return self._of_share(np.clip(self._share(responses), 0.0, 1.0))

    def values(self, response: FloatArray, /) -> FloatArray:
        """Return the number that a chart shows."""
        return self.value(response)[None]

    def _share(self, responses: FloatArray) -> FloatArray:
        """Return how far each mean is on the way from the lower bound to the upper; noise can drive it out of [0, 1]."""
        return np.asarray((responses[..., 0] / np.maximum(responses[..., 1], 1.0) + 1) / 2)

    def _of_share(self, share: FloatArray) -> FloatArray:
        low, high = self.bounds
        return np.asarray(low + (high - low) * share)

    def offsets(self, law: Any, response: FloatArray, /) -> FloatArray:
        """Return simulated means less the mean of ``response``, shape (draws,)."""
        if law.in_proportion:
            drawn = response + law.scale * _noise_of_scale_1(replace(law, scale=1.0))
        else:
            drawn = simulated(law, response, _DRAWS)
        return np.asarray(self.value(drawn) - self.value(response))

    def spread(self, law: Any, exact: FloatArray, share: float, /) -> float:
        """Return the distance to the mean without noise that this share of simulated means keeps."""
        return float(np.quantile(np.abs(self.offsets(law, exact)), share))

    def within(self, law: Any, response: FloatArray, share: float, /) -> float:
        """Return the margin of the released mean, computed from the response and the law only.

        The mean without noise is within it in at least ``share`` of releases. The margin is infinite if the number of
        known values may be 0, and so in at least that share of releases if it is.
        """
        ratios = ratio_interval(float(response[0]), float(response[1]), law, share)
        if ratios is None:
            return math.inf
        ends = self._of_share((np.array(ratios) + 1) / 2)
        return float(np.abs(ends - float(self.value(response))).max())

    def predicted_margins(self, law: Any, response: FloatArray, share: float, /, *, least: float, most: float) -> Interval:
        """Return the least and the largest margin of a release of ``least`` to ``most`` times as many known values.

        The margin is least with a mean in the middle of the bounds, and largest with one near an end.
        """
        fewest, many = least * float(response[1]), most * float(response[1])
        return (
            self.within(law, np.array([0.0, many]), share),
            self.within(law, np.array([_NEAR_AN_END * fewest, fewest]), share),
        )

    def brief(self, response: FloatArray, /) -> str:
        """Return the mean as text."""
        return in_full(float(self.value(response)))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return the name and the mean. One that noise drove out of the bounds has the nearest bound beside it."""
        return ((self.labels[0], *self.rounded(response, (0.0,))),)

    def rounded(self, response: FloatArray, near: tuple[float, ...], /) -> tuple[str]:
        """Return the mean as text, rounded to its margin, in full if that is 0."""
        share, inside = self._share(response), float(self.value(response))
        released = inside if 0 <= share <= 1 else float(self._of_share(share))
        return (beside(released, inside, self.after, near[0]),)

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """Return the mean, and the two noisy numbers that it is computed from."""
        return {self.labels[0]: float(self.value(response)), SUM: float(response[0]), NUMBER: float(response[1])}


def ratio_interval(above: float, below: float, law: Any, share: float) -> Interval | None:
    """Return the ratios r in [−1, 1] for which the noise may well explain above − r·below.

    With ``above`` = S + Z and ``below`` = C + Z′, independent noises of one law and |S| <= C, the difference at r = S/C is
    Z − r·Z′. So the interval holds S/C in at least ``share`` of releases (Fieller 1954; mathematics, section 19.3).

    Args:
        above: The noisy sum.
        below: The noisy number of values.
        law: The law of the noise, a ``NoiseLaw``.
        share: The share of releases.

    Returns:
        Both ends; None if ``below`` is so small that C may be 0. If C is 0, it is None in at least ``share`` of releases.
    """
    if below <= 0 or (law.scale > 0 and below <= law.half_width(2 * share - 1)):
        return None
    middle = min(max(above / below, -1.0), 1.0)
    if law.scale == 0:
        return middle, middle

    def possible(ratio: float) -> bool:
        return bool(law.beyond(abs(middle - ratio) * below, abs(ratio)) >= 1 - share)

    return _last_possible(middle, -1.0, possible), _last_possible(middle, 1.0, possible)


def _last_possible(inside: float, outside: float, possible: Callable[[float], bool]) -> float:
    """Return the last possible number on the way from ``inside``, or a hair beyond it."""
    if possible(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if possible(middle) else (inside, middle)
    return outside


@lru_cache(maxsize=4)
def _noise_of_scale_1(law: Any) -> FloatArray:
    """Return noise drawn once for all scales: the search for an ε asks for dozens of them."""
    return simulated(law, np.zeros(2), _DRAWS)


def answer_of(target: Target, columns: tuple[Column, ...]) -> KindOfAnswer:
    """Return the kind of answer that a target states.

    Args:
        target: The target.
        columns: The declared columns that it takes.

    Returns:
        The stated kind; otherwise a number for each candidate, or numbers named after the first column.
    """
    if target.answer is not None:
        stated: KindOfAnswer = target.answer(columns)
        return stated
    return Numbers(short(target.candidates) if target.candidates else label_of(columns[:1]), shared_unit(columns))


def label_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """Return each column's label, or its name if it has none."""
    return tuple(column.label or column.name for column in columns)


def shared_unit(columns: Iterable[Column]) -> str:
    """Return the unit of all columns, or '' if they have several."""
    units = {column.unit for column in columns}
    return units.pop() if len(units) == 1 else ""


def squared(unit: str) -> str:
    """Return the square of a unit."""
    return f"({unit})²" if any(mark in unit for mark in " /·²³") else f"{unit}²" if unit else ""


def short(candidates: Iterable[object]) -> tuple[str, ...]:
    """Return candidates as people read them, long ones shortened."""
    return tuple(map(label, candidates))


def label(candidate: object) -> str:
    """Return a candidate as people read it, shortened if it is long."""
    text = f"{candidate:g}" if isinstance(candidate, float) else str(candidate)
    return text if len(text) <= _MOST_LABEL else f"{text[: _MOST_LABEL - 1]}…"
