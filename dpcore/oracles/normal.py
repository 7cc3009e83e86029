"""Independent normal records."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import UNBOUNDED, Interval, clip, interval
from dpcore.base.checks import finite, positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.types import FloatArray, Oracle


@final
@dataclass(frozen=True, slots=True)
class Normal(Oracle):
    """Records from Normal(mean, sd²), clipped to ``bounds`` where these are given."""

    mean: float = field(metadata={"label": "Mean"})
    sd: float = field(metadata={"label": "Standard deviation"})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        set_fields(
            self,
            mean=finite("mean", self.mean),
            sd=positive("sd", self.sd),
            bounds=None if self.bounds is None else interval("bounds", self.bounds),
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Normal | None:
        """Six standard deviations wide over the bounds of a column that holds no categories."""
        column = columns[0]
        low, high = column.bounds or UNBOUNDED
        return None if column.categories is not None else cls((low + high) / 2, (high - low) / 6, column.bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        values = rng.standard_normal((databases, records))
        values *= self.sd
        values += self.mean
        return clip(values, self.bounds)

    @property
    def support(self) -> Interval:
        return (-math.inf, math.inf) if self.bounds is None else self.bounds

    @property
    def difference_cdf(self) -> CDF | None:
        """P(|x − x'| <= d) = 2Φ(d/(√2·sd)) − 1 = erf(d/(2·sd)), for x − x' is normal; None where records are clipped."""
        return None if self.bounds is not None else self._difference_cdf

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = mean + sd·Φ⁻¹(u), Φ the standard normal distribution function; clipped."""
        from scipy.special import ndtri

        return clip(self.mean + self.sd * ndtri(u), self.bounds)

    def _difference_cdf(self, d: FloatArray) -> FloatArray:
        from scipy.special import erf

        return np.asarray(erf(np.maximum(d, 0.0) / 2 / self.sd))
