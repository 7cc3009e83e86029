"""What each group's records add up to, all groups at once: the work grows with n + k, and not with n·k.

A record that is in no group has the place −1. A group's sum is the one that its own records give by themselves: whole numbers add
up exactly in any order, and other sums are rounded once, whatever their order (mathematics, section 13.2).
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray

Places = NDArray[np.int64]


def whole_sums(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Of whole numbers, below 2⁵³ together: (n, d) and (n,) -> (groups, d)"""
    inside = places >= 0
    at, some = places[inside], parts[inside]
    return np.stack([np.bincount(at, weights=column, minlength=groups) for column in some.T], axis=1)


def sums_rounded_once(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Of any numbers, each sum rounded once: (n, d) and (n,) -> (groups, d)"""
    short = places.astype(np.int16 if groups < 2**15 else np.int64)  # which numpy sorts in one pass
    order = np.argsort(short, kind="stable")
    ends = np.cumsum(np.bincount(places + 1, minlength=groups + 1)).tolist()
    columns = (column[order].tolist() for column in parts.T)
    return np.array([[math.fsum(column[start:stop]) for start, stop in pairwise(ends)] for column in columns]).T
