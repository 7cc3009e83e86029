"""The Gaussian mechanism (Rubinstein & Aldà 2017, Corollary 12), calibrated analytically (Balle & Wang 2018)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.norms import L2, L2Norm
from dpcore.base.types import FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.guesser import NormalNoise
from dpcore.guarantees.privacy import ApproxDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.laplace import scale_above
from dpcore.mechanisms.response_law import NORMAL, NoiseLaw

Calibration = Literal["analytic", "classical"]


@final
@dataclass(frozen=True, slots=True)
class GaussianLaw(NoiseLaw):
    """Independent Normal(0, scale²) noise on each entry."""

    scale: float
    composes_as: ClassVar[str] = NORMAL

    def draw(self, raw: FloatArray, /) -> FloatArray:
        return noise.add_gaussian(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        return raw + self.scale * rng.standard_normal((size, raw.size))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """The density of one entry's noise."""
        return np.asarray(np.exp(-0.5 * (offsets / self.scale) ** 2) / (self.scale * math.sqrt(2 * math.pi)))

    def half_width(self, share: float, /) -> float:
        """How far from 0 that share of one entry's noise reaches."""
        from scipy.special import ndtri

        return self.scale * float(ndtri((1 + share) / 2))

    @property
    def mean_error(self) -> float:
        """E|noise|."""
        return self.scale * math.sqrt(2 / math.pi)

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """(‖r − f(D')‖² − ‖r − f(D)‖²)/(2σ²), for responses (size, d)."""
        return np.asarray((((responses - other) ** 2).sum(axis=-1) - ((responses - raw) ** 2).sum(axis=-1)) / (2 * self.scale**2))


@final
@dataclass(frozen=True, slots=True)
class Gaussian(Mechanism[L2Norm, ApproxDP]):
    """f(D) + Normal(0, σ²) on each entry, Δ in L2: (ε, δ)-DP on pairs with ‖f(D) − f(D')‖₂ <= Δ.

    ``analytic``: the least σ for every ε. ``classical``: σ = √(2 log(1.25/δ))·Δ/ε, whose proof needs ε < 1.
    """

    calibration: Calibration = "analytic"
    privacy: ClassVar[type[ApproxDP]] = ApproxDP
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.calibration not in ("analytic", "classical"):
            raise InvalidValueError("calibration", "'analytic' or 'classical'", self.calibration)

    @property
    def norm(self) -> L2Norm:
        return L2

    def law(self, target: Target, sensitivity: float, privacy: ApproxDP, /) -> GaussianLaw:
        if self.calibration == "analytic":
            return GaussianLaw(scale_above(analytic_scale(privacy.epsilon, privacy.delta) * sensitivity, sensitivity))
        if privacy.epsilon >= 1:
            raise InvalidValueError("epsilon", "below 1 for the classical calibration", privacy.epsilon)
        scale = math.sqrt(2 * math.log(1.25 / privacy.delta)) * sensitivity / privacy.epsilon
        return GaussianLaw(scale_above(scale, sensitivity))

    def guesser(self, calibrated: Calibrated[Any], numbers: int, /) -> NormalNoise:
        """Exact, however many numbers there are (mathematics, section 16.3)."""
        return NormalNoise(calibrated.law.scale)


def gaussian_delta(scale: float, epsilon: float) -> float:
    """The least δ of Normal noise at Δ = 1: Φ(1/(2σ) − εσ) − exp(ε)Φ(−1/(2σ) − εσ) (Balle & Wang 2018, equation 6;
    mathematics, section 1.1)."""
    from scipy.special import log_ndtr

    upper, lower = log_ndtr(0.5 / scale - epsilon * scale), log_ndtr(-0.5 / scale - epsilon * scale)
    return float(np.exp(upper) * -np.expm1(min(0.0, epsilon + lower - upper)))


def analytic_scale(epsilon: float, delta: float) -> float:
    """The least σ at Δ = 1 whose δ is at most ``delta``, to a relative 1e-12, rounded up.

    The computed δ is raised by the rounding error of the difference in it, so that a tiny δ errs to more noise.
    """
    from scipy.special import ndtr

    def enough(scale: float) -> bool:
        error = 4e-16 * (1 + epsilon) * float(ndtr(0.5 / scale - epsilon * scale))
        return gaussian_delta(scale, epsilon) + error <= delta

    high = 1.0
    while not enough(high):
        high *= 2
        if not math.isfinite(high):
            raise InvalidValueError("epsilon and delta", "large enough for a noise of finite scale", (epsilon, delta))
    low = high / 2
    while enough(low):
        low, high = low / 2, low
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
