"""What classifiers in two steps share: a direction, or several, is released first, then a threshold along it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.base.features import THRESHOLDS, Truths, errors_at_thresholds, prepared, thresholds
from dpcore.base.types import Database, FloatArray
from dpcore.targets.linear_classifiers import LinearClassifier
from dpcore.targets.threshold_scores import ThresholdScores


@dataclass(frozen=True, slots=True)
class Direction(LinearClassifier):
    """f(D) is a direction w, one weight a feature; along it, a second step chooses b, so that class 1 is where w·x + b > 0.

    A record with a missing value counts nowhere; the others are still divided by n, which is public.

    An answer of several directions, one after another, is chosen from together with b. ``steps``: what is released first, and
    what is chosen then.
    """

    steps: ClassVar[tuple[str, str]] = ("the direction", "the threshold along it is chosen")
    moves: ClassVar[str] = "the weights of the direction"
    takes_missing: ClassVar[bool] = True

    def prepared(self, database: Database, /) -> tuple[FloatArray, Truths]:
        """The records without a missing value; the others count nowhere, in neither step."""
        return prepared(database, self.x_bounds, self.categories, complete=True)

    def then(self, first: FloatArray, /) -> ThresholdScores:
        """How well each threshold along each direction does: it knows the directions as they were released."""
        return ThresholdScores(self.x_bounds, tuple(map(float, first)), categories=self.categories)

    def scores(self, first: FloatArray, database: Database, /) -> FloatArray:
        """``then`` of many first responses: (k, c·d) -> (k, c·401)."""
        errors = errors_at_thresholds(first.reshape(-1, self.dims), *self.prepared(database))
        return -errors.reshape(len(first), -1)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """(w, b), b the chosen threshold's negative: (k, c·d), (k,) -> (k, d+1)."""
        each = np.arange(len(first))
        direction, threshold = np.divmod(chosen, THRESHOLDS)
        w = first.reshape(len(first), -1, self.dims)[each, direction]
        return np.column_stack([w, -thresholds(w)[each, threshold]])
