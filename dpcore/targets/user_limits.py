"""Questions about people with several rows: each person's rows weigh s together, or add up to a bounded total."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, interval, leave_room
from dpcore.base.checks import named, whole
from dpcore.base.columns import PERSON, Column
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.text import counted
from dpcore.base.types import Target
from dpcore.base.users import Places
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.kind import Grouped, KindOfAnswer
from dpcore.result_types.numbers import Numbers
from dpcore.targets.on import AsksTarget, Query, across
from dpcore.targets.proved import N, proved, worst_case_of

_ROUNDING = 1 + 2.0**-50  # two products a row, and min(1, s/N), each rounded
_ROOM = 2**-52  # of a share: each sum, quotient and product of a person's part errs by half of that


class AskedOfPeople(AsksTarget):
    """What all questions about people say of the question and the people that they are about."""

    __slots__ = ()
    question: Query
    person: str

    @property
    def inner(self) -> Target:
        """The question."""
        return self.question

    @property
    def target(self) -> Target:
        """The target that the question asks."""
        return self.question.target

    @property
    def known(self) -> Target:
        """The target's form for known values."""
        return self.question.known

    @property
    def stands_for(self) -> Target:
        """What is asked: a picker has its name."""
        return self.question.target

    @property
    def columns(self) -> tuple[str, ...]:
        """The question's."""
        return self.question.columns

    @property
    def where(self) -> tuple[Filter, ...]:
        """The question's."""
        return self.question.where

    @property
    def by(self) -> GroupBy | None:
        """The question's."""
        return self.question.by

    @property
    def groups(self) -> tuple[str, ...]:
        """The question's."""
        return self.question.groups

    @property
    def fields(self) -> tuple[str, ...]:
        """The question's, and the one that tells whose a row is."""
        return (*self.question.fields, self.person)

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n,) -> its answer"""

    @abstractmethod
    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """What is asked beside the target, as people read it."""

    @abstractmethod
    def about(self, question: Query, person: str) -> AskedOfPeople | None:
        """The same of another question, or about the people of another field; None where its limit says nothing of that one."""

    def asks(self, what: str, columns: tuple[Column, ...] = (), *, full: bool = False) -> str:
        """The whole of it, where ``what`` names the target: ``Sum of cost, where sex is F, at most 3 rows a person``.

        With ``full`` no two settings read alike; without, it may leave some out, to be short.
        """
        return ", ".join(filter(None, (what, self.words(columns))))

    def asked(self, databases: Database, /) -> Database:
        """The target's own columns, missing where a condition does not hold."""
        return self.question.asked(databases)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where the question's columns are followed by that of the people."""
        named = bool(columns) and (columns[-1].name, columns[-1].role) == (self.person, PERSON)
        return named and self.question.fits(columns[:-1])


def of_people(question: object, person: object) -> Query:
    """The question, if it can be asked of people whom the field ``person`` tells; InvalidValueError if not.

    Its target adds up rows: it has ``rows_that_count(records)``, ``numbers``, how many numbers it answers with, and
    ``contribution``, which no n changes, or ``weighted(values, weights)``.
    """
    if not isinstance(question, Query) or question.known.rows_that_count is None:
        expected = "a question whose target adds up rows: a count, a sum, a mean or a share of known values, or a quantile"
        raise InvalidValueError("question", expected, question)
    if named("person", person) in question.fields:
        raise InvalidValueError("person", f"another column than {', '.join(question.fields)}", person)
    return question


def placed(question: Query, database: Database) -> tuple[Database, Places]:
    """What the target gets of each row, and the row's group: −1 of one that does not count."""
    values, places = question.placed(database)
    return values, np.where(question.known.rows_that_count(values), places, -1)


_GROUPS_EACH = {
    "title": "Groups a person counts in",
    "min": 1,
    "empty": "s is a limit over all groups together",
    "help": "With a number, s rows count in each of so many groups.",
}


