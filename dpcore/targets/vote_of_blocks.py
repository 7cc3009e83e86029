"""Any choice among public candidates under pure DP: blocks of the records vote, and a candidate with many votes is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer, answer_of
from dpcore.answers.choice import Choice
from dpcore.answers.place import Place
from dpcore.base.checks import numbers, set_fields
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.norms import RANGE, RangeNorm
from dpcore.base.rounded import in_full
from dpcore.base.types import Database, FloatArray, Target, groups_of
from dpcore.errors import InvalidValueError
from dpcore.targets.each_block import AskedOfBlocks
from dpcore.targets.median_scores import MOST_POINTS

_NONE_STATED = (
    "at least two public candidates, of which the function answers with one; only a target that gives each candidate a score "
    "has some of its own"
)


@final
@dataclass(frozen=True, slots=True)
class VoteOfBlocks(AskedOfBlocks):
    """How many of k blocks vote for each public candidate: (n, …) -> (candidates,).

    A plurality vote, as of the teachers in PATE (Papernot et al. 2017, 2018), from which a mechanism chooses. A target that gives
    each of its candidates a score votes, on each block, for the best one; of several best for the middle one of these in the
    candidates' order, the earlier of two; for none where all are best. Any other target votes for the one of ``among`` that it
    answers with, exactly. A block on which it fails or answers otherwise has no vote. One replaced record changes one vote: a
    count falls by 1 and another rises by 1, whatever the target is (mathematics, section 20.7). ``person`` and ``seed``:
    as in ``SampleAndAggregate``.

        >>> from dpcore import Exponential, PureDP, targets
        >>> vote = targets.VoteOfBlocks(targets.LetterCounts("ab"), k=40)
        >>> chosen = Exponential.suited(vote).calibrate(vote.proved(400), PureDP(1.0))
        >>> chosen.release(np.array(["ab", "bob"] * 200)).response
        'b'
    """

    target: Target
    k: int = field(metadata={"label": "Blocks", "min": 2, "step": 1})
    among: tuple[float, ...] | None = None
    person: str | None = None
    seed: int = 0
    title: ClassVar[str] = "Vote of blocks"
    aggregate: ClassVar[str] = "vote"

    def __post_init__(self) -> None:
        self._check_blocks()
        if groups_of(self.target):
            raise InvalidValueError("target", "one that does not answer by group", groups_of(self.target))
        if facts(self.target).scores is True:
            _check_scores(self.target, self.among)
            return
        if self.among is None:
            raise InvalidValueError("among", _NONE_STATED, None)
        set_fields(self, among=numbers("among", self.among))
        if not 2 <= len(self.candidates) <= MOST_POINTS or len(set(self.candidates)) < len(self.candidates):
            raise InvalidValueError("among", f"from 2 to {MOST_POINTS:,} numbers that differ from one another", self.among)
        if facts(self.target).from_a_part != "alike":
            expected = "one whose answer is alike for a part of the rows and for all of them; a sum or a maximum is not"
            raise InvalidValueError("target", expected, self.target)

    @property
    def candidates(self) -> tuple[Any, ...]:
        """What is voted on: the target's own candidates, or those that were stated."""
        return tuple(facts(self.target).candidates) if self.among is None else self.among

    @property
    def norm(self) -> RangeNorm:
        """That of the mechanism which chooses."""
        return RANGE

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """One of the candidates; a place on the scale of those that are places for the target."""
        if self.among is not None:
            return Choice(tuple(map(in_full, self.among)))
        own = answer_of(self.target, columns)
        return Place(own.labels, own.unit, ranked=False) if facts(own).picked else Choice(own.labels)

    def said_around(self, what: str, /) -> str:
        """What is asked of each block, with how its answers are made one."""
        among = "" if self.among is None else f" among {', '.join(map(in_full, self.among))}"
        return f"{what}, {self._dealt}; each has a vote{among}"

    def __call__(self, database: Database, /) -> FloatArray:
        return self.counted(self.answers(database))

    def counted(self, votes: FloatArray, /) -> FloatArray:
        """How many votes each candidate has: places of candidates, or NaN, (k, 1) -> (candidates,)."""
        known = votes[~np.isnan(votes)].astype(np.int64)
        return np.bincount(known, minlength=len(self.candidates)).astype(np.float64)

    @property
    def _told_numbers(self) -> int:
        return 1

    def _told(self, answer: FloatArray, times: float, /) -> FloatArray:
        """The place of the candidate that a block votes for; of a block without a vote no number, or NaN."""
        if self.among is not None:
            return np.flatnonzero(np.array(self.among) == answer).astype(np.float64) if answer.shape == (1,) else answer[:0]
        if answer.shape != (len(self.candidates),) or not np.isfinite(answer).all():
            return answer[:0]
        best = np.flatnonzero(answer == answer.max()).astype(np.float64)
        return best[:0] if len(best) == len(answer) else best[[(len(best) - 1) // 2]]

    def _moved(self, changed: int, /) -> tuple[float, Sequence[float], str]:
        """2 in RANGE (mathematics, section 20.7); counts are exact."""
        return 2.0 * changed, (0.0,), "a changed vote leaves the count of one candidate and enters that of another"


def vote_of(target: Target, k: int) -> VoteOfBlocks:
    """The target, which scores candidates, asked of so many blocks of rows."""
    return VoteOfBlocks(target, k)


def _check_scores(target: Any, among: object) -> None:
    """InvalidValueError for scores whose best candidate is another one on a part of the records, or that are too few."""
    if among is not None:
        raise InvalidValueError("among", "none, for the target has candidates of its own", among)
    if len(set(facts(target).candidates)) < max(2, len(facts(target).candidates)):
        raise InvalidValueError("target", "one with at least two different candidates", facts(target).candidates)
    if facts(target).from_a_part not in ("alike", "in proportion"):
        expected = (
            "one whose best candidate is the same for a part of the rows and for all of them; that of a cap or a limit, which "
            "looks for a stated number of rows or people beyond it, is not"
        )
        raise InvalidValueError("target", expected, target)
