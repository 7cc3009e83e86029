"""The exponential mechanism (McSherry & Talwar 2007; Rubinstein & Aldà 2017, Corollary 13), and permute-and-flip."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.choice import Choice
from dpcore.answers.kind import KindOfAnswer
from dpcore.base.checks import checked_candidates
from dpcore.base.norms import LINF, RANGE, LInfNorm, RangeNorm
from dpcore.base.types import FloatArray, Target
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.guesser import LossBound
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.hard_pairs import HardPair, TwoScores
from dpcore.mechanisms.laplace import scale_above
from dpcore.mechanisms.noise import Selection
from dpcore.mechanisms.permute_and_flip import log_permute_and_flip
from dpcore.mechanisms.response_law import Law, Sampling, by_opendp

Candidate = str | int | float
Indices = NDArray[np.int64]

_HALVINGS = 80  # of the search for the most that a score falls short by
_NORM = {
    "title": "Calibrated in",
    "choices": {RANGE: "range of the scores' difference", LINF: "2 × largest difference (papers)"},
}
SELECTION = {
    "title": "Selection",
    "words": "way of choosing",
    "choices": {"gumbel": "exponential mechanism", "permute-and-flip": "permute-and-flip"},
}


@final
@dataclass(frozen=True, slots=True)
class SelectionLaw(Law):
    """How likely each candidate is, given the scores: only their differences over ``scale`` matter."""

    scale: float
    candidates: tuple[Candidate, ...]
    selection: noise.Selection
    sampling: ClassVar[Sampling] = by_opendp("make_noisy_max")

    def probabilities(self, scores: FloatArray, /) -> FloatArray:
        """P(r) for each candidate: ∝ exp(s(r)/scale), or permute-and-flip's; stable for scores of any size."""
        probabilities = np.exp(self.log_probabilities(scores))
        return np.asarray(probabilities / probabilities.sum())

    def log_probabilities(self, scores: FloatArray, /) -> FloatArray:
        """log P(r), finite where P(r) underflows."""
        if not self.scale:
            return np.where(np.arange(scores.size) == np.argmax(scores), 0.0, -np.inf)
        with np.errstate(over="ignore"):
            gaps = (scores - scores.max()) / self.scale
        if self.selection == "permute-and-flip":
            return log_permute_and_flip(gaps)
        return np.asarray(gaps - np.log(np.exp(gaps).sum()))

    def draw(self, raw: FloatArray, /) -> Candidate:
        """One candidate with secure noise."""
        self._refuse_other_length(raw)
        return self.candidates[noise.select(raw, self.scale, self.selection) if self.scale else int(np.argmax(raw))]

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> Indices:
        """Indices of candidates (size,)."""
        self._refuse_other_length(raw)
        return np.asarray(rng.choice(raw.size, size, p=self.probabilities(raw)), dtype=np.int64)

    def row(self, response: Candidate, /) -> int:
        """The candidate's index."""
        return self.candidates.index(response)

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """log P(r)/P'(r), for the indices (size,) of candidates."""
        return np.asarray(self._log_ratios(raw, other)[responses])

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """max_r log P(r)/P'(r): what a response can tell between databases with these scores, at most ε where covered."""
        return float(np.nanmax(self._log_ratios(raw, other)))

    def sides(self, raw: FloatArray, other: FloatArray, /) -> tuple[float, float]:
        """P(r is guessed to be the first one's) under either scores, half of the ties counted; exact, by the chances themselves.

        The best guesser is right with probability ½ + ½·(the first − the second) (mathematics, section 16.1).
        """
        first, second = self.probabilities(raw), self.probabilities(other)
        guessed = np.where(first == second, 0.5, first > second)
        return float((guessed * first).sum()), float((guessed * second).sum())

    def winners(self, scores: FloatArray, /) -> tuple[Candidate, ...]:
        """The candidates with the largest score, several where it is shared."""
        return tuple(self.candidates[i] for i in np.flatnonzero(scores == scores.max()))

    def shortfall(self, scores: FloatArray, /) -> float:
        """E[max s − s(r)]: how far the response's score falls short of the best, on average."""
        return float(self.probabilities(scores) @ (scores.max() - scores))

    def most_missed(self, share: float, /) -> float:
        """What the response's score falls short of the best by less than, in that share of responses, whatever the scores are
        (mathematics, section 5.4)."""
        return self.scale * most_missed(len(self.candidates), share, self.selection)

    def _log_ratios(self, raw: FloatArray, other: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):  # what neither database can give tells nothing: NaN, ignored
            return np.asarray(self.log_probabilities(raw) - self.log_probabilities(other))

    def _refuse_other_length(self, raw: FloatArray) -> None:
        if raw.size != len(self.candidates):
            raise ReleaseFailedError(f"gave {raw.size:,} scores for {len(self.candidates):,} candidates")


