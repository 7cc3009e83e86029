"""A list of questions about one table, often of one: each has its share of ε, and one click releases all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.base.checks import share
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target, can_be_asked, person_of, takes_fields
from dpcore.errors import GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import Bound, OperatingPoint, reachable_m
from dpcore.guarantees.tolerance import exact
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.product import laws_of, of_columns
from dpcore.targets.capped import about_people
from dpcore.targets.on import naming, questioned, unasked
from pages.experiment.blocks import blocks_of, in_blocks
from pages.experiment.blocks import can_be_asked as can_be_on_blocks
from pages.experiment.noise import worst_case
from pages.experiment.question import fields_of, oracle_of_fields, oracle_of_questions
from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_M, Noise, Scenario, TableRecords
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
    """Up to twenty questions about a table, in order, and what they share.

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
        if len(self.questions) > MOST_QUESTIONS:
            raise InvalidValueError("questions", f"at most {MOST_QUESTIONS} in a list", len(self.questions))
        if not isinstance(self.noise, Noise):
            raise InvalidValueError("noise", "sampled, worst case or blocks", self.noise)
        share("gamma", self.gamma)
        asked = [(one.target, one.columns) for one in self.questions]
        for place, one in enumerate(asked):
            if one in asked[:place]:
                raise InvalidValueError(f"question {place + 1}", f"another than question {asked.index(one) + 1}", "the same")

    @classmethod
    def of(cls, scenario: Scenario) -> QuestionList:
        """Return a list of one question: the scenario as it is, with its kind of noise.

        Sampled noise is where Explore starts, so it is no choice: the list begins with the proved worst case if there is one.
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
        """For how many rows a person counts; None if no question adds up rows of people."""
        return next((rows for one in self.questions if (rows := shared_cap_of(one)) is not None), None)

    def sharing(self, shares: Sequence[float], total: float, *, less: bool = False) -> QuestionList:
        """Divide ``total`` among the questions in proportion to ``shares``; with ``less``, only as much as they can take."""
        if not self.questions:
            return self
        found = divided(shares, min(total, most(shares)) if less else total)
        questions = tuple(replace(one, epsilon=part) for one, part in zip(self.questions, found, strict=True))
        return replace(self, questions=questions)

    def with_share(self, place: int, epsilon: float) -> QuestionList:
        """Give a question this share of ε; the others divide the rest of the total. A single question takes all of it."""
        others = [part for at, part in enumerate(self.shares) if at != place]
        rest = iter(divided(others, self.total - epsilon) if others else ())
        questions = (replace(one, epsilon=epsilon if at == place else next(rest)) for at, one in enumerate(self.questions))
        return replace(self, questions=tuple(questions))

    def with_cap(self, rows: int) -> tuple[QuestionList, str]:
        """Let a person count for so many rows in all questions; and say which numbers of rows became numbers of people."""
        questions = tuple(_under_cap(one, rows) for one in self.questions)
        before, after = (sum(facts(one.target).each_once for one in each) for each in (self.questions, questions))
        said = "With one row a person, a number of rows is one of people. It stays one if you raise the limit again."
        return replace(self, questions=questions), said * (before < after)

    def settled(self, **changes: Any) -> tuple[QuestionList, str]:
        """Change what the questions share; and a sentence if a smaller γ raised m."""
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
        """Remove the question at a place; the others share its ε."""
        left = replace(self, questions=(*self.questions[:place], *self.questions[place + 1 :]))
        return left.sharing(left.shares, self.total, less=True)

    def moved(self, place: int, by: int) -> QuestionList:
        """Move a question so many places down."""
        rest = [*self.questions[:place], *self.questions[place + 1 :]]
        rest.insert(min(max(place + by, 0), len(rest)), self.questions[place])
        return replace(self, questions=tuple(rest))

    def with_question(self, scenario: Scenario, table: Table) -> tuple[QuestionList, str]:
        """Add the question of a scenario at the end, with an equal share of ε; and a sentence on its oracle."""
        before = self._sharing_an_oracle(table)
        new = question_of(scenario, table)
        if before.cap is not None:
            new = _under_cap(new, before.cap)
        questions = (*before.questions, new)
        oracle, said = _united(questions, table, before.oracle, scenario) if new.oracle is None else (before.oracle, "")
        made = replace(before, questions=questions, oracle=oracle)
        if not before.questions:
            return made, ""
        return made.sharing((*before.shares, before.total / len(before.questions)), before.total, less=True), said

    def with_other(self, place: int, scenario: Scenario, table: Table) -> tuple[QuestionList, str]:
        """Put the question of a scenario in the place of another one; and a sentence on what it could not keep."""
        before = self._sharing_an_oracle(table)
        old, said = before.questions[place], ""
        new = question_of(scenario, table, old.target if takes_fields(old.target) else None)
        if facts(old.target).totals and (each := cap_of(new)):
            said = f"Only a sum can limit each person's total. In this question {each} rows of a person count."
        if before.cap is not None:
            new = _under_cap(new, before.cap)
        questions = (*before.questions[:place], new, *before.questions[place + 1 :])
        oracle, more = _united(questions, table, before.oracle, scenario) if new.oracle is None else (before.oracle, "")
        made = replace(before, questions=questions, oracle=oracle)
        return made.sharing(before.shares, before.total, less=True), f"{said} {more}".strip()

    def _sharing_an_oracle(self, table: Table) -> QuestionList:
        """Return the same list with its only question in the form that can share an oracle with others."""
        if len(self.questions) != 1 or self.questions[0].oracle is None:
            return self
        scenario = self._scenario(self.questions[0], table)
        first = question_of(scenario, table)
        oracle = _united((first,), table, None, scenario)[0] if first.oracle is None else first.oracle
        return replace(self, questions=(first,), oracle=oracle)

    def fitted(self, table: Table) -> QuestionList:
        """Return the list with its oracle fitted to the table as it is declared now."""
        shared = [one.target for one in self.questions if one.oracle is None]
        if not shared or (isinstance(self.oracle, TableRecords) and table.public):
            return self
        kept = {} if self.oracle is None or isinstance(self.oracle, TableRecords) else laws_of(self.oracle, ())
        like = None if isinstance(self.oracle, TableRecords) else self.oracle
        return replace(self, oracle=oracle_of_questions(table, tuple(shared), kept, like))

    def lines(self, table: Table) -> tuple[Scenario, ...]:
        """Return each question as the scenario that a release asks.

        γ is divided equally among the sampled questions, and the m of each rises until it certifies its part (mathematics,
        section 19.1).

        Raises:
            InvalidValueError: If a question does not suit the table, or if its part of γ needs too many draws.
        """
        asked = [self._scenario(one, table) for one in self.questions]
        if self.noise is Noise.BLOCKS:
            asked = [in_blocks(one, table) or one for one in asked]
        sampled = [not self.is_proved(one) for one in asked]
        return tuple(
            self._with_part_of_gamma(one, sum(sampled)) if drawn else one for one, drawn in zip(asked, sampled, strict=True)
        )

    def is_proved(self, line: Scenario) -> bool:
        """Return whether the noise of this line is sized to a proved worst case."""
        proved = self.noise is not Noise.SAMPLED or blocks_of(line) is not None
        return proved and worst_case(line) is not None

    def kinds_of_noise(self, table: Table, *, may_sample: bool) -> list[Noise]:
        """Return the kinds of noise that are offered for all questions, the strongest guarantee first."""
        plain = replace(self, noise=Noise.WORST_CASE).lines(table)
        proved = [worst_case(one) is not None for one in plain]
        blocks = [can_be_on_blocks(one) for one in plain]
        kinds = []
        if all(proved) or (may_sample and any(proved)):
            kinds.append(Noise.WORST_CASE)
        if may_sample and not all(map(blocks_of, plain)):
            kinds.append(Noise.SAMPLED)
        if any(blocks) and all(one or other for one, other in zip(proved, blocks, strict=True)):
            kinds.append(Noise.BLOCKS)
        return kinds or [Noise.WORST_CASE]

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

    def _scenario(self, one: Listed, table: Table, **changed: Any) -> Scenario:
        fields: dict[str, Any] = {
            "columns": one.columns,
            "target": one.target,
            "oracle": self.oracle if one.oracle is None else one.oracle,
        }
        fields |= changed
        target = fields["target"]
        return Scenario(
            **fields,
            table=self.table,
            norm=one.mechanism.norm,
            n=table.size(fields["columns"], target),
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
        """Return a question as Explore shows it: with its own columns' part of the oracle, and all of γ."""
        one = self.questions[place]
        if one.oracle is not None or not can_be_asked(unasked(one.target, one.columns)[0]):
            return self._scenario(one, table)
        inner, columns = unasked(one.target, one.columns)
        where, by = facts(one.target).where, facts(one.target).by
        target = questioned(inner, columns, where, by) if person_of(one.target) is None else one.target
        columns, oracle = fields_of(target, columns), self.oracle
        if oracle is not None and not isinstance(oracle, TableRecords):
            laws = laws_of(oracle, ())
            named = takes_fields(target)
            oracle = oracle_of_fields(table, target, laws, oracle) if named else of_columns(tuple(laws[name] for name in columns))
        return self._scenario(one, table, target=target, columns=columns, oracle=oracle)


