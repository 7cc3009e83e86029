"""A list of questions about one table: each has its share of ε and a sensitivity of its own, and one click releases all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.base.checks import share
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target, can_be_asked, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound, reachable_m
from dpcore.guarantees.tolerance import exact
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.product import laws_of, of_columns
from dpcore.targets.capped import about_people
from dpcore.targets.on import naming, questioned, unasked
from pages.experiment.blocks import blocks_of
from pages.experiment.question import fields_of, oracle_of_fields
from pages.experiment.scenario import LEAST_GAMMA, MOST_M, Scenario, TableRecords
from pages.files.tables import Table
from pages.old.experiment import preview
from pages.old.experiment.listed.division import PLACES, divided, most

MOST_QUESTIONS = 20
Law = Oracle | TableRecords


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """One question with its mechanism and its share of ε. ``oracle``: of a question that cannot share that of the list."""

    target: Target
    columns: tuple[str, ...]
    mechanism: Mechanism[Any, Any]
    epsilon: float
    delta: float | None = None
    oracle: Law | None = None


@final
@dataclass(frozen=True, slots=True)
class QuestionList:
    """Up to twenty questions about a table, in order, and what they share.

    ``oracle`` draws every column that a question names. ``gamma`` and ``confidence`` hold for all sampled questions together.
    ``m`` is the least number of draws of each. With ``worst_case`` a question's noise is sized to its proved worst case if it
    has one.
    """

    table: str
    questions: tuple[Listed, ...]
    oracle: Law
    m: int
    gamma: float
    bound: Bound
    confidence: float | None
    seed: int
    worst_case: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise InvalidValueError("questions", f"1 to {MOST_QUESTIONS} at a time", len(self.questions))
        if not isinstance(self.worst_case, bool):
            raise InvalidValueError("worst case", "true or false", self.worst_case)
        share("gamma", self.gamma)
        asked = [(one.target, one.columns) for one in self.questions]
        for place, one in enumerate(asked):
            if one in asked[:place]:
                raise InvalidValueError(f"question {place + 1}", f"another than question {asked.index(one) + 1}", "the same")

    @property
    def total(self) -> float:
        """ε of all questions together."""
        return round(math.fsum(self.shares), PLACES)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each question's share of ε."""
        return tuple(one.epsilon for one in self.questions)

    def sharing(self, shares: Sequence[float], total: float, *, less: bool = False) -> QuestionList:
        """Divide ``total`` among the questions in proportion to ``shares``; with ``less``, only as much as they can take."""
        found = divided(shares, min(total, most(shares)) if less else total)
        questions = tuple(replace(one, epsilon=part) for one, part in zip(self.questions, found, strict=True))
        return self.with_(questions=questions)

    def with_share(self, place: int, epsilon: float) -> QuestionList:
        """Give a question this share of ε; the others divide the rest of the total. A question alone takes all of it."""
        others = [part for at, part in enumerate(self.shares) if at != place]
        rest = iter(divided(others, self.total - epsilon) if others else ())
        questions = (replace(one, epsilon=epsilon if at == place else next(rest)) for at, one in enumerate(self.questions))
        return self.with_(questions=tuple(questions))

    def lines(self, table: Table) -> tuple[Scenario, ...]:
        """Every question as the scenario that a release asks. γ is divided equally among the sampled ones, and the m of each
        rises until it certifies its part (mathematics, section 19.1).

        Raises:
            InvalidValueError: If a question does not suit the table, or if its part of γ needs too many draws.
        """
        asked = [self._scenario(one, table, one.target, one.columns, self._law(one)) for one in self.questions]
        sampled = [not self.is_proved(one) for one in asked]
        return tuple(
            self._with_part_of_gamma(one, sum(sampled)) if drawn else one for one, drawn in zip(asked, sampled, strict=True)
        )

    def is_proved(self, line: Scenario) -> bool:
        """Whether the noise of this question is sized to a proved worst case."""
        return (self.worst_case or blocks_of(line) is not None) and preview.worst_case(line) is not None

    def _with_part_of_gamma(self, line: Scenario, questions: int) -> Scenario:
        if questions == 1:
            return line
        gamma = part_of(self.gamma, questions)
        confidence = None if self.confidence is None else rest_of(self.confidence, questions)
        least = reachable_m(gamma, self.bound, confidence)
        if gamma < LEAST_GAMMA or least > MOST_M:
            expected = f"larger: {questions} sampled questions share it, and each needs at least γ = {LEAST_GAMMA:g}"
            raise InvalidValueError("γ of all questions", expected, self.gamma)
        return line.with_(gamma=gamma, confidence=confidence, m=max(self.m, least))

    def _law(self, one: Listed) -> Law:
        return self.oracle if one.oracle is None else one.oracle

    def _scenario(self, one: Listed, table: Table, target: Target, columns: tuple[str, ...], oracle: Law) -> Scenario:
        return Scenario(
            table=self.table,
            columns=columns,
            target=target,
            oracle=oracle,
            norm=one.mechanism.norm,
            n=table.size(columns, target),
            bound=self.bound,
            confidence=self.confidence,
            m=max(self.m, reachable_m(self.gamma, self.bound, self.confidence)),
            gamma=self.gamma,
            epsilon=one.epsilon,
            delta=one.delta,
            mechanism=one.mechanism,
            seed=self.seed,
            adjacency=table.adjacency_of_rows if person_of(target) is None else table.adjacency,
        )

    def shown(self, place: int, table: Table) -> Scenario:
        """A question as Explore shows it by itself: with its own columns' part of the oracle, and all of γ."""
        one = self.questions[place]
        if one.oracle is not None or not can_be_asked(unasked(one.target, one.columns)[0]):
            return self._scenario(one, table, one.target, one.columns, self._law(one))
        inner, columns = unasked(one.target, one.columns)
        where, by = facts(one.target).where, facts(one.target).by
        target = questioned(inner, columns, where, by) if person_of(one.target) is None else one.target
        columns, oracle = fields_of(target, columns), self.oracle
        if not isinstance(oracle, TableRecords):
            laws = laws_of(oracle, ())
            named = takes_fields(target)
            oracle = oracle_of_fields(table, target, laws, oracle) if named else of_columns(tuple(laws[name] for name in columns))
        return self._scenario(one, table, target, columns, oracle)

    def with_(self, **changes: Any) -> QuestionList:
        """A copy with changes, checked as any other."""
        return replace(self, **changes)

    def without(self, place: int) -> QuestionList:
        """Without the question at a place; InvalidValueError for the last one."""
        return self.with_(questions=(*self.questions[:place], *self.questions[place + 1 :]))

    def moved(self, place: int, by: int) -> QuestionList:
        """With a question so many places further down, as far as there are places."""
        rest = [*self.questions[:place], *self.questions[place + 1 :]]
        rest.insert(min(max(place + by, 0), len(rest)), self.questions[place])
        return self.with_(questions=tuple(rest))


