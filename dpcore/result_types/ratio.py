"""A mean that is computed from two noisy numbers: a sum, and the number of values in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.text import ShownNumber, beside, in_full
from dpcore.result_types.kind import KindOfAnswer, simulated

SUM, NUMBER = "sum of the known values, each from −1 at the lower bound to 1 at the upper", "number of known values"
_HALVINGS = 60
_NEAR_AN_END = 0.9  # of the way from the middle of the bounds; at the very end a margin is up to 5% larger
_DRAWS = 4_000  # enough for a smooth curve of errors


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


@final
@dataclass(frozen=True, slots=True)
class Ratio(KindOfAnswer):
    """A mean S/C from a noisy sum S and a noisy number of values C, cut off at its public bounds.

    A response has two numbers: the sum of the values scaled to [−1, 1] between the bounds, and how many they are.

    Args:
        labels: The one name of the mean.
        unit: Its unit.
        bounds: The public bounds of each value.

    Example:
        >>> Ratio(("Mean of height",), "cm", (100.0, 200.0)).parts(np.array([2.0, 10.0]))
        (('Mean of height', '160 cm'),)
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    bounds: Interval = (0.0, 1.0)
    moved_unit: ClassVar[str] = ""  # a scaled sum and a number move between neighbours
    moved_after: ClassVar[str] = ""

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

    def shown(self, response: FloatArray, /) -> tuple[ShownNumber, ...]:
        """Return the mean as a function of both noisy numbers."""

        def mean(responses: FloatArray) -> FloatArray:
            return self._of_share(self._share(responses))

        noisy = np.array(response)
        return (ShownNumber(name=self.labels[0], after=self.after, noisy=noisy, limits=self.bounds, of=mean),)

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """Return the mean, and the two noisy numbers that it is computed from."""
        return {self.labels[0]: float(self.value(response)), SUM: float(response[0]), NUMBER: float(response[1])}
