"""What questions about people share: they add up rows, each of one person."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from dpcore.base.checks import named
from dpcore.base.declared import PERSON, Column
from dpcore.base.facts import SameAs, facts
from dpcore.base.row_weights import Places
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.targets.on import On


class AskedOfPeople(Target):
    """What all questions about people say of the question and the people that they are about."""

    __slots__ = ()
    question: On
    person: str
    takes_fields: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    stands_for: ClassVar[Any] = SameAs("question")
    target: ClassVar[Any] = SameAs("question")
    columns: ClassVar[Any] = SameAs("question")
    where: ClassVar[Any] = SameAs("question")
    by: ClassVar[Any] = SameAs("question")

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
    def about(self, question: On, person: str) -> AskedOfPeople | None:
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


def of_people(question: object, person: object) -> On:
    """The question, if it can be asked of people whom the field ``person`` tells; InvalidValueError if not.

    Its target adds up rows: it has ``rows_that_count(records)``, ``numbers``, how many numbers it answers with, and
    ``contribution``, which no n changes, or ``weighted(values, weights)``.
    """
    inner: Any = facts(question).target
    if not isinstance(question, On) or facts(inner).rows_that_count is None:
        expected = "a question whose target adds up rows: a count, a sum, a mean or a share of known values, or a quantile"
        raise InvalidValueError("question", expected, inner)
    if named("person", person) in question.fields:
        raise InvalidValueError("person", f"another column than {', '.join(question.fields)}", person)
    return question


def placed(question: On, database: Database) -> tuple[Database, Places]:
    """What the target gets of each row, and the row's group: −1 of one that does not count."""
    values, places = question.placed(database)
    target: Any = question.target  # whoever takes the question checked that it tells which rows count
    return values, np.where(target.rows_that_count(values), places, -1)
