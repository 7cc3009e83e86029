"""A question about people: what the rows of one person add up to counts between two bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base import people
from dpcore.base.bounds import Interval, interval, leave_room
from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.norms import L1, L2, LINF, Norm
from dpcore.base.row_weights import Places
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.kind import KindOfAnswer
from dpcore.targets.on import On
from dpcore.targets.people_rows import AskedOfPeople, of_people, placed
from dpcore.targets.proved import N, proved

_ROOM = 2**-52  # of a share: each sum, quotient and product of a person's part errs by half of that


@final
@dataclass(frozen=True, slots=True)
class ClippedTotals(AskedOfPeople):
    """A sum over people, where each counts for no more than so much in all: f(D) = Σ_u clip(T_u, L, U), T_u = Σ c(row).

    c(row) is what a row adds, of those whose values are known and of which the conditions hold; ``totals`` are L <= 0 <= U.
    Where all values are above 0 and L = 0 that is Σ min(T_u, U). By group, a person's parts are shrunk alike until those above 0
    add up to at most U, and those below it to at least L: so the limit is on all groups together, however many there are.
    (n,) -> (1,), or (groups,).

    The worst case hangs on L and U alone, and neither on how many rows people have nor on the bounds of a row (mathematics,
    section 15.3). A cap on rows, ``Capped``, gives the rows of busy people less weight, whatever they add up to.
    """

    question: On
    person: str
    totals: Interval = field(metadata={"label": "Bounds of a person's total"})
    title: ClassVar[str] = "Question about people's totals"
    whole_numbers: ClassVar[bool] = False  # a limit need not be a whole number
    from_a_part: ClassVar[str] = ""
    ways: ClassVar[tuple[str, ...]] = ("additive",)

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        if not adds_up_to_a_total(self.question):
            raise InvalidValueError("question", "a sum, or a count of rows", self.target)
        low, high = interval("bounds of a person's total", self.totals)
        if not low <= 0 <= high:
            raise InvalidValueError(
                "bounds of a person's total", "0 or less, and 0 or more: some people add up to 0", self.totals
            )
        object.__setattr__(self, "totals", (low, high))
        of_row = self.question.lost(LINF, people.MOST_ROWS)
        if of_row is None or not leave_room(people.MOST_ROWS * max(of_row, self._most), self._most):
            raise InvalidValueError("bounds", "of a size that leaves room to add up 2²⁴ rows", (self.totals, of_row))

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """The question's own."""
        return self.question.answer(columns)

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Its conditions, groups and limit, as people read them: ``where sex is F, each person's total at most 4,000``."""
        low, high = (f"{end:,.10g}" for end in self.totals)
        limit = f"at most {high}" if not self.totals[0] else f"at least {low}" if not self.totals[1] else f"from {low} to {high}"
        return ", ".join(part for part in (self.question.words(columns), f"each person's total {limit}") if part)

    def about(self, question: On, person: str) -> ClippedTotals | None:
        """With the same limit, where the other question adds up the same column; else None, for a limit is in a column's own
        unit. An end that no value of other bounds can reach becomes 0."""
        bounds = question.target.bounds
        if question.columns != self.columns or not adds_up_to_a_total(question) or bool(bounds) != bool(self.target.bounds):
            return None
        low, high = limited(self.totals, bounds or (0.0, 1.0))
        return replace(self, question=question, person=person, totals=(low, high)) if low < high else None

    def __call__(self, database: Database, /) -> FloatArray:
        _, places, parts = self._clipped(database)
        order = np.argsort(places, kind="stable")
        ends = np.searchsorted(places[order], np.arange(self._parts + 1))
        ordered = parts[order]
        return np.array([math.fsum(ordered[start:end].tolist()) for start, end in pairwise(ends)])

    def each(self, database: Database, /) -> FloatArray:
        """Every person's own part of the answer, whose sum it is: (n,) -> (people, groups)."""
        who, places, parts = self._clipped(database)
        found = np.zeros((people.count(database[self.person]), self._parts))
        found[who, places] = parts
        return found

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """Of one number max(−L, U) where a person is added or removed, and U − L where one is replaced; of several groups U − L
        in L1 and the root of L² + U² in L2, and where one is replaced twice and √2 times U − L (mathematics, section 15.3)."""
        known = moved_by_a_person(self.totals, self._parts, adjacency).get(norm)
        if known is None:
            return None
        n, entries = whole("n", n), 1 if norm == LINF else self._parts
        proof = (
            "Each person adds a total within its bounds: who comes, goes or is replaced moves the answer by no more than these."
        )
        sizes = (people.MOST_ROWS * self._most,) * entries
        value = known * (1 + (self._parts + 8) * _ROOM)
        return proved(self, value, sizes, norm, n, proof, adjacency=adjacency, records=people.MOST_ROWS)

    @property
    def _most(self) -> float:
        return max(-self.totals[0], self.totals[1])

    @property
    def _parts(self) -> int:
        return max(1, len(self.groups))

    def _clipped(self, database: Database) -> tuple[Places, Places, FloatArray]:
        """Each person's part in each group that the person has rows in: whose it is, the group, and the part."""
        who, places, parts = _parts_of_people(self.question, self.person, database)
        low, high = self.totals
        above, below = np.maximum(parts, 0.0), np.minimum(parts, 0.0)
        shrunk = above * _share(above, who, high) + below * _share(-below, who, -low)
        return who, places, np.clip(shrunk, low, high)


