"""Example 6 of Rubinstein and Aldà (2017), computed without the code of the lessons."""

from __future__ import annotations

import math

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from pages.lessons.contents import lesson_named
from pages.lessons.lesson import Result

N, M, GAMMA, EPSILON = 500, 199, 0.05, 1.0


def moves(m: int = M, n: int = N) -> np.ndarray:
    """Return the sampled distances in the order of their draws."""
    at = OperatingPoint.for_sample_size(m)
    return np.asarray(sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=n, at=at, seed=1).distances)


SAMPLED = float(np.sort(moves())[189])  # k = 190


def right(loss: float) -> float:
    """Return how often the best guess is right, in percent, for a change that loses this much (mathematics, section 12.1)."""
    return 100 - 50 * math.exp(-loss / 2)


def limit(epsilon: float) -> int:
    """Return the limit that differential privacy sets to guesses, in percent, rounded up."""
    return math.ceil(100 * math.exp(epsilon) / (1 + math.exp(epsilon)))


def result(lesson: str, step: str) -> Result:
    """Return the result of a step."""
    found = lesson_named(lesson)
    assert found is not None
    one = found.step(step)
    assert one is not None
    return one.compute()
