"""The sum of the known values of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Interval, clip, interval, leave_room
from dpcore.base.checks import whole
from dpcore.base.columns import Column
from dpcore.base.norms import RANGE, Norm
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, label_of
from dpcore.targets.columns import KnownValues, Places, single_column, sums_rounded_once
from dpcore.targets.proved import N, proved, raised, removed


@final
@dataclass(frozen=True, slots=True)
class Sum(KnownValues):
    """f(D) = Σ clip(x) over the known values; (n,) -> (1,), in the records' own unit. A missing value, NaN, adds nothing."""

    bounds: Interval = field(metadata={"label": "Bounds"})
    accepts_missing: ClassVar[bool] = True
    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    everyday: ClassVar[str] = "Sum"
    predicted_as: ClassVar[str] = "sum"
    from_a_part: ClassVar[str] = "in proportion"

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for a column with these public bounds."""
        return None if columns[0].bounds is None else cls(columns[0].bounds)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A sum in the column's own unit."""
        return Numbers(label_of(columns[:1]), columns[0].unit, amount=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([math.fsum(self.contribution(database, len(database))[:, 0].tolist())])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 1)"""
        values = single_column(records)
        return np.where(np.isnan(values), 0.0, clip(values, self.bounds))[:, None]

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The sum of each group: (n,) -> (groups, 1)"""
        return sums_rounded_once(self.contribution(database, len(database)), places, groups)

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """n times those of the values, and 0 of a missing one."""
        low, high = self.bounds
        return n * min(low, 0.0), n * max(high, 0.0)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """max(high, 0) − min(low, 0) (mathematics, section 10.10); None in RANGE, and where n·max|bound| leaves no room."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n, (low, high) = whole("n", n), self.bounds
        largest = n * max(abs(low), abs(high))
        if norm == RANGE or n > MOST_RECORDS or not leave_room(largest):
            return None
        value = math.nextafter(max(high, 0.0) - min(low, 0.0), math.inf)
        proof = (
            "A row adds a value between its bounds or, where that is missing, 0: replaced, it moves the sum by their distance."
        )
        return proved(self, value, (largest,), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a value gets lost, or is found: max|bound| (mathematics, section 10.10)."""
        most = max(abs(bound) for bound in self.bounds)
        return None if norm == RANGE else raised(most, (n * most,), n)
