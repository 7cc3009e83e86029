"""A query: a target on columns by name, of the records that meet public conditions, and in public groups."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import named, set_fields, whole
from dpcore.base.columns import Column
from dpcore.base.filters import Filter, GroupBy, Truths, of_one_kind
from dpcore.base.norms import L1, L2, LINF, Norm
from dpcore.base.types import SteppedTarget, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.kind import Grouped, KindOfAnswer
from dpcore.result_types.numbers import answer_of
from dpcore.targets.proved import N, removed, worst_case_of

_SECONDS_A_RECORD = 3e-8  # to look at its conditions and its group, measured on 2 shared cores
_SECONDS_A_NUMBER = 2e-8  # of a group, where all groups are answered in one pass
_MOST_CONDITIONS, _MOST_NUMBERS = 32, 2**20


class AsksTarget(Target):
    """A target that asks another one, and has its properties.

    ``target`` is the one that is asked, as a picker shows it.
    """

    accepts_missing: ClassVar[bool] = True
    accepts_structured: ClassVar[bool] = True  # it reads columns by their names

    @property
    @abstractmethod
    def known(self) -> Target:
        """The target that is evaluated: the form of ``target`` for known values."""

    @property
    def named(self) -> str:
        """The name in few words."""
        return self.known.named

    @property
    def is_selection_score(self) -> bool:
        """True if its scores are only for choosing a candidate."""
        return self.known.is_selection_score

    @property
    def scores(self) -> bool:
        """True if its numbers are scores of candidates."""
        return self.known.scores

    @property
    def whole_numbers(self) -> bool:
        """True if each number of the answer is a whole number."""
        return self.known.whole_numbers

    @property
    def about_relations(self) -> bool:
        """True if the answer says how columns are related."""
        return self.known.about_relations

    @property
    def relative_resolution(self) -> float:
        """The relative size of a change of the answer that rounding can make."""
        return self.known.relative_resolution

    @property
    def from_a_part(self) -> str:
        """The way from the answer on a part of the records to that on all."""
        return self.known.from_a_part


@final
@dataclass(frozen=True, slots=True)
class Query(AsksTarget):
    """A target on columns by name, of the records that meet conditions, and in groups: (n,) -> (d,), or (groups·d,).

    A record that does not meet the conditions counts as one whose values are all missing. So the target has to take missing
    values, and n stays public. The target's form for known values is evaluated, with or without conditions: a mean is divided by
    the confidential number of known values, and never by n. With groups, a replaced row changes at most two groups' answers
    (mathematics, section 13.2).

    Args:
        target: The target, which takes missing values or has a form for known values.
        columns: The names of the columns that the target gets.
        where: Conditions on columns, all of which have to hold.
        by: Public groups; the answer is that of each group, one after another.

    Raises:
        InvalidValueError: If the target cannot be asked so, names are repeated, or there are too many conditions or groups.

    Examples:
        >>> import numpy as np
        >>> from dpcore import Filter, GroupBy, Query, targets
        >>> fields = [("days", float), ("sex", "U1"), ("age", float)]
        >>> stays = np.array([(3.0, "f", 70), (5.0, "m", 80), (9.0, "f", 20)], dtype=fields)
        >>> total = Query(targets.Sum((0, 30)), ("days",), (Filter("age", interval=(65, 120)),), GroupBy("sex", ("f", "m")))
        >>> total(stays)
        array([3., 5.])
    """

    target: Target
    columns: tuple[str, ...]
    where: tuple[Filter, ...] = ()
    by: GroupBy | None = None
    title: ClassVar[str] = "Question with conditions or groups"

    def __post_init__(self) -> None:
        if not isinstance(self.target, Target) or self.target.accepts_structured:
            raise InvalidValueError("target", "a target that is not a question itself", self.target)
        if isinstance(self.target, SteppedTarget):
            raise InvalidValueError("target", "one that is answered in one step, and no direction of a classifier", self.target)
        known = self.target.of_known_values()
        if known is None:
            expected = "one that takes missing values, as a mean with bounds does: a filtered row counts as missing"
            raise InvalidValueError("target", expected, self.target)
        columns = _tuple("columns", self.columns)
        if not columns or len(set(columns)) < len(columns):
            raise InvalidValueError("columns", "at least one name, all different", self.columns)
        set_fields(self, columns=tuple(named("columns", name) for name in columns), where=_tuple("where", self.where))
        if not all(isinstance(condition, Filter) for condition in self.where):
            raise InvalidValueError("where", "conditions", self.where)
        if len(self.where) > _MOST_CONDITIONS:
            raise InvalidValueError("where", f"at most {_MOST_CONDITIONS} conditions", len(self.where))
        if not isinstance(self.by, GroupBy | None):
            raise InvalidValueError("by", "groups, or left out", self.by)
        if self.by is not None and known.is_selection_score:
            expected = (
                "left out for a median or another choice, which is made once for all rows; ask one question for each group, with "
                "a condition for the group"
            )
            raise InvalidValueError("groups", expected, self.by)
        numbers = len(self.groups) * len(known.candidates)
        if numbers > _MOST_NUMBERS:
            raise InvalidValueError("groups", f"fewer: at most {_MOST_NUMBERS:,} numbers of all groups together", numbers)

    @property
    def known(self) -> Target:
        """The target's form for known values; missing ones, and all values of a record that is filtered out, are NaN or ''."""
        known = self.target.of_known_values()
        assert known is not None  # as its constructor checked
        return known

    @property
    def regardless_of_n(self) -> bool:
        """True if records of which all values are missing change nothing."""
        return self.known.regardless_of_n

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all columns that it reads: the target's, those of the conditions, and that of the groups."""
        by = () if self.by is None else (self.by.column,)
        return tuple(dict.fromkeys((*self.columns, *(condition.column for condition in self.where), *by)))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups' names; empty without groups."""
        return () if self.by is None else self.by.labels

    @property
    def candidates(self) -> tuple[Any, ...]:
        """The target's candidates; with groups one for each group and candidate."""
        own = tuple(self.known.candidates)
        if not self.groups:
            return own
        return tuple(f"{group}: {candidate}" for group in self.groups for candidate in own)

    @property
    def stands_for(self) -> Target:
        """The target that a picker shows."""
        return self.target

    @property
    def ways(self) -> tuple[str, ...]:
        """The sampling methods that the target makes possible."""
        known = self.known
        own = {"additive": known.contribution, "batch": known.batch}
        return tuple(way for way in known.ways or own if own.get(way) is not None)

    @property
    def seconds(self) -> Callable[[int], float] | None:
        """``seconds(n)``: those of the target, times the groups unless it answers all groups in one pass."""
        own: Callable[[int], float] | None = self.known.seconds
        if own is None:
            return None
        passes = 1 if self.known.by_group is not None else max(1, len(self.groups))
        numbers = len(self.groups) * max(1, len(self.known.candidates))
        return lambda n: passes * (own(n) + _SECONDS_A_RECORD * n) + _SECONDS_A_NUMBER * numbers

    @property
    def answer_bounds(self) -> Callable[[int], tuple[float, float] | None] | None:
        """``answer_bounds(n)``: the target's; None with groups, because each has a number."""
        return None if self.groups else self.known.answer_bounds

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these are its columns in order, and hold what target, conditions and groups ask for."""
        if tuple(column.name for column in columns) != self.fields or not self.target.fits(columns[: len(self.columns)]):
            return False
        of = {column.name: column for column in columns}
        return all(one.suits(of[one.column]) for one in (*self.where, self.by) if one is not None)

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return the kind of answer: that of the target, with one answer a group if there are groups."""
        own = answer_of(self.known, columns[: len(self.columns)])
        return own if self.by is None else Grouped(own, self.by.labels_in(columns))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return its conditions and groups as people read them: ``where sex is F and age from 18 to 65, by ward``."""
        held = " and ".join(condition.words(columns) for condition in self.where)
        return ", ".join(filter(None, (f"where {held}" * bool(held), "" if self.by is None else self.by.words(columns))))

    def __call__(self, database: Database, /) -> FloatArray:
        at_once = self.known.by_group
        if self.by is None or at_once is None:
            return self._of_each(self.known, database)
        values, places = self.placed(database)
        return np.ravel(at_once(_frozen(values), places, len(self.groups)))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """Return each record's part: (b,) -> (b, d), or (b, groups·d) with the part of a missing record in other groups."""
        added, (values, places) = self.known.contribution, self.placed(records)
        own = np.asarray(added(_frozen(values), n), dtype=np.float64)
        if self.by is None:
            return own
        none = np.asarray(added(_frozen(missing_but(self.asked(records[:1]), np.array([False]))), n), dtype=np.float64)
        parts = np.tile(none[:, None], (len(records), len(self.groups), 1))
        inside = places >= 0
        parts[inside, places[inside]] = own[inside]
        return parts.reshape(len(records), -1)

    def batch(self, databases: Database, /) -> FloatArray:
        """Return the answers on many databases: (b, n) -> (b, d), or (b, groups·d)."""
        return self._of_each(self.known.batch, databases)

    def asked(self, databases: Database, /) -> Database:
        """Return the target's columns, missing if a condition does not hold: (..., n) -> (..., n) or (..., n, columns)."""
        values = [self._field(databases, name) for name in self.columns]
        if len(values) > 1:
            for column in values:
                of_one_kind(column, texts=False)
        held = np.ones(databases.shape, dtype=np.bool_)
        for condition in self.where:
            held &= condition.holds(self._field(databases, condition.column))
        return missing_but(values[0] if len(values) == 1 else np.stack(values, axis=-1), held)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """Return the proved sensitivity; with groups also of a record that changes its group (mathematics, section 13.2).

        Args:
            norm: The norm that measures how far the answer moves.
            n: The number of records. If one is added or removed, it is the number that the data owner states.
            adjacency: Which databases are neighbours.

        Returns:
            The sensitivity; None if nothing is proved.
        """
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        if self.by is None:
            own = worst_case_of(self.known, norm, n)
            return None if own is None else replace(own, target=self)
        between = across(norm, len(self.groups))
        if between is None:
            return None
        inner, times = between
        inside, lost = worst_case_of(self.known, inner, n), self._lost(inner, n)
        if inside is None or lost is None:
            return None
        value = max(inside.value, math.nextafter(times * lost, math.inf))
        proof = (
            f"Inside a group: {inside.proof} A row that leaves one group for another gets lost in the one and is found in the "
            "other; no third group's answer moves."
        )
        return GlobalSensitivity(self, value, norm, inside.adjacency, proof, n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return how far the answer moves if a record gets lost, or is found: only its group's answer moves."""
        between = across(norm, max(1, len(self.groups)))
        return None if between is None else self._lost(between[0], n)

    def _lost(self, norm: Norm, n: int) -> float | None:
        """Return how far the target's answer moves if a record gets lost; a replaced record covers that."""
        own: Callable[[Norm, int], float | None] | None = self.known.lost
        if own is not None:
            return own(norm, n)
        inside = worst_case_of(self.known, norm, n)
        return None if inside is None else inside.value

    def _of_each(self, evaluate: Callable[[Database], FloatArray], databases: Database) -> FloatArray:
        """Return the answer on the records that meet the conditions, or those of each group, joined on the last axis."""
        values, places = self.placed(databases)
        if self.by is None:
            return np.asarray(evaluate(_frozen(values)))
        parts = [np.asarray(evaluate(_frozen(missing_but(values, places == place)))) for place in range(len(self.groups))]
        return np.concatenate(parts, axis=-1)

    def placed(self, databases: Database, /) -> tuple[Database, NDArray[np.int64]]:
        """Return what the target gets of each record, and the index of its group: 0 without groups, −1 if it is in none."""
        if self.by is None:
            return self.asked(databases), np.zeros(databases.shape, dtype=np.int64)
        return self.asked(databases), self.by.places(self._field(databases, self.by.column))

    def _field(self, databases: Database, name: str) -> Database:
        if name not in (databases.dtype.names or ()):
            raise InvalidValueError("database", f"with the named columns {', '.join(self.fields)}", databases.dtype.names)
        values: Database = databases[name]
        # of short floats a constant would be rounded, too: two intervals with nothing in common could hold the same record
        return values.astype(np.float64, copy=False) if values.dtype.kind in "iubf" else values


def across(norm: Norm, groups: int) -> tuple[Norm, float] | None:
    """Return the norm of each group's answer, and the factor for two groups in each of which a record gets lost or is found.

    (Mathematics, section 13.2.) None for a norm in which nothing is proved.
    """
    if groups == 1:
        return norm, 1.0
    two = {L1: 2.0, L2: math.nextafter(2**0.5, 2.0), LINF: 1.0}
    return (norm, two[norm]) if norm in two else None


def missing_but(values: Database, held: Truths) -> Database:
    """Return values, missing (NaN, or '' of text) if ``held`` is false."""
    if values.dtype.kind == "U":
        return np.where(held, values, "")
    return np.where(held.reshape(held.shape + (1,) * (values.ndim - held.ndim)), values, np.nan)


def _frozen(values: Database) -> Database:
    values.flags.writeable = False
    return values


def _tuple(name: str, value: object) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise InvalidValueError(name, "a sequence", value)
    return tuple(value)


def questioned(
    target: Target, columns: tuple[str, ...], where: tuple[Filter, ...], by: GroupBy | None, *, known: bool = False
) -> Target:
    """Return the target itself if nothing else is asked, and otherwise the question; of a question its target is taken.

    Args:
        target: The target, or a question.
        columns: Its columns.
        where: The conditions.
        by: The groups.
        known: Whether only known values count in any case. Then a target with another form for these becomes a question.
    """
    inner, own = unasked(target, columns)
    other_form = known and inner.of_known_values() not in (None, inner)
    return Query(inner, own, where, by) if where or by != inner.by or other_form else inner


def unasked(target: Target, columns: tuple[str, ...]) -> tuple[Target, tuple[str, ...]]:
    """Return the target that a query asks, and its columns; any other target is returned with ``columns``."""
    return (target.target, target.columns or columns) if target.target is not None else (target, columns)
