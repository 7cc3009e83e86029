"""A list of questions about one table, often of one: each has its share of ε, and one click releases all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore import Bound, OperatingPoint
from dpcore.base.types import Oracle, Target, can_be_asked
from dpcore.errors import GammaOutOfReachError
from dpcore.guarantees.operating_points import exact, reachable_m
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.columns import laws_of, of_columns
from dpcore.targets.query import Query, questioned, unasked
from dpcore.targets.user_limits import about_people
from pages.experiment.blocks import blocks_of, bounds_on_blocks, in_blocks
from pages.experiment.noise import worst_case
from pages.experiment.question import fields_of, oracle_of_questions
from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_M, Noise, Scenario, TableRecords, require
from pages.files.tables import Table

MOST_QUESTIONS = 20
_PLACES = 8  # decimals of a share of ε
Law = Oracle | TableRecords


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """One question with its mechanism and its share of ε.

    Args:
        target: The target.
        columns: The columns that it takes.
        mechanism: The mechanism.
        epsilon: Its share of ε.
        delta: Required for mechanisms of approximate DP, otherwise None.
        oracle: Its own oracle, if it does not share the oracle of the list.
    """

    target: Target
    columns: tuple[str, ...]
    mechanism: Mechanism[Any, Any]
    epsilon: float
    delta: float | None = None
    oracle: Law | None = None


@final
@dataclass(frozen=True, slots=True)
class QuestionList:
    """Up to twenty questions about a table, in order, with their shared settings.

    Args:
        table: Name of the table.
        questions: The questions.
        oracle: Draws every column that a question names; None if each question has its own oracle.
        m: Least number of sampled pairs of each sampled question.
        gamma: γ of all sampled questions together.
        bound: Theorem that certifies γ.
        confidence: Confidence of all sampled questions together, if the bound has one.
        seed: Seed of the draws that predict the ±, never of a release.
        noise: WORST_CASE: proved for each question that has a proof, otherwise sampled. SAMPLED: sampled for all. BLOCKS:
            sample and aggregate for each question that can be asked of blocks, otherwise as WORST_CASE.
    """

    table: str
    questions: tuple[Listed, ...]
    oracle: Law | None
    m: int
    gamma: float
    bound: Bound
    confidence: float | None
    seed: int
    noise: Noise = Noise.WORST_CASE

    def __post_init__(self) -> None:
        number = len(self.questions)
        require(number <= MOST_QUESTIONS, "questions", f"at most {MOST_QUESTIONS} in a list", number)
        asked = [(one.target, one.columns) for one in self.questions]
        for place, first in enumerate(map(asked.index, asked)):
            require(first == place, f"question {place + 1}", f"another than question {first + 1}", "the same")

    @classmethod
    def of(cls, scenario: Scenario) -> QuestionList:
        """Return a list of one question: the scenario as it is, with its kind of noise.

        Explore starts with sampled noise, so the user may not have chosen it. Then the list starts with the proved worst case.
        """
        noise = Noise.BLOCKS if scenario.noise is Noise.BLOCKS else Noise.WORST_CASE
        one = Listed(scenario.target, scenario.columns, scenario.mechanism, scenario.epsilon, scenario.delta, scenario.oracle)
        shared = scenario.m, scenario.gamma, scenario.bound, scenario.confidence, scenario.seed
        return cls(scenario.table, (one,), None, *shared, noise)

    @property
    def total(self) -> float:
        """ε of all questions together."""
        return round(math.fsum(self.shares), _PLACES)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each question's share of ε."""
        return tuple(one.epsilon for one in self.questions)

    @property
    def cap(self) -> int | None:
        """The maximum number of rows that count per person; None if no question adds up rows of people."""
        return next(filter(None, map(shared_cap_of, self.questions)), None)

    def sharing(self, shares: Sequence[float], total: float, *, less: bool = False) -> QuestionList:
        """Divide a total ε among the questions.

        Args:
            shares: The questions' parts, of which only the proportions count.
            total: The total ε.
            less: Divide less than the total if the largest share would be too large.
        """
        if not self.questions:
            return self
        found = divided(shares, min(total, most(shares)) if less else total)
        questions = tuple(replace(one, epsilon=part) for one, part in zip(self.questions, found, strict=True))
        return replace(self, questions=questions)

    def with_share(self, place: int, epsilon: float) -> QuestionList:
        """Give one question a share of ε, and divide the rest of the total among the others.

        Args:
            place: Index of the question.
            epsilon: Its share.
        """
        others = [part for at, part in enumerate(self.shares) if at != place]
        rest = iter(divided(others, self.total - epsilon) if others else ())
        questions = (replace(one, epsilon=epsilon if at == place else next(rest)) for at, one in enumerate(self.questions))
        return replace(self, questions=tuple(questions))

    def with_cap(self, rows: int) -> tuple[QuestionList, str]:
        """Limit the rows that count per person in all questions.

        Args:
            rows: The maximum number of rows per person.

        Returns:
            The list, and a sentence if a number of rows became a number of people.
        """
        questions = tuple(_under_cap(one, rows) for one in self.questions)
        before, after = (sum(one.target.each_once for one in each) for each in (self.questions, questions))
        said = "With one row a person, a number of rows is one of people. It stays one if you raise the limit again."
        return replace(self, questions=questions), said * (before < after)

    def settled(self, **changes: Any) -> tuple[QuestionList, str]:
        """Change settings that the questions share.

        Args:
            **changes: New values of fields.

        Returns:
            The list, and a sentence if a smaller γ raised m.
        """
        asked = {name: changes.get(name, getattr(self, name)) for name in ("m", "gamma", "bound", "confidence")}
        try:
            OperatingPoint.for_both(asked["m"], asked["gamma"], bound=asked["bound"], confidence=asked["confidence"])
        except GammaOutOfReachError as error:
            if "m" in changes or error.least_m > MOST_M:
                raise
            said = f"γ = {asked['gamma']:g} needs {error.least_m:,} sampled pairs, so m was raised."
            return replace(self, **changes, m=error.least_m), said
        return replace(self, **changes), ""

    def without(self, place: int) -> QuestionList:
        """Remove the question with index ``place``. The others share its ε."""
        left = replace(self, questions=(*self.questions[:place], *self.questions[place + 1 :]))
        return left.sharing(left.shares, self.total, less=True)

    def with_question(self, scenario: Scenario, table: Table) -> tuple[QuestionList, str]:
        """Add the question of a scenario at the end, with an equal share of ε.

        Args:
            scenario: The scenario.
            table: Its table.

        Returns:
            The list, and a sentence on the oracle if the new question could not keep its own.
        """
        before = self._sharing_an_oracle(table)
        made, said = before._with_at(len(before.questions), question_of(scenario, table), scenario, table)
        if not before.questions:
            return made, ""
        return made.sharing((*before.shares, before.total / len(before.questions)), before.total, less=True), said

    def with_other(self, place: int, scenario: Scenario, table: Table) -> tuple[QuestionList, str]:
        """Replace a question by that of a scenario.

        Args:
            place: Index of the question.
            scenario: The scenario.
            table: Its table.

        Returns:
            The list, and a sentence on settings that the new question could not keep.
        """
        before = self._sharing_an_oracle(table)
        old = before.questions[place].target
        new = question_of(scenario, table, old if old.accepts_structured else None)
        made, said = before._with_at(place, new, scenario, table)
        if old.totals and (each := new.target.rows):
            said = f"Only a sum can limit each person's total. In this question {each} rows of a person count. {said}".strip()
        return made.sharing(before.shares, before.total, less=True), said

    def _with_at(self, place: int, new: Listed, scenario: Scenario, table: Table) -> tuple[QuestionList, str]:
        """Put a question at an index, with the limit per person of the list. Also return a sentence on the oracle."""
        new = new if self.cap is None else _under_cap(new, self.cap)
        questions = (*self.questions[:place], new, *self.questions[place + 1 :])
        oracle, said = (self.oracle, "") if new.oracle is not None else _united(questions, table, self.oracle, scenario)
        return replace(self, questions=questions, oracle=oracle), said

    def _sharing_an_oracle(self, table: Table) -> QuestionList:
        """Return the same list with its only question in the form that can share an oracle with others."""
        if len(self.questions) != 1 or self.questions[0].oracle is None:
            return self
        scenario = self._scenario(self.questions[0], table)
        first = question_of(scenario, table)
        oracle = first.oracle or _united((first,), table, None, scenario)[0]
        return replace(self, questions=(first,), oracle=oracle)

    def fitted(self, table: Table) -> QuestionList:
        """Return the list with its oracle fitted to the table as it is declared now."""
        shared = tuple(one.target for one in self.questions if one.oracle is None)
        if not shared or (isinstance(self.oracle, TableRecords) and table.public):
            return self
        like = None if isinstance(self.oracle, TableRecords) else self.oracle
        return replace(self, oracle=oracle_of_questions(table, shared, {} if like is None else laws_of(like, ()), like))

    def lines(self, table: Table) -> tuple[Scenario, ...]:
        """Return each question as the scenario that a release asks.

        γ is divided equally among the sampled questions, and the m of each rises until it certifies its part (mathematics,
        section 19.1).

        Raises:
            InvalidValueError: If a question does not suit the table, or if its part of γ needs too many draws.
        """
        asked = [self._scenario(one, table) for one in self.questions]
        if self.noise is Noise.BLOCKS:
            asked = [in_blocks(one) or one for one in asked]
        sampled = [one for one in asked if not self.is_proved(one)]
        part = self._part_of_gamma(len(sampled)) if len(sampled) > 1 else {}
        return tuple(one.with_(**part) if one in sampled else one for one in asked)

    def is_proved(self, line: Scenario) -> bool:
        """Return whether the noise of this line is calibrated to a proved worst case."""
        proved = self.noise is not Noise.SAMPLED or blocks_of(line) is not None
        return proved and worst_case(line) is not None

    def kinds_of_noise(self, table: Table, *, may_sample: bool) -> list[Noise]:
        """Return the kinds of noise that are offered for all questions, the strongest guarantee first."""
        plain = replace(self, noise=Noise.WORST_CASE).lines(table)
        proved = [worst_case(one) is not None for one in plain]
        blocks = [bounds_on_blocks(one) is not None for one in plain]
        kinds = []
        if all(proved) or (may_sample and any(proved)):
            kinds.append(Noise.WORST_CASE)
        if may_sample and not all(map(blocks_of, plain)):
            kinds.append(Noise.SAMPLED)
        if any(blocks) and all(one or other for one, other in zip(proved, blocks, strict=True)):
            kinds.append(Noise.BLOCKS)
        return kinds or [Noise.WORST_CASE]

    def _part_of_gamma(self, questions: int) -> dict[str, Any]:
        """Return γ, confidence and m of each of several sampled questions."""
        gamma = part_of(self.gamma, questions)
        confidence = None if self.confidence is None else rest_of(self.confidence, questions)
        least = reachable_m(gamma, self.bound, confidence)
        expected = f"larger: {questions} sampled questions share it, and each needs at least γ = {LEAST_GAMMA:g}"
        require(gamma >= LEAST_GAMMA and least <= MOST_M, "γ of all questions", expected, self.gamma)
        return {"gamma": gamma, "confidence": confidence, "m": max(self.m, least)}

    def _scenario(self, one: Listed, table: Table) -> Scenario:
        oracle: Any = self.oracle if one.oracle is None else one.oracle
        return Scenario(
            table=self.table,
            columns=one.columns,
            target=one.target,
            oracle=oracle,
            n=table.size(one.columns, one.target),
            bound=self.bound,
            confidence=self.confidence,
            m=max(self.m, reachable_m(self.gamma, self.bound, self.confidence)),
            gamma=self.gamma,
            epsilon=one.epsilon,
            delta=one.delta,
            mechanism=one.mechanism,
            seed=self.seed,
            adjacency=table.adjacency_of_rows if one.target.person is None else table.adjacency,
        )

    def shown(self, place: int, table: Table) -> Scenario:
        """Return a question as Explore shows it: with its own columns' part of the oracle, and all of γ."""
        one, target = self.questions[place], self.questions[place].target
        inner, columns = unasked(target, one.columns)
        if one.oracle is not None or not can_be_asked(inner):
            return self._scenario(one, table)
        if target.person is None:
            target = questioned(inner, columns, target.where, target.by, known=True)
        columns, oracle = fields_of(target, columns), self.oracle
        if oracle is not None and not isinstance(oracle, TableRecords):
            laws = laws_of(oracle, ())
            if target.accepts_structured:
                oracle = oracle_of_questions(table, (target,), laws, oracle)
            else:
                oracle = of_columns(tuple(laws[name] for name in columns))
        return self._scenario(replace(one, target=target, columns=columns, oracle=oracle), table)


