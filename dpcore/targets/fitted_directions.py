"""Directions that a convex fit finds: what the huberised SVM and logistic regression share, their worst case with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.checks import positive, whole
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.certificates import Certificate, MarginLoss
from dpcore.targets.linear_classifiers import Direction
from dpcore.targets.proved import N, proved

# The minimiser of a regularised mean loss of margins: by Newton's method where its gradient proves it, else by descent.


_MOST_STEPS = 60  # of Newton's method; 35 is the most that 10,000 tables took
_MOST_SHARES = 40  # of one step


@final
@dataclass(frozen=True, slots=True)
class _Point:
    """A w (d+1,), ∇F(w) there, and the slopes −φ' (n,) that it is made of."""

    w: FloatArray
    gradient: FloatArray
    slopes: FloatArray


@final
@dataclass(frozen=True, slots=True)
class _Objective:
    """F(w) = ½‖w‖² + cost·Σ φ(rows·w), rows the y_i z_i (n, d+1)."""

    rows: FloatArray
    cost: float
    loss: MarginLoss

    def at(self, w: FloatArray) -> _Point:
        slopes = self.loss.slopes(self.rows @ w)
        return _Point(w, w - self.cost * (slopes @ self.rows), slopes)

    def newton_step(self, gradient: FloatArray, curvatures: FloatArray) -> FloatArray:
        """(I + cost·Σ φ''·z zᵀ)⁻¹ ∇F."""
        bent = np.flatnonzero(curvatures)
        rows = self.rows[bent]
        rows *= np.sqrt(self.cost * curvatures[bent])[:, None]
        hessian = rows.T @ rows
        hessian.flat[:: len(hessian) + 1] += 1
        return np.asarray(np.linalg.solve(hessian, gradient))


def fitted(rows: FloatArray, loss: MarginLoss, certificate: Certificate) -> FloatArray:
    """A w within ``certificate.distance`` of the minimiser of ½‖w‖² + (C/n) Σ φ(rows·w), for any rows: (n, d+1) -> (d+1,).

    Newton's answer is as exact as floats are, or it is not certified; then the descent's is near enough by proof
    (mathematics, section 17.4). InvalidValueError for C, n and d that are not served.
    """
    certificate.check()
    objective = _Objective(rows, certificate.C / certificate.n, loss)
    found = _newton(objective, certificate)
    return found.w if certificate.proves(found.w, found.gradient) else _descent(objective, certificate)


def _newton(objective: _Objective, certificate: Certificate) -> _Point:
    """Where the gradient is no longer than its rounding, or where Newton's method got to."""
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
    """Where the step leads, or the share of it after which F would rise again.

    How fast F falls along the step, ∇F·step, only ever shrinks, as F is convex. Wanted is a share at which at most a tenth of it
    is left. It lies between the last share before and the first one beyond. The secant with its older end halved finds it (the
    Illinois method): a slope may turn so suddenly that the secant alone would stay near its end.
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
    """w_T of w ← w − ∇F(w)/L from 0, or the first that is certified: ‖w_T − w*‖ <= t (mathematics, section 17.4)."""
    w = np.zeros(objective.rows.shape[1])
    for _ in range(certificate.steps):
        gradient = objective.at(w).gradient
        if certificate.proves(w, gradient):
            break
        w = w - gradient / certificate.smoothness
    return w


@dataclass(frozen=True, slots=True)
class FittedDirection(Direction):
    """The first d coordinates of the minimiser w* of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i), z = (x − ½, ½): -> (d,).

    Not a kind, but what those with a loss φ of their own share.
    """

    C: float = field(
        default=1.0, metadata={"label": "C", "title": "C, the cost of errors", "words": "cost of errors", "format": "%g"}
    )
    loss: ClassVar[MarginLoss]
    relative_resolution: ClassVar[float] = 1e-7

    def __post_init__(self) -> None:
        Direction.__post_init__(self)
        object.__setattr__(self, "C", positive("C", self.C))

    def __call__(self, database: Database, /) -> FloatArray:
        return self.minimiser(database)[:-1]

    def minimiser(self, database: Database, /) -> FloatArray:
        """w, with the weight of the constant feature behind the others: (n, d+1) -> (d+1,); 0 without records."""
        x, ones = self.prepared(database)
        if not len(x):
            return np.zeros(self.dims + 1)
        rows = np.empty((len(x), self.dims + 1))
        np.subtract(x, 0.5, out=rows[:, :-1])
        rows[:, -1] = 0.5  # in place of an intercept: its part of w moves no further than any other feature's
        rows *= np.where(ones, 1.0, -1.0)[:, None]
        return fitted(rows, self.loss, self.certificate(len(database)))

    def check_records(self, n: int) -> None:
        """InvalidValueError where so many records are not served: what to change is known from C, n and d alone.

        Served is what plain gradient descent would reach too, within 3·10¹⁰ numbers looked at (mathematics, section 17.4).
        """
        self.certificate(whole("n", n)).check()

    def seconds(self, n: int) -> float:
        """About how long a call takes on n records, measured on one core."""
        return 1.5e-4 + 2.5e-8 * n * (self.dims + 1)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """C(√(d+1) + √d)/(2n) + 2t in L2 and L∞, √d times that in L1 (mathematics, section 17.4).

        t is the ``Certificate``'s distance. None in RANGE, and for what is not served.
        """
        n, d = whole("n", n), self.dims
        certificate = self.certificate(n)
        if norm == RANGE or not certificate.served:
            return None
        moved = self.C * (math.sqrt(d + 1) + math.sqrt(d)) / (2 * n) + 2 * certificate.distance  # (2)
        value = moved * math.sqrt(d) if norm == L1 else moved
        proof = (
            "Each loss pulls with a force of at most C/n times its row's length, so a replaced row turns the minimiser by "
            "at most C√(d+1)/n, of which at most C(√(d+1) + √d)/(2n) is seen in the features. A gradient certifies each fit to "
            "be that close to the exact one, or a descent of known length does."
        )
        rounded = value * (1 + 2.0**-48)
        return proved(self, rounded, [certificate.size + certificate.distance] * d, norm, n, proof)

    def certificate(self, n: int) -> Certificate:
        """What is known of a fit of n records beforehand."""
        return Certificate(self.C, n, self.dims, self.loss.steepest)
