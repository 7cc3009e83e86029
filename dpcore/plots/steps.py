"""An empirical CDF drawn with few vertices: its staircase, and a band that contains the band of the whole staircase."""

from __future__ import annotations

import math
import sys

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.plots.style import MOST_POINTS

_MOST_KNOTS = MOST_POINTS // 2 - 1  # a knot is two vertices, and each end is one more
_DOUBT = 0.05
Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def half_width(m: int) -> float:
    """√(log(2/0.05)/(2m)): so far from the true CDF is that of m draws nowhere, in 95 % of samples (Massart 1990)."""
    return math.sqrt(math.log(2 / _DOUBT) / (2 * m))


def right_edge(most: float) -> float:
    """Where a chart of distances up to ``most`` ends: 5 % further, at 1 where all are 0."""
    return min(1.05 * most, sys.float_info.max) if most > 0 else 1.0


def staircase(ordered: FloatArray, right: float, *, most: int = _MOST_KNOTS) -> tuple[FloatArray, FloatArray]:
    """(x, y) of the empirical CDF of distances in order, from (0, 0) to the right edge, with at most so many steps.

    The edge is at least the largest finite distance, and the infinite ones lie beyond it. Where there are many steps, those
    at the knots are kept, and there the staircase has its true height.
    """
    values, heights, knots = _knots(ordered, most)
    level = np.concatenate([[0.0], heights[knots]])
    return _corners(values[knots], right), np.repeat(level, 2)


def band(ordered: FloatArray, right: float, *, most: int = _MOST_KNOTS) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(x, low, high): with straight lines between its vertices it contains Φ_m ± ``half_width`` of all m distances.

    Between two knots each edge is the chord of the steps there, moved outwards until it passes all of them. Where a line
    would leave [0, 1], it is moved to 0 or 1 as a whole: cut at its ends alone, it would pass through the band.
    """
    values, heights, knots = _knots(ordered, most)
    first, last = heights[knots], np.append(heights[knots[1:] - 1], heights[-1:])  # at each knot, and just before the next
    drop, lift = _excess(values, heights, knots)
    chords, width = np.stack([first, last], axis=1), half_width(max(1, len(ordered)))
    low = np.concatenate([np.zeros((1, 2)), chords - drop[:, None]]) - width
    high = np.concatenate([np.zeros((1, 2)), chords + lift[:, None]]) + width
    low[low[:, 0] < 0] = 0.0
    high[high[:, 1] > 1] = 1.0
    return _corners(values[knots], right), low.ravel(), high.ravel()


def _knots(ordered: FloatArray, most: int) -> tuple[FloatArray, FloatArray, Indices]:
    """The finite distances without their ties, the empirical CDF there, and which are kept: by rank, so a large tie is."""
    finite = ordered[: np.searchsorted(ordered, np.inf)]
    final = np.flatnonzero(np.append(finite[1:], np.inf) != finite)  # the last of each tie
    every = len(final) <= most
    knots = np.arange(len(final)) if every else np.unique(np.searchsorted(final, np.linspace(0, final[-1], most)))
    return finite[final], (final + 1) / max(1, len(ordered)), knots


def _corners(at: FloatArray, right: float) -> FloatArray:
    """The x of a line from 0 to the right edge with a vertical piece at each knot."""
    return np.concatenate([[0.0], np.repeat(at, 2), [right]])


def _excess(values: FloatArray, heights: FloatArray, knots: Indices) -> tuple[FloatArray, FloatArray]:
    """How far the steps from each knot up to the next pass below their chord and above it."""
    begin, end = knots[:-1], knots[1:]
    size, before = end - begin, heights[:-1]
    rise, run = heights[end - 1] - heights[begin], values[end] - values[begin]
    along = (values[:-1] - np.repeat(values[begin], size)) / np.repeat(run, size)
    above = np.repeat(heights[begin], size) + along * np.repeat(rise, size) - before  # the chord above the step that begins
    jump = np.diff(before, prepend=0.0)
    jump[begin] = 0.0  # at a knot the chord jumps too
    flat = np.zeros(min(1, len(knots)))  # after the last knot
    return np.append(np.maximum.reduceat(above + jump, begin), flat), np.append(-np.minimum.reduceat(above, begin), flat)
