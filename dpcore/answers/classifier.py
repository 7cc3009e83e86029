"""A linear classifier: weights of features, and a bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.answers.numbers import Numbers
from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray

_RULE = "is predicted where the weights times the features, and the bias, add up to more than 0"


@final
@dataclass(frozen=True, slots=True)
class Classifier:
    """``labels``: of the weights and the bias. Its target is a ``ClassifierTarget``, which counts what it misclassifies.

    A response is (w, b) for features from 0 to 1; people read it for features in their own units, each between its ``spans``.
    ``classes``: their names, the first where w·x + b is at most 0. ``moves``: what its sensitivity measures, where a second
    step does not count.
    """

    labels: tuple[str, ...]
    unit: str = ""
    moves: str = "weights and bias"
    spans: tuple[Interval, ...] = ()
    classes: tuple[str, str] = ("0", "1")

    @property
    def after(self) -> str:
        """Nothing: a weight has no unit."""
        return ""

    def own(self, response: FloatArray, /) -> FloatArray:
        """Weights and bias for features in their own units: w_j/width_j, and b − Σ w_j·low_j/width_j."""
        if not self.spans:
            return response
        low, high = np.array(self.spans).T
        weights = response[:-1] / (high - low)
        return np.append(weights, response[-1] - weights @ low)

    def brief(self, response: FloatArray, /) -> str:
        """The first weights."""
        return Numbers(self.labels).brief(self.own(response))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each weight with its feature, the bias, and how they are read."""
        return (*Numbers(self.labels).parts(self.own(response)), (self.classes[1], _RULE))

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """As JSON: a number a label."""
        return Numbers(self.labels).plain(self.own(response))
