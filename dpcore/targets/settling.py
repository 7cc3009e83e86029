"""What stands around a question: what it says of the question, and scores by which something of it is settled beforehand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from dpcore.base.checks import finite, positive, whole
from dpcore.base.declared import Column
from dpcore.base.facts import SameAs
from dpcore.base.norms import LINF, RANGE
from dpcore.base.row_weights import Places
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.on import On
from dpcore.targets.proved import N, proved

MOST_PENALTY = 1e9  # far beyond how many people or rows there are; after a far larger one rounding leaves no worst case


class AroundQuestion(ABC):
    """What all targets around a question say of it."""

    __slots__ = ()
    question: On
    takes_fields: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    chooses: ClassVar[str] = ""
    """What of the question a response settles, as people call it; empty where the response is the question's answer."""

    stands_for: ClassVar[Any] = SameAs("question")
    target: ClassVar[Any] = SameAs("question")
    columns: ClassVar[Any] = SameAs("question")
    where: ClassVar[Any] = SameAs("question")
    by: ClassVar[Any] = SameAs("question")

    @property
    def fields(self) -> tuple[str, ...]:
        """The question's."""
        return self.question.fields

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n,) -> its answer"""

    @abstractmethod
    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """What is asked beside the target, as people read it."""

    def asks(self, what: str, columns: tuple[Column, ...] = (), *, full: bool = False) -> str:
        """The whole of it, where ``what`` names the target: ``Sum of cost, where sex is F, at most 3 rows a person``.

        With ``full`` no two settings read alike; without, it may leave some out, to be short.
        """
        return ", ".join(filter(None, (what, self.words(columns))))

    def asked(self, databases: Database, /) -> Database:
        """The target's own columns, missing where a condition does not hold."""
        return self.question.asked(databases)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where these are the question's columns."""
        return self.question.fits(columns)


class SettlingScores(AroundQuestion, ABC):
    """One score a candidate: −|something that rows add up to − what ``release_epsilon`` asks for| − a public penalty."""

    __slots__ = ()
    release_epsilon: float
    penalty: float
    looks_for: ClassVar[str]
    scores: ClassVar[bool] = True
    only_to_choose: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "release_epsilon", positive("release_epsilon", self.release_epsilon))
        if not 0 <= finite("penalty", self.penalty) <= MOST_PENALTY:
            raise InvalidValueError("penalty", f"from 0 to {MOST_PENALTY:,.0f}", self.penalty)
        object.__setattr__(self, "penalty", float(self.penalty))

    @property
    @abstractmethod
    def candidates(self) -> tuple[Any, ...]:
        """What is chosen among, closer together where it is small."""

    @property
    @abstractmethod
    def sought(self) -> str:
        """What is looked for, in words."""

    @property
    def numbers(self) -> int:
        """How many scores there are."""
        return len(self.candidates)

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """The question's conditions and groups, and what is looked for."""
        return ", ".join(filter(None, (self.question.words(columns), self._whole)))

    def asks(self, what: str, columns: tuple[Column, ...] = (), *, full: bool = False) -> str:
        """What is looked for, and for what: ``how many rows of a person should count, for this question: sum of cost``."""
        sought = self._whole if full else self.looks_for
        return ", ".join(filter(None, (f"{sought}, for this question: {what}", self.question.words(columns))))

    def _each_moved(
        self, norm: N, n: int, adjacency: Adjacency, by: float, largest: float, proof: str, *, records: int
    ) -> GlobalSensitivity[N] | None:
        """``by`` in L∞ and twice that in RANGE, where a neighbour moves each score by at most that, up or down. No score is
        larger than so many ``records`` and ``largest`` together."""
        known: dict[Any, float] = {RANGE: 2.0, LINF: 1.0}
        if norm not in known:
            return None
        sizes = (records + largest,) * 2
        return proved(self, known[norm] * by, sizes, norm, whole("n", n), proof, adjacency=adjacency, records=records)

    @property
    def _whole(self) -> str:
        return f"{self.sought}, for an answer at ε {self.release_epsilon:g}, penalty {self.penalty:g}"


def placed(question: On, database: Database) -> tuple[Database, Places]:
    """What the target gets of each row, and the row's group: −1 of one that does not count."""
    values, places = question.placed(database)
    target: Any = question.target  # whoever takes the question checked that it tells which rows count
    return values, np.where(target.rows_that_count(values), places, -1)


def usual_penalty(epsilon: float, rows: int = 1) -> float:
    """s/ε for a choice at this ε whose scores one person moves by at most s = ``rows``, up or down.

    Of candidates that nobody's rows reach, one that is r times another then has 1/√r of its weight, whatever ε and s are. Why
    not more or less is measured (mathematics, section 15.3 and 15.7). It is at most ``MOST_PENALTY``.
    """
    return min(rows / positive("epsilon", epsilon), MOST_PENALTY)
