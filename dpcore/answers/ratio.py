"""A mean that is computed from two noisy numbers: a sum and how many values it is of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.rounded import ShownNumber, beside, in_full
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer

# What a ratio of two numbers can be without noise, given the two noisy numbers (mathematics, section 19.3).


_HALVINGS = 60


def ratio_interval(above: float, below: float, law: Any, share: float) -> Interval | None:
    """The r in [−1, 1] at which above − r·below is no further from 0 than its own noise is in that share of releases.

    ``above`` = S + Z and ``below`` = C + Z′ with |S| <= C and independent noises of one law. At r = S/C the difference is
    Z − r·Z′, so the interval holds S/C in at least that share of releases (Fieller 1954). None where ``below`` is as small as
    noise alone can be: where C = 0, and there is no ratio, that is so in that share of releases.
    """
    if below <= 0 or (law.scale > 0 and below <= law.half_width(2 * share - 1)):
        return None
    middle = min(max(above / below, -1.0), 1.0)
    if law.scale == 0:
        return middle, middle

    def possible(ratio: float) -> bool:
        return bool(law.beyond(abs(middle - ratio) * below, abs(ratio)) >= 1 - share)

    return last_possible(middle, -1.0, possible), last_possible(middle, 1.0, possible)


def last_possible(inside: float, outside: float, possible: Callable[[float], bool]) -> float:
    """The last number on the way from one that is possible to another, a hair beyond it; the first where no other is."""
    if possible(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if possible(middle) else (inside, middle)
    return outside


SUM, NUMBER = "sum of the known values, each from −1 at the lower bound to 1 at the upper", "number of known values"
_NEAR_AN_END = 0.9  # of the way from the middle of the bounds; at the very end a ± is up to 5 % larger
_DRAWS, _SEED = 4_000, 2017  # of the noise, always the same: a smooth curve of errors


def _drawn(law: Any, response: FloatArray) -> FloatArray:
    return np.asarray(law.simulate(response, size=_DRAWS, rng=np.random.default_rng(_SEED)))


@lru_cache(maxsize=4)
def _of_scale_1(law: Any) -> FloatArray:
    """Drawn once for all scales: the search for a ± asks for dozens of them."""
    return _drawn(law, np.zeros(2))


@final
@dataclass(frozen=True, slots=True)
class Ratio(KindOfAnswer):
    """``labels``: the one name of the mean. ``unit``: its own. ``bounds``: of each value, public."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    bounds: Interval = (0.0, 1.0)
    moved_after: ClassVar[str] = ""  # what moves between neighbours are a sum of shares and a number

    def value(self, responses: FloatArray, /) -> FloatArray:
        """The mean of two numbers, (..., 2) -> (...): S/max(C, 1) within its bounds, so that there always is one."""
        return self._of_share(np.clip(self._share(responses), 0.0, 1.0))

    def values(self, response: FloatArray, /) -> FloatArray:
        """The number that a chart shows of it."""
        return self.value(response)[None]

    def _share(self, responses: FloatArray) -> FloatArray:
        """How far up from the lower bound to the upper; outside [0, 1] where the noise drove it there."""
        return np.asarray((responses[..., 0] / np.maximum(responses[..., 1], 1.0) + 1) / 2)

    def _of_share(self, share: FloatArray) -> FloatArray:
        low, high = self.bounds
        return np.asarray(low + (high - low) * share)

    def offsets(self, law: Any, response: FloatArray, /) -> FloatArray:
        """Simulated means less that of ``response``, (draws,): by the law of the noise alone."""
        drawn = response + law.scale * _of_scale_1(replace(law, scale=1.0)) if law.in_proportion else _drawn(law, response)
        return np.asarray(self.value(drawn) - self.value(response))

    def errors(self, law: Any, response: FloatArray, /) -> FloatArray:
        """How far simulated means lie from that of ``response``, (draws,)."""
        return np.abs(self.offsets(law, response))

    def spread(self, law: Any, exact: FloatArray, share: float, /) -> float:
        """Within which distance of the mean without noise that share of simulated means lies."""
        return float(np.quantile(self.errors(law, exact), share))

    def within(self, law: Any, response: FloatArray, share: float, /) -> float:
        """How far from the released mean the one without noise is at most, in at least that share of releases; infinite where
        the number of known values is as small as noise alone can be, and in that share of releases where there are none.

        The further end of ``ratio_interval``, and computed of the response alone.
        """
        found = ratio_interval(float(response[0]), float(response[1]), law, share)
        if found is None:
            return math.inf
        released, ends = float(self.value(response)), self._of_share((np.array(found) + 1) / 2)
        return float(np.abs(ends - released).max())

    def foretold(self, law: Any, response: FloatArray, share: float, /, *, least: float, most: float) -> Interval:
        """The least and the largest ±, of ``within``, that a release of ``least`` to ``most`` times as many known values has: the
        least with a mean in the middle of the bounds, the largest with one near an end of them."""
        fewest, many = least * float(response[1]), most * float(response[1])
        return (
            self.within(law, np.array([0.0, many]), share),
            self.within(law, np.array([_NEAR_AN_END * fewest, fewest]), share),
        )

    def brief(self, response: FloatArray, /) -> str:
        """The mean."""
        return in_full(float(self.value(response)))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """The mean with its unit; beside one that the noise drove out of the bounds the nearest bound, which stands for it."""
        return ((self.labels[0], *self.rounded(response, (0.0,))),)

    def rounded(self, response: FloatArray, near: tuple[float, ...], /) -> tuple[str]:
        """The mean alone, rounded to its ±; in full where that is 0."""
        share, inside = self._share(response), float(self.value(response))
        released = inside if 0 <= share <= 1 else float(self._of_share(share))
        return (beside(released, inside, self.after, near[0]),)

    def shown(self, response: FloatArray, /) -> tuple[ShownNumber, ...]:
        """The mean, of both noisy numbers."""
        return (
            ShownNumber(
                name=self.labels[0],
                after=self.after,
                noisy=np.array(response),
                limits=self.bounds,
                of=lambda responses: self._of_share(self._share(responses)),
            ),
        )

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """As JSON: the mean, and the two noisy numbers that it is computed from."""
        return {self.labels[0]: float(self.value(response)), SUM: float(response[0]), NUMBER: float(response[1])}
