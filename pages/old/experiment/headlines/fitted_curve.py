"""A curve: how far a private one is from it, as a whole and at each point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore.answers.fitted_curve import drawing_curves
from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline

# Points of a curve's domain that it is drawn and compared on.


LINE, SIDE = 101, 25  # points of one dimension, and of each of two


def grid(domain: tuple[Interval, ...]) -> FloatArray:
    """Points (p, dims): evenly along one dimension, or over the first two, the first fastest; others are in their middle."""
    if len(domain) == 1:
        return np.linspace(*domain[0], LINE)[:, None]
    across, up = (np.linspace(low, high, SIDE) for low, high in domain[:2])
    middles = [np.full(SIDE**2, low + (high - low) / 2) for low, high in domain[2:]]
    return np.stack([np.tile(across, SIDE), np.repeat(up, SIDE), *middles], axis=1)


_DRAWS, _SPREAD_DRAWS = 60, 200
_STEP, _STEP_2 = 10, 48  # points of the grid from one row of numbers to the next, of one dimension and of two


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """A curve on a grid: as it is, and as the Bernstein polynomial of its own lattice values, both without noise."""

    at: FloatArray  # (p, dims)
    exact: FloatArray
    approximation: FloatArray

    @property
    def points(self) -> FloatArray:
        """Along its first dimension."""
        return self.at[:, 0]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class FittedCurveHeadline(Headline):
    """Of a target with ``curve`` and ``domain``, which is released at the points of a lattice."""

    @cached_property
    @computable
    def fit(self) -> Fit:
        """The curve on a grid."""
        target: Any = self.scenario.target
        law = drawing_curves(self.noise.law)
        points = grid(target.domain)
        with np.errstate(all="ignore"):
            exact = target.curve.values(self.exact.database, points)
        return Fit(points, exact, law.polynomial(self.exact.value)(points))

    def reach(self, noise: Calibrated[Any]) -> str:
        """The expected root mean square error."""
        return f"the private curve is typically {figure(self.error(noise.law))} away from the one without noise"

    @property
    def least_error(self) -> float:
        """What the polynomial misses without any noise."""
        return rms(self.fit.approximation - self.fit.exact)

    @computable
    def error(self, law: Any) -> float:
        """The root of the mean square over the grid and 60 simulated responses."""
        return rms(self._curves(law, _DRAWS, SEED) - self.fit.exact)

    def _curves(self, law: Any, size: int, seed: int) -> FloatArray:
        """The same noise at each ε, only scaled: a smooth curve of errors."""
        return np.asarray(law.curves(self.simulated(law, size, seed), self.fit.at))


def rms(values: FloatArray) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(values**2)))
