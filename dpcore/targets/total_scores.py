"""Up to where a person's total should count, chosen privately: a score for each limit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import label_of
from dpcore.answers.place import Place
from dpcore.base.bounds import Interval, steps_below
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.clipped_totals import ClippedTotals, adds_up_to_a_total, limited, parts_of_people, sizes_of_people
from dpcore.targets.on import On
from dpcore.targets.people_rows import ScoresOfPeople
from dpcore.targets.proved import N
from dpcore.targets.settling import usual_penalty

TIMES = 1_000  # the largest size of a row: the last limit where nobody says another


@final
@dataclass(frozen=True, slots=True)
class TotalScores(ScoresOfPeople):
    """s(D)_B = −|#{S_u > B} − 1/ε₂| − penalty·log B for each limit B; (n,) -> (candidates,).

    S_u is the size of what a person's rows add up to: what is above 0 in it, or what is below, whichever is larger. Where each
    total is clipped at B, Σ (S_u − B)⁺ is lost, and the noise at ε₂ = ``release_epsilon`` is about B/ε₂ wide: their sum is least
    where 1/ε₂ people have a larger total. Candidates are public, up to ``highest``. One person changes #{S_u > B} by 1 at most,
    so a mechanism that chooses gives differential privacy itself (mathematics, section 15.6).
    """

    question: On
    person: str
    highest: float = field(metadata={"label": "Largest limit"})
    release_epsilon: float = field(default=1.0, metadata={"label": "ε of the answer that follows", "min": 0.01, "max": 20.0})
    penalty: float = field(default=10.0, metadata={"label": "Penalty for larger limits, in people", "words": "penalty"})
    title: ClassVar[str] = "Limit of a person's total"
    chooses: ClassVar[str] = "the limit of a person's total"
    looks_for: ClassVar[str] = "up to which total a person should count"

    def __post_init__(self) -> None:
        ScoresOfPeople.__post_init__(self)
        if not (adds_up_to_a_total(self.question) and facts(self.target).bounds):
            raise InvalidValueError("question", "a sum of values: a count of rows has a cap on rows to choose", self.target)
        object.__setattr__(self, "highest", positive("highest", self.highest))
        if not 1e-270 < self.highest < 1e270:
            raise InvalidValueError("highest", "a limit from 1e-270 to 1e270", self.highest)
        self.taken_up(self.highest)  # refuses a question whose values leave no room

    @property
    def candidates(self) -> tuple[float, ...]:
        """The limits, closer together where they are small."""
        return steps_below(self.highest)

    @property
    def sought(self) -> str:
        """Up to which total."""
        return f"{self.looks_for}, at most {self.highest:,.10g}"

    def about(self, question: On, person: str) -> TotalScores | None:
        """The same choice for another sum of the same column; None for other questions."""
        same = question.columns == self.columns and adds_up_to_a_total(question) and facts(question.target).bounds
        return replace(self, question=question, person=person) if same else None

    def offer(self, chosen: str, /) -> str:
        """What taking up a response does, where ``chosen`` is it in words: ``Clip each person's total at 97 minutes …``."""
        return f"Clip each person's total at {chosen} from now on"

    def taken_up(self, response: float, /) -> ClippedTotals:
        """The question itself, with the limit that was chosen."""
        return clipped_at(self.question, self.person, float(response))

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """A place on the scale of totals."""
        return Place(
            tuple(f"Limit of a person's total of {label}" for label in label_of(columns[:1])), columns[0].unit, ranked=False
        )

    def __call__(self, database: Database, /) -> FloatArray:
        who, _, parts = parts_of_people(self.question, self.person, database)
        sizes, candidates = np.sort(sizes_of_people(who, parts)), np.array(self.candidates)
        above = len(sizes) - np.searchsorted(sizes, candidates, side="right")
        return np.asarray(-np.abs(above - 1 / self.release_epsilon) - self.penalty * np.log(candidates / candidates[0]))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """2 in RANGE and 1 in L∞, where a person is replaced, added or removed (mathematics, section 15.6)."""
        proof = (
            "A person who comes, goes or is replaced changes how many people have a total above B by one, on one interval of B, "
            "so each score by at most 1, up or down."
        )
        largest = 1 / self.release_epsilon + self.penalty * np.log(self.highest / self.candidates[0])
        return self._moved(norm, n, adjacency, 1.0, largest, proof)


def clipped_at(question: On, person: str, limit: float) -> ClippedTotals:
    """The sum with each person's total between −limit and limit, or 0 where no total of its values lies."""
    return ClippedTotals(question, person, limited((-limit, limit), facts(question.target).bounds))


def highest_limit(question: On) -> float:
    """The last limit that is usual: a thousand times the largest size that a row can have."""
    bounds: Interval = facts(question.target).bounds
    return TIMES * max(map(abs, bounds))


def total_to_choose(
    question: On, person: str, *, epsilon: float, release_epsilon: float, penalty: float | None = None, most: float | None = None
) -> TotalScores:
    """The choice of a limit for a question, at its own ``epsilon`` and before an answer at ``release_epsilon``; up to the usual
    limit, and without a penalty with the usual one."""
    given = usual_penalty(epsilon) if penalty is None else penalty
    highest = highest_limit(question) if most is None else most
    return TotalScores(question, person, highest, release_epsilon=release_epsilon, penalty=given)
