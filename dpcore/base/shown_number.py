"""One number that people see of a response, and the noisy numbers that it is computed from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ShownNumber:
    """``noisy``: the numbers of the response that it takes, (e,), each in its own unit. ``of``: what is computed of them,
    (..., e) -> (...). ``limits``: what it is then cut off at. ``width``: how many times the response's scale their noise has.
    ``after``: the unit as it stands behind the number."""

    name: str
    after: str
    noisy: FloatArray
    of: Callable[[FloatArray], FloatArray]
    limits: Interval = (-math.inf, math.inf)
    width: float = 1.0

    @property
    def value(self) -> float:
        """The number that is shown."""
        return float(np.clip(self.of(self.noisy), *self.limits))

    def called(self, name: str) -> ShownNumber:
        """The same by another name."""
        return replace(self, name=name)

    def widened(self, width: float) -> ShownNumber:
        """The same under noise of so many times the scale."""
        return replace(self, width=self.width * width)


def itself(noisy: FloatArray) -> FloatArray:
    """(..., 1) -> (...): of a number that is shown as it is."""
    return noisy[..., 0]
