"""The example on which random DP is counted: the average of exponential waiting times (the paper's Example 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.types import Database, FloatArray


@final
@dataclass(frozen=True, slots=True)
class WaitingTimes:
    """Independent records with density exp(−x) on x >= 0."""

    independent_records: ClassVar[bool] = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return rng.standard_exponential((databases, records))


@final
@dataclass(frozen=True, slots=True)
class Average:
    """f(D) = Σ x/n; (n,) -> (1,)."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(database.mean(keepdims=True))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return records[:, None] / n
