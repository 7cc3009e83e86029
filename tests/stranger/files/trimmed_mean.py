"""The mean of the records in the middle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import share
from dpcore.base.columns import Column
from dpcore.base.types import Target
from dpcore.targets.columns import single_column


@final
@dataclass(frozen=True, slots=True)
class TrimmedMean(Target):
    """f(D) = the mean of the clipped records without the ⌊cut·n/2⌋ least and as many largest; (n,) -> (1,)."""

    cut: float = field(default=0.1, metadata={"label": "Share cut off", "step": 0.05})
    bounds: Interval | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cut", share("cut", self.cut))
        object.__setattr__(self, "bounds", None if self.bounds is None else interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> TrimmedMean | None:
        """For one column of numbers that are no categories."""
        return cls(bounds=columns[0].bounds) if columns[0].categories is None else None

    def __call__(self, database: Database, /) -> FloatArray:
        records = np.sort(clip(single_column(database), self.bounds))
        away = int(self.cut * len(records) / 2)
        return np.atleast_1d(records[away : len(records) - away].mean())
