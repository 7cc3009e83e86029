"""Queries about people with several rows: each person's rows weigh at most s together, or add up to a bounded total."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, interval, leave_room
from dpcore.base.checks import named, set_fields, whole
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
from dpcore.targets.columns import sums_rounded_once
from dpcore.targets.proved import N, raised, worst_case_of
from dpcore.targets.query import AsksTarget, Query, across

_ROUNDING = 1 + 2.0**-50  # two products a row, and min(1, s/N), each rounded
_ROOM = 2**-52  # of a share: each sum, quotient and product of a person's part errs by half of that


class AskedOfPeople(AsksTarget):
    """A query about people: the query about their rows, and the field that says whose a row is."""

    question: Query
    person: str

    @property
    def target(self) -> Target:
        """The target that the query asks."""
        return self.question.target

    @property
    def known(self) -> Target:
        """The target's form for known values."""
        return self.question.known

    @property
    def stands_for(self) -> Target:
        """The target that a picker shows."""
        return self.question.target

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that the target gets."""
        return self.question.columns

    @property
    def where(self) -> tuple[Filter, ...]:
        """The conditions that records have to meet."""
        return self.question.where

    @property
    def by(self) -> GroupBy | None:
        """The column of its groups."""
        return self.question.by

    @property
    def groups(self) -> tuple[str, ...]:
        """The public groups."""
        return self.question.groups

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all columns that it reads: the query's, and the one that says whose a row is."""
        return (*self.question.fields, self.person)

    @property
    @abstractmethod
    def proof(self) -> str:
        """Why one person moves the answer by no more than ``worst_case``."""

    @abstractmethod
    def worst_case(self, norm: Norm, adjacency: Adjacency) -> float | None:
        """Return how far one person moves the answer at most, rounded up; None without a proof."""

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """Return the proved sensitivity. It counts the rounding of 2²⁴ rows, because the true number is confidential.

        Args:
            norm: The norm that measures how far the answer moves.
            n: The number of people. If one is added or removed, it is the number that the data owner states.
            adjacency: Which databases are neighbours.

        Returns:
            The sensitivity; None if nothing is proved, and for neighbours that differ in one row.
        """
        value = self.worst_case(norm, adjacency)
        return None if value is None else GlobalSensitivity(self, value, norm, adjacency, self.proof, whole("n", n))

    @abstractmethod
    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return what is asked apart from the target, as people read it."""

    @abstractmethod
    def about(self, question: Query, person: str) -> AskedOfPeople | None:
        """Return the same for another query, or another field of people; None if the limit does not apply to that."""

    @property
    def _parts(self) -> int:
        """The number of groups, 1 without groups."""
        return max(1, len(self.groups))

    def asked(self, databases: Database, /) -> Database:
        """Return the target's columns, missing if a condition does not hold."""
        return self.question.asked(databases)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these are the query's columns, followed by that of the people."""
        named = bool(columns) and (columns[-1].name, columns[-1].role) == (self.person, PERSON)
        return named and self.question.fits(columns[:-1])


def of_people(question: object, person: object) -> Query:
    """Check that a query can be asked about people, and return it: its target adds up rows.

    Then the target has ``rows_that_count(records)``, ``numbers``, and ``weighted(values, weights)`` or a ``contribution`` that
    does not depend on n.

    Args:
        question: The query.
        person: The field that says whose a row is.

    Raises:
        InvalidValueError: If it is another query, or reads the field itself.
    """
    if not isinstance(question, Query) or question.known.rows_that_count is None:
        expected = "a question whose target adds up rows: a count, a sum, a mean or a share of known values, or a quantile"
        raise InvalidValueError("question", expected, question)
    if named("person", person) in question.fields:
        raise InvalidValueError("person", f"another column than {', '.join(question.fields)}", person)
    return question


