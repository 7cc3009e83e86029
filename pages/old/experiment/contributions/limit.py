"""Each person's total clipped, in place of a cap on rows: what that takes from the answer, and how far one person moves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from dpcore.base.bounds import Interval, steps_below
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.clipped_totals import limited, moved_by_a_person
from pages.old.experiment.contributions.cap import Cells, CountedRows, Whole, summed
from pages.old.experiment.contributions.parts import AtCap, Uncapped, uncapped

_TIMES = 1_000  # the largest size of a row: the last limit


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """What one person's rows add up to, over all groups, counts from ``low`` <= 0 to ``high`` >= 0."""

    low: float
    high: float

    @property
    def size(self) -> float:
        """The larger end: what the noise is sized to where a person is added or removed."""
        return max(-self.low, self.high)

    def of_size(self, size: float) -> Limit:
        """One of the same shape."""
        return self if size == self.size else Limit(self.low / self.size * size, self.high / self.size * size)

    def moved(self, norm: Norm, adjacency: Adjacency, groups: int) -> float:
        """How far one person moves the answers (mathematics, section 15.3)."""
        return moved_by_a_person((self.low, self.high), groups, adjacency)[norm]


def public_limits(widest: Interval, chosen: Limit | None = None) -> tuple[Limit, ...]:
    """Limits for values with these declared bounds, up to a thousand times the largest size of one, each a tenth above the last;
    and the chosen one, whose shape they have."""
    shape, sizes = chosen or Limit(*limited((-1.0, 1.0), widest)), steps_below(_TIMES * max(map(abs, widest)))
    return tuple(map(shape.of_size, sorted({*sizes} if chosen is None else {*sizes, chosen.size})))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Totals:
    """What each person's clipped rows add up to in each group, of which there are ``groups``, in cells: ``person``, ``group``
    and ``value``, (cells,). ``uncapped``: of each group, before totals are clipped."""

    uncapped: Uncapped
    person: Whole
    group: Whole
    value: FloatArray
    groups: int

    @cached_property
    def sides(self) -> tuple[FloatArray, FloatArray]:
        """Of each person, over groups: what is above 0, and the size of what is below, (people,)."""
        people = int(self.person[-1]) + 1
        above, below = (summed(self.person, np.maximum(sign * self.value, 0.0), people) for sign in (1, -1))
        return above, below

    def clipped(self, limit: Limit) -> AtCap:
        """Each group's sums at one limit (mathematics, section 15.3): a person's parts above 0 are shrunk alike until they add up
        to ``high`` at most, and those below it to ``low``."""
        (above, below), whole = self.sides, self.uncapped
        lost = np.maximum(self.value, 0.0) * (_share(above, limit.high)[self.person] - 1)
        gained = np.minimum(self.value, 0.0) * (_share(below, -limit.low)[self.person] - 1)
        low, high = (summed(self.group, each, self.groups) for each in (gained, lost))
        found, none = replace(whole, low=whole.low + low, high=whole.high + high), np.zeros(self.groups)
        return AtCap(found, found.sum + found.low + found.high, found.number, none, none, none)


def totals_of(rows: CountedRows, cells: Cells, bounds: Interval) -> Totals:
    """One pass over the rows, for values clipped to the bounds."""
    value = summed(cells.of_row, np.clip(rows.value, *bounds), len(cells.rows))
    return Totals(uncapped=uncapped(rows, bounds), person=cells.person, group=cells.group, value=value, groups=rows.groups)


def _share(sums: FloatArray, most: float) -> FloatArray:
    return np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)


@final
@dataclass(frozen=True, eq=False)
class Taken:
    """Of each limit, (limits,): which share of the ``people`` with rows it clips, and which share of the ``value`` it takes, that
    of sizes added up."""

    people: FloatArray
    value: FloatArray


def taken(totals: Totals, limits: Sequence[Limit]) -> Taken:
    """What each limit takes away, before noise."""
    above, below = totals.sides
    whole, people, value = float((above + below).sum()), [], []
    for limit in limits:
        lost = np.maximum(above - limit.high, 0.0) + np.maximum(below + limit.low, 0.0)
        people.append(float((lost > 0).mean()))
        value.append(float(lost.sum() / whole) if whole else 0.0)
    return Taken(np.array(people), np.array(value))
