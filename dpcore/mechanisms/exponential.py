"""The exponential mechanism (McSherry & Talwar 2007; Rubinstein & Aldà 2017, Corollary 13), and permute-and-flip."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import checked_candidates
from dpcore.base.norms import LINF, RANGE, LInfNorm, RangeNorm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.attacker import LossAttackerBound
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.noise import Selection
from dpcore.mechanisms.response_law import Law, Sampling, by_opendp
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Choice

Candidate = str | int | float

_HALVINGS = 80  # of the search for the most that a score falls short by
_NODES = 24  # Gauss–Legendre nodes a panel
_POWERS = 52  # of x <= 1/2: the rest of log(1 − xt) and of 1/(1 − xt) is below 2^−52 of it
_gauss_legendre = lru_cache(maxsize=1)(np.polynomial.legendre.leggauss)
_RARELY = -46.0  # a gap whose chance, 1e-20, moves no factor
_NORM = {
    "title": "Calibrated in",
    "choices": {RANGE: "range of the scores' difference", LINF: "2 × largest difference (papers)"},
}
_SELECTION = {
    "title": "Selection",
    "words": "way of choosing",
    "choices": {"gumbel": "exponential mechanism", "permute-and-flip": "permute-and-flip"},
}


@final
@dataclass(frozen=True, slots=True)
class SelectionLaw(Law):
    """The choice of one candidate by its score: only differences of scores over ``scale`` matter.

    Args:
        scale: The scale of the noise on the scores.
        candidates: The candidates.
        selection: "gumbel" for the exponential mechanism, or "permute-and-flip".

    Examples:
        >>> SelectionLaw(1.0, ("a", "b"), "gumbel").probabilities(np.array([0.0, 1.0])).round(3)
        array([0.269, 0.731])
    """

    scale: float
    candidates: tuple[Candidate, ...]
    selection: Selection
    sampling: ClassVar[Sampling] = by_opendp("make_noisy_max")

    def probabilities(self, scores: FloatArray, /) -> FloatArray:
        """Return P(r) for each candidate: ∝ exp(s(r)/scale), or permute-and-flip's; stable for scores of any size."""
        probabilities = np.exp(self.log_probabilities(scores))
        return np.asarray(probabilities / probabilities.sum())

    def log_probabilities(self, scores: FloatArray, /) -> FloatArray:
        """Return log P(r), finite even if P(r) underflows."""
        if not self.scale:
            return np.where(np.arange(scores.size) == np.argmax(scores), 0.0, -np.inf)
        # Only differences count: P(r) ∝ exp((s(r) − max s)/scale), which never overflows (mathematics, section 5.1).
        with np.errstate(over="ignore"):
            gaps = (scores - scores.max()) / self.scale
        if self.selection == "permute-and-flip":
            return log_permute_and_flip(gaps)
        return np.asarray(gaps - np.log(np.exp(gaps).sum()))

    def draw(self, raw: FloatArray, /) -> Candidate:
        """Return one candidate with secure noise."""
        self._refuse_other_length(raw)
        return self.candidates[noise.select(raw, self.scale, self.selection) if self.scale else int(np.argmax(raw))]

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return indices of candidates, (size,)."""
        self._refuse_other_length(raw)
        return np.asarray(rng.choice(raw.size, size, p=self.probabilities(raw)), dtype=np.int64)

    def row(self, response: Candidate, /) -> int:
        """Return the candidate's index."""
        return self.candidates.index(response)

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return log P(r)/P'(r), for the indices (size,) of candidates."""
        return np.asarray(self._log_ratios(raw, other)[responses])

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """Return max_r log P(r)/P'(r) between databases with these scores, at most ε on pairs within the sensitivity."""
        return float(np.nanmax(self._log_ratios(raw, other)))

    def sides(self, raw: FloatArray, other: FloatArray, /) -> tuple[float, float]:
        """Return the exact probability that the best attacker names the first database, under either scores.

        The attacker is right with probability ½ + ½·(first − second) (mathematics, section 16.1).

        Args:
            raw: The scores of D.
            other: The scores of D'.

        Returns:
            The probability under D, and under D'.
        """
        # The attacker names D where P > P', and half of the ties.
        first, second = self.probabilities(raw), self.probabilities(other)
        guessed = np.where(first == second, 0.5, first > second)
        return float((guessed * first).sum()), float((guessed * second).sum())

    def winners(self, scores: FloatArray, /) -> tuple[Candidate, ...]:
        """Return the candidates with the largest score, several if they share it."""
        return tuple(self.candidates[i] for i in np.flatnonzero(scores == scores.max()))

    def shortfall(self, scores: FloatArray, /) -> float:
        """Return E[max s − s(r)]: how far the response's score is below the best, on average."""
        return float(self.probabilities(scores) @ (scores.max() - scores))

    def most_missed(self, share: float, /) -> float:
        """Return how far the response's score is below the best at most, in this share of responses, whatever the scores are.

        The number of candidates is public, so it tells nothing of a table.

        Args:
            share: The share of responses.

        Returns:
            The distance, in units of the scores.
        """
        # The worst case is that all scores but the best are equally far below it (mathematics, section 5.4).
        candidates = len(self.candidates)
        if _missed(0.0, candidates, self.selection) <= 1 - share:
            return 0.0
        # At the upper end K·exp(−t) = 1 − share, which bounds the chance of either selection.
        low, high = 0.0, math.log(candidates / (1 - share))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if _missed(middle, candidates, self.selection) <= 1 - share else (middle, high)
        return self.scale * math.nextafter(high, math.inf)

    def _log_ratios(self, raw: FloatArray, other: FloatArray) -> FloatArray:
        # A candidate that neither database can give tells nothing: NaN, ignored.
        with np.errstate(invalid="ignore"):
            return np.asarray(self.log_probabilities(raw) - self.log_probabilities(other))

    def _refuse_other_length(self, raw: FloatArray) -> None:
        if raw.size != len(self.candidates):
            raise ReleaseFailedError(f"gave {raw.size:,} scores for {len(self.candidates):,} candidates")


