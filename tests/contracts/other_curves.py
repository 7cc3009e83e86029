"""Wrong curves with a fault each, to try the contract on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Curve


@dataclass(frozen=True)
class Steps(Curve):
    """The share of the records up to each point."""

    def values(self, database: Database, places: FloatArray, /) -> FloatArray:
        return np.asarray((database[:, None] <= places[:, 0]).mean(axis=0))


class NotAveraged(Steps):
    def contribution(self, records: Database, n: int, places: FloatArray, /) -> FloatArray:
        return np.asarray((records[:, None] <= places[:, 0]).astype(np.float64))


class StrictlyBelow(Steps):
    """A batch that counts what lies below, where the values count what lies at a point too."""

    def values_batch(self, databases: Database, places: FloatArray, /) -> FloatArray:
        return np.asarray((databases[:, :, None] < places[:, 0] - 0.1).mean(axis=1))


class ProvedTooSmall(Steps):
    def lattice_sensitivity(self, norm: object, n: int, degree: int) -> tuple[float, float, str]:
        return 0.9 / n, 1.0, "By a proof that leaves a tenth out."


WRONG: list[tuple[Steps, str]] = [
    (NotAveraged(), "its_short_ways_are_its_answers"),
    (StrictlyBelow(), "its_short_ways_are_its_answers"),
    (ProvedTooSmall(), "is_never_further_from_a_neighbour_than_proved"),
]