def placed(question: Query, database: Database) -> tuple[Database, Places]:
    """Return what the target gets of each row, and the index of the row's group: −1 if the row does not count."""
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
    """A query about rows in which the rows of one person weigh at most s together: (n,) -> (d,), as the query answers.

    f(D) = Σ min(1, s/N_u)·c(row). c(row) is what a row adds, and N_u the number of the person's rows that count: those with known
    values that meet the conditions. The limit is over all groups; with ``groups_each`` it is for each group, and for so many
    groups a person.

    A number of rows with one row a person is a number of people (``each_once``). It is a whole number, unless a person has rows
    in more than ``groups_each`` groups.

    The worst case is ``rows`` times that of one row, if a person is replaced, added or removed. With g groups a person it is √g
    times that in L2, and g times in L1; it is less if two people have to share groups, at least 2g − k of k groups (mathematics,
    section 15.1). If a person is added or removed, n is stated by the data owner, and nothing is divided by the true number of
    people.

    Args:
        question: The query about rows.
        person: The field that says whose a row is (``dpcore.base.users``).
        rows: s, the number of rows that each person counts for.
        groups_each: The number of groups that each person counts in; None limits the rows over all groups.

    Raises:
        InvalidValueError: If the query does not add up rows, or a limit is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import Query, targets
        >>> from dpcore.base.users import per_user
        >>> rows = np.array([(2.0,), (4.0,), (9.0,)], dtype=[("cost", float)])
        >>> people = per_user(rows, np.array(["ann", "ann", "bob"]))
        >>> targets.ContributionBounded(Query(targets.Sum((0, 10)), ("cost",)), "person", rows=1)(people)
        array([12.])
    """

    question: Query
    person: str
    rows: int = field(default=1, metadata={"label": "Rows a person counts for, s", "min": 1, "step": 1})
    groups_each: int | None = field(default=None, metadata=_GROUPS_EACH)
    title: ClassVar[str] = "Question about people"

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        rows, groups = users.checked_limits(self.rows, self.groups_each)
        if groups is not None and groups > self._parts:
            raise InvalidValueError("groups a person", f"at most {len(self.groups)}, as many as there are", groups)
        set_fields(self, rows=rows, groups_each=groups)

    @property
    def candidates(self) -> tuple[Any, ...]:
        """The query's candidates."""
        return self.question.candidates

    @property
    def each_once(self) -> bool:
        """True if it is a number of people with a row that counts, or of people with a row in each group."""
        once = self.rows == 1 and (not self.groups or self.groups_each is not None)
        return once and self.target.public_alone

    @property
    def whole_numbers(self) -> bool:
        """True if no person counts in part."""
        return self.each_once and self._groups_each == self._parts

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return the kind of answer: the query's, or a number of people."""
        if not self.each_once:
            return self.question.answer(columns)
        once = Numbers((self.target.once,), "people", amount=True)
        return once if self.by is None else Grouped(once, self.by.labels_in(columns))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return conditions, groups and limits as people read them: ``where sex is F, at most 3 rows a person``."""
        groups = counted(self._groups_each, " groups")
        if self.each_once:
            limit = "" if self.whole_numbers else f"each person in at most {groups}"
        else:
            each = "" if self.groups_each is None else f" in a group, and {groups},"
            limit = f"at most {counted(self.rows, ' rows')}{each} a person"
        return ", ".join(filter(None, (self.question.words(columns), limit)))

    def about(self, question: Query, person: str) -> ContributionBounded:
        """Return the same limits for another query; at most in as many groups as there are."""
        each = None if self.groups_each is None or not question.groups else min(self.groups_each, len(question.groups))
        return replace(self, question=question, person=person, groups_each=each)

    def __call__(self, database: Database, /) -> FloatArray:
        values, places, weights, _ = self._counted(database)
        if self.known.weighted is not None:  # scores, which are never asked by group
            return np.asarray(self.known.weighted(values, weights))
        parts = self.known.contribution(values, 1) * weights[:, None]
        return self._exact(sums_rounded_once(parts, places, self._parts).ravel())

    @property
    def ways(self) -> tuple[str, ...]:
        """The sampling methods: one that uses each person's part, unless scores are weighted."""
        return () if self.known.weighted is not None else ("additive",)

    def each(self, database: Database, /) -> FloatArray:
        """Return each person's part of the answer, which is their sum: (n,) -> (people, d)."""
        values, places, weights, codes = self._counted(database)
        parts = self.known.contribution(values, 1) * weights[:, None]
        cell, cells = codes * self._parts + places, users.count(database[self.person]) * self._parts
        sums = np.stack([np.bincount(cell, weights=column, minlength=cells) for column in parts.T], axis=-1)
        return self._exact(sums.astype(np.float64).reshape(-1, self._parts * parts.shape[1]))

    @property
    def proof(self) -> str:
        """Why one person moves the answer by no more than ``worst_case``."""
        if self.groups_each is not None:
            return "The rows of a person weigh s at most in each group, and g groups count: each moves as s equal rows move it."
        return "The rows of a person weigh s together at most, so they move the answer by at most s times what one row does."

    def worst_case(self, norm: Norm, adjacency: Adjacency) -> float | None:
        """Return s times that of one row, for g groups (mathematics, section 15.1).

        A row gets lost in each group that only one of two people is in, and is replaced in each that both are in.
        """
        most, of_group = users.MOST_ROWS, across(norm, self._parts)
        lost, largest = self.question.lost(norm, most), self.question.lost(LINF, most)
        changed = None if of_group is None else worst_case_of(self.known, of_group[0], most)
        if lost is None or largest is None or changed is None or adjacency.of_records:
            return None
        of_person = moved(norm, lost, changed.value, self._groups_each, self._parts, adjacency)
        moving = 2 if norm in (RANGE, LINF) else int(self.known.numbers) * self._parts  # numbers that the norm sees moving
        return raised(of_person * self.rows * _ROUNDING, (most * largest,) * moving, most)

    @property
    def _groups_each(self) -> int:
        return self.groups_each or 1

    def _exact(self, numbers: FloatArray) -> FloatArray:
        """Return numbers without what rounding N parts of 1/N each leaves beside a whole number."""
        return np.rint(numbers) if self.whole_numbers else numbers

    def _counted(self, database: Database) -> tuple[Database, Places, FloatArray, Places]:
        """Return the rows that count: the target's columns, and each row's group, weight and person's code."""
        values, places = placed(self.question, database)
        weights = users.row_weights(database[self.person], places, self.rows, self.groups_each)
        inside = np.flatnonzero(places >= 0)
        return values[inside], places[inside], weights[inside], database[self.person][users.CODE][inside]


