"""Independent log-normal records: costs, lengths of stay, incomes, whose largest are many times their median."""

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
_USUAL_MEDIAN, _BEYOND = 0.1, 2.3263478740408408  # of the bounds' width; Φ⁻¹(.99): one record in a hundred is beyond the bounds


@final
@dataclass(frozen=True, slots=True)
class LogNormal(Oracle):
    """Records median·exp(spread·Z) with Z standard normal, clipped to ``bounds`` where these are given.

    ``spread`` is the standard deviation of a record's logarithm. Records end at e^690, and so are finite.
    """

    median: float = field(metadata={"label": "Median"})
    spread: float = field(default=1.0, metadata={"label": "Spread in logarithms"})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    title: ClassVar[str] = "Log-normal"

    def __post_init__(self) -> None:
        set_fields(
            self,
            median=positive("median", self.median),
            spread=positive("spread", self.spread),
            bounds=None if self.bounds is None else interval("bounds", self.bounds),
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> LogNormal | None:
        """For a column of numbers from 0 on with public bounds, one record in a hundred beyond the upper one."""
        column = columns[0]
        if column.categories is not None or column.bounds is None or column.bounds[0] < 0:
            return None
        low, high = column.bounds
        median = low + _USUAL_MEDIAN * (high - low)
        return cls(median, math.log(high / median) / _BEYOND, column.bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return self._placed(rng.standard_normal((databases, records)))

    @property
    def support(self) -> Interval:
        return (0.0, math.inf) if self.bounds is None else self.bounds

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = median·exp(spread·Φ⁻¹(u)), Φ the standard normal distribution function; clipped."""
        from scipy.special import ndtri

        return self._placed(np.asarray(ndtri(u)))

    def _placed(self, z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            logarithm = math.log(self.median) + self.spread * z
        return clip(np.exp(np.minimum(logarithm, _LARGEST)), self.bounds)
