"""Curves beside the catalogue's, to try the contract on: wrong ones with a fault each, and a right one of two dimensions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Curve


@dataclass(frozen=True)
class Steps(Curve):
    """The share of the records up to each point."""

    def values(self, database: Database, places: FloatArray, /) -> FloatArray:
        return np.asarray((database[:, None] <= places[:, 0]).mean(axis=0))


class NotAveraged(Steps):
    def contribution(self, records: Database, n: int, places: FloatArray, /) -> FloatArray:
        return np.asarray((records[:, None] <= places[:, 0]).astype(np.float64))


class StrictlyBelow(Steps):
    """A batch that counts what lies below, where the values count what lies at a point too."""

    def values_batch(self, databases: Database, places: FloatArray, /) -> FloatArray:
        return np.asarray((databases[:, :, None] < places[:, 0] - 0.1).mean(axis=1))


class ProvedTooSmall(Steps):
    def lattice_sensitivity(self, norm: object, n: int, degree: int) -> tuple[float, float, str]:
        return 0.9 / n, 1.0, "By a proof that leaves a tenth out."


WRONG: list[tuple[Steps, str]] = [
    (NotAveraged(), "its_short_ways_are_its_answers"),
    (StrictlyBelow(), "its_short_ways_are_its_answers"),
    (ProvedTooSmall(), "is_never_further_from_a_neighbour_than_proved"),
]

PLANE = '''
"""The share of records below in both columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.norms import L1, LINF
from dpcore.base.columns import TWO_NUMBERS, Slots
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Curve


from dpcore.base.types import Curve

@final
@dataclass(frozen=True, slots=True)
class StrangersPlane(Curve):
    """f(p, q) = #{x <= p, y <= q}/n; records (x, y)."""

    x_bounds: Interval = (0.0, 1.0)
    y_bounds: Interval = (0.0, 1.0)
    takes: ClassVar[Slots] = TWO_NUMBERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "x_bounds", interval("x_bounds", self.x_bounds))
        object.__setattr__(self, "y_bounds", interval("y_bounds", self.y_bounds))

    @classmethod
    def suited(cls, columns):
        return cls(*(column.bounds or (0.0, 1.0) for column in columns))

    @property
    def domain(self) -> tuple[Interval, ...]:
        return self.x_bounds, self.y_bounds

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return self.contribution(database, len(database), points).sum(axis=0)

    def contribution(self, records: Database, n: int, points: FloatArray, /) -> FloatArray:
        if records.ndim != 2 or records.shape[1] != 2:
            raise ValueError("two columns")
        return (records[:, None, :] <= points).all(axis=2) / n

    def lattice_sensitivity(self, norm, n: int, degree: int):
        if norm == L1:
            return FACTOR * (degree + 1) ** 2 / n, 1.0, "Each lattice point moves by at most 1/n."
        return (FACTOR / n, 1.0, "Each lattice point moves by at most 1/n.") if norm == LINF else None
'''
