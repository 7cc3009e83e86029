"""A list of questions about one table as data: those with numbers are one target, each other one is a line of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.base.checks import positive, share
from dpcore.base.facts import facts
from dpcore.base.norms import L1, L2
from dpcore.base.types import Oracle, Target, asked_together, can_be_asked, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.product import laws_of, of_columns
from dpcore.targets.capped import about_people
from dpcore.targets.on import naming, questioned, unasked
from dpcore.targets.together import MOST_PARTS, in_shares
from pages.experiment.listed.division import PLACES, divided, most
from pages.experiment.question import fields_of, oracle_of_fields
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario, TableRecords, within
from pages.files.tables import Table

Law = Oracle | TableRecords


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """One question. With a ``mechanism`` it is a line of its own, at its own ``epsilon``; without, its answer is numbers, and it
    is asked together with all such, for its ``width`` of their noise. ``oracle``: of one that cannot share that of the list."""

    target: Target
    columns: tuple[str, ...]
    width: float = 1.0
    mechanism: Mechanism[Any, Any] | None = None
    epsilon: float | None = None
    oracle: Law | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", positive("width", self.width))
        if (self.mechanism is None) != (self.epsilon is None):
            raise InvalidValueError("epsilon", "given for a question that is a line of its own, and for no other", self.epsilon)

    @property
    def joins(self) -> bool:
        """Whether it is asked together with the others."""
        return self.mechanism is None


@final
@dataclass(frozen=True, slots=True)
class QuestionList:
    """Up to twenty questions about a table, in order, and what they share.

    ``mechanism``: of the noise on those that are asked together, at ``epsilon``. ``oracle``: of every column that a question
    names. ``keeps``: what stays where a question is changed, the widths of the noise ("noise") or ε ("epsilon"). ``jointly``:
    whether a ± is meant of all answers at once. ``worst_case``: whether the noise is sized to that where it is proved.
    """

    table: str
    questions: tuple[Listed, ...]
    oracle: Law
    mechanism: Mechanism[Any, Any]
    epsilon: float
    delta: float | None
    m: int
    gamma: float
    bound: Bound
    confidence: float | None
    seed: int
    keeps: str = "epsilon"
    jointly: bool = False
    worst_case: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_PARTS:
            raise InvalidValueError("questions", f"1 to {MOST_PARTS} at a time", len(self.questions))
        within("epsilon", self.epsilon, LEAST_EPSILON, MOST_EPSILON)
        if self.delta is not None:
            share("delta", self.delta)
        if self.keeps not in ("epsilon", "noise"):
            raise InvalidValueError("keeps", "“epsilon” or “noise”", self.keeps)
        for name in ("jointly", "worst_case"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidValueError(name.replace("_", " "), "true or false", getattr(self, name))
        asked = [(one.target, one.columns) for one in self.questions]
        for place, one in enumerate(asked):
            if one in asked[:place]:
                raise InvalidValueError(f"question {place + 1}", f"another than question {asked.index(one) + 1}", "the same")

    @property
    def joined(self) -> tuple[int, ...]:
        """The places of the questions that are asked together."""
        return tuple(place for place, one in enumerate(self.questions) if one.joins)

    @property
    def alone(self) -> tuple[int, ...]:
        """The places of those that are lines of their own."""
        return tuple(place for place, one in enumerate(self.questions) if not one.joins)

    @property
    def total(self) -> float:
        """The ε of all lines: that of the questions that are asked together, and of each that is not."""
        return round(math.fsum(part for part, _ in self._parts()), PLACES)

    @property
    def parts(self) -> tuple[float, ...]:
        """Each question's part of the total; those that are asked together have equal ones."""
        return tuple(self.epsilon / len(self.joined) if one.epsilon is None else one.epsilon for one in self.questions)

    def sharing(self, parts: Sequence[float], total: float, *, less: bool = False) -> QuestionList:
        """With this ε in all, which the lines share as the parts of their questions do; with ``less`` where that is more than
        they can be asked at."""
        sums = [math.fsum(parts[place] for place in places) for _, places in self._parts()]
        return self._with_parts(divided(sums, min(total, most(sums)) if less else total))

    def with_part(self, place: int, part: float, total: float) -> QuestionList:
        """The line of the question at a place has this part of ε, and the others share the rest of the total; a line that has no
        other beside it takes it all."""
        lines = self._parts()
        others = [size for size, places in lines if place not in places]
        rest = iter(divided(others, total - part) if others else ())
        return self._with_parts([part if place in places else next(rest) for _, places in lines])

    def _parts(self) -> list[tuple[float, tuple[int, ...]]]:
        """The ε of each line, with the places of its questions."""
        together = [(self.epsilon, self.joined)] if self.joined else []
        return together + [(self.questions[place].epsilon or 0.0, (place,)) for place in self.alone]

    def _with_parts(self, shares: Sequence[float]) -> QuestionList:
        questions = list(self.questions)
        for share_of_line, (_, places) in zip(shares, self._parts(), strict=True):
            for place in places:
                if not questions[place].joins:
                    questions[place] = replace(questions[place], epsilon=share_of_line)
        return self.with_(questions=tuple(questions), epsilon=shares[0] if self.joined else self.epsilon)

    @property
    def widths(self) -> tuple[float, ...]:
        """Of those that are asked together, in order."""
        return tuple(self.questions[place].width for place in self.joined)

    def together(self, table: Table) -> Scenario | None:
        """Those that are asked together as one scenario; None where there are none."""
        parts = tuple(self.questions[place].target for place in self.joined)
        if not parts:
            return None
        target: Any = in_shares(parts, self.widths)
        return self._scenario(table, target, target.fields, self.mechanism, self.epsilon, self.delta, self.oracle)

    def by_itself(self, place: int, table: Table) -> Scenario:
        """A question that is a line of its own, under the list's oracle where that has its columns."""
        one = self.questions[place]
        assert one.mechanism is not None
        assert one.epsilon is not None
        oracle = self.oracle if one.oracle is None else one.oracle
        return self._scenario(table, one.target, one.columns, one.mechanism, one.epsilon, None, oracle)

    def _scenario(
        self,
        table: Table,
        target: Target,
        columns: tuple[str, ...],
        mechanism: Mechanism[Any, Any],
        epsilon: float,
        delta: float | None,
        oracle: Law,
    ) -> Scenario:
        return Scenario(
            table=self.table,
            columns=columns,
            target=target,
            oracle=oracle,
            norm=mechanism.norm,
            n=table.size(columns, target),
            bound=self.bound,
            confidence=self.confidence,
            m=self.m,
            gamma=self.gamma,
            epsilon=epsilon,
            delta=delta,
            mechanism=mechanism,
            seed=self.seed,
            adjacency=table.adjacency_of_rows if person_of(target) is None else table.adjacency,
        )

    def shown(self, place: int, table: Table) -> Scenario:
        """A question as it is asked by itself, with what the list has chosen: under its own columns' part of the oracle."""
        one = self.questions[place]
        if one.mechanism is not None:
            return self.by_itself(place, table)
        inner, columns = unasked(one.target, one.columns)
        where, by = facts(one.target).where, facts(one.target).by
        target = questioned(inner, columns, where, by) if person_of(one.target) is None else one.target
        columns, oracle = fields_of(target, columns), self.oracle
        if not isinstance(oracle, TableRecords):
            laws = laws_of(oracle, ())
            named = takes_fields(target)
            oracle = oracle_of_fields(table, target, laws, oracle) if named else of_columns(tuple(laws[name] for name in columns))
        return self._scenario(table, target, columns, self.mechanism, self.epsilon, self.delta, oracle)

    def lines(self, table: Table) -> tuple[Scenario, ...]:
        """Every line that a press is charged, in the order of the list; those asked together where the first of them stands."""
        together = self.together(table)
        found = [(self.joined[0], together)] if together is not None else []
        found += [(place, self.by_itself(place, table)) for place in self.alone]
        return tuple(scenario for _, scenario in sorted(found, key=lambda one: one[0]))

    @property
    def numbers(self) -> tuple[tuple[int, ...], ...]:
        """Which questions each of the lines asks, by their numbers in the list, from 1 on."""
        found = [self.joined] if self.joined else []
        found += [(place,) for place in self.alone]
        return tuple(tuple(place + 1 for place in places) for places in sorted(found))

    def with_(self, **changes: Any) -> QuestionList:
        """A copy with changes, checked as any other."""
        return replace(self, **changes)

    def with_question(self, place: int, question: Listed) -> QuestionList:
        """With another question at a place."""
        return self.with_(questions=(*self.questions[:place], question, *self.questions[place + 1 :]))

    def without(self, place: int) -> QuestionList:
        """Without the question at a place; InvalidValueError for the last one."""
        return self.with_(questions=(*self.questions[:place], *self.questions[place + 1 :]))

    def moved(self, place: int, by: int) -> QuestionList:
        """With a question so many places further down, as far as there are places."""
        rest = [*self.questions[:place], *self.questions[place + 1 :]]
        rest.insert(min(max(place + by, 0), len(rest)), self.questions[place])
        return self.with_(questions=tuple(rest))


