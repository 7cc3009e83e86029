"""Covariances or correlations: how far an entry is off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.matrix import Matrix
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.experiment.headlines.base import NO_WORST, SEED, Headline, Row
from pages.experiment.headlines.numbers import moved_together

_RESPONSES, _FOR_ROWS = 200, 1_000  # draws of the noise that an error, and a ±, is read off


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixHeadline(Headline):
    """Its error is the root mean square of how far the entries are off that say something: of correlations as they are, of
    covariances with each column scaled to go from −1 to 1, for in their own units they cannot be added."""

    of_this_answer: ClassVar[bool] = True

    @property
    def matrix(self) -> Matrix:
        """The answer, as a matrix."""
        answer: Any = self.answer
        assert isinstance(answer, Matrix)
        return answer

    @property
    def error_words(self) -> str:
        """Of an entry."""
        scaled = "" if self.matrix.correlations else " (columns from −1 to 1)"
        return f"error of a {self.matrix.called}{scaled}"

    def reach(self, noise: Calibrated[Any]) -> str:
        """The root mean square."""
        scaled = "" if self.matrix.correlations else ", with columns scaled to go from −1 to 1"
        return f"a private {self.matrix.called} is off by about {self.short_reach(noise)} (root mean square{scaled})"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± the error."""
        return f"± {figure(self.error(noise.law))}"

    def moved(self, *, once: bool = False) -> str:
        """What the target says that moves, in the norm."""
        assert self.matrix.target is not None
        return moved_together(self.matrix.target.moves, self.scenario.norm, once=once)

    @property
    def own(self) -> FloatArray:
        """The matrix without noise, of scaled columns: (d, d)."""
        found: FloatArray = self.matrix.of(self.exact.value[None], scale=0.0)[0]
        return found

    def private(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many simulated private ones: (size, d, d)."""
        drawn = law.simulate(self.exact.value, size=size, rng=np.random.default_rng(seed))
        return self.matrix.of(drawn, scale=law.scale)

    @computable
    def error(self, law: Any) -> float:
        """Over 200 simulated matrices, the same noise at each ε."""
        return float(np.sqrt(np.mean(self._off(law, _RESPONSES) ** 2)))

    def spread(self, noise: Calibrated[Any]) -> FloatArray:
        """Within which distance of each entry 95 in 100 private ones lie, of scaled columns: (e,)."""
        return np.asarray(np.quantile(self._off(noise.law, _FOR_ROWS), SHARE_WITHIN, axis=0))

    def _off(self, law: Any, size: int) -> FloatArray:
        """How far each entry is off, in so many simulated matrices: (size, e)."""
        return self.matrix.entries(np.abs(self.private(law, size, SEED) - self.own))

    def rows(self) -> list[Row]:
        """Each entry in its own unit, and how far 95 in 100 private ones lie from it."""
        matrix = self.matrix
        own = matrix.entries(matrix.own[None])[0]
        sampled = self._said(self.spread(self.noise) * own)
        most = [NO_WORST] * len(sampled) if self.worst is None else self._said(self.spread(self.worst) * own)
        exact = self._said(matrix.entries(self.own[None])[0] * own)
        return [
            {"of": name, self.exact.name: value, "± of the noise, 95 in 100, sampled": near, "± worst case": far}
            for name, value, near, far in zip(matrix.names, exact, sampled, most, strict=True)
        ]

    def _said(self, values: FloatArray) -> list[str]:
        return [f"{figure(float(value))}{unit}" for value, unit in zip(values, self.matrix.entry_units, strict=True)]
