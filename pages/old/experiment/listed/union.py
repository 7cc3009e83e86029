"""One oracle for all questions of a list: of every column that one of them names."""

from __future__ import annotations

from dpcore.base.types import Oracle, Target, person_of
from dpcore.oracles.product import laws_of
from pages.experiment.question import oracle_of_questions
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import Law, Listed, QuestionList


def united(questions: tuple[Listed, ...], table: Table, before: Law | None, given: Scenario) -> tuple[Law, str]:
    """The oracle of all columns of these questions, and a sentence about what it leaves of the ``given`` question's own oracle.

    Records of the table itself stay that. Otherwise each column's law is the one that it had ``before``, or that of the new
    question, or the first that suits it: columns that an oracle draws together have no law of their own, and get one.
    """
    if isinstance(before, TableRecords) or (before is None and isinstance(given.oracle, TableRecords)):
        return (before if before is not None else given.oracle), ""
    kept = {} if before is None else laws_of(before, ())
    theirs = {} if isinstance(given.oracle, TableRecords) else laws_of(given.oracle, given.columns)
    like: object = before if before is not None else given.oracle
    laws = oracle_of_questions(table, _sharing(questions), theirs | kept, like)
    return laws, _left(given, kept, theirs, laws, person_of(given.target))


def fit_to(made: QuestionList, table: Table) -> Law:
    """The list's oracle if it draws what the questions name of this table; otherwise one of its laws that suit and of the first
    that suit the other columns."""
    sharing = _sharing(made.questions)
    if not sharing or (isinstance(made.oracle, TableRecords) and table.public):
        return made.oracle
    if isinstance(made.oracle, TableRecords):
        return oracle_of_questions(table, sharing, {}, None)
    return oracle_of_questions(table, sharing, laws_of(made.oracle, ()), made.oracle)


def _sharing(questions: tuple[Listed, ...]) -> tuple[Target, ...]:
    """The targets that share the list's oracle."""
    return tuple(one.target for one in questions if one.oracle is None)


def _left(given: Scenario, kept: dict[str, Oracle], theirs: dict[str, Oracle], laws: Oracle, person: str | None) -> str:
    now = laws_of(laws, ())
    named = [name for name in given.columns if name != person]
    if not theirs:
        return (
            f"Its oracle draws {', '.join(named)} together. In a list each column has a law of its own, so that all questions "
            "share one oracle."
        )
    other = [name for name in named if name in theirs and now.get(name) != theirs[name] and name in kept]
    if other:
        return f"The list has a law for {', '.join(other)} already, and keeps it: all questions share one oracle."
    return ""
