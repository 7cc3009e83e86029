"""The noise of a release as a prediction needs it: its scale, its variance, and the moments of a number that is cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol, final

import numpy as np

from dpcore.base.norms import L1, L2, Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.gaussian import analytic_scale


class Noise(Protocol):
    """Independent noise scale·X on each number, of a symmetric X.

    ``norm``: in which the sensitivity is. ``variance``: of X. ``breaks``: places that panels of a quadrature over X end at; no
    chance is left beyond them.
    """

    norm: ClassVar[Norm]
    variance: ClassVar[float]
    breaks: ClassVar[tuple[float, ...]]

    def scale(self, sensitivity: float, /) -> float:
        """That the guarantee asks for at a sensitivity in ``norm``."""
        ...

    def density(self, places: FloatArray, /) -> FloatArray:
        """Of X."""
        ...

    def below(self, places: FloatArray, /) -> FloatArray:
        """P(X <= place)."""
        ...

    def excess(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0) − max(a, 0) at places a: even."""
        ...

    def square(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0)² − max(a, 0)² − variance/2 at places a: odd."""
        ...


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """Density exp(−|x|)/2, at scale Δ/ε, Δ in L1 (mathematics, section 1.1)."""

    privacy: PureDP
    norm: ClassVar[Norm] = L1
    variance: ClassVar[float] = 2.0
    breaks: ClassVar[tuple[float, ...]] = (-40, -20, -8, -3, -1, 0, 1, 3, 8, 20, 40)

    def scale(self, sensitivity: float, /) -> float:
        return sensitivity / self.privacy.epsilon

    def density(self, places: FloatArray, /) -> FloatArray:
        return np.asarray(np.exp(-np.abs(places)) / 2)

    def below(self, places: FloatArray, /) -> FloatArray:
        tail = np.exp(-np.abs(places)) / 2
        return np.where(places < 0, tail, 1 - tail)

    def excess(self, places: FloatArray, /) -> FloatArray:
        return np.asarray(np.exp(-np.abs(places)) / 2)

    def square(self, places: FloatArray, /) -> FloatArray:
        return np.asarray(-np.sign(places) * np.expm1(-np.abs(places)))


@final
@dataclass(frozen=True, slots=True)
class NormalNoise:
    """Standard normal X, at the least scale for (ε, δ), Δ in L2 (mathematics, section 1.1)."""

    privacy: ApproxDP
    norm: ClassVar[Norm] = L2
    variance: ClassVar[float] = 1.0
    breaks: ClassVar[tuple[float, ...]] = (-9, -4, -2, -1, 0, 1, 2, 4, 9)

    def scale(self, sensitivity: float, /) -> float:
        return analytic_scale(self.privacy.epsilon, self.privacy.delta) * sensitivity

    def density(self, places: FloatArray, /) -> FloatArray:
        return np.asarray(np.exp(-0.5 * places**2) / math.sqrt(2 * math.pi))

    def below(self, places: FloatArray, /) -> FloatArray:
        from scipy.special import ndtr

        return np.asarray(ndtr(places))

    def excess(self, places: FloatArray, /) -> FloatArray:
        away = np.abs(places)
        return self.density(away) - away * self.below(-away)

    def square(self, places: FloatArray, /) -> FloatArray:
        away = np.abs(places)
        return np.asarray(np.sign(places) * (0.5 - (1 + away**2) * self.below(-away) + away * self.density(away)))


def noise_for(privacy: PureDP | ApproxDP) -> Noise:
    """Laplace noise for pure differential privacy, normal noise for approximate."""
    return LaplaceNoise(privacy) if isinstance(privacy, PureDP) else NormalNoise(privacy)
