"""Public bounds of records: how they are checked, how values are clipped, and how much room arithmetic needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import numbers
from dpcore.errors import InvalidValueError

Interval = tuple[float, float]
Bounds = Interval | tuple[Interval, ...]  # of one column, or one interval a column

UNBOUNDED: Interval = (0.0, 4.0)  # where bins and draws begin and end on a column that declares no bounds
MOST_RECORDS = 2**53  # counts up to that are exact in floats
_LEAST, _MOST = 1e-290, 1e290
_A_TENFOLD = 24  # steps up to ten times a number


def interval(name: str, value: object) -> Interval:
    """Return a pair (low, high) of finite numbers with low < high; InvalidValueError for anything else."""
    pair = numbers(name, value)
    if len(pair) != 2 or pair[0] >= pair[1] or not math.isfinite(pair[1] - pair[0]):
        raise InvalidValueError(name, "two numbers, the lower one first", value)
    return pair[0], pair[1]


def bounds_or_none(name: str, value: object) -> Bounds | None:
    """Return None, one interval, or a tuple with one interval a column; InvalidValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, Sequence) and value and all(isinstance(item, Sequence) for item in value):
        return tuple(interval(name, item) for item in value)
    return interval(name, value)


def intervals(bounds: Bounds) -> tuple[Interval, ...]:
    """Return one interval a column."""
    nested = tuple(item for item in bounds if isinstance(item, tuple))
    return nested or (interval("bounds", bounds),)


def widths(bounds: Bounds) -> FloatArray:
    """Return the widths high − low, (columns,), rounded up so that no exact width is larger."""
    return np.array([math.nextafter(high - low, math.inf) for low, high in intervals(bounds)])


def leave_room(*sizes: float) -> bool:
    """Return whether numbers of these sizes neither overflow nor underflow in a computation on up to 2⁵³ records.

    All that a target computes with (a bound, n times a bound, a square, the answer) has to be from 1e-290 to 1e290. Then

        Σ |x_i| <= 1e290 < 2¹⁰²⁴ with any rounding                          (no sum or product overflows: f never fails)
        2⁵³ · 2⁻¹⁰⁷⁵ = 2⁻¹⁰²² < 1e-290 · 2⁻⁵³/49       (all underflows together are beneath one rounding of such a number)

    so each operation errs by a share of at most 2⁻⁵³, as the proofs assume. Beyond these sizes there is no proof.

    Args:
        sizes: Numbers. The answer is False for NaN, infinity, and numbers that are not above 0.
    """
    return all(_LEAST <= size <= _MOST for size in sizes)


def even_edges(bounds: Interval, bins: int) -> tuple[float, ...]:
    """Return the edges of bins of equal width between bounds; fewer if there are fewer floats between the bounds."""
    low, high = bounds
    return tuple(dict.fromkeys((*(low + (high - low) * (j / bins) for j in range(bins)), high)))


def steps_below(most: float, tenfolds: int = 4) -> tuple[float, ...]:
    """Return numbers that grow by a tenth each, from most / 10^tenfolds to ``most`` itself, rounded to 3 digits."""
    steps = most * np.geomspace(10.0**-tenfolds, 1, 1 + _A_TENFOLD * tenfolds)
    return tuple(dict.fromkeys((*(float(f"{step:.3g}") for step in steps.tolist() if float(f"{step:.3g}") < most), float(most))))


def clip(values: Database, bounds: Bounds | None) -> FloatArray:
    """Return values clipped to bounds; a NaN becomes the middle, so every value has a result.

    Args:
        values: Values of one column, of any shape, or with columns on the last axis.
        bounds: One interval, or one a column. Without bounds the values are returned as they are.
    """
    if bounds is None:
        return np.asarray(values)
    limits = np.array(intervals(bounds))
    low, high = (limits[0, 0], limits[0, 1]) if len(limits) == 1 else (limits[:, 0], limits[:, 1])
    clipped: FloatArray = np.asarray(np.clip(values, low, high), dtype=np.float64)
    missing = np.isnan(clipped)
    if missing.any():
        clipped = np.where(missing, low + (high - low) / 2, clipped)
    return clipped
