"""Independent yes-or-no records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.checks import share
from dpcore.base.declared import Column
from dpcore.base.known_laws import jump
from dpcore.base.types import FloatArray, Oracle


@final
@dataclass(frozen=True, slots=True)
class Bernoulli(Oracle):
    """Records that are 1 with probability p, else 0."""

    p: float = field(metadata={"label": "Share of ones"})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", share("p", self.p))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Bernoulli | None:
        """Even chances, for a column of the categories 0 and 1."""
        return cls(0.5) if columns[0].categories == (0.0, 1.0) else None

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return (rng.random((databases, records)) < self.p).astype(np.float64)

    @property
    def support(self) -> Interval:
        return 0.0, 1.0

    @property
    def chances(self) -> dict[float, float]:
        """P(0) = 1 − p and P(1) = p."""
        return {0.0: 1 - self.p, 1.0: self.p}

    def difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """P(x = x') = 1 − 2p(1 − p), and 1 from d = 1 on."""
        return jump(1 - 2 * self.p * (1 - self.p), 1.0)(d)

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """F⁻¹(u) = 0 for u <= 1 − p, else 1."""
        return (u > 1 - self.p).astype(np.float64)
