"""Directions that a convex fit finds: what the huberised SVM and logistic regression share, their worst case with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from dpcore.base.checks import positive, whole
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.certificates import Certificate
from dpcore.targets.certified_fit import fitted
from dpcore.targets.directions import Direction
from dpcore.targets.margin_losses import MarginLoss
from dpcore.targets.proved import N, proved


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
            "Each loss pulls with a force of at most C/n times its record's length, so a replaced record turns the minimiser by "
            "at most C√(d+1)/n, of which at most C(√(d+1) + √d)/(2n) is seen in the features. A gradient certifies each fit to "
            "be that close to the exact one, or a descent of known length does."
        )
        rounded = value * (1 + 2.0**-48)
        return proved(self, rounded, [certificate.size + certificate.distance] * d, norm, n, proof)

    def certificate(self, n: int) -> Certificate:
        """What is known of a fit of n records beforehand."""
        return Certificate(self.C, n, self.dims, self.loss.steepest)
