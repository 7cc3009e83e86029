"""Up to where the values of people's rows should count, chosen privately: a score for each upper bound."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import label_of
from dpcore.answers.place import Place
from dpcore.base import row_weights
from dpcore.base.bounds import steps_below
from dpcore.base.checks import positive
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.capped import Capped
from dpcore.targets.on import On
from dpcore.targets.people_rows import ScoresOfPeople, of_people
from dpcore.targets.proved import N
from dpcore.targets.settling import placed, usual_penalty

_PARTS = 2.0**24  # weights are whole shares of it, so that they add up exactly


@final
@dataclass(frozen=True, slots=True)
class BoundScores(ScoresOfPeople):
    """s(D)_U = −|Σ min(1, s/N_u)·1[x > U] − s/ε₂| − penalty·log U for each upper bound U; (n,) -> (candidates,).

    The sum is how much the rows above U weigh where a person counts for at most s = ``rows`` rows. Each of them loses what is
    above U, and the noise at ε₂ = ``release_epsilon`` is about s·U/ε₂ wide: their sum is least where the rows above U weigh
    s/ε₂. Candidates are public, up to ``highest``, the column's own public bound. One person weighs at most s, so a mechanism
    that chooses gives differential privacy itself (mathematics, section 15.4). ``rows`` may have been chosen privately before.
    """

    question: On
    person: str
    highest: float
    rows: int = field(default=1, metadata={"label": "Rows a person counts for, s", "min": 1, "step": 1})
    release_epsilon: float = field(default=1.0, metadata={"label": "ε of the answer that follows", "min": 0.01, "max": 20.0})
    penalty: float = field(default=0.0, metadata={"label": "Penalty for larger bounds, in rows"})
    title: ClassVar[str] = "Upper bound of the values"
    chooses: ClassVar[str] = "the upper bound"
    looks_for: ClassVar[str] = "up to which value rows should count"

    def __post_init__(self) -> None:
        ScoresOfPeople.__post_init__(self)
        if not facts(self.target).bounds:
            raise InvalidValueError("question", "one whose target has bounds, as a sum or a mean has", self.question.target)
        object.__setattr__(self, "highest", positive("highest", self.highest))
        if not 1e-280 < self.highest < 1e280:
            raise InvalidValueError("highest", "a bound from 1e-280 to 1e280", self.highest)
        object.__setattr__(self, "rows", row_weights.checked(self.rows, None, None)[0])
        if len(self.candidates) < 2:
            raise InvalidValueError("highest", f"further above the lower bound {self.target.bounds[0]:g}", self.highest)

    @property
    def candidates(self) -> tuple[float, ...]:
        """The bounds, closer together where they are small, all above the question's own lower one."""
        return tuple(step for step in steps_below(self.highest) if step > self.target.bounds[0])

    @property
    def most_penalty(self) -> float:
        """How far the penalty sets the first bound above the last."""
        return self.penalty * float(np.log(self.highest / self.candidates[0]))

    @property
    def sought(self) -> str:
        """Up to which value."""
        rows = counted(self.rows, " rows")
        return f"{self.looks_for}, at most {self.highest:g}, of at most {rows} a person"

    def about(self, question: On, person: str) -> BoundScores:
        """The same choice for another question, up to that one's own bound; InvalidValueError for one without bounds."""
        bounds = facts(question.target).bounds or self.target.bounds
        highest = self.highest if bounds == self.target.bounds else bounds[1]
        return replace(self, question=question, person=person, highest=highest)

    def offer(self, chosen: str, /) -> str:
        """What taking up a response does, where ``chosen`` is it in words: ``Count values up to 97 minutes from now on``."""
        return f"Count values up to {chosen} from now on"

    def taken_up(self, response: float, /) -> Capped:
        """The question itself, with the upper bound that was chosen."""
        bounds = (self.target.bounds[0], float(response))
        question = replace(self.question, target=replace(self.target, bounds=bounds))
        return Capped(question, self.person, self.rows)

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """A place on the column's scale."""
        return Place(tuple(f"Upper bound of {label}" for label in label_of(columns[:1])), columns[0].unit, ranked=False)

    def __call__(self, database: Database, /) -> FloatArray:
        values, places = placed(self.question, database)
        weights = row_weights.weights(database[self.person], places, self.rows)
        counted, candidates = places >= 0, np.array(self.candidates)
        below = np.searchsorted(candidates, values[counted])  # the first bound that a value is not above
        parts = np.bincount(below, weights=np.floor(weights[counted] * _PARTS), minlength=len(candidates) + 1)
        above = np.cumsum(parts[::-1])[::-1][1:] / _PARTS
        return np.asarray(-np.abs(above - self.rows / self.release_epsilon) - self.penalty * np.log(candidates / candidates[0]))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_USER
    ) -> GlobalSensitivity[N] | None:
        """2s in RANGE and s in L∞, where a person is replaced, added or removed (mathematics, section 15.4)."""
        proof = (
            "The rows of one person weigh at most s above any bound: who comes, goes or is replaced changes the weight above it "
            "by at most s, and so each score, up or down."
        )
        largest = self.rows / self.release_epsilon + self.most_penalty
        return self._moved(norm, n, adjacency, self.rows, largest, proof)


def bound_to_choose(
    question: On, person: str, *, rows: int, epsilon: float, release_epsilon: float, penalty: float | None = None
) -> BoundScores:
    """The choice of an upper bound for a question, up to the one that it has, at its own ``epsilon`` and before an answer at
    ``release_epsilon``; without a penalty the usual one. InvalidValueError for a question without bounds."""
    of_people(question, person)
    bounds = facts(question.target).bounds or (0.0, 1.0)  # without any its constructor refuses it
    given = usual_penalty(epsilon, rows) if penalty is None else penalty
    return BoundScores(question, person, bounds[1], rows, release_epsilon=release_epsilon, penalty=given)
