"""How far an answer about capped people is from the truth, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Errors:
    """Of each group, (groups,), in the answer's unit; ``truth`` is neither capped nor clipped, NaN for a mean of no rows.

    rmse² = bias² + salts + noise, and bias = clipped_low + clipped_high + dropped + from_noise. Values are clipped first and
    rows dropped then, so that nothing is counted twice. ``answer``: without noise, expected over salts. ``salts``: the variance
    over which rows are kept. ``noise``: that of the response given the rows. ``from_noise``: how far the noise moves the
    expected answer, 0 where it is only added.
    """

    truth: FloatArray
    answer: FloatArray
    clipped_low: FloatArray
    clipped_high: FloatArray
    dropped: FloatArray
    from_noise: FloatArray
    salts: FloatArray
    noise: FloatArray

    @property
    def bias(self) -> FloatArray:
        """How far the expected response is from the truth."""
        return self.clipped_low + self.clipped_high + self.dropped + self.from_noise

    @property
    def rmse(self) -> FloatArray:
        """The root of the mean squared distance of a response from the truth."""
        return np.asarray(np.sqrt(self.bias**2 + self.salts + self.noise))

    @property
    def relative(self) -> FloatArray:
        """rmse/|truth|; NaN where the truth is 0 or is none."""
        size = np.abs(self.truth)
        return np.asarray(np.divide(self.rmse, size, out=np.full(len(size), np.nan), where=size > 0))

    @property
    def total(self) -> float:
        """The root of the mean squared rmse over the groups that have a truth."""
        squares = self.rmse[~np.isnan(self.truth)] ** 2
        return math.sqrt(squares.mean())
