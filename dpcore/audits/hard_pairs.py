"""Pairs of answers to two neighbours that a mechanism's noise can hardly hide, for audits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import LatticeTarget, SteppedTarget, Target
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms import BernsteinMechanism, ExponentialMechanism, LaplaceMechanism, TwoStepMechanism

Values = tuple[float, ...]
_DELTA = 1e-3
# Noise calibrated to one number must not hide less of several that move together, nor of two scores that move apart.
_USUAL: dict[Norm, tuple[Values, Values]] = {
    L1: ((0.0,), (1.0,)),
    L2: ((0.0,), (1.0,)),
    LINF: ((0.0, 0.0), (1.0, 1.0)),
    RANGE: ((0.0, 2.0), (1.0, 1.0)),
}


@dataclass(frozen=True)
class TwoAnswers(Target):
    """A target of a single record: it answers ``raw`` if the record is 0, and ``other`` otherwise.

    Args:
        raw: The answer to the first neighbour.
        other: The answer to the second one.

    Attributes:
        databases: The two neighbours, if a second step needs them.
    """

    raw: Values
    other: Values
    databases: ClassVar[tuple[Database, Database] | None] = None

    @property
    def whole_numbers(self) -> bool:
        """True if both answers are whole numbers."""
        return all(value == int(value) for value in (*self.raw, *self.other))

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array(self.other if np.any(database) else self.raw)

    def global_sensitivity(self, norm: Norm, n: int) -> GlobalSensitivity[Norm]:
        """Return the distance of both answers, which a mechanism calibrated to it only just covers."""
        value = float(norm(np.subtract(self.raw, self.other)))
        return GlobalSensitivity(self, value, norm, Adjacency.REPLACE_ONE_RECORD, "It has two answers, this far apart.", 1)


@dataclass(frozen=True)
class TwoScores(TwoAnswers):
    """Two answers that are scores, one for each candidate."""

    @property
    def candidates(self) -> tuple[int, ...]:
        """The candidates, numbered from 1."""
        return tuple(range(1, len(self.raw) + 1))


@dataclass(frozen=True)
class TwoCurves(TwoAnswers, LatticeTarget):
    """Two answers that are a curve's values on an even lattice of [0, 1]."""

    @property
    def degree(self) -> int:
        """One less than the lattice points."""
        return len(self.raw) - 1

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """The unit interval."""
        return ((0.0, 1.0),)


@dataclass(frozen=True)
class TwoSteps(TwoAnswers, SteppedTarget):
    """Two answers to the first of two steps. The scores of the second step do not depend on the first response.

    The last of 20 candidates is one error worse than the rest if the record is 0, and one better otherwise.
    """

    candidates: ClassVar[tuple[int, ...]] = tuple(range(20))
    databases: ClassVar[tuple[Database, Database]] = (np.zeros(1), np.ones(1))

    def then(self, first: FloatArray, /) -> TwoScores:
        """Return the scores of the second step."""
        rest = len(self.candidates) - 1
        return TwoScores((0.0,) * rest + (-1.0,), (-1.0,) * rest + (0.0,))

    def scores_after(self, first: FloatArray, database: Database, /) -> FloatArray:
        """Return the scores of the second step for each first response: (k, d) -> (k, candidates)."""
        return np.tile(self.then(first)(database), (len(first), 1))

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """Return the first responses and the candidates' numbers: (k, d), (k,) -> (k, d+1)."""
        return np.column_stack([first, chosen])

    def apart(self, responses: FloatArray, /) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return both parts of ``both``."""
        return responses[:, :-1], responses[:, -1].astype(np.int64)


@final
@dataclass(frozen=True)
class HardPair:
    """A mechanism and two answers that it can hardly hide.

    Args:
        mechanism: The mechanism.
        answers: Answers as far apart as its sensitivity allows.
        name: The name of the audit.
    """

    mechanism: Any
    answers: TwoAnswers
    name: str

    def calibrated(self, epsilon: float) -> Any:
        """Return the mechanism at this ε, calibrated to the distance of the answers."""
        privacy = PureDP(epsilon) if self.mechanism.privacy is PureDP else ApproxDP(epsilon, _DELTA)
        return self.mechanism.calibrate(self.answers.global_sensitivity(self.mechanism.norm, 1), privacy)


def hard_pairs(kind: Any) -> tuple[HardPair, ...]:
    """Return the pairs that a kind of mechanism is audited on.

    Args:
        kind: A class of mechanisms.

    Returns:
        Pairs for its calibrations, in the catalogue. For any other class one pair in its norm: for numbers if it suits them,
        otherwise for scores or for a curve; () if it suits none of these.

    Examples:
        >>> from dpcore import GaussianMechanism
        >>> [(pair.answers.raw, pair.answers.other) for pair in hard_pairs(GaussianMechanism)]
        [((0.0,), (1.0,))]
    """
    scores = TwoScores(*_USUAL[RANGE])  # a record that moves from one candidate to another
    names = scores.candidates
    # A record that is seen at its own lattice point; of order 1 the coefficients are the noisy values.
    curve = TwoCurves((0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0))
    known: dict[Any, tuple[HardPair, ...]] = {
        LaplaceMechanism: (
            HardPair(LaplaceMechanism(), TwoAnswers((0.5,), (1.5,)), "Laplace"),
            HardPair(LaplaceMechanism(), TwoAnswers((0.0,), (1.0,)), "Laplace, whole numbers"),
        ),
        ExponentialMechanism: (
            HardPair(ExponentialMechanism(names), scores, "Exponential, RANGE"),
            HardPair(ExponentialMechanism(names, norm=LINF), scores, "Exponential, 2·L∞"),
            HardPair(ExponentialMechanism(names, selection="permute-and-flip"), scores, "Permute-and-flip"),
        ),
        BernsteinMechanism: (HardPair(BernsteinMechanism(), curve, "Bernstein"),),
        TwoStepMechanism: (HardPair(TwoStepMechanism(), TwoSteps((0.0,), (1.0,)), "In steps"),),
    }
    return known[kind] if kind in known else _usual_pairs(kind)


def _usual_pairs(kind: Any) -> tuple[HardPair, ...]:
    for answers in (TwoAnswers, TwoScores, TwoCurves):
        for norm, both in _USUAL.items():
            one = kind.suited(answers(*both))
            if one is not None and one.norm == norm:
                return (HardPair(one, answers(*both), one.title or kind.__name__),)
    return ()
