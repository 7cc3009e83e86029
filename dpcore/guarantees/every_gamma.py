"""Operating points seen together: the least k for many γ at one m, and where Δ̂ will lie once all draws have arrived."""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np

from dpcore.base.checks import share
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint, certifies, least_order
from dpcore.guarantees.tolerance import exact

_NEARLY = 1 - 1e-9


def orders(m: int, gammas: FloatArray, bound: Bound, confidence: float | None = None) -> FloatArray:
    """k of ``OperatingPoint.for_both(m, gamma, ...)`` for each of rising ``gammas``, as floats; 0 where m draws certify none.

    It takes much less time than one by one: the next γ's k is near the last one's.
    """
    if bound is Bound.RANK:
        return _of_ranks(m, tuple(gammas.tolist()))
    found, least = np.zeros(len(gammas)), _least_gamma(m, bound, confidence)
    above = 0.0  # by how much k is more than m(1 − γ)
    for i in reversed(range(len(gammas))):
        gamma = float(gammas[i])
        if gamma < least * _NEARLY:
            break  # and so is every smaller one
        k = _least_k(m, gamma, bound, confidence, round(m * (1 - gamma) + above))
        if k > m:
            break
        found[i], above = k, k - m * (1 - gamma)
    return found


def _of_ranks(m: int, gammas: tuple[float, ...]) -> FloatArray:
    """⌈(m+1)(1−γ)⌉, in whole numbers (mathematics, section 1.2)."""
    found = np.array([max(1, -(-(m + 1) * kept // of)) for kept, of in _complements(gammas)], dtype=np.float64)
    return np.where(found > m, 0.0, found)


@lru_cache(maxsize=64)
def _complements(gammas: tuple[float, ...]) -> tuple[tuple[int, int], ...]:
    """1 − γ of each as a fraction, as γ is written."""
    return tuple((1 - exact(gamma)).as_integer_ratio() for gamma in gammas)


def _least_k(m: int, gamma: float, bound: Bound, confidence: float | None, guess: int) -> int:
    """From a guess in steps that double, then by halves; m + 1 where there is none."""
    if not bound.has_confidence:
        return least_order(m, gamma, bound, None)[0]

    def enough(k: int) -> bool:
        return k > m or (k > 0 and certifies(m, k, gamma, bound, None, confidence))

    low = high = min(max(guess, 1), m)
    step = 1
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while low >= 1 and (low == high or enough(low)):
        low, high, step = low - step, min(low, high), 2 * step
    low = max(low, 0)  # does not certify
    return low + 1 + bisect_left(range(low + 1, min(high, m + 1)), True, key=enough)


def _least_gamma(m: int, bound: Bound, confidence: float | None) -> float:
    try:
        return OperatingPoint.for_sample_size(m, bound=bound, confidence=confidence).gamma
    except InvalidValueError:  # DKW at m = 1
        return 1.0


def order_interval(distances: FloatArray, point: OperatingPoint, *, confidence: float = 0.95) -> tuple[float, float]:
    """Where Δ̂ will lie: (G_(a), G_(b)) of t arrived draws that holds the k-th smallest of all m.

    Each tail is at most half of the rest.

    Of the k smallest of m exchangeable draws as many are among the t as a hypergeometric H says: G_(a) is above Δ̂ iff
    H < a; with k − 1 for k, G_(b) is below Δ̂ iff H >= b (mathematics, section 3.2). 0 or ∞ where t draws say nothing of that
    end; Δ̂ itself once t = m.

    For one look, at a t that was fixed beforehand. Of many looks some interval misses Δ̂ more often: with m = 999 and γ = 0.05
    at one of 60 even looks in 31 % of runs. The t draws must not have been picked by what they are; those that arrive first
    are only nearly so, and nothing is calibrated on them.
    """
    from scipy.stats import hypergeom

    tail, m, k, t = (1 - share("confidence", confidence)) / 2, point.m, point.k, len(distances)
    ordered = np.sort(distances)
    a = int(hypergeom.ppf(tail, m, k, t)) if t else 0  # the least count with P(H <= a) >= tail, so P(H < a) < tail
    b = int(hypergeom.isf(tail, m, k - 1, t)) + 1 if t else 1  # the least count with P(H >= b) <= tail
    return (float(ordered[a - 1]) if a > 0 else 0.0), (float(ordered[b - 1]) if b <= t else math.inf)
