"""Independent Pareto records: the heaviest tails, as of wealth, claims and sizes of towns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray, Oracle

_LARGEST = 690.0  # of a logarithm: exp of it is a float
_BEYOND = 0.01  # of the records: beyond the upper bound of a column


@final
@dataclass(frozen=True, slots=True)
class Pareto(Oracle):
    """Records with P(x > t) = (least/t)^shape for t >= least, clipped to ``bounds`` where these are given.

    Without bounds a shape up to 1 has no mean, and one up to 2 no variance. Records end at e^690, and so are finite.
    """

    least: float = field(metadata={"label": "Least"})
    shape: float = field(metadata={"label": "Shape", "help": "The smaller, the heavier the tail."})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        set_fields(
            self,
            least=positive("least", self.least),
            shape=positive("shape", self.shape),
            bounds=None if self.bounds is None else interval("bounds", self.bounds),
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Pareto | None:
        """For a column of numbers above 0 with public bounds, one record in a hundred beyond the upper one."""
        column = columns[0]
        if column.categories is not None or column.bounds is None or column.bounds[0] <= 0:
            return None
        low, high = column.bounds
        return cls(low, math.log(1 / _BEYOND) / (math.log(high) - math.log(low)), column.bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return self._placed(rng.standard_exponential((databases, records)))

    @property
    def support(self) -> Interval:
        return (self.least, math.inf) if self.bounds is None else self.bounds

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = least·(1 − u)^(−1/shape), clipped."""
        return self._placed(-np.log1p(-u))

    def _placed(self, exponential: FloatArray) -> FloatArray:
        """least·exp(E/shape) is Pareto for a standard exponential E: P(E > shape·log(t/least)) = (least/t)^shape."""
        with np.errstate(over="ignore"):
            logarithm = math.log(self.least) + exponential / self.shape
        return clip(np.exp(np.minimum(logarithm, _LARGEST)), self.bounds)
