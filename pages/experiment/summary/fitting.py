"""The nearest bars that there can be: 0 or above, with a given total, and near a noisy sum of their values too."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import FloatArray

_LEAN = 0.2  # of half a bar's width, how far the values of a bar lie from its middle on average, as one standard deviation


def fitting(noisy: FloatArray, total: float) -> FloatArray:
    """The nearest numbers of 0 or more with this total: (b,) -> (b,)"""
    falling = np.sort(noisy)[::-1]
    over = (np.cumsum(falling) - total) / np.arange(1, len(noisy) + 1)
    kept = int(np.count_nonzero(falling > over))
    return np.asarray(np.maximum(noisy - over[max(kept, 1) - 1], 0.0))


def fitting_sum(noisy: FloatArray, total: float, away: float, weight: float, scale: float) -> FloatArray:
    """x ≥ 0 with this total, of which Σ (x − h)²/2λ² + (x·m − S)²/(2λ²/v² + 0.2²·Σ h²/b²) is least: (b,) -> (b,)

    ``noisy``: h. ``away``: S, the released sum of how far the values are from the middle of the column, −1 to 1 each; m are the
    middles of the bars. ``weight``: v. ``scale``: λ. x·m is no exact sum of the values, which lean to a side within each bar.

    At the least x is the fit to h + t·m, with t = w²(S − x·m) and w² the first variance over the second; x·m grows with t.
    """
    from scipy.optimize import brentq

    middles = middles_of(len(noisy))
    lean = np.sum((_LEAN * np.maximum(noisy, 0) / len(noisy)) ** 2)
    share = 1 / (1 / weight**2 + lean / (2 * scale**2))  # w²
    most = share * (abs(away) + total)
    tilt = brentq(lambda t: t - share * (away - fitting(noisy + t * middles, total) @ middles), -most, most)
    return fitting(noisy + tilt * middles, total)


def middles_of(bars: int) -> FloatArray:
    """Of equal bars from −1 to 1: (b,)"""
    return np.asarray((2 * np.arange(bars) + 1) / bars - 1)
