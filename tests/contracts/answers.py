"""Which answers a mechanism takes: found by asking its ``check`` and its law, so that no test lists it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from dpcore.audits.hard_pairs import TwoSteps
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import SteppedTarget, Target
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import ApproxDP, PureDP
from tests.contracts.members import members
from tests.contracts.suited import database_for

LENGTHS = (1, 2, 3, 5)
BY_GROUP = (6, 9)  # numbers of three groups
MOST = 2  # lengths tried


@dataclass(frozen=True)
class Numbers(Target):
    """So many numbers, and nothing else said: what a user's own function is to a mechanism."""

    length: int

    def __call__(self, database: Database, /) -> FloatArray:
        return np.resize(np.asarray(database, dtype=np.float64), self.length)


@dataclass(frozen=True)
class WholeNumbers(Numbers):
    """So many whole numbers, as a count says of itself: for a mechanism that takes nothing else."""

    whole_numbers: ClassVar[bool] = True


@dataclass(frozen=True)
class ScoresByGroup(Numbers):
    """Scores of the same candidates in each of some groups, one group after another."""

    groups: tuple[str, ...] = ("a", "b", "c")
    chooses: ClassVar[bool] = True

    @property
    def candidates(self) -> tuple[int, ...]:
        return tuple(range(self.length // len(self.groups)))


@dataclass(frozen=True)
class Answers:
    """A target and how many numbers it answers with."""

    target: Target
    length: int

    @property
    def whole(self) -> bool:
        return self.target.whole_numbers

    def law(self, mechanism: Any, reach: float, privacy: Any) -> Any:
        """A mechanism's law of responses; of one in two steps, on one database, so that its first step is tried."""
        law = mechanism.law(self.target, reach, privacy)
        return law.on(database_for(self.target)) if isinstance(self.target, SteppedTarget) else law


def suited(mechanism: Any) -> list[Answers]:
    """Up to two lengths of answers that the mechanism takes: plain numbers, else whole ones, else scores in three groups,
    else the first of two steps, else those of a target of the catalogue; and as many of whole numbers where these have another
    law.

    ``check`` says which targets; among those that leave the length open, ``draw`` refuses with ReleaseFailedError.
    """
    found: dict[int, Answers] = {}
    plain = [Answers(kind(length), length) for kind in (Numbers, WholeNumbers) for length in LENGTHS]
    plain += [Answers(ScoresByGroup(length), length) for length in BY_GROUP]
    plain += [Answers(TwoSteps((0.0,) * length, (0.5,) * length), length) for length in LENGTHS[:3]]
    for answers in (*plain, *_of_the_catalogue()):
        if len(found) < MOST and answers.length not in found and _takes(mechanism, answers):
            found[answers.length] = answers
    whole = [Answers(WholeNumbers(answers.length), answers.length) for answers in found.values() if not answers.whole]
    return [*found.values(), *(other for other in whole if _another_law(mechanism, other))]


def _another_law(mechanism: Any, whole: Answers) -> bool:
    """Whether whole numbers have another law than plain ones, where the mechanism takes both."""
    plain = Answers(Numbers(whole.length), whole.length)
    if not (_takes(mechanism, whole) and _takes(mechanism, plain)):
        return False
    privacy = PureDP(0.5) if mechanism.privacy is PureDP else ApproxDP(0.5, 0.01)
    return type(whole.law(mechanism, 1.0, privacy)) is not type(plain.law(mechanism, 1.0, privacy))


@cache
def _of_the_catalogue() -> tuple[Answers, ...]:
    known = {}
    for target in members("targets"):
        length = len(target(database_for(target)))
        known.setdefault((type(target), length), Answers(target, length))
    return tuple(sorted(known.values(), key=lambda answers: answers.length))


def _takes(mechanism: Any, answers: Answers) -> bool:
    privacy = PureDP(0.5) if mechanism.privacy is PureDP else ApproxDP(0.5, 0.01)
    try:
        mechanism.check(answers.target)
        answers.law(mechanism, 1.0, privacy).draw(np.zeros(answers.length))
    except (InvalidValueError, ReleaseFailedError):
        return False
    return True
