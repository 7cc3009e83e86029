"""Directions that a convex fit finds: what the huberised SVM and logistic regression share, their worst case with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import positive, whole
from dpcore.base.declared import Column
from dpcore.base.norms import L1, RANGE
from dpcore.base.slots import FEATURES_AND_LABEL, NUMBERS, Slots, stand_in
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.certificates import Certificate
from dpcore.targets.certified_fit import fitted
from dpcore.targets.features import scaled
from dpcore.targets.margin_losses import MarginLoss
from dpcore.targets.proved import N, proved


@dataclass(frozen=True, slots=True)
class FittedDirection:
    """The first d coordinates of the minimiser w* of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i), z = (x − ½, ½): -> (d,).

    Not a kind, but what those with a loss φ of their own share.
    """

    x_bounds: tuple[Interval, ...]
    C: float = field(
        default=1.0, metadata={"label": "C", "title": "C, the cost of errors", "words": "cost of errors", "format": "%g"}
    )
    loss: ClassVar[MarginLoss]
    directions: ClassVar[int] = 1
    relative_resolution: ClassVar[float] = 1e-7
    takes: ClassVar[Slots] = FEATURES_AND_LABEL

    def __post_init__(self) -> None:
        if not isinstance(self.x_bounds, (list, tuple)) or not self.x_bounds:
            raise InvalidValueError("x_bounds", "one interval a feature", self.x_bounds)
        object.__setattr__(self, "x_bounds", tuple(interval("x_bounds", pair) for pair in self.x_bounds))
        object.__setattr__(self, "C", positive("C", self.C))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self:
        """The one for features with these public bounds and a label, the last column."""
        return cls(tuple(column.bounds for column in columns[:-1] if column.bounds is not None))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has bounds, and one more, whatever that is, for the label."""
        return len(columns) == self.dims + 1 and stand_in(NUMBERS, columns)

    @property
    def dims(self) -> int:
        """d, the number of features."""
        return len(self.x_bounds)

    def prepared(self, database: Database, /) -> tuple[FloatArray, NDArray[np.bool_]]:
        """The features scaled to [0, 1] (n, d), and whether each record is of class 1 (n,)."""
        return scaled(database, self.x_bounds)

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
        return fitted(rows, self.loss, self.certificate(len(x)))

    def check_records(self, n: int) -> None:
        """InvalidValueError where so many records are not served: what to change is known from C, n and d alone.

        Served is what plain gradient descent would reach too, within 3·10¹⁰ numbers looked at (mathematics, section 10.13).
        """
        self.certificate(whole("n", n)).check()

    def seconds(self, n: int) -> float:
        """About how long a call takes on n records, measured on one core."""
        return 1.5e-4 + 2.5e-8 * n * (self.dims + 1)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """C(√(d+1) + √d)/(2n) + 2t in L2 and L∞, √d times that in L1 (mathematics, section 10.13).

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
