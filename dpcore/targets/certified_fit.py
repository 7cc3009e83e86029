"""The minimiser of a regularised mean loss of margins: by Newton's method where its gradient proves it, else by descent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.targets.certificates import Certificate
from dpcore.targets.margin_losses import MarginLoss

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
        if _length(found.gradient) <= certificate.rounding_at(found.w):
            break
        step = objective.newton_step(found.gradient, objective.loss.curvatures(found.slopes))
        found = _along(objective, found, step)
    return found


def _along(objective: _Objective, start: _Point, step: FloatArray) -> _Point:
    """Where the step leads, or the share of it after which F would rise again.

    How fast F falls along the step, ∇F·step, only ever shrinks, as F is convex. The share at which no more than a tenth is left
    of it lies between the last one before and the first one beyond, and is found by the secant with its older end halved (the
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


def _length(vector: FloatArray) -> float:
    return math.sqrt(vector @ vector)
