"""The worst case of several questions together: how far one changed record moves all of them, each over its width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from dpcore.base.condition import Condition
from dpcore.base.facts import facts
from dpcore.base.norms import L1, L2, LINF, Norm
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.proved import N, raised


def together(of: Any, norm: N, n: int, adjacency: Adjacency | None) -> GlobalSensitivity[N] | None:
    """The parts' worst cases over their widths, joined in the norm; None where one has none, or does not say how large its answer
    can be, for the rounding of the division by its width (mathematics, section 19.2)."""
    if norm not in (L1, L2, LINF):
        return None
    known = [_of_part(part, norm, n, adjacency) for part in of.parts]
    found = [one for one in known if one is not None]
    if len(found) < len(known) or len({one.adjacency for one in found}) > 1 or of.largest is None:
        return None
    steps = [one.value / width for one, width in zip(found, of.widths, strict=True)]
    value, proof = _joined(norm, steps), _SUMMED
    if found[0].adjacency is Adjacency.REPLACE_ONE_RECORD:
        columns = dict.fromkeys(condition.column for part in of.parts for condition in facts(part).where)
        apart = [_apart(of, norm, n, steps, column) for column in columns]
        least = min((one for one in apart if one is not None), default=math.inf)
        if least < value:
            value, proof = least, _APART
    most = raised(value * (1 + 2.0**-48), of.largest(n), n)  # the divisions and sums above have fewer than 10 roundings
    return None if most is None else GlobalSensitivity(of, most, norm, found[0].adjacency, proof, n)


_SUMMED = "One changed record moves each question by at most its own worst case, counted in its width; all of them are joined."
_APART = (
    "Several questions ask for records that cannot be the same, by the value of one column. A replaced record moves those of one "
    "value, or leaves those of one value and enters those of another; no third value's move."
)


def _of_part(part: Any, norm: N, n: int, adjacency: Adjacency | None) -> GlobalSensitivity[N] | None:
    known = facts(part).global_sensitivity
    if known is None:
        return None
    of_records = adjacency is None or adjacency is Adjacency.REPLACE_ONE_RECORD
    found: GlobalSensitivity[N] | None = known(norm, n) if of_records else known(norm, n, adjacency)
    return found


def _joined(norm: Norm, steps: Sequence[float]) -> float:
    if norm == LINF:
        return max(steps, default=0.0)
    return math.fsum(steps) if norm == L1 else math.hypot(*steps)


def _apart(of: Any, norm: Norm, n: int, steps: Sequence[float], column: str) -> float | None:
    """The worst case where conditions on one column part the questions into classes of which no record is in two; None where
    they do not, or where a part does not say how far a lost record moves it."""
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