@final
@dataclass(frozen=True, slots=True)
class ContributionBounded(AskedOfPeople):
    """A question about rows, where the rows of one person weigh s together at most: f(D) = Σ min(1, s/N_u)·c(row).

    N_u is how many of the person's rows count: whose values are known, and of which the conditions hold. ``person`` is the field
    that tells whose a row is (``dpcore.base.users``). The cap is over all groups; with ``groups_each`` it is ``rows`` in each
    group, and so many groups a person. (n,) -> (d,), as the question has it.

    A number of rows with one row a person is a number of people (``each_once``): Σ min(1, 1/N_u)·N_u, and in each of up to g
    groups a person the same of the rows there. So it is a whole number, unless somebody has rows in more than g groups.

    The worst case is that of one row, ``rows`` times, where somebody is replaced and where somebody is added or removed; with g
    groups a person it is √g times that in L2, and g times in L1, and less where a person is replaced by one who shares groups:
    of k groups at least 2g − k (mathematics, section 15.1). Where somebody is added or removed, n is what its holder states, and
    nothing is divided by the true number of people.
    """

    question: Query
    person: str
    rows: int = field(default=1, metadata={"label": "Rows a person counts for, s", "min": 1, "step": 1})
    groups_each: int | None = field(default=None, metadata=_GROUPS_EACH)
    title: ClassVar[str] = "Question about people"

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        rows, groups = users.checked_limits(self.rows, self.groups_each)
        if groups is not None and groups > max(1, len(self.groups)):
            raise InvalidValueError("groups a person", f"at most {len(self.groups)}, as many as there are", groups)
        for name, value in (("rows", rows), ("groups_each", groups)):
            object.__setattr__(self, name, value)

    @property
    def candidates(self) -> tuple[Any, ...]:
        """The question's."""
        return self.question.candidates

    @property
    def each_once(self) -> bool:
        """Whether it is a number of people: of those with a row that counts, or in each group of those with one there."""
        once = self.rows == 1 and (not self.groups or self.groups_each is not None)
        return once and self.target.public_alone

    @property
    def whole_numbers(self) -> bool:
        """Whether nobody counts in part."""
        return self.each_once and self._groups_each == self._parts

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """The question's own; of people where it counts these."""
        own = self.question.answer(columns)
        once = Numbers((self.target.once,), "people", amount=True)
        if not self.each_once:
            return own
        return Grouped(once, own.groups) if isinstance(own, Grouped) else once

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Its conditions, groups and cap, as people read them: ``where sex is F, at most 3 rows a person``."""
        if self.each_once:
            few = "" if self.whole_numbers else f"each person in at most {counted(self._groups_each, ' groups')}"
            return ", ".join(filter(None, (self.question.words(columns), few)))
        cap = counted(self.rows, " rows")
        each = "" if self.groups_each is None else f" in a group, and {counted(self.groups_each, ' groups')},"
        return ", ".join(part for part in (self.question.words(columns), f"at most {cap}{each} a person") if part)

    def about(self, question: Query, person: str) -> ContributionBounded:
        """With this cap; in no more groups than there are."""
        each = None if self.groups_each is None or not question.groups else min(self.groups_each, len(question.groups))
        return replace(self, question=question, person=person, groups_each=each)

    def weights(self, database: Database, /) -> FloatArray:
        """How much each row counts, (n,) -> (n,)."""
        return self._weighed(database)[2]

    def __call__(self, database: Database, /) -> FloatArray:
        values, places, weights = self._weighed(database)
        order = np.argsort(places, kind="stable")
        ends = np.searchsorted(places[order], np.arange(-1, self._parts), side="right")
        groups = [order[ends[place] : ends[place + 1]] for place in range(self._parts)]
        return self._exact(np.concatenate([self._weighted(values[rows], weights[rows]) for rows in groups]))

    @property
    def ways(self) -> tuple[str, ...]:
        """Each person's own part, where the target adds up rows."""
        return () if self.known.weighted is not None else ("additive",)

    def each(self, database: Database, /) -> FloatArray:
        """Every person's own part of the answer, whose sum it is: (n,) -> (people, d)."""
        values, places, weights = self._weighed(database)
        inside = np.flatnonzero(places >= 0)
        parts = self.known.contribution(values[inside], 1) * weights[inside, None]
        cells = users.count(database[self.person]) * self._parts
        cell = database[self.person][users.CODE][inside] * self._parts + places[inside]
        sums = np.stack([np.bincount(cell, weights=column, minlength=cells) for column in parts.T], axis=-1)
        return self._exact(sums.astype(np.float64).reshape(-1, self._parts * parts.shape[1]))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """s times that of one row that gets lost for each of g groups, and of one that is replaced for those that two people
        share (mathematics, section 15.1)."""
        n, most = whole("n", n), users.MOST_ROWS
        proof = "The rows of a person weigh s together at most, so they move the answer by at most s times what one row does."
        if self.groups_each is not None:
            proof = "The rows of a person weigh s at most in each group, and g groups count: each moves as s equal rows move it."
        lost, largest = self.question.lost(norm, most), self.question.lost(LINF, most)
        of_group = across(norm, self._parts)
        changed = None if of_group is None else worst_case_of(self.known, of_group[0], most)
        if lost is None or largest is None or changed is None or adjacency.of_records:
            return None
        of_person = moved(norm, lost, changed.value, self._groups_each, self._parts, adjacency)
        value, sizes = of_person * self.rows * _ROUNDING, (most * largest,) * self._entries(norm)
        return proved(self, value, sizes, norm, n, proof, adjacency=adjacency, records=most)

    def _entries(self, norm: Norm) -> int:
        """How many numbers of the answer a norm can see moving."""
        if norm in (RANGE, LINF):
            return 2
        return int(self.known.numbers) * self._parts

    @property
    def _parts(self) -> int:
        return max(1, len(self.groups))

    @property
    def _groups_each(self) -> int:
        return self.groups_each or 1

    def _exact(self, numbers: FloatArray) -> FloatArray:
        """Without what rounding N parts of 1/N each has left beside a whole number."""
        return np.rint(numbers) if self.whole_numbers else numbers

    def _weighed(self, database: Database) -> tuple[Database, users.Places, FloatArray]:
        """What the target gets of each row, its group, −1 where it does not count, and its weight."""
        values, places = placed(self.question, database)
        return values, places, users.row_weights(database[self.person], places, self.rows, self.groups_each)

    def _weighted(self, values: Database, weights: FloatArray) -> FloatArray:
        """The target's answer on the rows that count, each with its weight."""
        if self.known.weighted is not None:
            return np.asarray(self.known.weighted(values, weights))
        parts = self.known.contribution(values, 1) * weights[:, None]
        return np.array([math.fsum(column.tolist()) for column in parts.T])


