"""Independent yes-or-no records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.checks import share
from dpcore.types import FloatArray


@final
@dataclass(frozen=True, slots=True)
class Bernoulli:
    """Records that are 1 with probability p, else 0."""

    p: float = field(metadata={"label": "Share of ones"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", share("p", self.p))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return (rng.random((databases, records)) < self.p).astype(np.float64)
