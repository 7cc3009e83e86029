"""What scores of people share: they are made to choose by, for an answer that follows, and one person moves each a little."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from dpcore.base import people
from dpcore.base.checks import finite, positive, whole
from dpcore.base.declared import Column
from dpcore.base.norms import LINF, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.people_rows import MOST_PENALTY, AskedOfPeople, of_people
from dpcore.targets.proved import N, raised


class ScoresOfPeople(AskedOfPeople, ABC):
    """One score a candidate: −|something that people add up to − what ``release_epsilon`` asks for| − a public penalty."""

    __slots__ = ()
    release_epsilon: float
    penalty: float
    looks_for: ClassVar[str]
    scores: ClassVar[bool] = True
    only_to_choose: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        object.__setattr__(self, "release_epsilon", positive("release_epsilon", self.release_epsilon))
        if not 0 <= finite("penalty", self.penalty) <= MOST_PENALTY:
            raise InvalidValueError("penalty", f"from 0 to {MOST_PENALTY:,.0f}", self.penalty)
        object.__setattr__(self, "penalty", float(self.penalty))

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n,) -> (candidates,)"""

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

    @property
    def _whole(self) -> str:
        return f"{self.sought}, for an answer at ε {self.release_epsilon:g}, penalty {self.penalty:g}"

    def _moved(self, norm: N, n: int, adjacency: Adjacency, by: float, largest: float, proof: str) -> GlobalSensitivity[N] | None:
        """``by`` in L∞ and twice that in RANGE, where one person moves each score by at most that, up or down; no score is larger
        than as many rows as there can be and ``largest`` together."""
        known: dict[Any, float] = {RANGE: 2.0, LINF: 1.0}
        if norm not in known or adjacency is Adjacency.REPLACE_ONE_RECORD:
            return None
        value = raised(known[norm] * by, (people.MOST_ROWS + largest,) * 2, people.MOST_ROWS)
        return None if value is None else GlobalSensitivity(self, value, norm, adjacency, proof, whole("n", n))
