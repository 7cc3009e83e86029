"""One oracle for all questions of a list: of every column that one of them names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore.base.types import Oracle, person_of
from dpcore.oracles.product import laws_of
from pages.experiment.listed.question_list import Law, Listed, QuestionList, names
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table


def united(questions: tuple[Listed, ...], table: Table, before: Law | None, given: Scenario) -> tuple[Law, str]:
    """The oracle of all columns of these questions, and a sentence about what of the ``given`` question's own oracle it leaves.

    Records of the table itself stay that. Else each column's law is the one that it had ``before``, or that of the question that
    is new, or the first that suits it: columns that an oracle draws together have no law of their own, and get one.
    """
    if isinstance(before, TableRecords) or (before is None and isinstance(given.oracle, TableRecords)):
        return (before if before is not None else given.oracle), ""
    kept = {} if before is None else laws_of(before, ())
    theirs = {} if isinstance(given.oracle, TableRecords) else laws_of(given.oracle, given.columns)
    person = person_of(given.target)
    like: object = before if before is not None else given.oracle
    laws = oracle_of_fields(table, _All.of(questions), theirs | kept, like)
    return laws, _left(given, kept, theirs, laws, person)


def fit_to(made: QuestionList, table: Table) -> Law:
    """The list's oracle, where it draws what its questions name of this table; else one with the first laws that suit them, and
    those of its own that do."""
    sharing = [one for one in made.questions if one.oracle is None]
    if not sharing or (isinstance(made.oracle, TableRecords) and table.public):
        return made.oracle
    if isinstance(made.oracle, TableRecords):
        return oracle_of_fields(table, _All.of(sharing), {}, None)
    return oracle_of_fields(table, _All.of(sharing), laws_of(made.oracle, ()), made.oracle)


@dataclass(frozen=True, slots=True)
class _All:
    """All questions that share an oracle, as far as it is asked of: which columns they name, and whose people."""

    parts: tuple[Any, ...]
    fields: tuple[str, ...]
    person: str | None
    takes_fields: ClassVar[bool] = True
    asks_together: ClassVar[bool] = True

    @classmethod
    def of(cls, questions: Iterable[Listed]) -> Any:
        listed = [one for one in questions if one.oracle is None]
        return cls(tuple(one.target for one in listed), names(listed), person_of(*(one.target for one in listed)))

    def __call__(self, database: Any, /) -> Any:
        raise NotImplementedError


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
