"""Independent records in one of several categories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.checks import numbers
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class Categorical:
    """Records that are the code j = 0, 1, … of a category with probability p[j]; the p sum to 1."""

    p: tuple[float, ...] = field(metadata={"label": "Shares", "title": "Shares of the categories"})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        p = numbers("p", self.p)
        if min(p) < 0 or abs(sum(p) - 1) > 1e-9:
            raise InvalidValueError("p", "shares of at least 0 that sum to 1", p)
        object.__setattr__(self, "p", p)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Categorical | None:
        """Even shares of the categories of a column whose codes are 0, 1, …"""
        categories = columns[0].categories
        codes = tuple(map(float, range(len(categories or ()))))
        return cls((1 / len(codes),) * len(codes)) if codes and categories == codes else None

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return np.searchsorted(self._steps(), rng.random((databases, records)), side="right").astype(np.float64)

    @property
    def support(self) -> Interval:
        return 0.0, len(self.p) - 1.0

    @property
    def chances(self) -> dict[float, float]:
        """P(j) = p[j]."""
        return {float(code): p for code, p in enumerate(self.p)}

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u), the first code j with p[0] + … + p[j] >= u."""
        return np.searchsorted(self._steps(), u, side="left").astype(np.float64)

    def _steps(self) -> FloatArray:
        """The cumulative shares; the last is 1."""
        steps = np.cumsum(self.p)
        return np.asarray(steps / steps[-1])
