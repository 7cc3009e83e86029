"""The noise of a release as a prediction needs it: its scale, its variance, and the moments of a number that is cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.norms import L1, L2, Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.gaussian import analytic_scale

# How far an answer about capped people is from the truth, and why.


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Errors:
    """Of each group, (groups,), in the answer's unit; ``truth`` is neither capped nor clipped, NaN for a mean of no rows.

    rmse² = bias² + salts + noise, and bias = clipped_low + clipped_high + dropped + from_noise. Values are clipped first and
    rows dropped then, so that nothing is counted twice. ``answer``: without noise, expected over salts. ``salts``: the variance
    over which rows are kept. ``noise``: that of the response given the rows. ``from_noise``: how far the noise moves the
    expected answer, 0 where it is only added.
    """

    truth: FloatArray
    answer: FloatArray
    clipped_low: FloatArray
    clipped_high: FloatArray
    dropped: FloatArray
    from_noise: FloatArray
    salts: FloatArray
    noise: FloatArray

    @property
    def bias(self) -> FloatArray:
        """How far the expected response is from the truth."""
        return self.clipped_low + self.clipped_high + self.dropped + self.from_noise

    @property
    def rmse(self) -> FloatArray:
        """The root of the mean squared distance of a response from the truth."""
        return np.asarray(np.sqrt(self.bias**2 + self.salts + self.noise))

    @property
    def relative(self) -> FloatArray:
        """rmse/|truth|; NaN where the truth is 0 or is none."""
        size = np.abs(self.truth)
        return np.asarray(np.divide(self.rmse, size, out=np.full(len(size), np.nan), where=size > 0))

    @property
    def total(self) -> float:
        """The root of the mean squared rmse over the groups that have a truth."""
        squares = self.rmse[~np.isnan(self.truth)] ** 2
        return math.sqrt(squares.mean())


# Independent noise scale·X on each number, of a symmetric X. ``norm``: in which the sensitivity is. ``variance``: of X.
# ``breaks``: places that panels of a quadrature over X end at; no chance is left beyond them.


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """Density exp(−|x|)/2, at scale Δ/ε, Δ in L1 (mathematics, section 1.1)."""

    privacy: PureDP
    norm: ClassVar[Norm] = L1
    variance: ClassVar[float] = 2.0
    breaks: ClassVar[tuple[float, ...]] = (-40, -20, -8, -3, -1, 0, 1, 3, 8, 20, 40)

    def scale(self, sensitivity: float, /) -> float:
        """That the guarantee asks for at a sensitivity in ``norm``."""
        return sensitivity / self.privacy.epsilon

    def density(self, places: FloatArray, /) -> FloatArray:
        """Of X."""
        return np.asarray(np.exp(-np.abs(places)) / 2)

    def below(self, places: FloatArray, /) -> FloatArray:
        """P(X <= place)."""
        tail = np.exp(-np.abs(places)) / 2
        return np.where(places < 0, tail, 1 - tail)

    def excess(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0) − max(a, 0) at places a: even."""
        return np.asarray(np.exp(-np.abs(places)) / 2)

    def square(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0)² − max(a, 0)² − variance/2 at places a: odd."""
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
        """That the guarantee asks for at a sensitivity in ``norm``."""
        return analytic_scale(self.privacy.epsilon, self.privacy.delta) * sensitivity

    def density(self, places: FloatArray, /) -> FloatArray:
        """Of X."""
        return np.asarray(np.exp(-0.5 * places**2) / math.sqrt(2 * math.pi))

    def below(self, places: FloatArray, /) -> FloatArray:
        """P(X <= place)."""
        from scipy.special import ndtr

        return np.asarray(ndtr(places))

    def excess(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0) − max(a, 0) at places a: even."""
        away = np.abs(places)
        return self.density(away) - away * self.below(-away)

    def square(self, places: FloatArray, /) -> FloatArray:
        """E max(X + a, 0)² − max(a, 0)² − variance/2 at places a: odd."""
        away = np.abs(places)
        return np.asarray(np.sign(places) * (0.5 - (1 + away**2) * self.below(-away) + away * self.density(away)))


Noise = LaplaceNoise | NormalNoise


def noise_for(privacy: PureDP | ApproxDP) -> Noise:
    """Laplace noise for pure differential privacy, normal noise for approximate."""
    return LaplaceNoise(privacy) if isinstance(privacy, PureDP) else NormalNoise(privacy)


# A ratio of two noisy numbers that is cut off at −1 and 1: how far it lies from the one without noise, by quadrature.


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_AT_ONCE = 2_048  # ratios: some 10 MB an array


def moments(sums: FloatArray, numbers: FloatArray, scale: float, noise: Noise) -> tuple[FloatArray, FloatArray]:
    """(E(Z − z), E(Z − z)²) of Z = clip(S̃/max(C̃, 1), −1, 1) and z = S/max(C, 1), for S and C of shape (groups,).

    Given C̃ the inner moments are in closed form; over C̃ they are integrated in panels that end where the integrand is not
    smooth: at the noise 0, at C̃ = 1 and at C̃ = |S| (mathematics, section 9.4). ``scale`` is above 0, and |S| <= max(C, 1).
    """
    pieces = [slice(start, start + _AT_ONCE) for start in range(0, len(sums), _AT_ONCE)]
    found = [_moments(sums[piece, None], numbers[piece, None], scale, noise) for piece in pieces]
    first, second = (np.concatenate(each) for each in zip(*found, strict=True))
    return first, second


def _moments(sums: FloatArray, numbers: FloatArray, scale: float, noise: Noise) -> tuple[FloatArray, FloatArray]:
    floor = (1 - numbers) / scale
    breaks = np.maximum(np.sort(np.hstack([np.tile(noise.breaks, (len(sums), 1)), (np.abs(sums) - numbers) / scale])), floor)
    half = np.diff(breaks)[..., None] / 2
    places = ((breaks[:, :-1, None] + half) + half * _NODES).reshape(len(sums), -1)
    weights = (half * _WEIGHTS).reshape(len(sums), -1) * noise.density(places)
    places, weights = np.hstack([floor, places]), np.hstack([noise.below(floor), weights])  # where C̃ < 1 it counts as 1
    first, second = _given(sums, np.maximum(numbers + scale * places, 1.0), sums / np.maximum(numbers, 1.0), scale, noise)
    return (weights * first).sum(axis=1), (weights * second).sum(axis=1)


def _given(
    sums: FloatArray, counts: FloatArray, without: FloatArray, scale: float, noise: Noise
) -> tuple[FloatArray, FloatArray]:
    """The two moments given C̃, about ``without``: equations (1) and (2) of mathematics, section 9.4."""
    centre, spread = sums / counts, scale / counts
    lower, upper = (sums + counts) / scale, (sums - counts) / scale
    from_lower, from_upper = noise.excess(lower), noise.excess(upper)
    away = np.clip(centre, -1.0, 1.0) - without
    first = away + spread * (from_lower - from_upper)
    squares = spread**2 * (noise.square(lower) - noise.square(upper))
    second = away**2 + squares - 2 * spread * ((1 + without) * from_lower + (1 - without) * from_upper)
    return first, second