@final
@dataclass(frozen=True, slots=True)
class ExponentialMechanism(Mechanism[RangeNorm | LInfNorm, PureDP]):
    """Picks the candidate r with P(r) ∝ exp(ε s(r)/R), R in RANGE; or the papers' exp(ε s(r)/(2Δ)) with Δ in L∞.

    The target gives one score a candidate, the largest being the best; the response is the candidate itself. R is the
    sensitivity in RANGE, max d − min d of d = s(D) − s(D'), and never more than 2Δ: ε-DP on the pairs within it, for
    P_D(r)/P_D'(r) <= exp(ε (d(r) − min d)/R) (mathematics, section 5.1). Permute-and-flip has the same guarantee (mathematics,
    section 5.2) and a smaller shortfall (McKenna & Sheldon 2020).

    Args:
        candidates: The candidates; None for those that the target names.
        norm: RANGE, or LINF for the papers' calibration.
        selection: "gumbel" for the exponential mechanism, or "permute-and-flip".

    Raises:
        InvalidValueError: If an argument is not as said here.

    Examples:
        >>> from dpcore import L1, RANGE, ExponentialMechanism, PureDP, targets
        >>> scores = targets.Scores.of(lambda votes: [sum(votes == 1), sum(votes == 2)], candidates=("first", "second"))
        >>> ExponentialMechanism.suited(scores).candidates
        ('first', 'second')
    """

    candidates: tuple[Candidate, ...] | None
    norm: RangeNorm | LInfNorm = field(default=RANGE, kw_only=True, metadata=_NORM)
    selection: Selection = field(default="gumbel", kw_only=True, metadata=_SELECTION)
    title: ClassVar[str] = "Exponential"
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
    def suited(cls, target: Target, /) -> ExponentialMechanism | None:
        """Return the mechanism over the candidates that a target names; by permute-and-flip if they are too many to be listed.

        None for a target that answers by group: one choice of all would tell of a single group.
        """
        candidates = target.candidates
        if target.groups or len(candidates) < 2 or len(set(candidates)) < len(candidates):
            return None
        return cls(None, selection="permute-and-flip") if target.is_selection_score else cls(candidates)

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """Return True for scores, which are there to pick the best candidate."""
        return target.scores

    def response(self, answer: KindOfAnswer, /) -> KindOfAnswer:
        """Return one of the candidates; an answer that is one already stays what it is."""
        return answer if answer.picked else Choice(answer.labels, answer.unit)

    @property
    def chosen_by(self) -> str:
        """Its way of choosing one of its candidates, in words."""
        return "permute-and-flip" if self.selection == "permute-and-flip" else "the exponential mechanism"

    def fitted(self, target: Target, /) -> ExponentialMechanism:
        """Return the same mechanism over this target's candidates."""
        return replace(self, candidates=None if target.is_selection_score else target.candidates or self.candidates)

    def check(self, target: Target, /) -> None:
        """Raise InvalidValueError for a target that answers by group, names other candidates, or names none if this has none."""
        if target.groups:
            raise InvalidValueError("target", "one that does not answer by group", target.groups)
        known = target.candidates or None
        if known is None and self.candidates is None:
            raise InvalidValueError("candidates", "given, for the target names none", None)
        if known is not None and self.candidates is not None and tuple(known) != self.candidates:
            raise InvalidValueError("candidates", "the target's own, in its order", self.candidates)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> SelectionLaw:
        """Return the law of the choice, of scale R/ε in RANGE or 2Δ/ε in L∞."""
        # Corollary 13: P(r) ∝ exp(ε s(r)/(2Δ)), because max d − min d <= 2·max |d| (mathematics, section 5.1).
        span = sensitivity if self.norm == RANGE else 2 * sensitivity
        candidates = checked_candidates(target.candidates) if self.candidates is None else self.candidates
        return SelectionLaw(noise.scale_above(span / privacy.epsilon, sensitivity), candidates, self.selection)

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> LossAttackerBound:
        """Return a bound by the distance; for known scores ``SelectionLaw.sides`` is exact (mathematics, section 16.4)."""
        return LossAttackerBound(calibrated.law.scale / (1 if self.norm == RANGE else 2))


