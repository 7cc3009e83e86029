"""The Gaussian mechanism (Rubinstein & Aldà 2017, Corollary 12), calibrated analytically (Balle & Wang 2018)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L2, L2Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.attacker import NormalNoise
from dpcore.guarantees.privacy import ApproxDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import NORMAL, NoiseLaw, Sampling, by_opendp

Calibration = Literal["analytic", "classical"]

_SHORT = 0.5  # of a step μ, up to which the difference is an integral
_LOBATTO = (0.0, 0.5 - math.sqrt(3 / 28), 0.5, 0.5 + math.sqrt(3 / 28), 1.0)
_WEIGHTS = (1 / 20, 49 / 180, 16 / 45, 49 / 180, 1 / 20)
_LEAST_DELTA = 1e-300  # below it floats lose digits


@final
@dataclass(frozen=True, slots=True)
class GaussianLaw(NoiseLaw):
    """Independent Normal(0, scale²) noise on each entry.

    Args:
        scale: The standard deviation σ.

    Examples:
        >>> round(GaussianLaw(2.0).half_width(0.95), 3)
        3.92
    """

    scale: float
    composes_as: ClassVar[str] = NORMAL
    sampling: ClassVar[Sampling] = by_opendp("make_gaussian")

    def draw(self, raw: FloatArray, /) -> FloatArray:
        """Return the raw response plus secure noise; without a scale the raw response itself."""
        return noise.add_gaussian(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """Return possible responses, shape (size, d)."""
        return raw + self.scale * rng.standard_normal((size, raw.size))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """Return the density of one entry's noise."""
        return np.asarray(np.exp(-0.5 * (offsets / self.scale) ** 2) / (self.scale * math.sqrt(2 * math.pi)))

    def half_width(self, share: float, /) -> float:
        """Return σ·Φ⁻¹((1 + share)/2)."""
        from scipy.special import ndtri

        return self.scale * float(ndtri((1 + share) / 2))

    def beyond(self, distance: Any, times: float, /) -> Any:
        """Return P(|Z − times·Z′| > distance) exactly: Z − times·Z′ is normal with (1 + times²) times the variance."""
        from scipy.special import erfc

        return erfc(distance / (self.scale * math.sqrt(2 * (1 + times**2))))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return (‖r − f(D')‖² − ‖r − f(D)‖²)/(2σ²), for responses (size, d)."""
        return np.asarray((((responses - other) ** 2).sum(axis=-1) - ((responses - raw) ** 2).sum(axis=-1)) / (2 * self.scale**2))


@final
@dataclass(frozen=True, slots=True)
class GaussianMechanism(Mechanism[L2Norm, ApproxDP]):
    """Adds Normal(0, σ²) noise to each entry, Δ in L2: (ε, δ)-DP on pairs with ‖f(D) − f(D')‖₂ <= Δ.

    Args:
        calibration: "analytic" for the least σ at every ε; "classical" for σ = √(2 log(1.25/δ))·Δ/ε, whose proof needs ε < 1.

    Raises:
        InvalidValueError: If the calibration is neither.

    Examples:
        >>> from dpcore import L2, ApproxDP, GaussianMechanism, targets
        >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L2, 500)
        >>> noise = GaussianMechanism().calibrate(proved, ApproxDP(1.0, 1e-6))
        >>> round(noise.law.scale, 5)
        0.00845
    """

    calibration: Calibration = "analytic"
    title: ClassVar[str] = "Gaussian"
    privacy: ClassVar[type[ApproxDP]] = ApproxDP
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.calibration not in ("analytic", "classical"):
            raise InvalidValueError("calibration", "“analytic” or “classical”", self.calibration)

    @property
    def norm(self) -> L2Norm:
        """L2."""
        return L2

    def law(self, target: Target, sensitivity: float, privacy: ApproxDP, /) -> GaussianLaw:
        """Return Normal noise of the calibration.

        Raises:
            InvalidValueError: If ε is at least 1 under the classical calibration, or the scale overflows.
        """
        # Balle & Wang (2018): the least σ, which is in proportion to Δ (mathematics, section 1.1).
        if self.calibration == "analytic":
            return GaussianLaw(noise.scale_above(analytic_scale(privacy.epsilon, privacy.delta) * sensitivity, sensitivity))
        if privacy.epsilon >= 1:
            raise InvalidValueError("epsilon", "below 1 for the classical calibration", privacy.epsilon)
        # Corollary 12: σ = √(2 log(1.25/δ))·Δ/ε.
        scale = math.sqrt(2 * math.log(1.25 / privacy.delta)) * sensitivity / privacy.epsilon
        return GaussianLaw(noise.scale_above(scale, sensitivity))

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> NormalNoise:
        """Return the exact accuracy, for any number of numbers (mathematics, section 16.3)."""
        return NormalNoise(calibrated.law.scale)


def gaussian_delta(scale: float, epsilon: float) -> float:
    """Return the least δ of Normal noise at Δ = 1: Φ(1/(2σ) − εσ) − exp(ε)Φ(−1/(2σ) − εσ).

    That is equation 6 of Balle & Wang (2018; mathematics, section 1.1).

    Args:
        scale: σ, above 0.
        epsilon: ε.

    Returns:
        δ, or a relative 1e-9 more.
    """
    from scipy.special import ndtr

    # With μ = 1/σ, z = εσ − μ/2 and Mills' ratio R it is φ(z)·(R(z) − R(z + μ)).
    step = 1 / scale
    z = epsilon * scale - step / 2
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    if step > _SHORT:
        return float(ndtr(-z)) - density * _mills(z + step)
    # The two nearly cancel if μ is small. Then it is φ(z) times the integral of 1 − x·R(x) from z to z + μ: derivatives of even
    # order are positive, so Lobatto's rule gives no less.
    places = [z + place * step for place in _LOBATTO]
    return density * step * math.fsum(weight * (1 - x * _mills(x)) for weight, x in zip(_WEIGHTS, places, strict=True))


def analytic_scale(epsilon: float, delta: float) -> float:
    """Return a σ at Δ = 1 whose δ is at most ``delta``, at most a relative 1e-8 above the least such σ.

    Args:
        epsilon: ε.
        delta: δ.

    Returns:
        σ.

    Raises:
        InvalidValueError: If no noise of finite scale is enough.
    """

    # δ is raised by more than its rounding error: a relative 1e-12 times the growth of the errors of z in it. Against 60 digits
    # at most 0.002 of that was needed (mathematics, section 1.1).
    def enough(scale: float) -> bool:
        step = 1 / scale
        grows = 1 + (epsilon * scale + step) * (abs(epsilon * scale - step / 2) + 2)
        return gaussian_delta(scale, epsilon) * (1 + 1e-12 * grows) + _LEAST_DELTA <= delta

    # δ falls with σ: doubling and halving enclose the least σ, bisection finds it.
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


def _mills(x: float) -> float:
    """Return Mills' ratio (1 − Φ(x))/φ(x)."""
    from scipy.special import erfcx

    return math.sqrt(math.pi / 2) * float(erfcx(x / math.sqrt(2)))
