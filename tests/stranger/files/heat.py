"""A kernel density of two columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.slots import TWO_NUMBERS, Slots
from dpcore.base.types import Database, FloatArray


@final
@dataclass(frozen=True, slots=True)
class Heat:
    """f(p) = Σ_i exp(−‖(p − z_i)/(h·width)‖²/2)/n over records z = (x, y), clipped to their bounds, the domain."""

    bandwidth: float = field(default=0.2, metadata={"label": "Bandwidth"})
    x_bounds: Interval = (0.0, 1.0)
    y_bounds: Interval = (0.0, 1.0)
    takes: ClassVar[Slots] = TWO_NUMBERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", positive("bandwidth", self.bandwidth))
        for name in ("x_bounds", "y_bounds"):
            object.__setattr__(self, name, interval(name, getattr(self, name)))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Heat | None:
        """Over the bounds of two columns that have some."""
        x, y = (column.bounds for column in columns)
        return None if x is None or y is None else cls(0.2, x, y)

    @property
    def domain(self) -> tuple[Interval, ...]:
        return (self.x_bounds, self.y_bounds)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        heights = self.contribution(database, len(database), points)
        return np.array([math.fsum(column.tolist()) for column in heights.T])

    def contribution(self, records: Database, n: int, points: FloatArray, /) -> FloatArray:
        """(b, 2) and (p, 2) -> (b, p)"""
        low, high = np.array(self.domain).T
        gaps = (points[None] - clip(records, self.domain)[:, None]) / (self.bandwidth * (high - low))
        return np.asarray(np.exp(-0.5 * (gaps**2).sum(axis=-1)) / n)
