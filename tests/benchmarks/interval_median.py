"""The median of diffprivlib 0.6.6 (``tools.median``), by its published method: the law of its answer, and how far off that is.

It picks one of the n + 1 intervals between sorted records by the exponential mechanism, interval i with chance
∝ (x_(i+1) − x_(i)) exp(−ε |i − n/2|/2), and answers with a uniform number of it (A. Smith, STOC 2011, Algorithm 2;
diffprivlib/tools/quantiles.py). The package itself cannot be imported beside scikit-learn 1.9, which is why it is not run here.
"""

from __future__ import annotations

import numpy as np

from dpcore.base.arrays import FloatArray


def mean_absolute_error(records: FloatArray, epsilon: float, bounds: tuple[float, float]) -> float:
    """E|answer − median| of one table (n,), exact from the law."""
    ordered = np.sort(records.clip(*bounds))
    edges = np.concatenate([bounds[:1], ordered, bounds[1:]])
    chances = _chances(np.diff(edges), epsilon)
    return float(chances @ _distances(edges[:-1], edges[1:], float(np.median(ordered))))


def _chances(sizes: FloatArray, epsilon: float) -> FloatArray:
    """P(interval i), from the n + 1 intervals' sizes."""
    scores = -np.abs(np.arange(len(sizes)) - (len(sizes) - 1) / 2)
    weights = sizes * np.exp(epsilon * (scores - scores.max()) / 2)
    return np.asarray(weights / weights.sum())


def _distances(low: FloatArray, high: FloatArray, place: float) -> FloatArray:
    """E|U − place| for U uniform on each interval: by its middle, unless the place lies inside."""
    inside, size = (low < place) & (place < high), np.where(high > low, high - low, 1.0)
    return np.where(inside, ((place - low) ** 2 + (high - place) ** 2) / (2 * size), np.abs((low + high) / 2 - place))
