"""The mark of a table that was made up from a private summary: a column that says so, and a pattern in the digits of its numbers.

A made-up number ends in two digits that follow from those before them (mathematics, section 21.4). So it is recognised in any
order, among any other columns, and where only some of its rows are left; of other numbers one in a hundred ends so by chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval
from dpcore.base.people import mixed
from dpcore.base.types import Database, FloatArray

COLUMN, BEGINS = "made up from", "private summary"
BY_ITS_VALUES = "a private summary, by the pattern in its numbers"
NO_ORACLE = (
    "Its rows were made up from a private summary of another table, and know that table. So they are no oracle: pick a law for "
    "each column."
)
_STEPS = 5  # decimal digits of a width that are kept, of which the last two are the pattern
_MOST_DECIMALS = 12
_FEWEST, _SHARE = 12, 0.6  # different numbers that are looked at, and how many of them have the pattern
_KEY = np.uint64(0x5AD0_0C0D_E5EE_D001)


def decimals(interval: Interval) -> int:
    """With how many digits behind the point numbers of so wide a column are made up."""
    return min(_MOST_DECIMALS, max(0, _STEPS - math.floor(math.log10(interval[1] - interval[0]))))


def marked(values: FloatArray, interval: Interval) -> FloatArray:
    """The nearest numbers that have the pattern, within the interval where there are such; NaN stays."""
    times = 10.0 ** decimals(interval)
    known = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    whole = np.rint(np.clip(values[known], *interval) * times).astype(np.int64)
    low, high = math.ceil(interval[0] * times - 1e-6), math.floor(interval[1] * times + 1e-6)
    sign, first = np.where(whole < 0, -1, 1), np.abs(whole) // 100
    best = sign * (first * 100 + _ends(first))
    for other in (first - 1, first + 1):
        candidate = sign * (np.maximum(other, 0) * 100 + _ends(np.maximum(other, 0)))
        outside = (best < low) | (best > high)
        best = np.where(outside & (candidate >= low) & (candidate <= high), candidate, best)
    found[known] = best / times
    return found


def written(values: FloatArray, interval: Interval) -> list[str]:
    """As texts with all digits of the pattern; '' of a missing one."""
    digits = decimals(interval)
    return ["" if math.isnan(value) else f"{value:.{digits}f}" for value in values.tolist()]


def has_the_pattern(values: FloatArray) -> bool:
    """Whether most different numbers of a column end as made-up ones do."""
    different = np.unique(np.abs(values[np.isfinite(values)]))
    if len(different) < _FEWEST:
        return False
    for digits in range(_MOST_DECIMALS + 1):
        times = different * 10.0**digits
        near = np.rint(times)
        fits = (np.abs(times - near) < 1e-4) & (near < 2.0**52)
        ends = near[fits].astype(np.int64)
        if np.count_nonzero(ends % 100 == _ends(ends // 100)) >= _SHARE * len(different):
            return True
    return False


def drawn_from(values: Mapping[str, Database]) -> str:
    """From what a table was made up, in words; empty of another table."""
    mark = values.get(COLUMN)
    if mark is not None and mark.dtype.kind == "U":
        said = [text for text in np.unique(mark).tolist() if text.startswith(BEGINS)]
        if said:
            return str(said[0])
    numbers = (column for column in values.values() if column.dtype.kind == "f")
    return BY_ITS_VALUES if any(map(has_the_pattern, numbers)) else ""


def _ends(first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The last two digits that follow these."""
    return (mixed(first.astype(np.uint64) ^ _KEY) % np.uint64(100)).astype(np.int64)
