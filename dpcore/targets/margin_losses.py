"""Losses of a margin u = y w·z, of which a linear classifier minimises the mean: convex, and their slope is from −1 to 0."""

from __future__ import annotations

from typing import ClassVar, Protocol, final

import numpy as np

from dpcore.base.types import FloatArray

_FAR = 700.0  # exp of it is a float; a slope beyond is below 1e-304


class MarginLoss(Protocol):
    """φ(u), with φ(0) <= 3/4 and φ'' <= ``steepest``.

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
class HuberHinge:
    """The hinge max(0, 1 − u), with a parabola in place of its kink: φ = m²/(2h) for m = 1 − u from 0 to h, m − h/2 beyond.

    h = 1/2 (Chapelle 2007, "Training a support vector machine in the primal", section 2.2, has it around the kink).
    """

    steepest: ClassVar[float] = 2.0  # 1/h
    begin: ClassVar[tuple[float, float]] = (1.0, 1.0)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(np.minimum(np.maximum(self.steepest * (1 - margins), 0), 1))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return np.where((slopes > 0) & (slopes < 1), self.steepest, 0.0)


@final
class LogLoss:
    """φ(u) = log(1 + e^−u), of logistic regression."""

    steepest: ClassVar[float] = 0.25
    begin: ClassVar[tuple[float, float]] = (0.5, 0.25)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(1 / (1 + np.exp(np.minimum(margins, _FAR))))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return slopes * (1 - slopes)
