"""Two-sided geometric noise: Laplace noise in whole numbers (Ghosh, Roughgarden & Sundararajan 2009)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.norms import L1
from dpcore.base.types import FloatArray
from dpcore.mechanisms import noise
from dpcore.mechanisms.response_law import GEOMETRIC, NoiseLaw, Sampling

_HOW = "two-sided geometric, in whole numbers, sampled exactly by OpenDP from the system's entropy, its scale rounded up"


@final
@dataclass(frozen=True, slots=True)
class GeometricLaw(NoiseLaw):
    """Independent whole noise Z on each entry, P(Z = z) = (1 − a)/(1 + a)·a^|z| with a = exp(−1/scale).

    Its standard deviation √(2a)/(1 − a) is below that of Laplace noise of the same scale, √2·scale, and the answers that it is
    added to are whole numbers (mathematics, section 1.10). It is no multiple of the noise of scale 1.
    """

    scale: float
    composes_as: ClassVar[str] = GEOMETRIC
    sampling: ClassVar[Sampling] = Sampling(("make_laplace",), _HOW)

    in_proportion: ClassVar[bool] = False

    def draw(self, raw: FloatArray, /) -> FloatArray:
        return noise.add_geometric(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """The difference of two numbers of failures, rounded down from exponential ones, which no scale overflows."""
        if not self.scale:
            return np.asarray(raw + np.zeros((size, raw.size)))
        failures = np.floor(self.scale * rng.standard_exponential((2, size, raw.size)))
        return np.asarray(raw + failures[0] - failures[1])

    def quantile(self, levels: FloatArray, /) -> FloatArray:
        """The least whole number that the noise on one entry does not exceed with this probability, from ½ on; below ½ the
        negative of that at 1 − level. P(Z <= z) = 1 − a^(z+1)/(1 + a) for z >= 0."""
        levels = np.asarray(levels, dtype=np.float64)
        if not self.scale:
            return np.zeros(levels.shape)
        beyond = np.minimum(levels, 1 - levels) * (1 + self._ratio)
        with np.errstate(divide="ignore"):
            least = np.ceil(-self.scale * np.log(beyond) * (1 - 2.0**-50)) - 1
        return np.asarray(np.copysign(np.maximum(least, 0.0), levels - 0.5))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """The chance of the nearest whole number, spread evenly over half a number to either side of it."""
        return np.asarray(math.tanh(0.5 / self.scale) * np.exp(-np.floor(np.abs(offsets) + 0.5) / self.scale))

    def half_width(self, share: float, /) -> float:
        """The least whole number within which at least that share of one entry's noise lies."""
        return abs(float(self.quantile(np.array((1 + share) / 2))))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Σ (|r − f(D')| − |r − f(D)|)/scale, for responses (size, d)."""
        return np.asarray((L1(responses - other) - L1(responses - raw)) / self.scale)

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """sup log P(r)/P'(r) = ‖f(D) − f(D')‖₁/scale."""
        return float(L1(raw - other)) / self.scale

    @property
    def _ratio(self) -> float:
        return math.exp(-1 / self.scale)
