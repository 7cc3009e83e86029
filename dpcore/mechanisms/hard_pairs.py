"""Two answers that a mechanism's noise can hardly hide: what an audit tries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Database, FloatArray, LatticeTarget, SteppedTarget, Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity

Numbers = tuple[float, ...]
# Noise sized to one number must not hide less of several that move together, nor of two scores that move apart.
_USUAL: dict[Norm, tuple[Numbers, Numbers]] = {
    L1: ((0.0,), (1.0,)),
    L2: ((0.0,), (1.0,)),
    LINF: ((0.0, 0.0), (1.0, 1.0)),
    RANGE: ((0.0, 2.0), (1.0, 1.0)),
}


@dataclass(frozen=True)
class TwoAnswers(Target):
    """A target of a single record: it answers ``raw`` where that is 0, and ``other`` where it is anything else."""

    raw: Numbers
    other: Numbers

    @property
    def whole_numbers(self) -> bool:
        """Whether both answers are whole numbers."""
        return all(value == int(value) for value in (*self.raw, *self.other))

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array(self.other if np.any(database) else self.raw)

    def global_sensitivity(self, norm: Norm, n: int) -> GlobalSensitivity[Norm]:
        """How far apart the two are, so that they are a pair which it only just covers."""
        value = float(norm(np.subtract(self.raw, self.other)))
        return GlobalSensitivity(self, value, norm, Adjacency.REPLACE_ONE_RECORD, "It has two answers, this far apart.", 1)


@dataclass(frozen=True)
class TwoScores(TwoAnswers):
    """The same, where an answer is a score for each of some candidates."""

    @property
    def candidates(self) -> tuple[int, ...]:
        """Numbered from 1."""
        return tuple(range(1, len(self.raw) + 1))


@dataclass(frozen=True)
class TwoCurves(TwoAnswers, LatticeTarget):
    """The same, where an answer is a curve's values on an even lattice of [0, 1]."""

    @property
    def degree(self) -> int:
        """One less than the points."""
        return len(self.raw) - 1

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """One dimension."""
        return ((0.0, 1.0),)


@dataclass(frozen=True)
class TwoSteps(TwoAnswers, SteppedTarget):
    """The same, where the answer is the first of two steps; the scores of the second do not hang on it.

    The last of 20 candidates is one error worse than the rest where the record is 0, and one better where it is not.
    """

    candidates: ClassVar[tuple[int, ...]] = tuple(range(20))
    databases: ClassVar[tuple[Database, Database]] = (np.zeros(1), np.ones(1))

    def then(self, first: FloatArray, /) -> TwoScores:
        """The scores of the second step."""
        rest = len(self.candidates) - 1
        return TwoScores((0.0,) * rest + (-1.0,), (-1.0,) * rest + (0.0,))

    def scores_after(self, first: FloatArray, database: Database, /) -> FloatArray:
        """(k, d) -> (k, candidates)"""
        return np.tile(self.then(first)(database), (len(first), 1))

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """The first answer and the candidate's number: (k, d), (k,) -> (k, d+1)."""
        return np.column_stack([first, chosen])

    def apart(self, responses: FloatArray, /) -> tuple[FloatArray, NDArray[np.int64]]:
        """``both``, undone."""
        return responses[:, :-1], responses[:, -1].astype(np.int64)


@final
@dataclass(frozen=True)
class HardPair:
    """A mechanism and two answers that it can hardly hide; ``name`` where it is audited in several ways."""

    mechanism: Any
    answers: TwoAnswers
    name: str = ""


def usual_pairs(suited: Callable[[Target], Any]) -> tuple[HardPair, ...]:
    """For the mechanism that suits numbers, else scores, else curves: those that are usual in its norm; () where none suits."""
    for kind in (TwoAnswers, TwoScores, TwoCurves):
        for norm, answers in _USUAL.items():
            one = suited(kind(*answers))
            if one is not None and one.norm == norm:
                return (HardPair(one, kind(*answers)),)
    return ()
