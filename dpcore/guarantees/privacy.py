"""The three guarantees, and which databases are neighbours.

They are siblings: random DP is weaker than the other two, so it is no subclass of either, nor they of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, final

from dpcore.base.checks import finite, positive, set_fields, share
from dpcore.errors import InvalidValueError


class Adjacency(Enum):
    """Which two databases are neighbours.

    Where one is added or removed, how many records or users there are differs between neighbours, and so is confidential: the n
    of a sensitivity is then a public figure that its holder states (mathematics, section 8.1).
    """

    REPLACE_ONE_RECORD = "replace one record"
    ADD_OR_REMOVE_ONE_RECORD = "add or remove one record"
    REPLACE_ONE_USER = "replace one user"
    ADD_OR_REMOVE_ONE_USER = "add or remove one user"

    @property
    def removes(self) -> bool:
        """Whether one neighbour lacks a record, or a user, where else another stands in its place."""
        return self in (Adjacency.ADD_OR_REMOVE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_USER)

    @property
    def of_records(self) -> bool:
        """Whether neighbours differ in one record, and not in one user with all rows of that user."""
        return self in (Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD)

    def __repr__(self) -> str:
        return f"Adjacency.{self.name}"


@final
@dataclass(frozen=True, slots=True)
class PureDP:
    """ε-differential privacy: P(M(D) ∈ R) <= exp(ε) P(M(D') ∈ R) for all neighbours D, D' and all sets R of responses."""

    epsilon: float
    delta: ClassVar[float] = 0.0
    gamma: ClassVar[float | None] = None
    confidence: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))


@final
@dataclass(frozen=True, slots=True)
class ApproxDP:
    """(ε, δ)-differential privacy: P(M(D) ∈ R) <= exp(ε) P(M(D') ∈ R) + δ for all neighbours and all R; 0 < δ < 1."""

    epsilon: float
    delta: float
    gamma: ClassVar[float | None] = None
    confidence: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        set_fields(self, epsilon=positive("epsilon", self.epsilon), delta=share("delta", self.delta))


@final
@dataclass(frozen=True, slots=True)
class RandomDP:
    """(ε, δ, γ)-random differential privacy (Hall et al. 2012; Rubinstein & Aldà 2017, Definition 4). *Not* DP.

    The (ε, δ) inequality holds on a random neighbouring pair drawn from the oracle with probability at least 1 − γ:
    over the pair and the sampler's draws together where ``confidence`` is None, else with probability ``confidence``
    over the draws on at least 1 − γ of pairs (bounds TOLERANCE and TIME_UNIFORM). ε = 0 stands for draws that were made
    and not yet used.
    """

    epsilon: float
    delta: float
    gamma: float
    confidence: float | None = None

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            value = finite(name, getattr(self, name))
            if value < 0 or (name == "delta" and value >= 1):
                raise InvalidValueError(name, "a number of at least 0" + " and below 1" * (name == "delta"), value)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "gamma", share("gamma", self.gamma))
        if self.confidence is not None:
            object.__setattr__(self, "confidence", share("confidence", self.confidence))


Guarantee = PureDP | ApproxDP | RandomDP
