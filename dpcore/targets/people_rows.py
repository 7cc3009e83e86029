"""What questions about people share, and scores by which a setting of one is chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from dpcore.base import people
from dpcore.base.checks import named
from dpcore.base.declared import PERSON, Column
from dpcore.base.facts import facts
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.on import On
from dpcore.targets.proved import N
from dpcore.targets.settling import AroundQuestion, SettlingScores


class AskedOfPeople(AroundQuestion, ABC):
    """What all questions about people say of the question and the people that they are about."""

    __slots__ = ()
    person: str

    @property
    def fields(self) -> tuple[str, ...]:
        """The question's, and the one that tells whose a row is."""
        return (*self.question.fields, self.person)

    @abstractmethod
    def about(self, question: On, person: str) -> AskedOfPeople | None:
        """The same of another question, or about the people of another field; None where its limit says nothing of that one."""

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where the question's columns are followed by that of the people."""
        named = bool(columns) and (columns[-1].name, columns[-1].role) == (self.person, PERSON)
        return named and self.question.fits(columns[:-1])


class ScoresOfPeople(AskedOfPeople, SettlingScores, ABC):
    """One score a candidate, by what people add up to."""

    __slots__ = ()

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        SettlingScores.__post_init__(self)

    def _moved(self, norm: N, n: int, adjacency: Adjacency, by: float, largest: float, proof: str) -> GlobalSensitivity[N] | None:
        """Where one person moves each score by at most ``by``, up or down; there can be as many rows as there is room for."""
        if adjacency.of_records:
            return None
        return self._each_moved(norm, n, adjacency, by, largest, proof, records=people.MOST_ROWS)


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
