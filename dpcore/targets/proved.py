"""Global sensitivities, rounded up so that they hold for floating-point answers and not only for real ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import MOST_RECORDS, leave_room
from dpcore.base.checks import whole
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity

N = TypeVar("N", bound=Norm)
_REMOVED = (
    "A row that is removed moves the answer as one does whose values all get lost, for rows of which nothing is known are "
    "counted nowhere; one that is added moves it back."
)


def proved(
    target: Target,
    value: float,
    largest: Sequence[float],
    norm: N,
    n: int,
    proof: str,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    records: int | None = None,
) -> GlobalSensitivity[N] | None:
    """A proved value, ``raised`` for the answers' own rounding, which is that of so many ``records``, else of n; None where that
    leaves no room for arithmetic."""
    value_raised = raised(value, largest, n if records is None else records)
    if value_raised is None:
        return None
    return GlobalSensitivity(target, value_raised, norm, adjacency, proof, n)


def removed(target: Target, norm: N, n: int, adjacency: Adjacency) -> GlobalSensitivity[N] | None:
    """What a target has proved where one record is added or removed, whose answer does not hang on how many records there are:
    as far as it moves where a record's values all get lost (mathematics, section 10.14). None for any other target.

    ``n`` is the number that the table's holder states. It holds for every number up to 2²⁴: so many are counted for rounding.
    """
    n, most = whole("n", n), users.MOST_ROWS
    if adjacency is not Adjacency.ADD_OR_REMOVE_ONE_RECORD or target.regardless_of_n is not True:
        return None
    if target.lost is not None:
        value = target.lost(norm, most)
    else:  # what a replaced record moves it by covers one that gets lost
        replaced = worst_case_of(target, norm, most)
        value = None if replaced is None else replaced.value
    return None if value is None else GlobalSensitivity(target, value, norm, adjacency, _REMOVED, n)


def raised(value: float, largest: Sequence[float], n: int) -> float | None:
    """How far an answer moves at most, raised for rounding: 4 ulp of the largest |f| of each entry that can move.

    An exactly rounded sum that is then divided errs by less than 1.5 ulp, on each of two databases: 3 ulp, and one for the
    value's own rounding (mathematics, section 1.9). None where n, the value or an answer leaves no room for arithmetic
    (``bounds.leave_room``); what a target computes on its way to the answer it checks itself.
    """
    sizes = np.abs(np.asarray(largest, dtype=np.float64))
    if n > MOST_RECORDS or not leave_room(value, float(np.maximum(sizes, value).max())):
        return None
    return math.nextafter(value + math.fsum(4 * np.spacing(sizes)), math.inf)


def box_norm(steps: FloatArray, norm: Norm) -> float:
    """The largest norm of a vector whose i-th entry lies in [−steps_i, steps_i] (RANGE: the two largest steps, apart)."""
    if norm == L1:
        return math.fsum(steps)
    if norm == L2:
        return math.nextafter(math.hypot(*steps), math.inf)  # scaled: no square overflows
    if norm == LINF:
        return float(steps.max())
    assert norm == RANGE
    return float(np.sort(steps)[-2:].sum()) if len(steps) > 1 else 0.0


def worst_case_of(target: Target, norm: N, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[N] | None:
    """What a target itself has proved; None where it states nothing. Without an adjacency that of its own neighbours."""
    known = target.global_sensitivity
    if known is None:
        return None
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE_RECORD and target.regardless_of_n is not True:
        return None
    of_records = adjacency is None or adjacency is Adjacency.REPLACE_ONE_RECORD
    found: GlobalSensitivity[N] | None = known(norm, n) if of_records else known(norm, n, adjacency)
    return found
