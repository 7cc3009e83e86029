"""The least k for each of many γ at one m, in much less time than one by one: the next γ's k is near the last one's."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint, certifies, least_order

_NEARLY = 1 - 1e-9


def orders(m: int, gammas: FloatArray, bound: Bound, confidence: float | None = None) -> FloatArray:
    """k of ``OperatingPoint.for_both(m, gamma, ...)`` for each of rising ``gammas``, as floats; 0 where m draws certify none."""
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
