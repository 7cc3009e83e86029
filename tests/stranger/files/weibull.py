"""Independent Weibull records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import UNBOUNDED, Interval, clip, interval
from dpcore.base.checks import positive
from dpcore.base.columns import Column
from dpcore.base.types import Oracle


@final
@dataclass(frozen=True, slots=True)
class Weibull(Oracle):
    """Records scale·E^spread with E standard exponential, clipped to ``bounds`` where these are given."""

    scale: float = field(metadata={"label": "Scale"})
    spread: float = field(default=0.5, metadata={"label": "Spread"})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))
        object.__setattr__(self, "spread", positive("spread", self.spread))
        object.__setattr__(self, "bounds", None if self.bounds is None else interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Weibull | None:
        """Around a third of the bounds of a column of numbers that are above 0."""
        low, high = columns[0].bounds or UNBOUNDED
        if columns[0].categories is not None or low < 0:
            return None
        return cls(low + (high - low) / 3, bounds=columns[0].bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        with np.errstate(over="ignore"):
            values = self.scale * rng.standard_exponential((databases, records)) ** self.spread
        return clip(np.minimum(values, 1e300), self.bounds)
