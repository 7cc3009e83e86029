"""Global sensitivities, rounded up so that they hold for floating-point answers and not only for real ones; and those of several
questions together: how far one changed record moves all of them, each over its width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from dpcore.base import people
from dpcore.base.bounds import MOST_RECORDS, leave_room
from dpcore.base.checks import whole
from dpcore.base.condition import Condition
from dpcore.base.facts import facts
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import FloatArray, Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity

N = TypeVar("N", bound=Norm)
_SUMMED = "One changed row moves each question by at most its own worst case, counted in its width; all of them are joined."
_REMOVED = (
    "A row that is removed moves the answer as one does whose values all get lost, for rows of which nothing is known are "
    "counted nowhere; one that is added moves it back."
)
_APART = (
    "Several questions ask for rows that cannot be the same, by the value of one column. A replaced row moves those of one "
    "value, or leaves those of one value and enters those of another; no third value's move."
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
    said, n, most = facts(target), whole("n", n), people.MOST_ROWS
    if adjacency is not Adjacency.ADD_OR_REMOVE_ONE_RECORD or said.regardless_of_n is not True:
        return None
    if said.lost is not None:
        value = said.lost(norm, most)
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


def together(of: Any, norm: N, n: int, adjacency: Adjacency | None) -> GlobalSensitivity[N] | None:
    """The parts' worst cases over their widths, joined in the norm; None where one has none, or does not say how large its answer
    can be, for the rounding of the division by its width (mathematics, section 19.2)."""
    found = joined(of, norm, n, adjacency)
    if found is None:
        return None
    value, proof, own = found
    return GlobalSensitivity(of, value, norm, own, proof, n)


def joined(of: Any, norm: Norm, n: int, adjacency: Adjacency | None) -> tuple[float, str, Adjacency] | None:
    """The same of anything that has ``parts``, ``widths`` and ``largest``: the value, its proof, and of which neighbours."""
    if norm not in (L1, L2, LINF):
        return None
    stated = [worst_case_of(part, norm, n, adjacency) for part in of.parts]
    worst_cases = [worst_case for worst_case in stated if worst_case is not None]
    if len(worst_cases) < len(stated) or len({worst_case.adjacency for worst_case in worst_cases}) > 1 or of.largest is None:
        return None
    steps = [worst_case.value / width for worst_case, width in zip(worst_cases, of.widths, strict=True)]
    value, proof, own = _joined(norm, steps), _SUMMED, worst_cases[0].adjacency
    removes = own is Adjacency.ADD_OR_REMOVE_ONE_RECORD
    if own.of_records:
        columns = dict.fromkeys(condition.column for part in of.parts for condition in facts(part).where)
        apart = [_apart(of, norm, n, steps, column, removes=removes) for column in columns]
        least = min((one for one in apart if one is not None), default=math.inf)
        if least < value:
            value, proof = least, _APART
    value *= 1 + 2.0**-48  # the divisions and sums above have fewer than 10 roundings
    records = people.MOST_ROWS if removes else n  # of tables of the stated n alone nothing would be known here
    value_raised = raised(value, of.largest(records), records)
    return None if value_raised is None else (value_raised, proof, own)


def largest_in_shares(parts: Sequence[Any], widths: Sequence[float], n: int) -> tuple[float, ...]:
    """How large each number of parts that say so can be, over its part's width."""
    each = zip(parts, widths, strict=True)
    return tuple(math.nextafter(size / width, math.inf) for part, width in each for size in part.largest(n))


def worst_case_of(target: Target, norm: N, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[N] | None:
    """What a target itself has proved; None where it states nothing. Without an adjacency that of its own neighbours."""
    known = facts(target).global_sensitivity
    if known is None:
        return None
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE_RECORD and facts(target).regardless_of_n is not True:
        return None
    of_records = adjacency is None or adjacency is Adjacency.REPLACE_ONE_RECORD
    found: GlobalSensitivity[N] | None = known(norm, n) if of_records else known(norm, n, adjacency)
    return found


def _joined(norm: Norm, steps: Sequence[float]) -> float:
    if norm == LINF:
        return max(steps, default=0.0)
    return math.fsum(steps) if norm == L1 else math.hypot(*steps)


def _apart(of: Any, norm: Norm, n: int, steps: Sequence[float], column: str, *, removes: bool) -> float | None:
    """The worst case where conditions on one column part the questions into classes of which no record is in two; None where
    they do not, or where a part does not say how far a lost record moves it. A record that is added or removed is in one."""
    classes: dict[Condition, list[int]] = {}
    free: list[int] = []
    for place, part in enumerate(of.parts):
        asked = [one for one in facts(part).where if one.column == column and not one.excluded]
        if asked:
            classes.setdefault(asked[0], []).append(place)
        else:
            free.append(place)
    if len(classes) < 2 or not all(_exclude(one, other) for one, other in combinations(classes, 2)):
        return None
    if removes:
        most = max(_joined(norm, [steps[place] for place in places]) for places in classes.values())
        return _joined(norm, [most, *(steps[place] for place in free)])
    inside, lost = [], []
    for places in classes.values():
        gone = [of.parts[place].lost(norm, n) for place in places if facts(of.parts[place]).lost is not None]
        if len(gone) < len(places) or any(one is None for one in gone):
            return None
        inside.append(_joined(norm, [steps[place] for place in places]))
        lost.append(_joined(norm, [one / of.widths[place] for one, place in zip(gone, places, strict=True)]))
    worst = max(*inside, _joined(norm, sorted(lost)[-2:]))
    return _joined(norm, [worst, *(steps[place] for place in free)])


def _exclude(one: Condition, other: Condition) -> bool:
    """Whether no record meets both conditions on one column: two categories, or two intervals with nothing in common."""
    if one.interval is None or other.interval is None:
        return one.interval is None and other.interval is None and one.category != other.category
    return one.interval[1] < other.interval[0] or other.interval[1] < one.interval[0]
