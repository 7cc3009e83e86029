"""Global sensitivities, rounded up so that they hold for floating-point answers and not only for real ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from dpcore.base.bounds import MOST_RECORDS, leave_room
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import FloatArray, Target, answers_by
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity

N = TypeVar("N", bound=Norm)


def proved(target: Target, value: float, largest: Sequence[float], norm: N, n: int, proof: str) -> GlobalSensitivity[N] | None:
    """A proved value, ``raised`` for the answers' own rounding; None where that leaves no room for arithmetic, and in a norm
    over groups for a target that answers for others."""
    value_raised = raised(value, largest, n)
    if value_raised is None or not answers_by(target, norm.groups):
        return None
    return GlobalSensitivity(target, value_raised, norm, Adjacency.REPLACE_ONE_RECORD, proof, n)


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