def divided(parts: Sequence[float], total: float) -> tuple[float, ...]:
    """Divide ε in proportion to ``parts``, with at least the least ε that can be asked for in each.

    Each share is a decimal of few digits, and they sum to the total.

    Raises:
        InvalidValueError: If the total is too small for all, or more than one of them can be asked at.
    """
    least = LEAST_EPSILON * len(parts)
    if not total >= least * (1 - 1e-9):
        raise InvalidValueError("total ε", f"at least {figure(least)}, so that each of its lines gets {LEAST_EPSILON:g}", total)
    found = [total * part / math.fsum(parts) for part in parts]
    small = [place for place, part in enumerate(found) if part < LEAST_EPSILON]
    if small:  # these take the least, and leave the rest to the others
        others = [place for place in range(len(parts)) if place not in small]
        rest = divided([parts[place] for place in others], total - LEAST_EPSILON * len(small)) if others else ()
        shares = dict(zip(others, rest, strict=True))
        return tuple(shares.get(place, LEAST_EPSILON) for place in range(len(parts)))
    if max(found) > MOST_EPSILON * (1 + 1e-9):
        expected = f"at most {figure(most(parts))}, so that none of its lines gets more than {MOST_EPSILON:g}"
        raise InvalidValueError("total ε", expected, total)
    found = [float(f"{part:.3g}") for part in found]
    largest = found.index(max(found))
    found[largest] = 0.0
    found[largest] = min(MOST_EPSILON, round(total - math.fsum(found), _PLACES))  # takes what rounding leaves
    return tuple(found)


