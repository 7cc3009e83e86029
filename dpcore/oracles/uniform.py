"""Independent uniform records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import UNBOUNDED, Interval, interval
from dpcore.base.checks import set_fields
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray, Oracle


@final
@dataclass(frozen=True, slots=True)
class Uniform(Oracle):
    """Records uniform on [low, high]: the law that knows a column's public bounds and nothing else."""

    low: float = field(metadata={"label": "Lowest"})
    high: float = field(metadata={"label": "Highest"})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    place: ClassVar[int] = 0

    def __post_init__(self) -> None:
        low, high = interval("(low, high)", (self.low, self.high))
        set_fields(self, low=low, high=high)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Uniform | None:
        """Over the bounds of a column that holds no categories."""
        return None if columns[0].categories is not None else cls.otherwise(columns)

    @classmethod
    def otherwise(cls, columns: tuple[Column, ...]) -> Uniform:
        """Over the bounds of a column that no law was made for."""
        return cls(*(columns[0].bounds or UNBOUNDED))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return self._placed(rng.random((databases, records)))

    @property
    def support(self) -> Interval:
        return self.low, self.high

    def difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """P(|x − x'| <= d) = 1 − (1 − d/(high − low))², up to d = high − low."""
        return np.asarray(1 - (1 - np.clip(d / (self.high - self.low), 0, 1)) ** 2)

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = low + (high − low)·u."""
        return self._placed(np.array(u))

    def _placed(self, values: FloatArray) -> FloatArray:
        values *= self.high - self.low
        values += self.low
        return np.clip(values, self.low, self.high, out=values)