def _missed(gap: float, candidates: int, selection: Selection) -> float:
    """Return P(another than the best) if all K − 1 others are so many scales below it (mathematics, section 5.4)."""
    taken = math.exp(-gap)
    if selection == "gumbel":
        return (candidates - 1) * taken / (1 + (candidates - 1) * taken)
    # Permute-and-flip takes the best with probability (1 − (1 − p)^K)/(K·p), p = exp(−gap).
    none = candidates * math.log1p(-taken) if taken < 1 else -math.inf
    return 1 + math.expm1(none) / (candidates * taken)


# The law of permute-and-flip (McKenna & Sheldon 2020): look at the candidates in random order, take each with chance exp(q_i),
# q_i = (s_i − max s)/scale. It is the largest of the scores with exponential noise (mathematics, section 5.3).


def log_permute_and_flip(gaps: FloatArray) -> FloatArray:
    """Return log P(i) of permute-and-flip, P(i) = exp(q_i) ∫₀¹ Π_{j≠i} (1 − x exp(q_j)) dx (mathematics, section 5.3).

    Args:
        gaps: The gaps q, shape (d,), none above 0 and at least one of them 0.

    Returns:
        The logarithms, shape (d,).
    """
    # Candidates with one gap share one integral, and those that are hardly ever taken share that of all factors.
    levels, place, alike = np.unique(gaps, return_inverse=True, return_counts=True)
    rare = int(np.searchsorted(levels, _RARELY))
    takes, times = np.append(0.0, np.exp(levels[rare:])), np.append(0, alike[rare:])
    # x is the share of the random order before i. Panels halve towards 0, where the product falls as exp(−x Σ exp(q_j)).
    nodes, weights = _quadrature(float(takes @ times))
    integrals = _up_to_half(takes, times, nodes[:-_NODES], weights[:-_NODES])
    integrals += _beyond_half(takes, times, nodes[-_NODES:], weights[-_NODES:])
    of_level = integrals[np.maximum(np.arange(len(levels)) - rare + 1, 0)]
    chances = levels + np.log(of_level) - np.log((alike * np.exp(levels) * of_level).sum())
    return np.asarray(chances[place])


def _up_to_half(takes: FloatArray, times: FloatArray, nodes: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the integrals up to ½ by log(1 − xt) = −Σ_p (xt)^p/p and 1/(1 − xt) = Σ_p (xt)^p, with t = exp(q).

    So no array has an entry for each node and candidate.
    """
    sums, power = np.empty(_POWERS), np.ones_like(takes)
    for p in range(_POWERS):
        power *= takes
        sums[p] = power @ times / (p + 1)
    powers = np.vander(nodes, _POWERS + 1, increasing=True)
    products = np.exp(-(powers[:, 1:] @ sums))
    return np.asarray(np.polynomial.polynomial.polyval(takes, (weights * products) @ powers))


def _beyond_half(takes: FloatArray, times: FloatArray, nodes: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the integrals from ½ on, factor by factor: there the powers converge too slowly."""
    # The product without i is that of all factors over 1 − x exp(q_i).
    shares = nodes[:, None] * takes
    return np.asarray((weights * np.exp(np.log1p(-shares) @ times)) @ (1 / (1 - shares)))


def _quadrature(expected: float) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights on [0, 1], the last panel being [½, 1]; ``expected`` is Σ exp(q_j)."""
    x, w = _gauss_legendre(_NODES)
    edges = np.concatenate([[0.0], 0.5 ** np.arange(math.ceil(math.log2(max(expected, 1.0))) + 3, -1, -1)])
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