def divided(parts: Sequence[float], total: float) -> tuple[float, ...]:
    """Divide ε in proportion to ``parts``. Each share is a decimal of three digits; the largest one takes what rounding leaves.

    Raises:
        InvalidValueError: If a share is smaller or larger than an ε that can be asked for.
    """
    found = [float(f"{total * part / math.fsum(parts):.3g}") for part in parts]
    expected = f"such that each question gets from {LEAST_EPSILON:g} to {MOST_EPSILON:g}"
    require(min(found) >= LEAST_EPSILON and max(found) <= MOST_EPSILON, "total ε", expected, total)
    largest = found.index(max(found))
    found[largest] = 0.0
    found[largest] = min(MOST_EPSILON, round(total - math.fsum(found), _PLACES))
    return tuple(found)


def most(parts: Sequence[float]) -> float:
    """Return the largest total ε that can be divided in proportion to ``parts``."""
    return math.floor(MOST_EPSILON * math.fsum(parts) / max(parts) * 1e6) / 1e6


def part_of(gamma: float, questions: int) -> float:
    """Return γ of each question, rounded down: the parts add up to at most ``gamma``."""
    part = gamma / questions
    return part if exact(part) * questions <= exact(gamma) else math.nextafter(part, 0.0)


def rest_of(confidence: float, questions: int) -> float:
    """Return the confidence c of each question, rounded up: 1 − Σ(1 − c) is at least ``confidence``."""
    part = float(1 - (1 - exact(confidence)) / questions)
    return part if (1 - exact(part)) * questions <= 1 - exact(confidence) else math.nextafter(part, 1.0)


