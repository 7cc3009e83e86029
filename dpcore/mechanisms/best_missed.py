"""How far a chosen candidate's score can fall short of the best one, whatever the scores are (mathematics, section 5.5)."""

from __future__ import annotations

import math

import numpy as np

from dpcore.mechanisms.noise import Selection

_HALVINGS = 80


def most_missed(candidates: int, share: float, selection: Selection) -> float:
    """The least t, in scales, such that the chosen score falls short of the best by t or more with probability 1 − share at most.

    ``candidates`` >= 2 is public, so t tells nothing of a table. It is attained where all scores but the best lie t below it.
    """
    low, high = 0.0, math.log(candidates / (1 - share))  # there K·exp(−t) = 1 − share, which bounds either chance
    if _missed(0.0, candidates, selection) <= 1 - share:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _missed(middle, candidates, selection) <= 1 - share else (middle, high)
    return float(np.nextafter(high, np.inf))


def _missed(gap: float, candidates: int, selection: Selection) -> float:
    """P(another than the best), all others lying so many scales below it: the worst case of all scores."""
    taken = math.exp(-gap)
    if selection == "gumbel":
        return (candidates - 1) * taken / (1 + (candidates - 1) * taken)
    none = candidates * math.log1p(-taken) if taken < 1 else -math.inf
    return 1 + math.expm1(none) / (candidates * taken)  # 1 − (1 − (1 − p)^K)/(K·p)
