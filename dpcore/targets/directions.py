"""What classifiers in two steps share: a direction is released first, then a threshold along it is chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.classifier import Classifier
from dpcore.answers.numbers import label_of
from dpcore.base.bounds import Interval, interval
from dpcore.base.declared import Column
from dpcore.base.slots import FEATURES_AND_LABEL, NUMBERS, Slots, stand_in
from dpcore.base.two_classes import errors_at_thresholds, misclassified, prepared, thresholds
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.targets.threshold_scores import ThresholdScores

_MOST_NAMED = 3  # features, in a heading


@dataclass(frozen=True, slots=True)
class Direction(ABC):
    """f(D) is a direction w, one weight a feature; along it, a second step chooses b, so that class 1 is where w·x + b > 0.

    Records are (x_1, …, x_d, label): features are clipped to their public ``x_bounds`` and scaled to [0, 1], a missing one
    becomes the middle, and a label above 1/2 is class 1.
    """

    x_bounds: tuple[Interval, ...]
    takes: ClassVar[Slots] = FEATURES_AND_LABEL

    def __post_init__(self) -> None:
        if not isinstance(self.x_bounds, (list, tuple)) or not self.x_bounds:
            raise InvalidValueError("x_bounds", "one interval a feature", self.x_bounds)
        object.__setattr__(self, "x_bounds", tuple(interval("x_bounds", pair) for pair in self.x_bounds))

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n, d+1) -> (d,)"""

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self:
        """The one for features with these public bounds and a label, the last column."""
        return cls(tuple(column.bounds for column in columns[:-1] if column.bounds is not None))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has bounds, and one more, whatever that is, for the label."""
        return len(columns) == self.dims + 1 and stand_in(NUMBERS, columns)

    @property
    def dims(self) -> int:
        """The number of features."""
        return len(self.x_bounds)

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Classifier of benign by radius, texture"."""
        *features, label = label_of(columns)
        by = ", ".join(features) if len(features) <= _MOST_NAMED else f"{len(features)} columns"
        return f"Classifier of {label} by {by}"

    def answer(self, columns: tuple[Column, ...], /) -> Classifier:
        """Of both steps: a weight a feature and the bias, without a unit."""
        return Classifier((*label_of(columns[:-1]), "bias"), moves="the weights of the direction")

    def then(self, first: FloatArray, /) -> ThresholdScores:
        """How well each threshold along a direction does: it knows the direction as it was released."""
        return ThresholdScores(self.x_bounds, tuple(map(float, first)))

    def scores(self, first: FloatArray, database: Database, /) -> FloatArray:
        """``then`` of many directions: (k, d) -> (k, 401)."""
        return -errors_at_thresholds(first, *prepared(database, self.x_bounds))

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """(w, b), b the chosen threshold's negative: (k, d), (k,) -> (k, d+1)."""
        return np.column_stack([first, -thresholds(first)[np.arange(len(first)), chosen]])

    def misclassified(self, answers: FloatArray, database: Database, /) -> FloatArray:
        """The share of the records that each answer (k, d+1) puts into the other class, 1 being where w·x + b > 0: -> (k,)."""
        return misclassified(answers, database, self.x_bounds)
