"""Independent exponential records."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import UNBOUNDED, Interval, clip, interval
from dpcore.base.checks import positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.types import FloatArray, Oracle


@final
@dataclass(frozen=True, slots=True)
class Exponential(Oracle):
    """Records with density rate·exp(−rate·x) on x >= 0 (the paper's Example 6), clipped to ``bounds`` where given."""

    rate: float = field(metadata={"label": "Rate"})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        set_fields(
            self, rate=positive("rate", self.rate), bounds=None if self.bounds is None else interval("bounds", self.bounds)
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Exponential | None:
        """With a quarter of the bounds' width for its mean, for a column that holds no categories."""
        column = columns[0]
        low, high = column.bounds or UNBOUNDED
        return None if column.categories is not None else cls(4 / (high - low), column.bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        values = rng.standard_exponential((databases, records))
        values /= self.rate
        return clip(values, self.bounds)

    @property
    def support(self) -> Interval:
        return (0.0, math.inf) if self.bounds is None else self.bounds

    @property
    def difference_cdf(self) -> CDF | None:
        """P(|x − x'| <= d) = 1 − exp(−rate·d) (the paper's Example 6); None where records are clipped."""
        return None if self.bounds is not None else lambda d: np.asarray(-np.expm1(-self.rate * np.maximum(d, 0.0)))

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = −log(1 − u)/rate, clipped."""
        return clip(-np.log1p(-u) / self.rate, self.bounds)