def shared_cap_of(one: Listed) -> int | None:
    """Return the maximum number of rows per person that a question shares with the list; None if each person counts once."""
    return None if one.target.each_once else one.target.rows


def _under_cap(one: Listed, rows: int) -> Listed:
    target: Any = one.target
    return one if shared_cap_of(one) is None else replace(one, target=replace(target, rows=rows))


def question_of(scenario: Scenario, table: Table, like: Target | None = None) -> Listed:
    """Return the scenario's question in the form that can share an oracle with others.

    A target that can be asked names its columns, and is asked for their known values. Another one keeps its own oracle.

    Args:
        scenario: The scenario.
        table: Its table.
        like: A question about people whose limits on a person's rows are kept.
    """
    target: Any = scenario.target
    noise = scenario.mechanism, scenario.epsilon, scenario.delta
    if not target.accepts_structured:
        if not can_be_asked(target):
            return Listed(target, scenario.columns, *noise, scenario.oracle)
        target = Query(target, scenario.columns)
    if (like is not None and like.each_once) or target.each_once:  # it has no rows of a person to keep
        like = None
    if table.persons is not None and (like is not None or target.person is None):
        asked: Any = target if target.person is None else target.question or target
        target = about_people(asked, asked.columns, table.persons.column, like or scenario.target, cap=table.guesses.cap)
    return Listed(target, fields_of(target, scenario.columns), *noise)


def _united(questions: tuple[Listed, ...], table: Table, before: Law | None, given: Scenario) -> tuple[Law, str]:
    """Return one oracle over all columns of the questions, and a sentence if it replaces distributions of the new question.

    An oracle that resamples the table stays. Otherwise each column keeps its distribution in the oracle ``before``, then the one
    in the ``given`` scenario. Columns that an oracle draws jointly get the first distribution that suits them.
    """
    like = given.oracle if before is None else before
    if isinstance(like, TableRecords):
        return like, ""
    kept = {} if before is None else laws_of(like, ())
    theirs = {} if isinstance(given.oracle, TableRecords) else laws_of(given.oracle, given.columns)
    shared = tuple(one.target for one in questions if one.oracle is None)
    united = oracle_of_questions(table, shared, theirs | kept, like)
    now = laws_of(united, ())
    names = [name for name in given.columns if name != given.target.person and now.get(name) != theirs.get(name)]
    said = f"All questions of a list share one oracle, so it draws {', '.join(names)} by another distribution than before."
    return united, said if names else ""