def moved(norm: Norm, lost: float, changed: float, each: int, groups: int, adjacency: Adjacency) -> float:
    """Return how far one person with one row in each of some groups moves the answers (mathematics, section 9.1).

    Two people who are in ``each`` groups share at least 2·each − groups of them. The j that they share move as replaced rows, and
    the 2·(each − j) others as lost ones: most at one end of j.

    Args:
        norm: The norm of all groups' answers.
        lost: How far a row that gets lost moves its group's answer.
        changed: How far a replaced row does.
        each: The number of groups that a person counts in.
        groups: The number of groups.
        adjacency: Which databases are neighbours.
    """
    if adjacency.removes:
        return _together(norm, (lost, each))
    shared = (max(0, 2 * each - groups), each)
    return max(_together(norm, (max(changed, lost), j), (lost, 2 * (each - j))) for j in shared)


def _together(norm: Norm, *moves: tuple[float, int]) -> float:
    """Return how far groups move together, for pairs of a size and the number of groups that move by it."""
    some = [(size, groups) for size, groups in moves if groups]
    if norm == LINF or some == [(some[0][0], 1)]:
        return max(size for size, _ in some)
    if norm == L2:
        return math.nextafter(math.hypot(*(size * math.sqrt(groups) for size, groups in some)), math.inf)
    return math.fsum(size * groups for size, groups in some)


