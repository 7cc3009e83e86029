"""A linear classifier: weights of features, and a bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.answers.numbers import Numbers
from dpcore.base.types import FloatArray


@final
@dataclass(frozen=True, slots=True)
class Classifier:
    """``labels``: of the weights and the bias. Its target is a ``ClassifierTarget``, which counts what it misclassifies.

    ``moves``: what its sensitivity measures, where a second step does not count.
    """

    labels: tuple[str, ...]
    unit: str = ""
    moves: str = "weights and bias"

    @property
    def after(self) -> str:
        """Nothing: a weight has no unit."""
        return ""

    def brief(self, response: FloatArray, /) -> str:
        """The first weights."""
        return Numbers(self.labels).brief(response)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each weight with its feature, and the bias."""
        return Numbers(self.labels).parts(response)

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """As JSON: a number a label."""
        return Numbers(self.labels).plain(response)
