"""How far off a quantile is under noise sized to its smooth sensitivity: pure DP without an oracle, for comparison alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import positive, share
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

_STEEPEST = 3**0.75  # the largest |d log h(z)/dz| of h(z) ∝ 1/(1 + z⁴), at z⁴ = 3
_DILATED = 3.0  # the largest |d log(e^λ·h(e^λ·z))/dλ|, far out
_ROOT = math.sqrt(2)
_HALVINGS = 60


def serves(target: object) -> bool:
    """Whether a target is a quantile of values that are clipped to public bounds."""
    return facts(target).places is not None and bool(facts(target).bounds)


def moves_within(target: Any, database: Database, *, least_epsilon: float) -> FloatArray:
    """A(t), t = 0, 1, …: how far one replaced record can move a quantile of any table that differs from this one in at most t
    records (Nissim, Raskhodnikova & Smith 2007, section 3.1; mathematics, section 20.6). (n,) -> (T,)

    For f = (1 − g)·x_j + g·x_(j+1) of the sorted and clipped records, with x_0 = a, x_(n+1) = b and g <= ½,

        A(t) = max over l from j − 1 − t to j of (1 − 2g)·x_(l+t+1) + g·x_(l+t+2) − (1 − g)·x_l;

    for a larger g the same of the mirrored table. It ends where no later t counts at an ε from ``least_epsilon`` on.
    """
    if not serves(target):
        raise InvalidValueError("target", "a quantile with public bounds", target)
    bounds, n = interval("bounds", facts(target).bounds), len(database)
    if n < 2:
        raise InvalidValueError("database", "of at least two rows", n)
    beta = smoothing(least_epsilon)
    first, weight = _place(target, bounds, n)
    values = np.sort(clip(database, bounds))
    if weight > 0.5:
        values, first, weight, bounds = -values[::-1], n - first, 1 - weight, (-bounds[1], -bounds[0])
    ends = np.concatenate([bounds[:1], values, bounds[1:] * 2])  # x_0, …, x_(n+2)
    upper = (1 - 2 * weight) * ends[:-1] + weight * ends[1:]
    found: list[float] = []
    best, widest = 0.0, (1 - weight) * (bounds[1] - bounds[0])
    for t in range(n + 1):
        low, high = max(first - 1 - t, 0), min(first, n - t) + 1
        found.append(float(np.max(upper[low + t + 1 : high + t + 1] - (1 - weight) * ends[low:high])))
        best = max(best, math.exp(-beta * t) * found[-1])
        if math.exp(-beta * (t + 1)) * widest <= best:
            break
    return np.array(found)


def _place(target: Any, bounds: Interval, n: int) -> tuple[int, float]:
    """j, from 1, and g."""
    low, high = bounds
    answered = float(np.ravel(facts(target).from_places(np.array([[low, high]]), n))[0])
    return facts(target).places(n)[0] + 1, (answered - low) / (high - low)


def smoothing(epsilon: float) -> float:
    """β, by how much the smooth sensitivity may grow in logarithms from a table to its neighbour: ε/6, half of ε."""
    return positive("epsilon", epsilon) / (2 * _DILATED)


def noise_scale(moves: FloatArray, epsilon: float) -> float:
    """The standard deviation of the noise that is ε-DP around a quantile with these A(t) (mathematics, section 20.6).

    S = max over t of exp(−β·t)·A(t), β = ε/6, and σ = 2·3^(3/4)·S/ε.
    """
    smooth = float(np.max(np.exp(-smoothing(epsilon) * np.arange(len(moves))) * moves))
    return 2 * _STEEPEST * smooth / epsilon


@final
@dataclass(frozen=True, slots=True)
class SmoothNoise:
    """Noise σ·Z with the density h(z) = √2/(π·(1 + z⁴)), whose standard deviation is σ: for charts, and never released.

    ``scales``: σ of each of some tables; of these together it is a mixture.
    """

    scales: tuple[float, ...]

    @property
    def root_mean_square(self) -> float:
        """√(mean of σ²): Z has the variance 1."""
        return math.sqrt(math.fsum(scale**2 for scale in self.scales) / len(self.scales))

    def half_width(self, level: float, /) -> float:
        """How far from 0 that share of the noise reaches."""
        level, scales = share("level", level), np.array(self.scales)
        low, high = 0.0, float(scales.max())
        while np.mean(within(high / scales)) < level:
            high *= 2
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if np.mean(within(middle / scales)) >= level else (middle, high)
        return high


def within(z: FloatArray) -> FloatArray:
    """P(|Z| <= z), in closed form."""
    logs = np.log((z**2 + _ROOT * z + 1) / (z**2 - _ROOT * z + 1)) / 2
    return np.asarray((logs + np.arctan(_ROOT * z + 1) + np.arctan(_ROOT * z - 1)) / math.pi)