@final
@dataclass(frozen=True, slots=True)
class ClippedTotals(AskedOfPeople):
    """A sum over people in which each person's total is clipped: (n,) -> (1,), or (groups,).

    f(D) = Σ_u clip(T_u, L, U), with T_u = Σ c(row) over the person's rows that have known values and meet the conditions. By
    group, a person's parts above 0 are shrunk by one factor until they add up to at most U, and those below 0 until they add up
    to at least L. So the limit is on all groups together.

    The worst case depends only on L and U, and not on the number of rows or the bounds of a row (mathematics, section 15.3).
    ``ContributionBounded`` instead gives the rows of people with many rows less weight, whatever they add up to.

    Args:
        question: A query about rows: a sum, or a number of rows.
        person: The field that says whose a row is (``dpcore.base.users``).
        totals: The bounds L <= 0 <= U of a person's total.

    Raises:
        InvalidValueError: If the query has no such total, or 0 is not within the bounds.

    Examples:
        >>> import numpy as np
        >>> from dpcore import Query, targets
        >>> from dpcore.base.users import per_user
        >>> rows = np.array([(2.0,), (4.0,), (9.0,)], dtype=[("cost", float)])
        >>> people = per_user(rows, np.array(["ann", "ann", "bob"]))
        >>> targets.ClippedTotals(Query(targets.Sum((0, 10)), ("cost",)), "person", totals=(0, 5))(people)
        array([10.])
    """

    question: Query
    person: str
    totals: Interval = field(metadata={"label": "Bounds of a person's total"})
    title: ClassVar[str] = "Question about people's totals"
    whole_numbers: ClassVar[bool] = False  # a limit need not be a whole number
    from_a_part: ClassVar[str] = ""
    ways: ClassVar[tuple[str, ...]] = ("additive",)
    proof: ClassVar[str] = (
        "Each person adds a total within its bounds: who comes, goes or is replaced moves the answer by no more than these."
    )

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        if not adds_up_to_a_total(self.question):
            raise InvalidValueError("question", "a sum, or a count of rows", self.target)
        low, high = interval("bounds of a person's total", self.totals)
        if not low <= 0 <= high:
            raise InvalidValueError(
                "bounds of a person's total", "0 or less, and 0 or more: some people add up to 0", self.totals
            )
        set_fields(self, totals=(low, high))
        of_row = self.question.lost(LINF, users.MOST_ROWS)
        if of_row is None or not leave_room(users.MOST_ROWS * max(of_row, self._most), self._most):
            raise InvalidValueError("bounds", "of a size that leaves room to add up 2²⁴ rows", (self.totals, of_row))

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return the kind of answer: the query's."""
        return self.question.answer(columns)

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return conditions, groups and limit as people read them: ``where sex is F, each person's total at most 4,000``."""
        low, high = (f"{end:,.10g}" for end in self.totals)
        limit = f"at most {high}" if not self.totals[0] else f"at least {low}" if not self.totals[1] else f"from {low} to {high}"
        return ", ".join(part for part in (self.question.words(columns), f"each person's total {limit}") if part)

    def about(self, question: Query, person: str) -> ClippedTotals | None:
        """Return the same limit for another query that adds up the same column; None for another column, with its own unit.

        An end that no value within other bounds can reach becomes 0.
        """
        bounds = question.target.bounds
        if question.columns != self.columns or not adds_up_to_a_total(question) or bool(bounds) != bool(self.target.bounds):
            return None
        low, high = limited(self.totals, bounds or (0.0, 1.0))
        return replace(self, question=question, person=person, totals=(low, high)) if low < high else None

    def __call__(self, database: Database, /) -> FloatArray:
        _, places, parts = self._clipped(database)
        return sums_rounded_once(parts[:, None], places, self._parts).ravel()

    def each(self, database: Database, /) -> FloatArray:
        """Return each person's part of the answer, which is their sum: (n,) -> (people, groups)."""
        who, places, parts = self._clipped(database)
        found = np.zeros((users.count(database[self.person]), self._parts))
        found[who, places] = parts
        return found

    def worst_case(self, norm: Norm, adjacency: Adjacency) -> float | None:
        """Return what ``moved_by_a_person`` proves (mathematics, section 15.3); None in RANGE."""
        known = moved_by_a_person(self.totals, self._parts, adjacency).get(norm)
        if known is None:
            return None
        sizes = (users.MOST_ROWS * self._most,) * (1 if norm == LINF else self._parts)
        return raised(known * (1 + (self._parts + 8) * _ROOM), sizes, users.MOST_ROWS)

    @property
    def _most(self) -> float:
        return max(-self.totals[0], self.totals[1])

    def _clipped(self, database: Database) -> tuple[Places, Places, FloatArray]:
        """Return each person's part in each group with rows of the person: the person's code, the group, and the part."""
        who, places, parts = _parts_of_people(self.question, self.person, database)
        low, high = self.totals
        above, below = np.maximum(parts, 0.0), np.minimum(parts, 0.0)
        shrunk = above * _share(above, who, high) + below * _share(-below, who, -low)
        return who, places, np.clip(shrunk, low, high)


