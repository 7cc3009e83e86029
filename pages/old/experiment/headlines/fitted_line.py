"""A line: how far its predictions are off, privately and without noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore.answers.fitted_line import FittedLine
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline, Row, spread

_RESPONSES, _FRESH = 200, 1_000  # draws of the noise, and made-up records, that an error is the average over
LEAST_SQUARES = "least squares"
_BESIDE = "The line of ordinary least squares, shown for comparison, has no finite worst case"
_ITSELF = "The line without noise is that of ordinary least squares, which has no finite worst case"
_TILTED = "where the features hardly differ, one row can tilt it by any amount."
_ALONE = "The oracle draws each column by itself, so its rows cannot show how well fresh ones are predicted."


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class FittedLineHeadline(Headline):
    """Its errors are root mean squares of what is predicted less what is, on the records that the line was fitted to, and on
    fresh ones where there is an oracle of them; all in the label's unit."""

    answer: FittedLine

    @property
    def error_words(self) -> str:
        """With the label's unit, for coefficients have others."""
        unit = self.answer.predicted_unit
        return "error of prediction" + (f" ({unit})" if unit else "")

    def reach(self, noise: Calibrated[Any]) -> str:
        """On the records that it was fitted to."""
        private, exact = self.off(self.error(noise.law)), self.off(self.least_error)
        return f"a private line is off by about {private}, root mean square (without noise {exact})"

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """On records of the oracle; and what least squares lacks."""
        no_finite = f"{_ITSELF if self.is_least_squares else _BESIDE}: {_TILTED}"
        other = self.afresh
        if other is None:
            return no_finite
        if self.fresh_columns_alone:
            return f"{_ALONE} {no_finite}"
        private, exact = self.off(other.error(noise.law)), self.off(other.least_error)
        return f"On fresh rows of the oracle it is about ± {private}, and {exact} without noise. {no_finite}"

    @property
    def afresh(self) -> FittedLineHeadline | None:
        """The same line beside 1,000 records that it was not fitted to."""
        fresh = self.fresh_records(_FRESH)
        return None if fresh is None else replace(self, exact=replace(self.exact, database=fresh))

    @property
    def moves(self) -> str:
        """As the target says."""
        assert self.answer.target is not None
        return self.answer.target.moves

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

    @cached_property
    def least_squares(self) -> FloatArray:
        """Ordinary least squares on the same records, the flattest where several fit equally well: (d+1,)."""
        features, label = self.answer.features(self.exact.database)
        middle, spread = features.mean(axis=0), np.ptp(features, axis=0) + np.finfo(float).tiny
        slopes = np.linalg.lstsq((features - middle) / spread, label - label.mean(), rcond=1e-10)[0] / spread
        return np.append(slopes, label.mean() - slopes @ middle)

    @property
    def is_least_squares(self) -> bool:
        """Whether the line without noise is that of least squares, but for rounding."""
        return bool(np.allclose(self.own[0], self.least_squares, rtol=1e-6))

    def private(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many simulated private lines, in the columns' own units: (size, d+1)."""
        return self.answer.own(self.simulated(law, size, seed), scale=law.scale)

    @property
    def is_the_response(self) -> bool:
        """Whether a response is the line itself, whatever its noise: then a private line is the line without noise and so many
        times a line of noise."""
        target, responses = self.answer.target, self.exact.value + np.arange(3.0)[:, None]
        return target is not None and np.array_equal(target.coefficients(responses, 1.0), responses)

    def away(self, law: Any, size: int, seed: Any) -> FloatArray:
        """The lines of noise in so many simulated private ones, where those are responses, (size, d+1)."""
        nothing = np.zeros_like(self.exact.value)
        drawn = law.simulate(nothing, size=size, rng=np.random.default_rng(seed))
        return self.answer.own(drawn, scale=0.0) - self.answer.own(nothing[None], scale=0.0)

    @computable
    def error_by_scale(self) -> tuple[float, FloatArray, FloatArray]:
        """a, b and c of 200 draws, with error the mean of √(a + b·scale + c·scale²) under noise of any scale, where private lines
        are responses."""
        law: Any = self.noise.law
        exact, away = self.own, self.away(replace(law, scale=1.0), _RESPONSES, SEED)
        moments, middle, level = self._moments
        own = _about(exact, middle, level, 1.0)[0] @ moments
        noise = _about(away, middle, 0.0, 0.0)
        return float(own @ _about(exact, middle, level, 1.0)[0]), 2 * noise @ own, np.einsum("ki,ij,kj->k", noise, moments, noise)

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

    def rows(self) -> list[Row]:
        """Each coefficient, how far 95 in 100 private ones lie from it, and what least squares has."""
        line, widths = self.answer, self.of_both(lambda noise: self.answer.texts(self.spread(noise)))
        columns = zip(line.labels, line.texts(self.own[0]), widths, line.texts(self.least_squares), strict=True)
        return [
            {
                "of": name,
                self.exact.name: own,
                "± of the noise, 95 in 100, sampled": near,
                "± worst case": far,
                LEAST_SQUARES: other,
            }
            for name, own, (near, far), other in columns
        ]

    def spread(self, noise: Calibrated[Any]) -> FloatArray:
        """Within which distance of each coefficient without noise 95 in 100 private ones lie, (d+1,)."""
        return spread(self.private(noise.law, _RESPONSES * 5, SEED) - self.own)

    def off(self, error: float) -> str:
        unit = self.answer.predicted_unit
        return counted(figure(error), f" {unit}" if unit else "")


def _about(lines: FloatArray, middle: FloatArray, level: float, label: float) -> FloatArray:
    """Lines (k, d+1) as rows that M takes: slopes, how far above the label's middle each is at the features', and ``label``."""
    return np.column_stack([lines[:, :-1], lines[:, -1] + lines[:, :-1] @ middle - level, np.full(len(lines), label)])
