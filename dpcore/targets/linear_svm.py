"""The linear support vector machine (Rubinstein & Aldà 2017, section 7; Rubinstein et al. 2012)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.bounds import Interval, clip, interval
from dpcore.checks import positive, whole
from dpcore.errors import InvalidValueError
from dpcore.types import Database, FloatArray

_MOST_ITERATIONS = 10**6  # a few seconds


@final
@dataclass(frozen=True, slots=True)
class LinearSVM:
    """f(D) = (w, b), the minimiser of ½‖w‖² + (C/n) Σ max(0, 1 − y_i(w·x_i + b)): records (x_1, …, x_d, label) -> (d+1,).

    y is 1 where the label is above 1/2, else −1. Features are clipped to their public ``x_bounds`` and scaled to [0, 1];
    a missing one becomes the middle, so that f never fails. Where several b are best, and that is whenever the classes'
    margins leave room, b is the middle of them; where a class is absent, w = 0 and b = ±1. ``tolerance`` is libsvm's;
    w is found to about that, and counts as zero below 1e-7 of its size.
    """

    x_bounds: tuple[Interval, ...]
    C: float = field(default=3.0, metadata={"label": "C"})
    tolerance: float = 1e-8
    relative_resolution: ClassVar[float] = 1e-7

    def __post_init__(self) -> None:
        if not isinstance(self.x_bounds, (list, tuple)) or not self.x_bounds:
            raise InvalidValueError("x_bounds", "one interval a feature", self.x_bounds)
        object.__setattr__(self, "x_bounds", tuple(interval("x_bounds", pair) for pair in self.x_bounds))
        object.__setattr__(self, "C", positive("C", self.C))
        object.__setattr__(self, "tolerance", positive("tolerance", self.tolerance))

    @property
    def columns_needed(self) -> int:
        """The features and the label."""
        return self.dims + 1

    @property
    def dims(self) -> int:
        """The number of features."""
        return len(self.x_bounds)

    def __call__(self, database: Database, /) -> FloatArray:
        x, y = self._prepared(database)
        positives = int(np.count_nonzero(y > 0))
        if positives in (0, len(y)):
            return np.concatenate([np.zeros(self.dims), [1.0 if positives else -1.0]])
        w = self._weights(x, y)
        # Σ max(0, 1 − y(w·x + b)) is piecewise linear in b; its slope is −n₊ at first, and rises by 1 at each y_i − w·x_i
        breaks = np.partition(y - x @ w, [positives - 1, positives])
        return np.concatenate([w, [(breaks[positives - 1] + breaks[positives]) / 2]])

    def exact_bound(self, n: int) -> float:
        """How far the *exact* minimisers of neighbours can be apart in L1: the lesser of 2 + 2√(Cd) + 4Cd/n and, for C >= 1,
        Proposition 19's 2 + 2C√d + 4Cd/n (mathematics, section 10).

        For comparison only, and no global sensitivity: what a solver finds is not the minimiser, and how far off it stops is
        not proved here. So a release of an SVM is random DP.
        """
        bias = min(math.sqrt(self.C * self.dims), self.C * math.sqrt(self.dims) if self.C >= 1 else math.inf)
        return 2 + 2 * bias + 4 * self.C * self.dims / whole("n", n)

    def _prepared(self, database: Database) -> tuple[FloatArray, FloatArray]:
        if database.ndim != 2 or database.shape[1] != self.dims + 1 or database.dtype.kind != "f":
            raise InvalidValueError("database", f"of {self.dims} features and a label", database.shape)
        low, high = np.array(self.x_bounds).T
        x = (clip(database[:, :-1], self.x_bounds if self.dims > 1 else self.x_bounds[0]) - low) / (high - low)
        return np.clip(x, 0, 1), np.where(database[:, -1] > 0.5, 1.0, -1.0)

    def _weights(self, x: FloatArray, y: FloatArray) -> FloatArray:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import SVC

        solver: Any = SVC(kernel="linear", C=self.C / len(y), tol=self.tolerance, max_iter=_MOST_ITERATIONS, shrinking=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solver.fit(x, y)
        return np.asarray(solver.dual_coef_[0] @ x[solver.support_])