def moved_by_a_person(totals: Interval, groups: int, adjacency: Adjacency) -> dict[Norm, float]:
    """Return how far one person moves the answers for some groups, in each norm that has a proof (mathematics, section 15.3).

    For one number that is max(−L, U) if a person is added or removed, and U − L if one is replaced. For several groups it is
    U − L in L1 and √(L² + U²) in L2 if a person is added or removed, and 2 and √2 times U − L if one is replaced.
    """
    low, high = totals
    if adjacency is Adjacency.REPLACE_ONE_USER:
        span = high - low
        return {LINF: span} | ({L1: span, L2: span} if groups == 1 else {L1: 2 * span, L2: math.sqrt(2) * span})
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
        most = max(-low, high)
        return {LINF: most} | ({L1: most, L2: most} if groups == 1 else {L1: high - low, L2: math.hypot(low, high)})
    return {}


def _parts_of_people(question: Query, person: str, database: Database) -> tuple[Places, Places, FloatArray]:
    """Return what each person's rows that count add up to in each group: the person's code, the group, and the sum.

    Each sum is of one person's rows, in their own order, so no other person's rows change how it is rounded.
    """
    values, places = placed(question, database)
    inside, width = np.flatnonzero(places >= 0), max(1, len(question.groups))
    cells, cell = np.unique(database[person][users.CODE][inside] * width + places[inside], return_inverse=True)
    parts = np.asarray(question.known.contribution(values[inside], 1), dtype=np.float64)[:, 0]
    return cells // width, cells % width, np.bincount(cell, weights=parts, minlength=len(cells)).astype(np.float64)


def _share(parts: FloatArray, who: Places, most: float) -> FloatArray:
    """Return min(1, most/S_u) for each part, with S_u the sum of its person's parts, none of which is below 0."""
    sums = np.bincount(who, weights=parts)
    return np.asarray(np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)[who])


def adds_up_to_a_total(question: Query) -> bool:
    """Return whether a person's rows add up to one number: for a sum and a count, and not for a mean or for scores."""
    known = question.known
    return known.contribution is not None and known.weighted is None and known.numbers == 1


def limited(totals: Interval, bounds: Interval) -> Interval:
    """Return bounds of a total of values within ``bounds``: an end that no total can reach becomes 0."""
    return (totals[0] if bounds[0] < 0 else 0.0), (totals[1] if bounds[1] > 0 else 0.0)


def clipped_at(question: Query, person: str, limit: float) -> ClippedTotals:
    """Return the sum with each person's total between −limit and limit, or 0 instead of an end that no total can reach."""
    return ClippedTotals(question, person, limited((-limit, limit), question.target.bounds))


def about_people(target: Target, columns: tuple[str, ...], person: str, before: Target, *, cap: int = 1) -> Target:
    """Return the query about the people of a field, with the limit of ``before``.

    Args:
        target: The target, or a query.
        columns: The columns of a plain target.
        person: The field that says whose a row is.
        before: The target whose limit is taken, if it applies.
        cap: The limit of rows if ``before`` has none.
    """
    question = target if isinstance(target, Query) else Query(target, columns)
    after = before.about(question, person) if isinstance(before, AskedOfPeople) else None
    return ContributionBounded(question, person, before.rows or cap) if after is None else after
