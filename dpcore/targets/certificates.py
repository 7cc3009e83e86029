"""Losses of a margin; how near a fit of their mean is to the exact minimiser, as its gradient proves it, and for which C, n
and d that is known beforehand."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, final

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.errors import InvalidValueError

_SHARE = 0.02  # of the most that a record can turn the minimiser by
MOST_WORK = 3e10  # numbers that a descent looks at: two minutes at most on one core
OVERHEAD = 2_000  # numbers that are looked at in the time in which a step begins and ends
_COSTS = (1e-9, 1e9)  # beyond, a product may leave the floats


class MarginLoss(Protocol):
    """φ(u) of a margin u = y w·z, convex, with a slope from −1 to 0, φ(0) <= 3/4 and φ'' <= ``steepest``.

    ``begin``: the slope −φ' and the curvature of the parabola in place of φ that Newton's method begins with.
    """

    steepest: ClassVar[float]
    begin: ClassVar[tuple[float, float]]

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        """−φ'(u), from 0 to 1, of the same shape."""
        ...

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        """φ''(u) where −φ'(u) is given."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Certificate:
    """Of w, the minimiser of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i) for n records z of d features in [−½, ½] and a constant ½.

    ``steepest`` bounds φ''. F is 1-strongly convex, and ‖z‖ <= κ = ½√(d+1).
    """

    C: float
    n: int
    d: int
    steepest: float

    @property
    def radius(self) -> float:
        """Cκ: no gradient of the losses' sum is longer."""
        return self.C * math.sqrt(self.d + 1) / 2

    @property
    def distance(self) -> float:
        """t = 0.02·2Cκ/n: how far from the exact minimiser an answer lies at most."""
        return _SHARE * 2 * self.radius / self.n

    @property
    def smoothness(self) -> float:
        """L = 1 + Cκ²·max φ'': no second derivative of F is larger."""
        return 1 + self.C * (self.d + 1) / 4 * self.steepest

    @property
    def size(self) -> float:
        """r = min(Cκ, √(3C/2)): ‖w*‖ is no more, for w* = (C/n) Σ −φ'·y z and ½‖w*‖² <= F(0) <= ¾C."""
        return min(self.radius, math.sqrt(1.5 * self.C))

    @property
    def steps(self) -> int:
        """T = ⌈L·ln(2Cκ/t)⌉, which is ⌈L·ln(50n)⌉: (1 − 1/L)^T Cκ <= t/2 (mathematics, section 17.4)."""
        return math.ceil(self.smoothness * math.log(2 * self.radius / self.distance))

    def rounding(self, size: float, sum_of_sizes: float) -> float:
        """err: how far the computed gradient at a w with ‖w‖ = size and ‖w‖₁ is off at most, its length's rounding counted.

        (n+d+9)·2⁻⁵²·(‖w‖ + Cκ) + Cκ·(d+5)·2⁻⁵²·(1 + ‖w‖₁)                                            (4)
        (mathematics, section 17.4)
        """
        sums = (self.n + self.d + 9) * 2.0**-52 * (size + self.radius)
        return sums + self.radius * (self.d + 5) * 2.0**-52 * (1 + sum_of_sizes)

    def rounding_at(self, w: FloatArray) -> float:
        """``rounding`` at a w."""
        return self.rounding(math.sqrt(w @ w), float(abs(w).sum()))

    def proves(self, w: FloatArray, gradient: FloatArray) -> bool:
        """Whether ‖w − w*‖ <= ‖∇F(w)‖ <= t, by the gradient as it was computed; False for one that is no number."""
        return math.sqrt(gradient @ gradient) + self.rounding_at(w) <= self.distance

    @property
    def served(self) -> bool:
        """Whether the descent reaches t/2 in a time that is known beforehand, and its rounding leaves it there."""
        if self.n > MOST_RECORDS or not _COSTS[0] <= self.C <= _COSTS[1]:
            return False
        far = 3 * self.size  # no step of the descent gets there
        lost = self.rounding(far, math.sqrt(self.d + 1) * far) + 2.0**-50 * self.size * self.smoothness
        return lost <= min(self.distance / 2, self.size) and self.steps * (self.n * (self.d + 1) + OVERHEAD) <= MOST_WORK

    def check(self) -> None:
        """InvalidValueError where such a fit is not served, with the C, or the n, that would be."""
        if self.served:
            return
        costs = (digit * 10.0**power for power in range(8, -10, -1) for digit in range(9, 0, -1))  # 9e8, 8e8, …, 1e-9
        most = next((cost for cost in costs if replace(self, C=cost).served), None)
        if most is not None:
            shown = f"{most:,.0f}" if most >= 1 else f"{most:.9f}".rstrip("0")
            expected = f"from 0.000000001 to {shown} for {self.n:,} rows of {self.d:,} features"
            raise InvalidValueError("C", expected, self.C)
        counts = (digit * 10**power for power in range(9, -1, -1) for digit in range(9, 0, -1))
        fewer = next((n for n in counts if replace(self, C=_COSTS[0], n=n).served), 0)
        raise InvalidValueError("n", f"at most {fewer:,} for rows of {self.d:,} features, whatever C is", self.n)
