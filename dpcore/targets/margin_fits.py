"""Fits of a regularised mean loss of margins, each proved to be near the exact minimiser (mathematics, section 17.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.errors import InvalidValueError

_SHARE = 0.02  # of the most that a record can turn the minimiser by
MOST_WORK = 3e10  # numbers that a descent looks at: two minutes at most on one core
OVERHEAD = 2_000  # numbers that are looked at in the time in which a step begins and ends
_COSTS = (1e-9, 1e9)  # beyond, a product may leave the floats
_MOST_STEPS = 60  # of Newton's method; 35 is the most that 10,000 tables took
_MOST_SHARES = 40  # of one step
_FAR = 700.0  # exp of it is a float; a slope beyond is below 1e-304


class MarginLoss(Protocol):
    """A convex loss φ(u) of a margin u = y w·z, with a slope from −1 to 0, and φ(0) <= 3/4.

    Attributes:
        steepest: A bound on φ''.
        begin: −φ' and φ'' of the parabola in place of φ that Newton's method begins with.
    """

    steepest: ClassVar[float]
    begin: ClassVar[tuple[float, float]]

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        """Return −φ'(u), from 0 to 1, of the same shape."""
        ...

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        """Return φ''(u) for given −φ'(u)."""
        ...


@final
class HuberHinge:
    """The hinge max(0, 1 − u) with a parabola in place of its kink: φ = m²/(2h) for m = 1 − u from 0 to h, m − h/2 beyond.

    h is 1/2. Chapelle 2007, "Training a support vector machine in the primal", section 2.2, has the parabola around the kink.
    """

    steepest: ClassVar[float] = 2.0  # 1/h
    begin: ClassVar[tuple[float, float]] = (1.0, 1.0)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(np.minimum(np.maximum(self.steepest * (1 - margins), 0), 1))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return np.where((slopes > 0) & (slopes < 1), self.steepest, 0.0)


@final
class LogLoss:
    """The loss of logistic regression, φ(u) = log(1 + e^−u)."""

    steepest: ClassVar[float] = 0.25
    begin: ClassVar[tuple[float, float]] = (0.5, 0.25)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(1 / (1 + np.exp(np.minimum(margins, _FAR))))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return slopes * (1 - slopes)


@final
@dataclass(frozen=True, slots=True)
class Certificate:
    """Bounds on a fit of w*, the minimiser of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i).

    Args:
        C: The cost of errors.
        n: The number of records z.
        d: The number of features. Each is in [−½, ½], and a constant ½ follows, so ‖z‖ <= κ = ½√(d+1).
        steepest: A bound on φ''.
    """

    C: float
    n: int
    d: int
    steepest: float

    @property
    def radius(self) -> float:
        """Cκ: no gradient of the sum of the losses is longer."""
        return self.C * math.sqrt(self.d + 1) / 2

    @property
    def distance(self) -> float:
        """t = 0.02·2Cκ/n, the largest distance of an answer to the exact minimiser."""
        return _SHARE * 2 * self.radius / self.n

    @property
    def smoothness(self) -> float:
        """L = 1 + Cκ²·max φ'': no second derivative of F is larger."""
        return 1 + self.C * (self.d + 1) / 4 * self.steepest

    @property
    def size(self) -> float:
        """r = min(Cκ, √(3C/2)), a bound on ‖w*‖, because w* = (C/n) Σ −φ'·y z and ½‖w*‖² <= F(0) <= ¾C."""
        return min(self.radius, math.sqrt(1.5 * self.C))

    @property
    def steps(self) -> int:
        """T = ⌈L·ln(50n)⌉ = ⌈L·ln(2Cκ/t)⌉, so that (1 − 1/L)^T Cκ <= t/2 (5)."""
        return math.ceil(self.smoothness * math.log(2 * self.radius / self.distance))

    def rounding(self, size: float, sum_of_sizes: float) -> float:
        """Return a bound on the error of the computed gradient at a w with ‖w‖ = ``size`` and ‖w‖₁ = ``sum_of_sizes``.

        err = (n+d+9)·2⁻⁵²·(‖w‖ + Cκ) + Cκ·(d+5)·2⁻⁵²·(1 + ‖w‖₁) (4). The rounding of the gradient's length is counted.
        """
        sums = (self.n + self.d + 9) * 2.0**-52 * (size + self.radius)
        return sums + self.radius * (self.d + 5) * 2.0**-52 * (1 + sum_of_sizes)

    def rounding_at(self, w: FloatArray) -> float:
        """Return ``rounding`` at a w."""
        return self.rounding(math.sqrt(w @ w), float(abs(w).sum()))

    def proves(self, w: FloatArray, gradient: FloatArray) -> bool:
        """Return whether a computed gradient shows that ‖w − w*‖ <= ‖∇F(w)‖ <= t (3). False for NaN."""
        return math.sqrt(gradient @ gradient) + self.rounding_at(w) <= self.distance

    @property
    def served(self) -> bool:
        """True if the descent reaches t/2 within two minutes, and its rounding leaves it there (5)."""
        if self.n > MOST_RECORDS or not _COSTS[0] <= self.C <= _COSTS[1]:
            return False
        far = 3 * self.size  # no step of the descent gets there
        lost = self.rounding(far, math.sqrt(self.d + 1) * far) + 2.0**-50 * self.size * self.smoothness
        return lost <= min(self.distance / 2, self.size) and self.steps * (self.n * (self.d + 1) + OVERHEAD) <= MOST_WORK

    def check(self) -> None:
        """Raise InvalidValueError if such a fit is not served, with the largest C that would be, if there is one."""
        if self.served:
            return
        costs = (digit * 10.0**power for power in range(8, -10, -1) for digit in range(9, 0, -1))  # 9e8, 8e8, …, 1e-9
        most = next((cost for cost in costs if replace(self, C=cost).served), None)
        if most is None:
            raise InvalidValueError("n", f"smaller for rows of {self.d:,} features, whatever C is", self.n)
        shown = f"{most:,.0f}" if most >= 1 else f"{most:.9f}".rstrip("0")
        expected = f"from 0.000000001 to {shown} for {self.n:,} rows of {self.d:,} features"
        raise InvalidValueError("C", expected, self.C)