def cap_of(one: Listed) -> int | None:
    """For how many rows a person counts in a question; None in one that adds up no people's rows, or all of a person's."""
    rows = None if person_of(one.target) is None else facts(one.target).rows
    return None if rows is None else int(rows)


def shared_cap_of(one: Listed) -> int | None:
    """The same, of a question that shares it with the rest of a list: one that counts each person once has no other."""
    return None if facts(one.target).each_once else cap_of(one)


def question_of(scenario: Scenario, table: Table, like: Target | None = None) -> Listed:
    """The scenario's question as one of a list; about people as the target ``like`` is, where there is one.

    One that needs a value of every record is asked of the known values where its kind has such a one
    (``of_known_values``); else it is a line of its own, as a choice, a curve or a fit is.
    """
    target = _asked(scenario)
    joins = not scenario.mechanism.chosen_by and scenario.norm in (L1, L2)  # independent noise on numbers releases it
    alone = (None, None) if joins else (scenario.mechanism, scenario.epsilon)
    if target is None:
        return Listed(scenario.target, scenario.columns, 1.0, scenario.mechanism, scenario.epsilon, scenario.oracle)
    if facts(like).each_once or facts(target).each_once:  # it has no rows of a person to keep
        like = None
    if table.persons is not None and (like is not None or person_of(target) is None):
        asked: Any = target if person_of(target) is None else facts(target).question or target
        target = about_people(asked, asked.columns, table.persons.column, like or scenario.target, cap=table.guesses.cap)
    return Listed(target, fields_of(target, scenario.columns), 1.0, *alone)


def _asked(scenario: Scenario) -> Target | None:
    """The scenario's target as a question that names its columns; None where it cannot be asked so."""
    target: Any = scenario.target
    if takes_fields(target):
        return None if asked_together(target) else scenario.target
    known = target if can_be_asked(target) else facts(target).of_known_values
    return None if known is None else naming(known, scenario.columns)


def names(questions: Iterable[Listed]) -> tuple[str, ...]:
    """Every column that a question names which shares the list's oracle, each once."""
    found = (name for one in questions if one.oracle is None for name in one.columns)
    return tuple(dict.fromkeys(found))
