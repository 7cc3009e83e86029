"""The Laplace mechanism (Dwork et al. 2006; Rubinstein & Aldà 2017, Corollary 10), with whole noise for whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L1, L1Norm
from dpcore.base.types import Target
from dpcore.guarantees.attacker import Attacker, LaplaceNoise, LossAttackerBound
from dpcore.guarantees.privacy import PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import GEOMETRIC, LAPLACE, LaplaceLoss, NoiseLaw, Sampling, by_opendp

_NEARLY_ONE = 1e-6
_WHOLE = "two-sided geometric, in whole numbers, sampled exactly by OpenDP from the system's entropy, its scale rounded up"


@final
@dataclass(frozen=True, slots=True)
class LaplaceLaw(LaplaceLoss, NoiseLaw):
    """Independent Laplace noise, density exp(−|x|/scale)/(2·scale), on each entry.

    Args:
        scale: The scale.

    Examples:
        >>> round(LaplaceLaw(2.0).half_width(0.95), 3)
        5.991
    """

    scale: float
    composes_as: ClassVar[str] = LAPLACE
    sampling: ClassVar[Sampling] = by_opendp("make_laplace")

    def draw(self, raw: FloatArray, /) -> FloatArray:
        """Return the raw response plus secure noise; without a scale the raw response itself."""
        return noise.add_laplace(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """Return possible responses, shape (size, d)."""
        return raw + self.scale * rng.laplace(size=(size, raw.size))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """Return the density of one entry's noise."""
        return np.asarray(np.exp(-np.abs(offsets) / self.scale) / (2 * self.scale))

    def half_width(self, share: float, /) -> float:
        """Return −scale·log(1 − share), for P(|Z| > z) = exp(−z/scale)."""
        return -self.scale * math.log1p(-share)

    def beyond(self, distance: Any, times: float, /) -> Any:
        """Return P(|Z − times·Z′| > distance) exactly (mathematics, section 19.3)."""
        away = distance / self.scale
        if times == 0:
            return np.exp(-away)
        # The limit at t = 1; its error is far below a probability of 1e-5.
        if 1 - times < _NEARLY_ONE:
            return np.exp(-away) * (1 + away / 2)
        # (e^(−x) − t²·e^(−x/t))/(1 − t²), with x the distance in scales.
        return (np.exp(-away) - times**2 * np.exp(-away / times)) / ((1 - times) * (1 + times))


@final
@dataclass(frozen=True, slots=True)
class GeometricLaw(LaplaceLoss, NoiseLaw):
    """Independent whole noise Z on each entry, P(Z = z) = (1 − a)/(1 + a)·a^|z| with a = exp(−1/scale).

    This is Laplace noise in whole numbers (Ghosh, Roughgarden & Sundararajan 2009). Its standard deviation √(2a)/(1 − a) is below
    that of Laplace noise of the same scale, √2·scale (mathematics, section 1.10). Unlike Laplace noise, it is not a multiple of
    the noise of scale 1.

    Args:
        scale: The scale.

    Examples:
        >>> GeometricLaw(2.0).half_width(0.95)
        6.0
    """

    scale: float
    composes_as: ClassVar[str] = GEOMETRIC
    sampling: ClassVar[Sampling] = Sampling(("make_laplace",), _WHOLE)
    in_proportion: ClassVar[bool] = False

    def draw(self, raw: FloatArray, /) -> FloatArray:
        """Return the whole raw response plus secure noise; without a scale the raw response itself."""
        return noise.add_geometric(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """Return possible responses, shape (size, d)."""
        # The difference of two geometric numbers, which are exponential draws rounded down: no scale overflows.
        failures = np.floor(self.scale * rng.standard_exponential((2, size, raw.size)))
        return np.asarray(raw + failures[0] - failures[1])

    def quantile(self, levels: FloatArray, /) -> FloatArray:
        """Return the least whole number that one entry's noise does not exceed with this probability.

        Below a level of ½ it is the negative of that at 1 − level.
        """
        # P(Z <= z) = 1 − a^(z+1)/(1 + a) for z >= 0 (mathematics, section 1.10).
        levels = np.asarray(levels, dtype=np.float64)
        if not self.scale:
            return np.zeros(levels.shape)
        beyond = np.minimum(levels, 1 - levels) * (1 + math.exp(-1 / self.scale))
        with np.errstate(divide="ignore"):
            least = np.ceil(-self.scale * np.log(beyond) * (1 - 2.0**-50)) - 1
        return np.asarray(np.copysign(np.maximum(least, 0.0), levels - 0.5))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """Return the probability of the nearest whole number, spread evenly over half a number to either side of it."""
        return np.asarray(math.tanh(0.5 / self.scale) * np.exp(-np.floor(np.abs(offsets) + 0.5) / self.scale))

    def half_width(self, share: float, /) -> float:
        """Return the least whole number within which at least that share of one entry's noise is."""
        return abs(float(self.quantile(np.array((1 + share) / 2))))


@final
@dataclass(frozen=True, slots=True)
class LaplaceMechanism(Mechanism[L1Norm, PureDP]):
    """Adds Laplace(Δ/ε) noise to each entry, Δ in L1: ε-DP on pairs with ‖f(D) − f(D')‖₁ <= Δ (mathematics, section 1.1).

    If the target says that its answers are whole numbers, as counts are, the noise is whole too, two-sided geometric of the same
    scale. Its error is smaller at every ε (mathematics, section 1.10).

    Examples:
        >>> from dpcore import L1, LaplaceMechanism, PureDP, targets
        >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
        >>> noise = LaplaceMechanism().calibrate(proved, PureDP(1.0))
        >>> round(noise.law.scale, 6)  # Δ = 1/500
        0.002
        >>> noise.release([0.25] * 500).response.shape
        (1,)
    """

    title: ClassVar[str] = "Laplace"
    privacy: ClassVar[type[PureDP]] = PureDP
    named_after_somebody: ClassVar[bool] = True
    place: ClassVar[int] = 0

    @property
    def norm(self) -> L1Norm:
        """L1."""
        return L1

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> LaplaceLaw | GeometricLaw:
        """Return Laplace noise of scale Δ/ε, or geometric noise for whole numbers."""
        # Corollary 10: b = Δ/ε in L1 (mathematics, section 1.1 and 1.10).
        scale = noise.scale_above(sensitivity / privacy.epsilon, sensitivity)
        return GeometricLaw(scale) if target.whole_numbers else LaplaceLaw(scale)

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> Attacker:
        """Return the accuracy, exact for one number (mathematics, section 16.2).

        With whole noise it is exact if the proved worst case is 1, too (section 1.10).
        """
        scale, sensitivity = calibrated.law.scale, calibrated.sensitivity
        if not isinstance(calibrated.law, GeometricLaw):
            return LaplaceNoise(scale, exact=numbers == 1)
        exact = numbers == 1 and isinstance(sensitivity, GlobalSensitivity) and sensitivity.value < 2
        return LossAttackerBound(scale, exact=exact, sides=exact)