def moved(norm: Norm, lost: float, changed: float, each: int, groups: int, adjacency: Adjacency) -> float:
    """How far one person moves the answers for so many groups, of whose rows one counts in each of ``each`` groups: one that gets
    lost moves its group's answer by ``lost``, and one that is replaced by ``changed``.

    Two people who are in ``each`` groups share at least 2·each − groups of them, and j that they share move as replaced rows, the
    2·(each − j) others as lost ones: most at one end of j (mathematics, section 9.1).
    """
    if adjacency.removes:
        return _together(norm, (lost, each))
    shared = (max(0, 2 * each - groups), each)
    return max(_together(norm, (max(changed, lost), j), (lost, 2 * (each - j))) for j in shared)


def _together(norm: Norm, *moves: tuple[float, int]) -> float:
    """How far groups move together of which so many move by each of these sizes."""
    some = [(size, groups) for size, groups in moves if groups]
    if norm == LINF or some == [(some[0][0], 1)]:
        return max(size for size, _ in some)
    if norm == L2:
        return math.nextafter(math.hypot(*(size * math.sqrt(groups) for size, groups in some)), math.inf)
    return math.fsum(size * groups for size, groups in some)


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

    question: Query
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
        of_row = self.question.lost(LINF, users.MOST_ROWS)
        if of_row is None or not leave_room(users.MOST_ROWS * max(of_row, self._most), self._most):
            raise InvalidValueError("bounds", "of a size that leaves room to add up 2²⁴ rows", (self.totals, of_row))

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """The question's own."""
        return self.question.answer(columns)

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Its conditions, groups and limit, as people read them: ``where sex is F, each person's total at most 4,000``."""
        low, high = (f"{end:,.10g}" for end in self.totals)
        limit = f"at most {high}" if not self.totals[0] else f"at least {low}" if not self.totals[1] else f"from {low} to {high}"
        return ", ".join(part for part in (self.question.words(columns), f"each person's total {limit}") if part)

    def about(self, question: Query, person: str) -> ClippedTotals | None:
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
        found = np.zeros((users.count(database[self.person]), self._parts))
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
        sizes = (users.MOST_ROWS * self._most,) * entries
        value = known * (1 + (self._parts + 8) * _ROOM)
        return proved(self, value, sizes, norm, n, proof, adjacency=adjacency, records=users.MOST_ROWS)

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


def _parts_of_people(question: Query, person: str, database: Database) -> tuple[Places, Places, FloatArray]:
    """What the rows of a person add up to in each group, of those that count: the person's code, the group, and the sum.

    Each sum is made of one person's rows alone, in their own order, so that nobody else's rows change how it is rounded.
    """
    values, places = placed(question, database)
    inside, width = np.flatnonzero(places >= 0), max(1, len(question.groups))
    cells, cell = np.unique(database[person][users.CODE][inside] * width + places[inside], return_inverse=True)
    parts = np.asarray(question.known.contribution(values[inside], 1), dtype=np.float64)[:, 0]
    return cells // width, cells % width, np.bincount(cell, weights=parts, minlength=len(cells)).astype(np.float64)


def _share(parts: FloatArray, who: Places, most: float) -> FloatArray:
    """min(1, most/S_u) for each part, S_u what the parts of its person, none below 0, add up to."""
    sums = np.bincount(who, weights=parts)
    return np.asarray(np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)[who])


def adds_up_to_a_total(question: Query) -> bool:
    """Whether what one person's rows add up to is one number: of a sum and of a count, not of a mean or of scores."""
    said = question.known
    return said.contribution is not None and said.weighted is None and said.numbers == 1


def limited(totals: Interval, bounds: Interval) -> Interval:
    """The bounds of a total of values within ``bounds``: no end lies where no such total can be."""
    return (totals[0] if bounds[0] < 0 else 0.0), (totals[1] if bounds[1] > 0 else 0.0)


def clipped_at(question: Query, person: str, limit: float) -> ClippedTotals:
    """The sum with each person's total between −limit and limit, or 0 where no total of its values lies."""
    return ClippedTotals(question, person, limited((-limit, limit), question.target.bounds))


def about_people(target: Target, columns: tuple[str, ...], person: str, before: Target, *, cap: int = 1) -> Target:
    """The question about the people of this field, as the one ``before`` was one; if it was none that goes on, with its cap, or
    else with this one."""
    question = target if isinstance(target, Query) else Query(target, columns)
    after = before.about(question, person) if isinstance(before, AskedOfPeople) else None
    return ContributionBounded(question, person, before.rows or cap) if after is None else after
