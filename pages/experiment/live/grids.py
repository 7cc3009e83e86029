"""The values that γ and ε take under the hand: close to one another, and round."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.workbench.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_GAMMA, Scenario

_STEPS = 320
_DIGITS = 3


@lru_cache(maxsize=64)
def round_grid(least: float, most: float, also: float | None = None) -> FloatArray:
    """From the least to the most at equal ratios, each the roundest number that is nearer to its place than to another; with
    ``also`` among them."""
    ratio = (most / least) ** (1 / _STEPS)
    values = {least, most} | {_roundest(float(x), ratio**0.5) for x in np.geomspace(least, most, _STEPS + 1)[1:-1]}
    grid = np.array(sorted(values if also is None else values | {also}))
    grid.flags.writeable = False
    return grid


def gammas(beside: float | None) -> FloatArray:
    """With a γ that is shown and has no place of its own."""
    return round_grid(LEAST_GAMMA, MOST_GAMMA, beside)


def epsilons(beside: float | None) -> FloatArray:
    """With an ε that is shown and has no place of its own."""
    return round_grid(LEAST_EPSILON, MOST_EPSILON, beside)


def beside(scenario: Scenario) -> tuple[float | None, float | None]:
    """A scenario's γ and ε where they are none of the grids' own."""
    own = (scenario.gamma, gammas(None)), (scenario.epsilon, epsilons(None))
    gamma, epsilon = (None if value in grid else value for value, grid in own)
    return gamma, epsilon


def _roundest(value: float, near: float) -> float:
    """Of as few digits as a number within a factor ``near`` of it can have."""
    for digits in range(1, _DIGITS):
        found = float(f"{value:.{digits}g}")
        if value / near < found <= value * near:
            return found
    return float(f"{value:.{_DIGITS}g}")