def most(parts: Sequence[float]) -> float:
    """Return the largest total that can be divided in proportion to ``parts``."""
    return math.floor(MOST_EPSILON * math.fsum(parts) / max(parts) * 1e6) / 1e6


def part_of(gamma: float, questions: int) -> float:
    """Return γ of each of so many questions, rounded down so that the parts add up to at most ``gamma``."""
    part = gamma / questions
    return part if exact(part) * questions <= exact(gamma) else math.nextafter(part, 0.0)


def rest_of(confidence: float, questions: int) -> float:
    """Return the confidence of each of so many questions, rounded up so that 1 − Σ(1 − c) is at least ``confidence``."""
    part = float(1 - (1 - exact(confidence)) / questions)
    return part if (1 - exact(part)) * questions <= 1 - exact(confidence) else math.nextafter(part, 1.0)


def cap_of(one: Listed) -> int | None:
    """Return for how many rows a person counts in a question; None if it adds up no rows of people, or all of them."""
    rows = None if person_of(one.target) is None else facts(one.target).rows
    return None if rows is None else int(rows)


def shared_cap_of(one: Listed) -> int | None:
    """Return the same for a question that shares the limit of the list; one that counts each person once does not."""
    return None if facts(one.target).each_once else cap_of(one)


def _under_cap(one: Listed, rows: int) -> Listed:
    target: Any = one.target
    return one if shared_cap_of(one) is None else replace(one, target=replace(target, rows=rows))


def question_of(scenario: Scenario, table: Table, like: Target | None = None) -> Listed:
    """Return the scenario's question in the form that can share an oracle with others.

    A target that needs a value of every record is replaced by the one of known values, if its kind has one
    (``of_known_values``). A target that names no columns keeps its own oracle.

    Args:
        scenario: The scenario.
        table: Its table.
        like: A question about people whose limits on a person's rows are kept.
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
    """Return the scenario's target as a question that names its columns; None if there is none."""
    target: Any = scenario.target
    if takes_fields(target):
        return scenario.target
    known = target if can_be_asked(target) else facts(target).of_known_values
    return None if known is None else naming(known, scenario.columns)


def _united(questions: tuple[Listed, ...], table: Table, before: Law | None, given: Scenario) -> tuple[Law, str]:
    """Return one oracle of all columns of the questions, and a sentence on what it does not keep of the new question's oracle.

    Rows of the table itself stay that. Otherwise each column's law is that of the list ``before``, or of the ``given`` question,
    or the first that suits it: columns that an oracle draws together have no law of their own, and get one.
    """
    if isinstance(before, TableRecords) or (before is None and isinstance(given.oracle, TableRecords)):
        return before or given.oracle, ""
    kept = {} if before is None else laws_of(before, ())
    theirs = {} if isinstance(given.oracle, TableRecords) else laws_of(given.oracle, given.columns)
    like: object = before if before is not None else given.oracle
    shared = tuple(one.target for one in questions if one.oracle is None)
    laws = oracle_of_questions(table, shared, theirs | kept, like)
    now, person = laws_of(laws, ()), person_of(given.target)
    named = [name for name in given.columns if name != person]
    if not theirs:
        columns = ", ".join(named)
        return (
            laws,
            f"Its oracle draws {columns} together. In a list all questions share one oracle, with one law for each column.",
        )
    other = [name for name in named if name in theirs and now.get(name) != theirs[name] and name in kept]
    said = f"The list already has a law for {', '.join(other)}, and keeps it: all questions share one oracle."
    return laws, said * bool(other)
