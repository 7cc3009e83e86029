"""Covariances or correlations: how far an entry is off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.matrix import Matrix
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline

_RESPONSES, _FOR_ROWS = 200, 1_000  # draws of the noise that an error, and a ±, is read off


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixHeadline(Headline):
    """Its error is the root mean square of how far the entries are off that say something: of correlations as they are, of
    covariances with each column scaled to go from −1 to 1, for in their own units they cannot be added."""

    answer: Matrix

    def reach(self, noise: Calibrated[Any]) -> str:
        """The root mean square."""
        scaled = "" if self.answer.correlations else ", with columns scaled to go from −1 to 1"
        return f"a private {self.answer.called} is off by about {self.short_reach(noise)} (root mean square{scaled})"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± the error."""
        return f"± {figure(self.error(noise.law))}"

    @property
    def own(self) -> FloatArray:
        """The matrix without noise, of scaled columns: (d, d)."""
        return np.asarray(self.answer.of(self.exact.value[None], scale=0.0)[0])

    def private(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many simulated private ones: (size, d, d)."""
        return self.answer.of(self.simulated(law, size, seed), scale=law.scale)

    @computable
    def error(self, law: Any) -> float:
        """Over 200 simulated matrices, the same noise at each ε."""
        return float(np.sqrt(np.mean(self._off(law, _RESPONSES) ** 2)))

    def _off(self, law: Any, size: int) -> FloatArray:
        """How far each entry is off, in so many simulated matrices: (size, e)."""
        return self.answer.entries(np.abs(self.private(law, size, SEED) - self.own))