def part_of(gamma: float, questions: int) -> float:
    """γ of each of so many questions, rounded down so that the parts add up to at most ``gamma``."""
    part = gamma / questions
    return part if exact(part) * questions <= exact(gamma) else math.nextafter(part, 0.0)


def rest_of(confidence: float, questions: int) -> float:
    """The confidence of each of so many questions, rounded up so that 1 − Σ(1 − c) is at least ``confidence``."""
    part = float(1 - (1 - exact(confidence)) / questions)
    return part if (1 - exact(part)) * questions <= 1 - exact(confidence) else math.nextafter(part, 1.0)


def cap_of(one: Listed) -> int | None:
    """For how many rows a person counts in a question; None in one that adds up no people's rows, or all of a person's."""
    rows = None if person_of(one.target) is None else facts(one.target).rows
    return None if rows is None else int(rows)


def shared_cap_of(one: Listed) -> int | None:
    """The same, of a question that shares it with the rest of a list: one that counts each person once has no other."""
    return None if facts(one.target).each_once else cap_of(one)


def question_of(scenario: Scenario, table: Table, like: Target | None = None) -> Listed:
    """The scenario's question as one of a list; about people as the target ``like`` is, where there is one.

    One that needs a value of every record is asked of the known values if its kind has such a one (``of_known_values``).
    A target that names no columns keeps its own oracle.
    """
    target = _asked(scenario)
    noise = scenario.mechanism, scenario.epsilon, scenario.delta
    if target is None:
        return Listed(scenario.target, scenario.columns, *noise, scenario.oracle)
    if facts(like).each_once or facts(target).each_once:  # it has no rows of a person to keep
        like = None
    if table.persons is not None and (like is not None or person_of(target) is None):
        asked: Any = target if person_of(target) is None else facts(target).question or target
        target = about_people(asked, asked.columns, table.persons.column, like or scenario.target, cap=table.guesses.cap)
    return Listed(target, fields_of(target, scenario.columns), *noise)


def _asked(scenario: Scenario) -> Target | None:
    """The scenario's target as a question that names its columns; None where it cannot be asked so."""
    target: Any = scenario.target
    if takes_fields(target):
        return scenario.target
    known = target if can_be_asked(target) else facts(target).of_known_values
    return None if known is None else naming(known, scenario.columns)
