"""How many rows of each person should count, chosen privately: a score for each number of rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.place import Place
from dpcore.base import people
from dpcore.base.bounds import whole_steps
from dpcore.base.checks import finite, positive, whole
from dpcore.base.declared import Column
from dpcore.base.norms import LINF, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.capped import Capped
from dpcore.targets.on import On
from dpcore.targets.people_rows import AskedOfPeople, of_people, placed
from dpcore.targets.proved import N, proved

_MOST = 10_000
_MOST_PENALTY = 1e9  # far beyond how many people there are; after a far larger one rounding leaves no worst case


@final
@dataclass(frozen=True, slots=True)
class CapScores(AskedOfPeople):
    """s(D)_r = −|#{N_u > r} − 1/ε₂| − penalty·log r for each number r of rows that a person may count for; (n,) -> (candidates,).

    N_u is how many rows of a person the question counts. Where a person counts for at most r rows, Σ (N_u − r)⁺ rows are
    dropped and the noise at ε₂ = ``release_epsilon`` is about r/ε₂ wide: their sum is least where 1/ε₂ people have more than r
    rows. ``penalty``, in people, is public: beyond the largest N_u all scores would be alike, and the many candidates there
    would win by their number (``usual_penalty``). ``most`` is the last candidate, and public too. One person changes
    #{N_u > r} by 1 at most, so a mechanism that chooses gives differential privacy itself (mathematics, section 15.3).
    """

    question: On
    person: str
    release_epsilon: float = field(default=1.0, metadata={"label": "ε of the answer that follows", "min": 0.01, "max": 20.0})
    penalty: float = field(default=10.0, metadata={"label": "Penalty for larger numbers, in people"})
    most: int = field(default=1_000, metadata={"label": "Most rows", "min": 2, "max": _MOST, "step": 100})
    title: ClassVar[str] = "Rows that a person counts for"
    stands_for: ClassVar[Any] = None
    scores: ClassVar[bool] = True
    only_to_choose: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        of_people(self.question, self.person)
        object.__setattr__(self, "release_epsilon", positive("release_epsilon", self.release_epsilon))
        if not 0 <= finite("penalty", self.penalty) <= _MOST_PENALTY:
            raise InvalidValueError("penalty", f"from 0 to {_MOST_PENALTY:,.0f}", self.penalty)
        object.__setattr__(self, "penalty", float(self.penalty))
        if whole("most", self.most, least=2) > _MOST:
            raise InvalidValueError("most", f"at most {_MOST:,}", self.most)

    @property
    def candidates(self) -> tuple[int, ...]:
        """The numbers of rows, closer together where they are small."""
        return whole_steps(self.most)

    @property
    def numbers(self) -> int:
        """How many scores there are."""
        return len(self.candidates)

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """The question's conditions and groups, and what is looked for."""
        return ", ".join(filter(None, (self.question.words(columns), self._sought)))

    def asks(self, what: str, columns: tuple[Column, ...] = (), *, full: bool = False) -> str:
        """What is looked for, and for what: ``how many rows of a person should count, for this question: sum of cost``."""
        sought = self._sought if full else _LOOKS_FOR
        return ", ".join(filter(None, (f"{sought}, for this question: {what}", self.question.words(columns))))

    def about(self, question: On, person: str) -> CapScores:
        """The same choice for another question."""
        return replace(self, question=question, person=person)

    def taken_up(self, response: float, /) -> Capped:
        """The question itself, with the number of rows that was chosen."""
        return Capped(self.question, self.person, int(response))

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """A number of rows."""
        return Place((self.title,), "rows", ranked=False)

    def __call__(self, database: Database, /) -> FloatArray:
        places = placed(self.question, database)[1]
        rows = np.bincount(database[self.person][people.CODE][places >= 0])
        candidates = np.array(self.candidates)
        above = len(rows) - np.searchsorted(np.sort(rows), candidates, side="right")
        return np.asarray(-np.abs(above - 1 / self.release_epsilon) - self.penalty * np.log(candidates))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """2 in RANGE and 1 in L∞, where a person is replaced, added or removed (mathematics, section 15.3)."""
        known: dict[Any, float] = {RANGE: 2.0, LINF: 1.0}
        if norm not in known or adjacency.of_records:
            return None
        proof = (
            "A person who comes, goes or is replaced changes how many people have more than r rows by one, on one interval of r, "
            "so each score by at most 1, up or down."
        )
        largest = people.MOST_ROWS + 1 / self.release_epsilon + self.penalty * np.log(self.most)
        return proved(
            self, known[norm], (largest,) * 2, norm, whole("n", n), proof, adjacency=adjacency, records=people.MOST_ROWS
        )

    @property
    def _sought(self) -> str:
        of = f"for an answer at ε {self.release_epsilon:g}, penalty {self.penalty:g}"
        return f"{_LOOKS_FOR}, at most {self.most:,}, {of}"


_LOOKS_FOR = "how many rows of a person should count"


def usual_penalty(epsilon: float) -> float:
    """1/ε for a choice at this ε.

    Of candidates that nobody's rows reach, one that is r times another then has 1/√r of its weight, whatever ε is. Why not more
    or less is measured (mathematics, section 15.3). It is at most 1,000,000,000.
    """
    return min(1 / positive("epsilon", epsilon), _MOST_PENALTY)


def rows_to_choose(
    question: On, person: str, *, epsilon: float, release_epsilon: float, penalty: float | None = None, most: int = 1_000
) -> CapScores:
    """The choice of s for a question, at its own ``epsilon`` and before an answer at ``release_epsilon``; without a penalty the
    usual one."""
    given = usual_penalty(epsilon) if penalty is None else penalty
    return CapScores(question, person, release_epsilon=release_epsilon, penalty=given, most=most)
