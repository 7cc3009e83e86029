"""What is released under noise: how far one row of weight 1 moves it, and the errors of the answer that is made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.norms import L1, L2, Norm
from dpcore.base.types import FloatArray
from pages.old.experiment.contributions.noise import Errors, Noise, moments
from pages.old.experiment.contributions.parts import AtCap

Moved = tuple[float, float]
"""How far one row moves the numbers that are released: one that gets lost, and one that becomes another."""


@final
@dataclass(frozen=True, slots=True)
class Added:
    """Σ w·clip(v), under noise."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """max(|L|, |U|), and max(U, 0) − min(L, 0): a person may have no row that counts (mathematics, section 9.1)."""
        low, high = bounds
        return max(abs(low), abs(high)), max(high, 0.0) - min(low, 0.0)

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """Exact (mathematics, section 9.3)."""
        whole, none = capped.uncapped, np.zeros(len(capped.value))
        return Errors(
            truth=whole.sum,
            answer=capped.value,
            clipped_low=whole.low,
            clipped_high=whole.high,
            dropped=capped.value - (whole.sum + whole.low + whole.high),
            from_noise=none,
            salts=capped.variance_of_value,
            noise=none + noise.variance * scale**2,
        )


@final
@dataclass(frozen=True, slots=True)
class Divided:
    """(Σ w·u, Σ w), u = 2(clip(v) − L)/(U − L) − 1, both under noise; L + (U − L)(S̃/max(C̃, 1) + 1)/2, clipped to [L, U]."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """2 and 2 in L1, √2 and 2 in L2 (mathematics, section 13.1)."""
        return {L1: 2.0, L2: math.sqrt(2)}[norm], 2.0

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """By quadrature; the variance over salts is that of the ratio without noise, linear in both sums
        (mathematics, section 9.4)."""
        whole, floor, half = capped.uncapped, np.maximum(capped.number, 1.0), (bounds[1] - bounds[0]) / 2
        rows = np.where(whole.number > 0, whole.number, np.nan)
        sums = (capped.value - bounds[0] * capped.number) / half - capped.number
        answer = bounds[0] + half * (sums / floor + 1)
        first, second = moments(sums, capped.number, scale, noise)
        return Errors(
            truth=whole.sum / rows,
            answer=answer,
            clipped_low=whole.low / rows,
            clipped_high=whole.high / rows,
            dropped=answer - (whole.sum + whole.low + whole.high) / rows,
            from_noise=half * first,
            salts=_of_ratio(capped, (bounds[0] + bounds[1]) / 2),
            noise=half**2 * np.maximum(second - first**2, 0.0),
        )


def _of_ratio(capped: AtCap, middle: float) -> FloatArray:
    """Var(V − rC)/max(C, 1)², where r = V/C, or the middle of the bounds for C below 1."""
    floor = np.maximum(capped.number, 1.0)
    ratio = np.where(capped.number < 1, middle, capped.value / floor)
    variance = capped.variance_of_value - 2 * ratio * capped.covariance + ratio**2 * capped.variance_of_number
    return np.asarray(np.maximum(variance, 0.0) / floor**2)


Released = Added | Divided
