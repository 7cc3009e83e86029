"""A question about people: nobody counts for more than s rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base import people, row_weights
from dpcore.base.checks import whole
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.norms import L2, LINF, RANGE, Norm
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.grouped import Grouped
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Numbers
from dpcore.targets.on import On, across
from dpcore.targets.people_rows import AskedOfPeople, of_people, placed
from dpcore.targets.proved import N, proved, worst_case_of

_ROUNDING = 1 + 2.0**-50  # two products a row, and min(1, s/N), each rounded


@final
@dataclass(frozen=True, slots=True)
class Capped(AskedOfPeople):
    """A question about rows, where the rows of one person weigh s together at most: f(D) = Σ min(1, s/N_u)·c(row).

    N_u is how many of the person's rows count: whose values are known, and of which the conditions hold. ``person`` is the field
    that tells whose a row is (``dpcore.base.people``). The cap is over all groups; with ``groups_each`` it is ``rows`` in each
    group, and so many groups a person. (n,) -> (d,), as the question has it.

    A number of rows with one row a person is a number of people (``each_once``): Σ min(1, 1/N_u)·N_u, and in each of up to g
    groups a person the same of the rows there. So it is a whole number, unless somebody has rows in more than g groups.

    The worst case is that of one row, ``rows`` times, where somebody is replaced and where somebody is added or removed; with g
    groups a person it is √g times that in L2, and g times in L1, and less where a person is replaced by one who shares groups:
    of k groups at least 2g − k (mathematics, section 15.1). Where somebody is added or removed, n is what its holder states, and
    nothing is divided by the true number of people.
    """

    question: On
    person: str
    rows: int = field(default=1, metadata={"label": "Rows a person counts for, s", "min": 1, "step": 1})
    groups_each: int | None = None
    title: ClassVar[str] = "Question about people"

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        rows, groups = row_weights.checked(self.rows, self.groups_each)
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
        return once and bool(self.target.once)

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

    def about(self, question: On, person: str) -> Capped:
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
        return () if self.target.weighted is not None else ("additive",)

    def each(self, database: Database, /) -> FloatArray:
        """Every person's own part of the answer, whose sum it is: (n,) -> (people, d)."""
        values, places, weights = self._weighed(database)
        counted = np.flatnonzero(places >= 0)
        parts = self.target.contribution(values[counted], 1) * weights[counted, None]
        cells = people.count(database[self.person]) * self._parts
        cell = database[self.person][people.CODE][counted] * self._parts + places[counted]
        sums = np.stack([np.bincount(cell, weights=column, minlength=cells) for column in parts.T], axis=-1)
        return self._exact(sums.astype(np.float64).reshape(-1, self._parts * parts.shape[1]))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """s times that of one row that gets lost for each of g groups, and of one that is replaced for those that two people
        share (mathematics, section 15.1)."""
        n, most = whole("n", n), people.MOST_ROWS
        proof = "The rows of a person weigh s together at most, so they move the answer by at most s times what one row does."
        if self.groups_each is not None:
            proof = "The rows of a person weigh s at most in each group, and g groups count: each moves as s equal rows move it."
        lost, largest = self.question.lost(norm, most), self.question.lost(LINF, most)
        of_group = across(norm, self._parts)
        changed = None if of_group is None else worst_case_of(self.target, of_group[0], most)
        if lost is None or largest is None or changed is None or adjacency.of_records:
            return None
        of_person = moved(norm, lost, changed.value, self._groups_each, self._parts, adjacency)
        value, sizes = of_person * self.rows * _ROUNDING, (most * largest,) * self._entries(norm)
        return proved(self, value, sizes, norm, n, proof, adjacency=adjacency, records=most)

    def _entries(self, norm: Norm) -> int:
        """How many numbers of the answer a norm can see moving."""
        if norm in (RANGE, LINF):
            return 2
        return int(self.target.numbers) * self._parts

    @property
    def _parts(self) -> int:
        return max(1, len(self.groups))

    @property
    def _groups_each(self) -> int:
        return self.groups_each or 1

    def _exact(self, numbers: FloatArray) -> FloatArray:
        """Without what rounding N parts of 1/N each has left beside a whole number."""
        return np.rint(numbers) if self.whole_numbers else numbers

    def _weighed(self, database: Database) -> tuple[Database, row_weights.Places, FloatArray]:
        """What the target gets of each row, its group, −1 where it does not count, and its weight."""
        values, places = placed(self.question, database)
        return values, places, row_weights.weights(database[self.person], places, self.rows, self.groups_each)

    def _weighted(self, values: Database, weights: FloatArray) -> FloatArray:
        """The target's answer on the rows that count, each with its weight."""
        if self.target.weighted is not None:
            return np.asarray(self.target.weighted(values, weights))
        parts = self.target.contribution(values, 1) * weights[:, None]
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


def about_people(target: Target, columns: tuple[str, ...], person: str, before: Target, *, cap: int = 1) -> Target:
    """The question about the people of this field, as the one ``before`` was one; if it was none that goes on, with its cap, or
    else with this one."""
    question = target if isinstance(target, On) else On(target, columns)
    after = before.about(question, person) if isinstance(before, AskedOfPeople) else None
    return Capped(question, person, before.rows or cap) if after is None else after
