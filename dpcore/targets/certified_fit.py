"""The minimiser of a regularised mean loss of margins: by Newton's method where its gradient proves it, else by descent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.targets.certificates import Certificate
from dpcore.targets.margin_losses import MarginLoss

_MOST_STEPS = 60  # of Newton's method; 12 is the most that was seen
_LEAST_SHARE = 1e-9  # of a step


@final
@dataclass(frozen=True, slots=True)
class _Objective:
    """F(w) = ½‖w‖² + cost·Σ φ(rows·w), rows the y_i z_i (n, d+1)."""

    rows: FloatArray
    cost: float
    loss: MarginLoss

    def gradient(self, w: FloatArray) -> tuple[FloatArray, FloatArray]:
        """∇F(w) (d+1,), and the slopes −φ' (n,) that it is made of."""
        slopes = self.loss.slopes(self.rows @ w)
        return w - self.cost * (slopes @ self.rows), slopes

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
    (mathematics, section 10.13). InvalidValueError for C, n and d that are not served.
    """
    certificate.check()
    objective = _Objective(rows, certificate.C / certificate.n, loss)
    w, gradient = _newton(objective, certificate)
    return w if certificate.proves(w, gradient) else _descent(objective, certificate)


def _newton(objective: _Objective, certificate: Certificate) -> tuple[FloatArray, FloatArray]:
    """The w at which the gradient is no longer than its rounding, or gets no shorter; and that gradient."""
    slope, curvature = objective.loss.begin
    w = objective.newton_step(slope * objective.cost * objective.rows.sum(axis=0), np.full(len(objective.rows), curvature))
    gradient, slopes = objective.gradient(w)
    for _ in range(_MOST_STEPS):
        if _length(gradient) <= certificate.rounding_at(w):
            break
        step = objective.newton_step(gradient, objective.loss.curvatures(slopes))
        w, gradient, slopes = _along(objective, w, gradient, step)
    return w, gradient


def _along(
    objective: _Objective, w: FloatArray, gradient: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where the step leads, or the share of it before which F begins to rise again; the gradient and the slopes there.

    F falls along the step at the rate ∇F·step, which is convex F's to lose: where it has turned by more than a tenth, the
    share is cut by the secant, unless the gradient is half as long already.
    """
    share, falls = 1.0, float(step @ gradient)
    while True:
        there = w - share * step
        found, slopes = objective.gradient(there)
        left = float(step @ found)
        if left >= -0.1 * falls or share < _LEAST_SHARE or _length(found) <= _length(gradient) / 2:
            return there, found, slopes
        share *= falls / (falls - left)


def _descent(objective: _Objective, certificate: Certificate) -> FloatArray:
    """w_T of w ← w − ∇F(w)/L from 0, or the first that is certified: ‖w_T − w*‖ <= t (mathematics, section 10.13)."""
    w = np.zeros(objective.rows.shape[1])
    for _ in range(certificate.steps):
        gradient, _ = objective.gradient(w)
        if certificate.proves(w, gradient):
            break
        w = w - gradient / certificate.smoothness
    return w


def _length(vector: FloatArray) -> float:
    return math.sqrt(vector @ vector)
