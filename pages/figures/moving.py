"""Noise and class boundaries as functions of the noise's scale. The browser computes the same rules (``pages/live``)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.laplace import GeometricLaw
from dpcore.mechanisms.response_law import NoiseLaw

Rule = dict[str, Any]


def quantile_rule(law: NoiseLaw, levels: FloatArray) -> Rule:
    """Return the quantiles of one entry's noise, as a rule.

    Args:
        law: The noise distribution at scale 1.
        levels: Levels between 0 and 1; NaN stays NaN.
    """
    if isinstance(law, GeometricLaw):
        return {"kind": "whole quantiles", "levels": levels}
    unit = [math.copysign(law.half_width(abs(2 * level - 1)), level - 0.5) if level == level else math.nan for level in levels]
    return {"kind": "unit", "unit": np.array(unit)}


def draws_rule(law: Any, size: int, entries: int, seed: int) -> Rule:
    """Return simulated noise, shape (size, entries), as a rule.

    Args:
        law: The noise distribution at scale 1.
        size: Number of draws.
        entries: Numbers in one answer.
        seed: Seed of the draws.
    """
    rng = np.random.default_rng(seed)
    if isinstance(law, GeometricLaw):
        up, down = rng.standard_exponential((2, size, entries))
        return {"kind": "whole", "up": up, "down": down}
    return {"kind": "unit", "unit": np.asarray(law.simulate(np.zeros(entries), size=size, rng=rng))}


def noise_at(rule: Rule, scale: float) -> FloatArray:
    """Return the noise of a rule at a scale.

    Args:
        rule: The rule.
        scale: The scale.
    """
    if rule["kind"] == "unit":
        return np.asarray(scale * rule["unit"])
    if rule["kind"] == "whole":
        return np.asarray(np.floor(scale * rule["up"]) - np.floor(scale * rule["down"]))
    return GeometricLaw(scale).quantile(rule["levels"])


def part(rule: Rule, of: Any) -> Rule:
    """Return the rule for one draw, or for some entries.

    Args:
        rule: The rule.
        of: Index into its arrays.
    """
    return {name: value if name == "kind" else value[of] for name, value in rule.items()}


Ranges = tuple[tuple[float, float], tuple[float, float]]


def boundary(weights: FloatArray, ranges: Ranges) -> tuple[list[float], list[float]]:
    """Return the ends of the line w1·x + w2·y + b = 0 within two ranges.

    Args:
        weights: w1, w2 and b.
        ranges: Ranges of x and y.

    Returns:
        x and y of two points, at the ends of the range that the line crosses less steeply. Empty if w1 and w2 are 0.
    """
    (left, right), (low, high) = ranges
    first, second, bias = (float(one) for one in weights)
    if abs(second) * (high - low) >= abs(first) * (right - left) and second != 0:
        return [left, right], [-(bias + first * one) / second for one in (left, right)]
    if first != 0:
        return [-(bias + second * one) / first for one in (low, high)], [low, high]
    return [], []


ROWS = 16  # dots above each other that fit into the chart


def dots(exact: float, noise: FloatArray, reach: float, bins: int = 25) -> tuple[list[float], list[float]]:
    """Return the positions of stacked dots: a quantile dot plot (Kay et al. 2016).

    Args:
        exact: The answer without noise.
        noise: Noise in ascending order, shape (k,). Dots beyond the axis are in its last columns.
        reach: Half of the axis.
        bins: Number of columns. Dots of a column of more than ``ROWS`` overlap.
    """
    x, y, heights = [], [], [0] * bins
    for value in noise:
        column = min(max(math.floor((float(value) + reach) / (2 * reach) * bins), 0), bins - 1)
        x.append(exact - reach + (column + 0.5) * (2 * reach / bins))
        y.append(heights[column] + 0.5)
        heights[column] += 1
    close = min(1.0, ROWS / max(heights))
    return x, [close * height for height in y]
