"""Points (x, y) around a curve that each database draws for itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.slots import TWO_NUMBERS, Slots
from dpcore.base.types import FloatArray

SLOPED, WAVED = 0.95, 0.5  # the chances of diffpriv's prior


@final
@dataclass(frozen=True, slots=True)
class RegressionPrior:
    """Records (x, y) with x uniform on ``x_bounds`` and y = low + (high − low)·(s(u) + noise·N(0, 1)), not clipped.

    u in [0, 1] is x on its bounds' scale, low and high are ``y_bounds``, and the shape is
    s(u) = u or, with probability 0.05, 0; times sin(u) with probability ½; times cos(u) with probability ½.
    The shape is drawn once a *database*, so that records are exchangeable and not independent.

    The prior P of Rubinstein & Aldà, "diffpriv: An R Package for Easy Differential Privacy". diffpriv calls it once for
    each group of records, and so takes the swapped records from other shapes than the rest: an error, not repeated here.
    """

    noise: float = field(default=0.2, metadata={"label": "Noise"})
    x_bounds: Interval = field(default=(0.0, 1.0), metadata={"label": "Range of x"})
    y_bounds: Interval = field(default=(0.0, 1.0), metadata={"label": "Range of y"})
    takes: ClassVar[Slots] = TWO_NUMBERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", positive("noise", self.noise))
        object.__setattr__(self, "x_bounds", interval("x_bounds", self.x_bounds))
        object.__setattr__(self, "y_bounds", interval("y_bounds", self.y_bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> RegressionPrior:
        """Over the bounds of two columns, from 0 to 1 where one has none."""
        x, y = columns
        return cls(x_bounds=x.bounds or (0.0, 1.0), y_bounds=y.bounds or (0.0, 1.0))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """-> (databases, records, 2)"""
        sloped, sine, cosine = rng.random((3, databases, 1)) < np.reshape((SLOPED, WAVED, WAVED), (3, 1, 1))
        u = rng.random((databases, records))
        shape = np.where(sloped, u, 0.0)
        shape *= np.where(sine, np.sin(u), 1.0)
        shape *= np.where(cosine, np.cos(u), 1.0)
        shape += self.noise * rng.standard_normal((databases, records))
        (x_low, x_high), (y_low, y_high) = self.x_bounds, self.y_bounds
        x = np.clip(x_low + (x_high - x_low) * u, x_low, x_high)
        return np.stack([x, y_low + (y_high - y_low) * shape], axis=-1)