@final
@dataclass(frozen=True, slots=True)
class Exponential(Mechanism[RangeNorm | LInfNorm, PureDP]):
    """Picks the candidate r with P(r) ∝ exp(ε s(r)/R), R in RANGE; or the papers' exp(ε s(r)/(2Δ)) with Δ in L∞.

    The target gives one score a candidate, the largest being the best; the response is the candidate itself. R is the
    sensitivity in RANGE, max d − min d of d = s(D) − s(D'), and never more than 2Δ: ε-DP on the pairs within it, for
    P_D(r)/P_D'(r) <= exp(ε (d(r) − min d)/R) (mathematics, section 5.1). ``selection`` "permute-and-flip" has the same
    guarantee (mathematics, section 5.2) and a smaller shortfall (McKenna & Sheldon 2020). ``candidates`` None: those that the
    target names, however many.
    """

    candidates: tuple[Candidate, ...] | None
    norm: RangeNorm | LInfNorm = field(default=RANGE, kw_only=True, metadata=_NORM)
    selection: noise.Selection = field(default="gumbel", kw_only=True, metadata=SELECTION)
    privacy: ClassVar[type[PureDP]] = PureDP
    place: ClassVar[int] = 2
    in_words: ClassVar[str] = "The exponential mechanism"

    def __post_init__(self) -> None:
        if self.candidates is not None:
            object.__setattr__(self, "candidates", checked_candidates(self.candidates))
        if self.norm not in (RANGE, LINF):
            raise InvalidValueError("norm", "range or L∞", self.norm)
        if self.selection not in ("gumbel", "permute-and-flip"):
            raise InvalidValueError("selection", "“gumbel” or “permute-and-flip”", self.selection)

    @classmethod
    def suited(cls, target: Target, /) -> Exponential | None:
        """Over the candidates that a target names; where they are too many to be listed, by permute-and-flip.

        None for one that answers by group: one choice of all would tell of a single group.
        """
        candidates = target.candidates
        if target.groups or len(candidates) < 2 or len(set(candidates)) < len(candidates):
            return None
        return cls(None, selection="permute-and-flip") if target.only_to_choose else cls(candidates)

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """For scores, which are there for the best candidate to be picked."""
        return target.scores

    def response(self, answer: KindOfAnswer, /) -> KindOfAnswer:
        """One of the candidates, whatever their scores are; an answer that is one already stays what it is."""
        return answer if answer.picked else Choice(answer.labels, answer.unit)

    @classmethod
    def hard_pairs(cls) -> tuple[HardPair, ...]:
        """Two scores that move apart: a record that goes from one candidate to another."""
        scores = TwoScores((0.0, 2.0), (1.0, 1.0))
        ways = {
            "Exponential, RANGE": cls(scores.candidates),
            "Exponential, 2·L∞": cls(scores.candidates, norm=LINF),
            "Permute-and-flip": cls(scores.candidates, selection="permute-and-flip"),
        }
        return tuple(HardPair(mechanism, scores, name) for name, mechanism in ways.items())

    @property
    def chosen_by(self) -> str:
        """In words, how it chooses one of its candidates."""
        return "permute-and-flip" if self.selection == "permute-and-flip" else "the exponential mechanism"

    def fitted(self, target: Target, /) -> Exponential:
        """Over this target's candidates."""
        named = None if target.only_to_choose else target.candidates or self.candidates
        return replace(self, candidates=named)

    def check(self, target: Target, /) -> None:
        """InvalidValueError where the target names its candidates and these are others, or in another order, or neither
        names any; and for a target that answers by group."""
        if target.groups:
            raise InvalidValueError("target", "one that does not answer by group", target.groups)
        known = target.candidates or None
        if known is None and self.candidates is None:
            raise InvalidValueError("candidates", "given, for the target names none", None)
        if known is not None and self.candidates is not None and tuple(known) != self.candidates:
            raise InvalidValueError("candidates", "the target's own, in its order", self.candidates)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> SelectionLaw:
        span = sensitivity if self.norm == RANGE else 2 * sensitivity
        candidates = checked_candidates(target.candidates) if self.candidates is None else self.candidates
        return SelectionLaw(scale_above(span / privacy.epsilon, sensitivity), candidates, self.selection)

    def guesser(self, calibrated: Calibrated[Any], numbers: int, /) -> LossBound:
        """A bound by the distance alone; between known scores ``SelectionLaw.sides`` is exact (mathematics, section 16.4)."""
        return LossBound(calibrated.law.scale / (1 if self.norm == RANGE else 2))


def most_missed(candidates: int, share: float, selection: Selection) -> float:
    """The least t, in scales, such that the chosen score falls short of the best by t or more with probability 1 − share at most.

    It holds whatever the scores are (mathematics, section 5.4), and is attained where all scores but the best lie t below it.
    ``candidates`` >= 2 is public, so t tells nothing of a table.
    """
    low, high = 0.0, math.log(candidates / (1 - share))  # there K·exp(−t) = 1 − share, which bounds either chance
    if _missed(0.0, candidates, selection) <= 1 - share:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _missed(middle, candidates, selection) <= 1 - share else (middle, high)
    return float(np.nextafter(high, np.inf))


def _missed(gap: float, candidates: int, selection: Selection) -> float:
    """P(another than the best), all others lying so many scales below it: the worst case of all scores."""
    taken = math.exp(-gap)
    if selection == "gumbel":
        return (candidates - 1) * taken / (1 + (candidates - 1) * taken)
    none = candidates * math.log1p(-taken) if taken < 1 else -math.inf
    return 1 + math.expm1(none) / (candidates * taken)  # 1 − (1 − (1 − p)^K)/(K·p)
