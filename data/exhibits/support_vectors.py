"""The linear SVM on two normal classes, as Figures 5 and 6 have it."""

from __future__ import annotations

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

N, C = 1_000, 3.0


def svm(dims: int) -> targets.LinearSVM:
    """(w, b) on [0, 1]^dims at C = 3."""
    return targets.LinearSVM(((0.0, 1.0),) * dims, C=C)


def distances(dims: int, m: int, seed: int) -> FloatArray:
    """m distances in L1 between (w, b) of neighbours, in order."""
    at = OperatingPoint.for_sample_size(m)
    sample = sample_sensitivity(svm(dims), oracles.TwoClasses(dims), norm=L1, n=N, at=at, seed=seed)
    return np.sort(sample.distances)


def paper_bound(dims: int) -> float:
    """2 + 2C√d + 4Cd/n (Proposition 19)."""
    bound = svm(dims).paper_bound(N)
    assert bound is not None
    return bound
