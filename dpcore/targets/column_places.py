"""Where the records of a column lie: in which bar, how far from its middle, what they add up to there, and what it is called."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.numbers import label
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray

Places = NDArray[np.int64]
_MOST_SAID = 12  # columns that a sentence names


def placed(column: Column, values: Database, bars: int, parts: int) -> tuple[Places, FloatArray]:
    """The bar of each value, −1 of a missing one or of one that is in no category; and how far it lies from the middle of its own
    of so many equal parts of the column, from −1 to 1, which is 0 of a category: (b,), (b,)"""
    if column.categories is not None:
        same = values[:, None] == np.array(column.categories)[None, :]
        return np.where(same.any(axis=1), same.argmax(axis=1), -1), np.zeros(len(values))
    assert column.bounds is not None
    low, high = column.bounds
    numbers = values.astype(np.float64, copy=False)
    missing = np.isnan(numbers)
    share = np.clip((np.clip(np.where(missing, low, numbers), low, high) - low) / (high - low), 0.0, 1.0)
    at, part = (np.minimum((share * size).astype(np.int64), size - 1) for size in (bars, parts))
    return np.where(missing, -1, at), np.clip(2 * (share * parts - part) - 1, -1.0, 1.0)


def counted_in(at: Places, cells: int, weigh: FloatArray | None) -> FloatArray:
    """How many records are in each cell, or what they weigh together, rounded once; a record at −1 is in none."""
    if weigh is None:
        return np.bincount(at[at >= 0], minlength=cells).astype(np.float64)
    return np.array([math.fsum(weigh[at == cell].tolist()) for cell in range(cells)])


def labels_of(column: Column, edges: tuple[float, ...]) -> tuple[str, ...]:
    """The categories of a column, or what lies between these edges; numbers where words would be alike."""
    if column.categories is not None:
        return tuple(label(column.shown(one)) for one in column.categories)
    ends = [column.shown(float(round(edge))) if column.since else f"{edge:g}" for edge in edges]
    said = tuple(f"{low}–{high}" for low, high in pairwise(ends))
    return said if len(set(said)) == len(said) else tuple(f"bar {place}" for place in range(1, len(said) + 1))


def said_of_each(columns: tuple[Column, ...], bars: tuple[int, ...]) -> str:
    """``cost in 8 bars from 0 to 100; sex in 3 bars``, of the first twelve."""
    parts = []
    for column, size in list(zip(columns, bars, strict=True))[:_MOST_SAID]:
        low, high = column.bounds or (0.0, 0.0)
        between = f" from {low:g} to {high:g}" * (column.categories is None)
        parts.append(f"{column.label or column.name} in {counted(size, ' bars')}{between}")
    more = [f"and {len(columns) - _MOST_SAID:,} more"] * (len(columns) > _MOST_SAID)
    return "; ".join([*parts, *more])
