"""The Laplace mechanism (Dwork et al. 2006; Rubinstein & Aldà 2017, Corollary 10)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.norms import L1, L1Norm
from dpcore.base.types import FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.guesser import Guesser, LaplaceNoise, LossBound
from dpcore.guarantees.privacy import PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.hard_pairs import HardPair, TwoAnswers
from dpcore.mechanisms.response_law import LAPLACE, NoiseLaw, Sampling, by_opendp
from dpcore.mechanisms.whole_noise import GeometricLaw

_NEARLY_ONE = 1e-6


@final
@dataclass(frozen=True, slots=True)
class LaplaceLaw(NoiseLaw):
    """Independent Laplace noise, density exp(−|x|/scale)/(2·scale), on each entry."""

    scale: float
    composes_as: ClassVar[str] = LAPLACE
    sampling: ClassVar[Sampling] = by_opendp("make_laplace")

    def draw(self, raw: FloatArray, /) -> FloatArray:
        return noise.add_laplace(raw, self.scale) if self.scale else raw

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        return raw + self.scale * rng.laplace(size=(size, raw.size))

    def density(self, offsets: FloatArray, /) -> FloatArray:
        """The density of one entry's noise."""
        return np.asarray(np.exp(-np.abs(offsets) / self.scale) / (2 * self.scale))

    def half_width(self, share: float, /) -> float:
        """How far from 0 that share of one entry's noise reaches."""
        return -self.scale * math.log1p(-share)

    def beyond(self, distance: Any, times: float, /) -> Any:
        """P(|Z − times·Z′| > distance), exactly: (e^(−x) − t²·e^(−x/t))/(1 − t²), x in scales (mathematics, section 19.3)."""
        away = distance / self.scale
        if times == 0:
            return np.exp(-away)
        if 1 - times < _NEARLY_ONE:  # the limit at t = 1; what it leaves out is far below a share of 1e-5
            return np.exp(-away) * (1 + away / 2)
        return (np.exp(-away) - times**2 * np.exp(-away / times)) / ((1 - times) * (1 + times))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Σ (|r − f(D')| − |r − f(D)|)/scale, for responses (size, d)."""
        return np.asarray((L1(responses - other) - L1(responses - raw)) / self.scale)

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """sup log P(r)/P'(r) = ‖f(D) − f(D')‖₁/scale."""
        return float(L1(raw - other)) / self.scale


@final
@dataclass(frozen=True, slots=True)
class Laplace(Mechanism[L1Norm, PureDP]):
    """f(D) + Laplace(Δ/ε) on each entry, Δ in L1: ε-DP on pairs with ‖f(D) − f(D')‖₁ <= Δ (mathematics, section 1.1).

    Where the target says that its answers are whole numbers, as counts are, the noise is whole too, two-sided geometric of the
    same scale: its error is smaller at every ε (mathematics, section 1.10).
    """

    privacy: ClassVar[type[PureDP]] = PureDP
    named_after_somebody: ClassVar[bool] = True
    place: ClassVar[int] = 0

    @property
    def norm(self) -> L1Norm:
        return L1

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> LaplaceLaw | GeometricLaw:
        scale = scale_above(sensitivity / privacy.epsilon, sensitivity)
        return GeometricLaw(scale) if target.whole_numbers else LaplaceLaw(scale)

    @classmethod
    def hard_pairs(cls) -> tuple[HardPair, ...]:
        """One number, moved by 1: any, and a whole one."""
        return HardPair(cls(), TwoAnswers((0.5,), (1.5,))), HardPair(cls(), TwoAnswers((0.0,), (1.0,)), "Laplace, whole numbers")

    def guesser(self, calibrated: Calibrated[Any], numbers: int, /) -> Guesser:
        """Exact for one number (mathematics, section 16.2), whole ones with a proved worst case of 1 (section 1.10)."""
        scale, sensitivity = calibrated.law.scale, calibrated.sensitivity
        if not isinstance(calibrated.law, GeometricLaw):
            return LaplaceNoise(scale, exact=numbers == 1)
        exact = numbers == 1 and isinstance(sensitivity, GlobalSensitivity) and sensitivity.value < 2
        return LossBound(scale, exact=exact, sides=exact)


def scale_above(scale: float, sensitivity: float) -> float:
    """The next float above a computed scale, 0 for a sensitivity of 0; InvalidValueError where it overflows."""
    if sensitivity == 0:
        return 0.0
    raised = math.nextafter(scale, math.inf)
    if not math.isfinite(raised):
        raise InvalidValueError("epsilon", "large enough that the noise has a finite scale", scale)
    return raised