@final
@dataclass(frozen=True, slots=True)
class _Point:
    """A w (d+1,), ∇F(w), and the slopes −φ' (n,) that it is made of."""

    w: FloatArray
    gradient: FloatArray
    slopes: FloatArray


@final
@dataclass(frozen=True, slots=True)
class _Objective:
    """F(w) = ½‖w‖² + cost·Σ φ(rows·w), with the y_i z_i as rows (n, d+1)."""

    rows: FloatArray
    cost: float
    loss: MarginLoss

    def at(self, w: FloatArray) -> _Point:
        slopes = self.loss.slopes(self.rows @ w)
        return _Point(w, w - self.cost * (slopes @ self.rows), slopes)

    def newton_step(self, gradient: FloatArray, curvatures: FloatArray) -> FloatArray:
        """Return (I + cost·Σ φ''·z zᵀ)⁻¹ ∇F."""
        bent = np.flatnonzero(curvatures)
        rows = self.rows[bent]
        rows *= np.sqrt(self.cost * curvatures[bent])[:, None]
        hessian = rows.T @ rows
        hessian.flat[:: len(hessian) + 1] += 1
        return np.asarray(np.linalg.solve(hessian, gradient))


def fitted(rows: FloatArray, loss: MarginLoss, certificate: Certificate) -> FloatArray:
    """Return a w within ``certificate.distance`` of the minimiser of ½‖w‖² + (C/n) Σ φ(rows·w): (n, d+1) -> (d+1,).

    Newton's method gives an answer that is as exact as floats are, or it is not certified. Then the descent is near enough by
    proof, for any rows.

    Raises:
        InvalidValueError: For C, n and d that are not served.
    """
    certificate.check()
    objective = _Objective(rows, certificate.C / certificate.n, loss)
    found = _newton(objective, certificate)
    return found.w if certificate.proves(found.w, found.gradient) else _descent(objective, certificate)


def _newton(objective: _Objective, certificate: Certificate) -> _Point:
    """Return a point whose gradient is at most as long as its rounding, or the last one of Newton's method."""
    slope, curvature = objective.loss.begin
    pull = slope * objective.cost * objective.rows.sum(axis=0)
    found = objective.at(objective.newton_step(pull, np.full(len(objective.rows), curvature)))
    for _ in range(_MOST_STEPS):
        if math.sqrt(found.gradient @ found.gradient) <= certificate.rounding_at(found.w):
            break
        step = objective.newton_step(found.gradient, objective.loss.curvatures(found.slopes))
        found = _along(objective, found, step)
    return found


def _along(objective: _Objective, start: _Point, step: FloatArray) -> _Point:
    """Return the end of the step, or of a share of it if F would rise again.

    F falls along the step at the rate ∇F·step, which only shrinks, because F is convex. The share is one at which at most a tenth
    of the rate is left. The secant between the last share before it and the first beyond it finds it, with its older end halved
    (the Illinois method): a slope may turn so suddenly that a plain secant would stay near its end.
    """
    falls = float(step @ start.gradient)
    low, high, share = (0.0, falls), (1.0, 0.0), 1.0
    for _ in range(_MOST_SHARES):
        found = objective.at(start.w - share * step)
        left = float(step @ found.gradient)
        if abs(left) <= falls / 10 or (share == 1 and left > 0):
            break
        if left < 0:
            low, high = (low[0], low[1] / (2 if high[1] else 1)), (share, left)
        else:
            low, high = (share, left), (high[0], high[1] / 2)
        share = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
    return found


def _descent(objective: _Objective, certificate: Certificate) -> FloatArray:
    """Return w_T of w ← w − ∇F(w)/L from 0, or the first w that is certified: ‖w_T − w*‖ <= t (5)."""
    w = np.zeros(objective.rows.shape[1])
    for _ in range(certificate.steps):
        gradient = objective.at(w).gradient
        if certificate.proves(w, gradient):
            break
        w = w - gradient / certificate.smoothness
    return w
