"""Up to where the values of records should count, chosen privately where nobody can state narrow bounds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.numbers import label_of
from dpcore.answers.place import Place
from dpcore.base import people
from dpcore.base.bounds import Interval, clip, round_steps
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.on import On, questioned
from dpcore.targets.proved import N
from dpcore.targets.settling import SettlingScores, placed, usual_penalty

_TIMES = 1e6  # the last bound over the first
_PENALTY = 2  # over ε of the choice: of bounds that no value reaches, one has 1/U of its weight, however wide the grid is


@final
@dataclass(frozen=True, slots=True)
class RecordBoundScores(SettlingScores):
    """s(D)_U = −|#{|x| > U} − k/ε₂| − penalty·log U for each bound U of a public grid, 1, 2, 5, 10, …; (n,) -> (candidates,).

    Values beyond U count as U, those below −U as −U, as far as the question's own bounds reach. Each record beyond loses what is
    above U, and the noise on each of the k groups' answers, at ε₂ = ``release_epsilon``, is about U/ε₂ wide: together they are
    least where k/ε₂ records lie beyond. Where all values are of one sign and far from 0, U and log U are counted from the end
    that is nearer to 0. One record changes #{|x| > U} by 1 at most, so a mechanism that chooses gives differential privacy
    itself (mathematics, section 15.7). Candidates go from ``least`` beyond that end to the question's own outer bound.
    """

    question: On
    least: float = field(metadata={"label": "Smallest bound"})
    release_epsilon: float = field(default=1.0, metadata={"label": "ε of the answer that follows", "min": 0.01, "max": 20.0})
    penalty: float = field(default=10.0, metadata={"label": "Penalty for larger bounds, in rows", "words": "penalty"})
    title: ClassVar[str] = "Bound of the values"
    chooses: ClassVar[str] = "the bounds"
    looks_for: ClassVar[str] = "up to which value rows should count"
    regardless_of_n: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.question, On) or not has_bounds_to_choose(self.question.target, self.question.columns):
            raise InvalidValueError("question", "one of known values of one column between public bounds", self.question)
        SettlingScores.__post_init__(self)
        width = self._outer - self._inner
        if not 1e-250 < positive("least", self.least) < width < 1e250:
            raise InvalidValueError("least", f"above 0 and below {width:g}, the width of the question's bounds", self.least)
        object.__setattr__(self, "least", float(self.least))

    @property
    def _ends(self) -> Interval:
        bounds: Interval = facts(self.target).bounds
        return bounds

    @property
    def _inner(self) -> float:
        """How far from 0 the nearest value can be."""
        low, high = self._ends
        return max(low, -high, 0.0)

    @property
    def _outer(self) -> float:
        return max(map(abs, self._ends))

    @property
    def candidates(self) -> tuple[float, ...]:
        """The bounds, of which the last one is the question's own."""
        inner, outer = self._inner, self._outer
        steps = round_steps(self.least, outer - inner)
        return tuple(dict.fromkeys((*(step for step in (inner + step for step in steps[:-1]) if inner < step < outer), outer)))

    @property
    def most_penalty(self) -> float:
        """How far the penalty sets the first bound above the last."""
        first, last = self.candidates[0] - self._inner, self.candidates[-1] - self._inner
        return self.penalty * float(np.log(last / first))

    @property
    def sought(self) -> str:
        """Up to which value."""
        return f"{self.looks_for}, from {self.least:g} on"

    def bounds_at(self, bound: float) -> Interval:
        """The bounds that a response makes of the question's own."""
        low, high = self._ends
        return low if low >= 0 else max(low, -bound), high if high <= 0 else min(high, bound)

    @property
    def scales(self) -> tuple[float, ...]:
        """The powers of ten by which values can lie beyond the end that is nearer to 0."""
        width = self._outer - self._inner
        return tuple(step for step in round_steps(self.least, width)[:-1] if f"{step:e}"[0] == "1")

    def value_at(self, beyond: FloatArray) -> FloatArray:
        """Values so far from the end that is nearer to 0; half of them below it, where both signs are possible."""
        low, high = self._ends
        if low < 0 < high:
            return np.where(np.arange(len(beyond)) % 2, beyond, -beyond)
        return low + beyond if low >= 0 else high - beyond

    def offer(self, chosen: str, /) -> str:
        """What taking up a response does, where ``chosen`` is it in words: ``Count values up to 97 minutes from now on``."""
        low, high = self._ends
        up_to = f"up to {chosen}" if low >= 0 else f"up to {chosen}, and down to minus that,"
        return f"Count values {f'down to minus {chosen}' if high <= 0 else up_to} from now on"

    def taken_up(self, response: float, /) -> Target:
        """The question itself, between the bounds that were chosen."""
        target: Any = self.target
        narrower = replace(target, bounds=self.bounds_at(float(response)))
        return questioned(narrower, self.question.columns, self.question.where, self.question.by)

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """A place on the column's scale."""
        return Place(tuple(f"Bound of {label}" for label in label_of(columns[:1])), columns[0].unit, ranked=False)

    def __call__(self, database: Database, /) -> FloatArray:
        values, places = placed(self.question, database)
        sizes, candidates = np.sort(np.abs(clip(values[places >= 0], self._ends))), np.array(self.candidates)
        beyond = len(sizes) - np.searchsorted(sizes, candidates, side="right")
        from_inner = candidates - self._inner
        return np.asarray(-np.abs(beyond - self._wanted) - self.penalty * np.log(from_inner / from_inner[0]))

    @property
    def _wanted(self) -> float:
        return max(1, len(self.question.groups)) / self.release_epsilon

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """2 in RANGE and 1 in L∞, where a record is replaced, added or removed (mathematics, section 15.7)."""
        if not adjacency.of_records:
            return None
        proof = (
            "A row that comes, goes or is replaced changes how many values lie beyond U by one, on one interval of U, so each "
            "score by at most 1, up or down."
        )
        records = people.MOST_ROWS if adjacency.removes else n
        return self._each_moved(norm, n, adjacency, 1.0, self._wanted + self.most_penalty, proof, records=records)


def has_bounds_to_choose(target: Target, columns: tuple[str, ...]) -> bool:
    """Whether it is asked of known values of one column between bounds."""
    said = facts(target)
    one = isinstance(said.bounds, tuple) and len(said.bounds) == 2 and not isinstance(said.bounds[0], tuple)
    return one and len(columns) == 1 and said.rows_that_count is not None


def bounds_to_choose(
    question: On, *, epsilon: float, release_epsilon: float, penalty: float | None = None, least: float | None = None
) -> RecordBoundScores:
    """The choice of bounds for a question, at its own ``epsilon`` and before an answer at ``release_epsilon``; without a penalty
    and a smallest bound the usual ones. InvalidValueError for a question without bounds."""
    low, high = facts(question.target).bounds or (0.0, 1.0)  # without any the constructor refuses it
    given = usual_penalty(epsilon, _PENALTY) if penalty is None else penalty
    smallest = (max(abs(low), abs(high)) - max(low, -high, 0.0)) / _TIMES if least is None else least
    return RecordBoundScores(question, smallest, release_epsilon=release_epsilon, penalty=given)
