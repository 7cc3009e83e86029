"""Independent records from several normal laws."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import UNBOUNDED, Interval, clip, interval
from dpcore.base.checks import numbers, positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.categorical import drawn_codes


@final
@dataclass(frozen=True, slots=True)
class NormalMixture(Oracle):
    """Records with density Σ weights[j]·Normal(means[j], sds[j]²), clipped to ``bounds`` where these are given.

    The weights sum to 1. Section 7.3 of Rubinstein & Aldà (2017) draws from 0.4·N(0.5, 0.02) + 0.6·N(0.75, 0.005), whose
    second parameters are read as variances: ``sds`` are standard deviations, so √0.02 and √0.005.
    """

    weights: tuple[float, ...] = field(metadata={"label": "Weights"})
    means: tuple[float, ...] = field(metadata={"label": "Means"})
    sds: tuple[float, ...] = field(metadata={"label": "Standard deviations"})
    bounds: Interval | None = None
    independent_records: ClassVar[bool] = True

    def __post_init__(self) -> None:
        weights = tuple(positive("weights", weight) for weight in numbers("weights", self.weights))
        if abs(math.fsum(weights) - 1) > 1e-9:
            raise InvalidValueError("weights", "shares above 0 that sum to 1", weights)
        means = numbers("means", self.means)
        sds = tuple(positive("sds", sd) for sd in numbers("sds", self.sds))
        for name, values in (("means", means), ("sds", sds)):
            if len(values) != len(weights):
                raise InvalidValueError(name, f"as many as the weights, {len(weights)}", values)
        set_fields(
            self, weights=weights, means=means, sds=sds, bounds=None if self.bounds is None else interval("bounds", self.bounds)
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> NormalMixture | None:
        """The paper's two bumps, scaled to the bounds of a column that holds no categories."""
        bounds = columns[0].bounds
        if columns[0].categories is not None:
            return None
        low, high = bounds or UNBOUNDED
        width = high - low
        sds = (math.sqrt(0.02) * width, math.sqrt(0.005) * width)
        return cls((0.4, 0.6), (low + width / 2, low + width * 3 / 4), sds, bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        part = drawn_codes(self.weights, rng.random((databases, records)))
        values = rng.standard_normal((databases, records))
        values *= np.array(self.sds)[part]
        values += np.array(self.means)[part]
        return clip(values, self.bounds)