def moved_by_a_person(totals: Interval, groups: int, adjacency: Adjacency) -> dict[Norm, float]:
    """How far one person moves the answers for so many groups, in each norm that has a proof (mathematics, section 15.3)."""
    low, high = totals
    if adjacency is Adjacency.REPLACE_ONE_USER:
        span = high - low
        return {LINF: span} | ({L1: span, L2: span} if groups == 1 else {L1: 2 * span, L2: math.sqrt(2) * span})
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
        most = max(-low, high)
        return {LINF: most} | ({L1: most, L2: most} if groups == 1 else {L1: high - low, L2: math.hypot(low, high)})
    return {}


def _parts_of_people(question: On, person: str, database: Database) -> tuple[Places, Places, FloatArray]:
    """What the rows of a person add up to in each group, of those that count: the person's code, the group, and the sum.

    Each sum is made of one person's rows alone, in their own order, so that nobody else's rows change how it is rounded.
    """
    values, places = placed(question, database)
    counted, width = np.flatnonzero(places >= 0), max(1, len(question.groups))
    cells, cell = np.unique(database[person][people.CODE][counted] * width + places[counted], return_inverse=True)
    added: Any = question.target.contribution
    parts = np.asarray(added(values[counted], 1), dtype=np.float64)[:, 0]
    return cells // width, cells % width, np.bincount(cell, weights=parts, minlength=len(cells)).astype(np.float64)


def _share(parts: FloatArray, who: Places, most: float) -> FloatArray:
    """min(1, most/S_u) for each part, S_u what the parts of its person, none below 0, add up to."""
    sums = np.bincount(who, weights=parts)
    return np.asarray(np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)[who])


def adds_up_to_a_total(question: On) -> bool:
    """Whether what one person's rows add up to is one number: of a sum and of a count, not of a mean or of scores."""
    said = question.target
    return said.contribution is not None and said.weighted is None and said.numbers == 1


def limited(totals: Interval, bounds: Interval) -> Interval:
    """The bounds of a total of values within ``bounds``: no end lies where no such total can be."""
    return (totals[0] if bounds[0] < 0 else 0.0), (totals[1] if bounds[1] > 0 else 0.0)


def clipped_at(question: On, person: str, limit: float) -> ClippedTotals:
    """The sum with each person's total between −limit and limit, or 0 where no total of its values lies."""
    return ClippedTotals(question, person, limited((-limit, limit), question.target.bounds))
