"""A target's sensitivity: proved for every pair of neighbours, or sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from dpcore.base.checks import positive, whole
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency

N_co = TypeVar("N_co", bound=Norm, covariant=True)


def check_parts(target: object, norm: object, adjacency: object) -> None:
    """InvalidValueError where one of the three is none."""
    if not callable(target):
        raise InvalidValueError("target", "a function of a table", target)
    if not isinstance(norm, Norm):
        raise InvalidValueError("norm", "one of the norms L1, L2, L∞ and range", norm)
    if not isinstance(adjacency, Adjacency):
        raise InvalidValueError("adjacency", "one of the three adjacencies", adjacency)


@final
@dataclass(frozen=True, eq=False)
class GlobalSensitivity(Generic[N_co]):
    """sup ‖f(D) − f(D')‖ over *all* neighbours (Definition 2), with its proof in a sentence: what DP proper needs.

    ``n`` is the number of records that it holds for; None where it holds for every n. The target must never fail.
    """

    target: Target
    value: float
    norm: N_co
    adjacency: Adjacency
    proof: str
    n: int | None

    def __post_init__(self) -> None:
        check_parts(self.target, self.norm, self.adjacency)
        object.__setattr__(self, "value", positive("sensitivity", self.value))
        if not isinstance(self.proof, str) or not self.proof.strip():
            raise InvalidValueError("proof", "a sentence that proves the sensitivity", self.proof)
        if self.n is not None:
            object.__setattr__(self, "n", whole("n", self.n))


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """Where the draws of a sampled sensitivity came from."""

    oracle: Oracle
    seed: int
    way: str
    sample_id: str  # SHA-256 of all that was drawn from, the seed and the distances
    record_shape: tuple[int, ...]
    explored: bool  # the point was chosen after its draws had been seen


@final
@dataclass(frozen=True, eq=False)
class SampledSensitivity(Generic[N_co]):
    """Δ̂ = G_(k), the k-th smallest of m sampled distances (Algorithm 1): gives *random* DP, and nothing stronger."""

    target: Target
    value: float
    norm: N_co
    n: int
    adjacency: Adjacency
    point: OperatingPoint
    origin: Origin
    allow_zero: bool = False

    def __post_init__(self) -> None:
        check_parts(self.target, self.norm, self.adjacency)
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (0 <= value < math.inf):
            raise InvalidValueError("sensitivity", "a number of at least 0", value)
        if value == 0 and not self.allow_zero:
            raise InvalidValueError("sensitivity", "above 0, unless zero is allowed", value)
        object.__setattr__(self, "value", float(value))
        object.__setattr__(self, "n", whole("n", self.n))


Sensitivity = GlobalSensitivity[N_co] | SampledSensitivity[N_co]
