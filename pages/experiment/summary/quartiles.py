"""Quartiles of a column's noisy bars and count, each with an interval for the one without noise (mathematics, section 21.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.summary.noise import noise

QUARTERS = 0.25, 0.5, 0.75
QUARTILES = "Lower quartile", "Median", "Upper quartile"
MOST_WIDE = 0.5  # of a column's width, that an interval may be of what is told
_FEW = 2  # bars that a quartile can be in, up to which it is read off as it stands
_PLACES = 40  # a bar, at which it is read


@final
@dataclass(frozen=True, kw_only=True)
class Quartile:
    """Its value, and an interval that holds the one without noise in 95 of 100 releases."""

    value: float
    low: float
    high: float


def quartiles(
    noisy: FloatArray, count: float, weight: float, fitted: FloatArray, scale: float, edges: FloatArray
) -> tuple[Quartile | None, ...]:
    """In order; None where the interval is wider than half of the column.

    ``noisy``, ``count``: the released bars and known values. ``weight``: u, of that count. ``fitted``: bars of 0 or more, off
    which the values are read. ``scale``: of the noise.
    """
    found: list[Quartile | None] = []
    at = np.linspace(edges[0], edges[-1], _PLACES * len(fitted) + 1)
    below = _below(fitted, edges, at)
    before = float(edges[0])
    for q in QUARTERS:
        beyond, far = _beyond(noisy[None], np.array([count]), weight, q)[0], scale * _far(len(noisy), weight, q)
        can_begin, can_end = beyond <= far, beyond >= -far
        can_begin[0] = can_end[-1] = True
        places = np.flatnonzero(can_begin[:-1] & can_end[1:])
        off = below - q * below[-1]
        value = float(np.interp(0.0, off, at)) if len(places) <= _FEW else _likely(off, np.interp(at, edges, far / 2), at)
        value = before = max(value, before)
        low, high = (float(edges[places[0]]), float(edges[places[-1] + 1])) if len(places) else (value, value)
        low, high = min(low, value), max(high, value)
        wide = high - low > MOST_WIDE * (edges[-1] - edges[0])
        found.append(None if wide else Quartile(value=value, low=low, high=high))
    return tuple(found)


def _below(bars: FloatArray, edges: FloatArray, at: FloatArray) -> FloatArray:
    """How many lie below each place, growing smoothly through the edges: (p,)"""
    from scipy.interpolate import PchipInterpolator

    smooth = PchipInterpolator(edges, np.concatenate([[0.0], np.cumsum(bars)]))(at)
    return np.asarray(np.maximum.accumulate(smooth) + np.arange(len(at)) * (smooth[-1] * 1e-12))


def _likely(off: FloatArray, spread: FloatArray, at: FloatArray) -> float:
    """The mean of all places, each as likely as the noise makes it: where few rows lie about a quartile, it can be anywhere
    among them, and the middle is nearest on average."""
    unlikely = (off / spread) ** 2 / 2
    likely = np.exp(unlikely.min() - unlikely)
    return float(at @ likely / likely.sum())


def _beyond(bars: FloatArray, count: FloatArray, weight: float, q: float) -> FloatArray:
    """At each edge (1 − q) of what lies below, less q of what lies above, less a part of what the bars' sum exceeds the count by:
    (k, b), (k,) -> (k, b + 1)

    Without noise the excess is 0. The part at edge j is (j − qb)/(b + 1/u²), a covariance over a variance, which leaves the least
    noise.
    """
    below = np.concatenate([np.zeros((len(bars), 1)), np.cumsum(bars, axis=1)], axis=1)
    b = bars.shape[1]
    shared = (np.arange(b + 1) - q * b) / (b + 1 / weight**2)
    return np.asarray(below - q * below[:, -1:] - shared * (below[:, -1] - count)[:, None])


@lru_cache(maxsize=256)
def _far(bars: int, weight: float, q: float) -> FloatArray:
    """Within which distance of 0 noise of scale 1 leaves what ``_beyond`` gives, in 95 of 100 draws: (b + 1,)"""
    of_bars, _, of_count = noise(bars)
    return np.asarray(np.quantile(np.abs(_beyond(of_bars, of_count / weight, weight, q)), SHARE_WITHIN, axis=0))
