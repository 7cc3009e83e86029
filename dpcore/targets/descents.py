"""The w of a support vector machine with a free bias, by a descent of known length: near the minimiser for any records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray

_MOST_WORK = 3e10  # numbers looked at: two minutes at most on one core
_OVERHEAD = 2_000  # numbers that are looked at in the time in which a step begins and ends


@final
@dataclass(frozen=True, slots=True)
class HingeDescent:
    """w_T of w_(k+1) = (1 − 1/k) w_k − g_k/k from 0, g_k a subgradient of the best hinge sum at w_k, for n records in [0, 1]^d.

    It is within ``distance``, t, of the minimiser of ½‖w‖² + (C/n) min_b Σ max(0, 1 − y_i(w·x_i + b)), whatever the records are
    (mathematics, section 10.13).
    """

    C: float
    n: int
    d: int
    distance: float

    @property
    def steps(self) -> float:
        """T = ⌈2C²d/t²⌉, so that C²d/T is at most t²/2; infinity beyond the floats."""
        steps = 2 * (self.C / self.distance) ** 2 * self.d
        return math.ceil(steps) if math.isfinite(steps) else steps

    @property
    def served(self) -> bool:
        """Whether so many steps end in a time that is known beforehand, and rounding leaves them within t."""
        return self.rounding <= self.distance**2 / 2 and self.steps * (self.n * (self.d + 4) + _OVERHEAD) <= _MOST_WORK

    @property
    def rounding(self) -> float:
        """What all rounding adds to the square of the distance at most (mathematics, section 10.13, (3))."""
        force = self.C**2 * self.d  # 4R²
        sums = 2 * self.C * (self.d + 3) * (1 + self.C * self.d / 4) + 2 * force * (self.n + 4)
        return (sums + 40 * force * self.steps) * 2.0**-53

    def found(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Features (n, d) from 0 to 1, classes −1 and 1 (n,), some of each -> (d,)."""
        centred, ones = x - 0.5, y > 0
        count = int(np.count_nonzero(ones))
        own, cost, w = centred[ones].sum(axis=0), self.C / self.n, np.zeros(self.d)
        for k in range(1, int(self.steps) + 1):
            least = np.argpartition(y - centred @ w, count - 1)[:count]
            w -= (w + cost * (centred[least].sum(axis=0) - own)) / k
        return w
