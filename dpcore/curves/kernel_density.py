"""Kernel density estimation (Rosenblatt 1956; Parzen 1962)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval, leave_room
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.norms import L1, LINF, Norm
from dpcore.base.types import Curve, Database, FloatArray
from dpcore.curves.gaussian_kernel import LARGEST, kernel, largest_sum
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class KernelDensity(Curve):
    """f(p) = Σ_i K((p − x_i)/h)/(n h), K the Gaussian kernel; records (n,) or (n, 1), clipped to ``bounds``, its domain.

    ``bandwidth`` h is in the records' own unit, and f in one over that unit.
    """

    bandwidth: float = field(default=0.1, metadata={"label": "Bandwidth"})
    bounds: Interval = (0.0, 1.0)
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", positive("bandwidth", self.bandwidth))
        object.__setattr__(self, "bounds", interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> KernelDensity:
        """A tenth of the column's bounds wide."""
        low, high = columns[0].bounds or (0.0, 1.0)
        return cls(max((high - low) / 10, math.ulp(0.0)), (low, high))

    @property
    def domain(self) -> tuple[Interval, ...]:
        return (self.bounds,)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Exactly rounded sums, so that the proved sensitivity holds for floats too."""
        records = self._column(database)
        sums = [math.fsum(kernel(point - records, self.bandwidth).tolist()) for point in points[:, 0]]
        return np.array(sums) / len(records)

    def contribution(self, records: Database, n: int, points: FloatArray, /) -> FloatArray:
        """What each record adds at each point: (b,) and (p, 1) -> (b, p)."""
        return kernel(points[:, 0] - self._column(records)[:, None], self.bandwidth) / n

    def lattice_sensitivity(self, norm: Norm, n: int, degree: int) -> tuple[float, float, str] | None:
        """(value, largest |f|, proof) over the lattice, in L1 and L∞ (mathematics, section 10.6); None where n/h may overflow."""
        top = LARGEST / self.bandwidth
        if not leave_room(top, n * top):
            return None
        if norm == LINF:
            return top / n, top, "A row moves f(p) by |K − K'|/(nh), at most K(0)/(nh)."
        if norm == L1:
            total = 2 * largest_sum(self.bandwidth, degree, self.bounds) / self.bandwidth / n
            return total, top, "Taking a row out and putting one in move the lattice by at most Σ_j K((p_j − x)/h)/(nh) each."
        return None

    def _column(self, records: Database) -> FloatArray:
        if records.ndim == 2 and records.shape[1] == 1:
            records = records[:, 0]
        if records.ndim != 1 or records.dtype.kind != "f":
            raise InvalidValueError("records", "numbers of a single column", (str(records.dtype), records.shape))
        return clip(records, self.bounds)
