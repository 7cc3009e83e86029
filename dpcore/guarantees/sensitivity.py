"""A target's sensitivity, proved for every pair of neighbours or sampled, and the databases that it holds for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, final

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import Database
from dpcore.base.checks import positive, set_fields, whole
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target, as_target
from dpcore.errors import DatabaseMismatchError, InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency

N_co = TypeVar("N_co", bound=Norm, covariant=True)


def checked_target(target: object, norm: object, adjacency: object) -> Target:
    """Return the target, a plain function as one.

    Args:
        target: A target, or a function of a database.
        norm: A norm.
        adjacency: An adjacency.

    Returns:
        The target.

    Raises:
        InvalidValueError: If an argument has another type.
    """
    if not isinstance(norm, Norm):
        raise InvalidValueError("norm", "one of dpcore.L1, dpcore.L2, dpcore.LINF and dpcore.RANGE", norm)
    if not isinstance(adjacency, Adjacency):
        raise InvalidValueError("adjacency", "an adjacency, such as Adjacency.REPLACE_ONE_RECORD", adjacency)
    return as_target(target)


@final
@dataclass(frozen=True, eq=False)
class GlobalSensitivity(Generic[N_co]):
    """sup ‖f(D) − f(D')‖ over *all* neighbours (Definition 2), as pure and approximate DP need it. The target must never fail.

    Attributes:
        target: The target f.
        value: The sensitivity, above 0.
        norm: The norm of ‖f(D) − f(D')‖.
        adjacency: The neighbours.
        proof: The proof in a sentence.
        n: Number of records that it holds for; None if it holds for every n.

    Raises:
        InvalidValueError: If an argument is not as said here.

    Examples:
        >>> from dpcore import L1, Adjacency, GlobalSensitivity
        >>> proof = "Each record adds at most 1."
        >>> GlobalSensitivity(lambda records: records.clip(0, 1).sum(), 1, L1, Adjacency.REPLACE_ONE_RECORD, proof, None).value
        1.0
    """

    target: Target
    value: float
    norm: N_co
    adjacency: Adjacency
    proof: str
    n: int | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", checked_target(self.target, self.norm, self.adjacency))
        object.__setattr__(self, "value", positive("sensitivity", self.value))
        if not isinstance(self.proof, str) or not self.proof.strip():
            raise InvalidValueError("proof", "a sentence that proves the sensitivity", self.proof)
        if self.n is not None:
            object.__setattr__(self, "n", whole("n", self.n))


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a sampled sensitivity: its oracle, seed, method and sample."""

    oracle: Oracle
    seed: int
    way: str
    sample_id: str  # SHA-256 of all that was drawn from, the seed and the distances
    record_shape: tuple[int, ...]
    explored: bool  # the point was chosen after its draws had been seen


@final
@dataclass(frozen=True, eq=False)
class SampledSensitivity(Generic[N_co]):
    """Δ̂ = G_(k), the k-th smallest of m sampled distances (Algorithm 1): gives *random* DP, and nothing stronger.

    ``SensitivitySample.sensitivity`` makes it.

    Attributes:
        target: The target f.
        value: The sensitivity, above 0 unless ``allow_zero``.
        norm: The norm of ‖f(D) − f(D')‖.
        n: Number of records, or of users.
        adjacency: The neighbours.
        point: The operating point.
        origin: The oracle, seed, method and sample.
        allow_zero: True if a zero sensitivity was accepted, which releases the exact answer.

    Raises:
        InvalidValueError: If the value is no finite number of at least 0, or 0 and that is not allowed.

    Examples:
        >>> from dpcore import LaplaceMechanism, oracles, targets
        >>> sampled = LaplaceMechanism().sample(targets.Mean(), oracles.Exponential(1.0), n=500, gamma=0.05, seed=1)
        >>> sampled.point.gamma, sampled.value > 0
        (0.05, True)
    """

    target: Target
    value: float
    norm: N_co
    n: int
    adjacency: Adjacency
    point: OperatingPoint
    origin: Origin
    allow_zero: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", checked_target(self.target, self.norm, self.adjacency))
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (0 <= value < math.inf):
            raise InvalidValueError("sensitivity", "a number of at least 0", value)
        if value == 0 and not self.allow_zero:
            raise InvalidValueError("sensitivity", "above 0, unless zero is allowed", value)
        set_fields(self, value=float(value), n=whole("n", self.n))


Sensitivity = GlobalSensitivity[N_co] | SampledSensitivity[N_co]


def check_database(sensitivity: Sensitivity[Norm], database: Database) -> None:
    """Check that the sensitivity holds for a database.

    If one record or user is added or removed, no error depends on the number of records or users.

    Args:
        sensitivity: The sensitivity.
        database: The database.

    Raises:
        InvalidValueError: If the database is not an array of numbers or texts, or a sensitivity lacks a stated number.
        DatabaseMismatchError: If its columns, record shape or number of records differ.
    """
    if not isinstance(database, np.ndarray) or database.dtype.hasobject or not database.ndim:
        raise InvalidValueError("database", "an array of rows of numbers or of texts", type(database).__name__)
    names, person = database.dtype.names or (), _person(sensitivity)
    if person is not None:
        if person not in names:
            raise DatabaseMismatchError("a field of people named", person, database.dtype.names)
        users.check(database[person])
    _check_number(sensitivity, database)
    if isinstance(sensitivity, SampledSensitivity) and database.shape[1:] != sensitivity.origin.record_shape:
        raise DatabaseMismatchError("rows of shape", sensitivity.origin.record_shape, database.shape[1:])
    target: Any = sensitivity.target
    fields = target.fields if target.accepts_structured else ()
    if any(name not in names for name in fields):
        raise DatabaseMismatchError("columns named", fields, database.dtype.names)


def units(sensitivity: Sensitivity[Norm], database: Database) -> int:
    """Return the number of records of a database, or of users if a user is all rows of a person."""
    person = _person(sensitivity)
    return len(database) if person is None else users.count(database[person])


def _person(sensitivity: Sensitivity[Norm]) -> str | None:
    """Return the field of users that the target names, otherwise that of the sampled oracle."""
    if sensitivity.adjacency.of_records:
        return None
    oracle = sensitivity.origin.oracle if isinstance(sensitivity, SampledSensitivity) else None
    person: str | None = sensitivity.target.person
    return oracle.person if person is None and oracle is not None else person


def _check_number(sensitivity: Sensitivity[Norm], database: Database) -> None:
    # The number is confidential if it differs between neighbours (mathematics, section 8.1).
    if sensitivity.adjacency.removes:
        if sensitivity.n is None:
            who = "rows" if sensitivity.adjacency.of_records else "users"
            expected = f"of a stated number of {who}: how many the table has is confidential, and is not read off it"
            raise InvalidValueError("sensitivity", expected, None)
        if sensitivity.adjacency.of_records and len(database) > users.MOST_ROWS:  # public: proofs count no more
            raise InvalidValueError("database", f"of at most {users.MOST_ROWS:,} rows", "more")
    elif sensitivity.n is not None and (n := units(sensitivity, database)) != sensitivity.n:
        what = "rows" if _person(sensitivity) is None else "people"
        raise DatabaseMismatchError(f"a number of {what} of", sensitivity.n, n)
