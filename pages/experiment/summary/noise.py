"""Draws of noise of scale 1 on a column's bars, sum and count, of which every ± of a summary is read."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.base.types import FloatArray

_DRAWS, _SEED = 4_000, 2017  # always the same, so that a release is told the same each time


@lru_cache(maxsize=64)
def noise(bars: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """On the bars, the sum and the count, the same for each column: (draws, b), (draws,), (draws,)"""
    drawn = np.random.default_rng(_SEED).laplace(size=(_DRAWS, bars + 2))
    return drawn[:, :bars], drawn[:, bars], drawn[:, bars + 1]
