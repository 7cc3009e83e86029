"""One candidate in each public group: a choice of each group's own, and one ε for all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.norms import RangeNorm, RangesNorm, ranges
from dpcore.base.types import FloatArray, Target, groups_of, only_to_choose
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.guesser import LossBound
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.exponential import SELECTION, Candidate, Exponential, Indices, SelectionLaw, checked_candidates
from dpcore.mechanisms.hard_pairs import HardPair, TwoScores
from dpcore.mechanisms.response_law import Sampling, by_opendp


@final
@dataclass(frozen=True, slots=True)
class LawByGroup:
    """Independent choices by one law, ``each``, from the scores of one group after another."""

    groups: int
    each: SelectionLaw
    sampling: ClassVar[Sampling] = by_opendp("make_noisy_max")

    @property
    def scale(self) -> float:
        """Of the noise on a score, the same in every group."""
        return self.each.scale

    def draw(self, raw: FloatArray, /) -> tuple[Candidate, ...]:
        """One candidate a group, with secure noise."""
        return tuple(self.each.draw(scores) for scores in self._parts(raw))

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> Indices:
        """Indices of candidates (size, groups)."""
        return np.stack([self.each.simulate(scores, size=size, rng=rng) for scores in self._parts(raw)], axis=1)

    def row(self, response: tuple[Candidate, ...], /) -> Indices:
        """The candidates' indices, (groups,)."""
        return np.array([self.each.row(candidate) for candidate in response], dtype=np.int64)

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Σ over groups of log P(r)/P'(r), for indices (size, groups): the choices are independent."""
        pairs = zip(self._parts(raw), self._parts(other), np.asarray(responses).T, strict=True)
        return np.asarray(sum(self.each.log_ratio(scores, others, chosen) for scores, others, chosen in pairs))

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """Σ over groups of max_r log P(r)/P'(r): at most ε where covered (mathematics, section 5.4)."""
        return sum(self.each.loss(scores, others) for scores, others in zip(self._parts(raw), self._parts(other), strict=True))

    def _parts(self, raw: FloatArray) -> FloatArray:
        """The scores of each group, (groups, candidates)."""
        candidates = len(self.each.candidates)
        if raw.size != self.groups * candidates:
            raise ReleaseFailedError(f"gave {raw.size:,} scores for {self.groups:,} groups of {candidates:,} candidates each")
        return raw.reshape(self.groups, candidates)


@final
@dataclass(frozen=True, slots=True)
class ExponentialByGroup(Mechanism[RangeNorm | RangesNorm, PureDP]):
    """In each group picks the candidate r with P(r) ∝ exp(ε s(r)/R), or by permute-and-flip, independently of the others.

    The target gives one score a candidate for each group, one group after another, and names the candidates, which are the same
    in all; the response is a tuple, one candidate a group. R is the sensitivity in ``ranges(groups)``, the ranges of all groups'
    moves added: ε-DP for the whole tuple on pairs within it (mathematics, section 5.4).
    """

    groups: int
    selection: noise.Selection = field(default="permute-and-flip", kw_only=True, metadata=SELECTION)
    privacy: ClassVar[type[PureDP]] = PureDP
    title: ClassVar[str] = "One choice in each group"
    place: ClassVar[int] = 2
    in_words: ClassVar[str] = "The choice in each group"

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", ranges(self.groups).groups)
        object.__setattr__(self, "selection", self.in_one_group.selection)

    @property
    def in_one_group(self) -> Exponential:
        """The choice in one group."""
        return Exponential(None, selection=self.selection)

    @property
    def norm(self) -> RangeNorm | RangesNorm:
        return ranges(self.groups)

    @classmethod
    def suited(cls, target: Target, /) -> ExponentialByGroup | None:
        """For a target that scores candidates in each of its groups, only for one of them to be chosen there."""
        groups = groups_of(target)
        return cls(len(groups)) if groups and only_to_choose(target) else None

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """For whatever it suits."""
        return cls.suited(target) is not None

    @classmethod
    def hard_pairs(cls) -> tuple[HardPair, ...]:
        """Scores of four candidates in two groups: a record that leaves one group, enters the other and moves both. One score
        moves up and three down, so that the loss comes nearer ε."""
        ahead, level = (2.0, 0.0, 0.0, 0.0), (1.0,) * 4
        scores = TwoScores(ahead * 2, level * 2, groups=("one", "other"))
        ways = {"Exponential, by group": cls(2, selection="gumbel"), "Permute-and-flip, by group": cls(2)}
        return tuple(HardPair(mechanism, scores, name) for name, mechanism in ways.items())

    @property
    def chosen_by(self) -> str:
        """In words, how it chooses one of its candidates."""
        return f"{self.in_one_group.chosen_by}, in each of {counted(self.groups, ' groups')}"

    def fitted(self, target: Target, /) -> ExponentialByGroup:
        """For as many groups as this target has."""
        return replace(self, groups=len(groups_of(target)) or self.groups)

    def check(self, target: Target, /) -> None:
        """InvalidValueError where the target has another number of groups, or names no candidates."""
        known = len(groups_of(target)) or 1
        if known != self.groups:
            raise InvalidValueError("groups", f"{known:,}, as many as the target has", self.groups)
        checked_candidates(facts(target).candidates)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> LawByGroup:
        return LawByGroup(self.groups, self.in_one_group.law(target, sensitivity, privacy))

    def guesser(self, calibrated: Calibrated[Any], numbers: int, /) -> LossBound:
        """A bound: the losses of all groups add up to R over the scale at most (mathematics, section 5.4 and 16.4)."""
        return LossBound(calibrated.law.scale)
