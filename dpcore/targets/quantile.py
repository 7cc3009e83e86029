"""A quantile of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import MOST_RECORDS, Interval, clip, interval
from dpcore.base.checks import share, whole
from dpcore.base.declared import Column
from dpcore.base.norms import RANGE
from dpcore.base.types import Database, FloatArray, Target
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import single_column, single_columns
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Quantile(Target):
    """f(D) = (1−g)·x_(j) + g·x_(j+1), j + g = (n−1)·q, of clipped sorted records; (n,) -> (1,). q = 0.5 is the median."""

    q: float = field(default=0.5, metadata={"label": "Quantile", "title": "Quantile q, from 0 to 1", "step": 0.05})
    bounds: Interval | None = field(default=None, metadata={"label": "Bounds"})
    from_a_part: ClassVar[str] = "alike"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", share("q", self.q, closed=True))
        object.__setattr__(self, "bounds", self.bounds if self.bounds is None else interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Quantile:
        """The median of a column with these public bounds."""
        return cls(0.5, columns[0].bounds)

    @property
    def named_by(self) -> float:
        """The number that belongs to its name."""
        return self.q

    def __call__(self, database: Database, /) -> FloatArray:
        values = clip(single_column(database), self.bounds)
        if len(values) == 1:
            return values.copy()
        j, g = self._place(len(values))
        ordered = np.partition(values, (j, j + 1))
        return np.array([_between(ordered[j], ordered[j + 1], g)])

    def places(self, n: int, /) -> tuple[int, ...]:
        """j and j + 1."""
        j = self._place(n)[0]
        return (j, j + 1) if n > 1 else (0,)

    def from_places(self, records: FloatArray, n: int, /) -> FloatArray:
        """(b, 2) -> (b, 1), or of a single record (b, 1) -> (b, 1)."""
        values = clip(records, self.bounds)
        return _between(values[:, :1], values[:, 1:], self._place(n)[1]) if n > 1 else values

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Both neighbours from three order statistics of the n+1 records (mathematics, section 14.1)."""
        values = clip(single_columns(extended), self.bounds)
        n = values.shape[1] - 1
        if n == 1:
            return values[:, :1].copy(), values[:, 1:].copy()
        j, g = self._place(n)
        parted = np.partition(values, j + 1, axis=1)  # one pivot and two passes: faster than three pivots
        ordered = np.stack([parted[:, : j + 1].max(axis=1), parted[:, j + 1], parted[:, j + 2 :].min(axis=1)], axis=1)
        return self._without(ordered, values[:, n], g), self._without(ordered, values[:, n - 1], g)

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Those of the values; None without bounds."""
        return self.bounds

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """max(g, 1−g)·(b−a), g the interpolation fraction (mathematics, section 10.5); None without bounds or room for them."""
        n = whole("n", n)
        if self.bounds is None or norm == RANGE or n > MOST_RECORDS:
            return None
        low, high = self.bounds
        g = self._place(n)[1] if n > 1 else 0.0
        value = max(g, 1 - g) * math.nextafter(high - low, math.inf)
        proof = (
            "One row moves x_(j) and x_(j+1) one way, and neither past the other's old place, so the answer by at most "
            "the larger of its two weights times b − a."
        )
        return proved(self, math.nextafter(value, math.inf), [max(abs(low), abs(high))] * 2, norm, n, proof)

    def _place(self, n: int) -> tuple[int, float]:
        j = min(math.floor((n - 1) * self.q), n - 2)
        return j, (n - 1) * self.q - j

    @staticmethod
    def _without(ordered: FloatArray, removed: FloatArray, g: float) -> FloatArray:
        lower = np.where(removed <= ordered[:, 0], ordered[:, 1], ordered[:, 0])
        upper = np.where(removed <= ordered[:, 1], ordered[:, 2], ordered[:, 1])
        return np.asarray(_between(lower, upper, g))[:, None]


def _between(lower: FloatArray, upper: FloatArray, g: float) -> FloatArray:
    return np.asarray((1 - g) * lower + g * upper)
