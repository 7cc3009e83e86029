"""Discrete Laplace noise on whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L1, L1Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.noise import scale_above
from dpcore.mechanisms.response_law import NoiseLaw, Sampling, by_opendp


@final
@dataclass(frozen=True, slots=True)
class DiscreteLaplaceLaw(NoiseLaw):
    """Independent whole noise x on each entry, P(x) = (1 − r)/(1 + r)·r^|x|, r = exp(−1/scale)."""

    scale: float
    sampling: ClassVar[Sampling] = by_opendp("make_laplace")

    @property
    def _ratio(self) -> float:
        return math.exp(-1 / self.scale) if self.scale else 0.0

    def draw(self, raw: FloatArray, /) -> FloatArray:
        from opendp.domains import atom_domain, vector_domain
        from opendp.measurements import make_laplace
        from opendp.metrics import l1_distance
        from opendp.mod import enable_features

        enable_features("contrib")
        noisy = make_laplace(vector_domain(atom_domain(T=int)), l1_distance(T=int), self.scale)
        return np.array(noisy([int(value) for value in raw]), dtype=np.float64)

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        draws = rng.geometric(1 - self._ratio, (2, size, raw.size))
        return np.asarray(raw + draws[0] - draws[1])

    def density(self, offsets: FloatArray, /) -> FloatArray:
        whole = np.round(offsets)
        return np.asarray((1 - self._ratio) / (1 + self._ratio) * self._ratio ** np.abs(whole))

    def half_width(self, share: float, /) -> float:
        """The least whole w with P(|x| <= w) = 1 − 2·r^(w+1)/(1 + r) at least that share."""
        return max(0.0, math.ceil(math.log((1 - share) * (1 + self._ratio) / 2) / math.log(self._ratio) - 1))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        return np.asarray((L1(responses - other) - L1(responses - raw)) / self.scale)

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        return float(L1(raw - other)) / self.scale


@final
@dataclass(frozen=True, slots=True)
class DiscreteLaplace(Mechanism[L1Norm, PureDP]):
    """f(D) + whole noise of scale Δ/ε on each entry, Δ in L1, for targets whose answers are whole numbers: ε-DP."""

    privacy: ClassVar[type[PureDP]] = PureDP
    title: ClassVar[str] = "Discrete Laplace"

    @property
    def norm(self) -> L1Norm:
        return L1

    @classmethod
    def suited(cls, target: Target, /) -> DiscreteLaplace | None:
        """For a target that says that its answers are whole."""
        return cls() if target.whole_numbers else None

    def check(self, target: Target, /) -> None:
        """InvalidValueError for a target whose answers may be no whole numbers: rounding them is not private."""
        if not target.whole_numbers:
            raise InvalidValueError("target", "one whose answers are whole numbers", target)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> DiscreteLaplaceLaw:
        return DiscreteLaplaceLaw(scale_above(sensitivity / privacy.epsilon, sensitivity))
