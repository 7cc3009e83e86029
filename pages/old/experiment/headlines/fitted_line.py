"""A line: how far its predictions are off, privately and without noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore.answers.fitted_line import FittedLine
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline

_RESPONSES = 200  # draws of the noise that an error is the average over


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class FittedLineHeadline(Headline):
    """Its errors are root mean squares of what is predicted less what is, on the records that the line was fitted to; all in
    the label's unit."""

    answer: FittedLine

    def reach(self, noise: Calibrated[Any]) -> str:
        """On the records that it was fitted to."""
        private, exact = self.off(self.error(noise.law)), self.off(self.least_error)
        return f"a private line is off by about {private}, root mean square (without noise {exact})"

    @property
    def least_error(self) -> float:
        """Of the line without noise."""
        return float(self._errors(self.own)[0])

    @computable
    def error(self, law: Any) -> float:
        """The mean over 200 simulated lines, the same noise at each ε."""
        return float(self._errors(self.private(law, _RESPONSES, SEED)).mean())

    @property
    def own(self) -> FloatArray:
        """The line without noise, in the columns' own units: (1, d+1)."""
        return self.answer.own(self.exact.value[None], scale=0.0)

    def private(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many simulated private lines, in the columns' own units: (size, d+1)."""
        return self.answer.own(self.simulated(law, size, seed), scale=law.scale)

    def _errors(self, lines: FloatArray) -> FloatArray:
        """The root mean square error of each line on the records, (k, d+1) -> (k,): √(l·M·l), M the mean of (x, 1, −y)²."""
        moments, middle, level = self._moments
        rows = _about(lines, middle, level, 1.0)
        return np.asarray(np.sqrt(np.maximum(np.einsum("ki,ij,kj->k", rows, moments, rows), 0.0)))

    @cached_property
    def _moments(self) -> tuple[FloatArray, FloatArray, float]:
        """M, and the middle of features and label, about which it is taken, so that nothing cancels."""
        features, label = self.answer.features(self.exact.database)
        middle, level = features.mean(axis=0), float(label.mean())
        residuals = np.column_stack([features - middle, np.ones(len(label)), level - label])
        return residuals.T @ residuals / len(label), middle, level

    def off(self, error: float) -> str:
        unit = self.answer.predicted_unit
        return counted(figure(error), f" {unit}" if unit else "")


def _about(lines: FloatArray, middle: FloatArray, level: float, label: float) -> FloatArray:
    """Lines (k, d+1) as rows that M takes: slopes, how far above the label's middle each is at the features', and ``label``."""
    return np.column_stack([lines[:, :-1], lines[:, -1] + lines[:, :-1] @ middle - level, np.full(len(lines), label)])
