"""Global sensitivities, rounded up so that they hold for floating-point answers and not only for real ones."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import MOST_RECORDS, leave_room
from dpcore.base.checks import whole
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Target
from dpcore.base.users import MOST_ROWS
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity

N = TypeVar("N", bound=Norm)
_REMOVED = (
    "A row that is removed moves the answer as one does whose values all get lost, for rows of which nothing is known are "
    "counted nowhere; one that is added moves it back."
)


class ProvedTarget(Target):
    """A target with a proved sensitivity: it states ``worst_case`` and ``proof``, and ``lost`` if that is smaller."""

    @property
    @abstractmethod
    def proof(self) -> str:
        """Why a replaced record moves the answer by no more than ``worst_case``."""

    @abstractmethod
    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return how far a replaced record moves the answer at most, rounded up; None without a proof."""

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return how far the answer moves at most if all values of a record get lost, or are found."""
        return self.worst_case(norm, n)  # a record of which all values are missing is a record

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """Return the proved sensitivity.

        Args:
            norm: The norm that measures how far the answer moves.
            n: The number of records. If one is added or removed, it is the number that the data owner states.
            adjacency: Which databases are neighbours.

        Returns:
            The sensitivity; None if nothing is proved for this norm, n or adjacency.

        Raises:
            InvalidValueError: If ``n`` is not a whole number of at least 1.
        """
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        value = self.worst_case(norm, n) if n <= MOST_RECORDS else None  # larger numbers are not exact in floats
        return None if value is None else GlobalSensitivity(self, value, norm, adjacency, self.proof, n)


def removed(target: Target, norm: N, n: int, adjacency: Adjacency) -> GlobalSensitivity[N] | None:
    """Return the sensitivity of a target if one record is added or removed: ``lost`` (mathematics, section 10.14).

    It needs that records of which all values are missing never count. It is proved for every number of records up to 2²⁴,
    because the true number is confidential.

    Args:
        target: A target with ``lost``.
        norm: The norm.
        n: The number of records that the data owner states.
        adjacency: Which databases are neighbours. Nothing is proved here unless one record is added or removed.
    """
    n = whole("n", n)
    if adjacency is not Adjacency.ADD_OR_REMOVE_ONE_RECORD or target.regardless_of_n is not True:
        return None
    value = target.lost(norm, MOST_ROWS)
    return None if value is None else GlobalSensitivity(target, value, norm, adjacency, _REMOVED, n)


def proved(
    target: Target,
    value: float,
    largest: Sequence[float],
    norm: N,
    n: int,
    proof: str,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
) -> GlobalSensitivity[N] | None:
    """Return the proved sensitivity of a target with its own ``global_sensitivity``.

    Args:
        target: The target.
        value: How far real answers move at most.
        largest: The largest |f| of each entry that can move.
        norm: The norm.
        n: The number of records.
        proof: Why it holds.
        adjacency: Which databases are neighbours.

    Returns:
        The sensitivity, ``raised`` for rounding; None if there is no room for arithmetic.
    """
    value_raised = raised(value, largest, n)
    return None if value_raised is None else GlobalSensitivity(target, value_raised, norm, adjacency, proof, n)


def raised(value: float, largest: Sequence[float], n: int) -> float | None:
    """Return how far computed answers move at most: ``value`` and 4 ulp of the largest |f| of each entry that can move.

    An exactly rounded sum that is then divided errs by less than 1.5 ulp on each of two databases: 3 ulp, and one for the
    rounding of the value (mathematics, section 1.9).

    Args:
        value: How far real answers move at most.
        largest: The largest |f| of each entry that can move; 0 if it is exact.
        n: The number of records that are added up.

    Returns:
        The raised value; None if n, the value or an answer leaves no room for arithmetic (``bounds.leave_room``). A target
        checks other numbers that it computes with.
    """
    sizes = np.abs(np.asarray(largest, dtype=np.float64))
    if n > MOST_RECORDS or not leave_room(value, float(np.maximum(sizes, value).max())):
        return None
    return math.nextafter(value + math.fsum(4 * np.spacing(sizes)), math.inf)


def box_norm(steps: FloatArray, norm: Norm) -> float:
    """Return the largest norm of a vector whose i-th entry is in [−steps_i, steps_i]; in RANGE the two largest steps added."""
    if norm == L1:
        return math.fsum(steps)
    if norm == L2:
        return math.nextafter(math.hypot(*steps), math.inf)  # scaled: no square overflows
    if norm == LINF:
        return float(steps.max())
    assert norm == RANGE
    return float(np.sort(steps)[-2:].sum()) if len(steps) > 1 else 0.0


def worst_case_of(target: Target, norm: N, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[N] | None:
    """Return the sensitivity that any target has proved; None if it states none.

    Args:
        target: The target, of the catalogue or a user's own.
        norm: The norm.
        n: The number of records.
        adjacency: Which databases are neighbours; None for the target's own.
    """
    known = target.global_sensitivity
    if known is None:
        return None
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE_RECORD and target.regardless_of_n is not True:
        return None
    of_records = adjacency is None or adjacency is Adjacency.REPLACE_ONE_RECORD
    found: GlobalSensitivity[N] | None = known(norm, n) if of_records else known(norm, n, adjacency)
    return found
