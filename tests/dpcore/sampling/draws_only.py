"""An oracle without its shortcuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.types import Oracle


@dataclass(frozen=True)
class DrawsOnly(Oracle):
    """The same draws as those of an oracle, and nothing said of its law or their order."""

    oracle: Oracle

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return self.oracle.draw(databases, records, rng=rng)
