"""The three guarantees, the neighbours that they are about, and the unit that one row of a table is.

The guarantees are siblings: random DP is weaker than the other two, so none is a subclass of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, final

from dpcore.base.checks import finite, positive, set_fields, share
from dpcore.errors import InvalidValueError

LONGEST = 40  # characters of a unit's name
ROW = "row"


class Adjacency(Enum):
    """The relation between two neighbouring databases.

    If one is added or removed, the number of records or users differs between neighbours, so it is confidential. The n of a
    sensitivity is then a public number that the data owner states (mathematics, section 8.1).

    Examples:
        >>> [adjacency.name for adjacency in Adjacency if adjacency.removes]
        ['ADD_OR_REMOVE_ONE_RECORD', 'ADD_OR_REMOVE_ONE_USER']
    """

    REPLACE_ONE_RECORD = "replace one record"
    ADD_OR_REMOVE_ONE_RECORD = "add or remove one record"
    REPLACE_ONE_USER = "replace one user"
    ADD_OR_REMOVE_ONE_USER = "add or remove one user"

    @property
    def removes(self) -> bool:
        """True if one neighbour lacks a record, or a user; false if another one replaces it."""
        return self in (Adjacency.ADD_OR_REMOVE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_USER)

    @property
    def of_records(self) -> bool:
        """True if neighbours differ in one record; false if they differ in one user with all rows of that user."""
        return self in (Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD)

    def __repr__(self) -> str:
        return f"Adjacency.{self.name}"


@final
@dataclass(frozen=True, slots=True)
class PureDP:
    """ε-differential privacy: P(M(D) ∈ R) <= exp(ε) P(M(D') ∈ R) for all neighbours D, D' and all sets R of responses.

    Attributes:
        epsilon: ε, above 0.

    Raises:
        InvalidValueError: If ε is not a finite number above 0.

    Examples:
        >>> PureDP(1.0)
        PureDP(epsilon=1.0)
    """

    epsilon: float
    delta: ClassVar[float] = 0.0
    gamma: ClassVar[float | None] = None
    confidence: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))


@final
@dataclass(frozen=True, slots=True)
class ApproxDP:
    """(ε, δ)-differential privacy: P(M(D) ∈ R) <= exp(ε) P(M(D') ∈ R) + δ for all neighbours and all R.

    Attributes:
        epsilon: ε, above 0.
        delta: δ, above 0 and below 1.

    Raises:
        InvalidValueError: If ε or δ is out of range.

    Examples:
        >>> ApproxDP(1.0, 1e-6)
        ApproxDP(epsilon=1.0, delta=1e-06)
    """

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

    The (ε, δ) inequality holds on a random neighbouring pair drawn from the oracle with probability at least 1 − γ. Without
    ``confidence`` the probability is over the pair and the sampler's draws together. With it (bounds TOLERANCE and TIME_UNIFORM)
    the inequality holds on at least 1 − γ of pairs, with probability ``confidence`` over the draws.

    Attributes:
        epsilon: ε, at least 0; 0 is for draws that were made and not yet used.
        delta: δ, at least 0 and below 1.
        gamma: γ, the share of pairs that may be unprotected, above 0 and below 1.
        confidence: Confidence over the draws, above 0 and below 1, or None.

    Raises:
        InvalidValueError: If a number is out of range.

    Examples:
        >>> RandomDP(1.0, 0.0, 0.05)
        RandomDP(epsilon=1.0, delta=0.0, gamma=0.05, confidence=None)
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


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """The unit that a guarantee about one record protects, such as a stay or a patient. The data owner says it, unverified.

    Attributes:
        name: The unit in the singular, one line of at most 40 printable characters. It comes from outside: escape it on pages.
        several: True if one person can have several rows; None if rows are not about persons, or nobody said.
        answered: True if the data owner answered.
    """

    name: str = ROW
    several: bool | None = None
    answered: bool = False

    def __post_init__(self) -> None:
        name = " ".join(self.name.split()) if isinstance(self.name, str) else ""
        if not 0 < len(name) <= LONGEST or not name.isprintable():
            raise InvalidValueError("name of what one row is", f"a word or a few, of at most {LONGEST} characters", self.name)
        if self.several is not None and not isinstance(self.several, bool):
            raise InvalidValueError("several", "true, false or left out", self.several)
        set_fields(self, name=name, answered=bool(self.answered) or self.several is not None)
