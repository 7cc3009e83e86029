"""What lines spend together: (Σε, Σδ, Σγ), or with privacy loss distributions less of ε at one δ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from typing import Any, final

import numpy as np

from dpcore.base.extras import needs
from dpcore.base.facts import facts
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.lines import Line
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

# What releases cost together at one δ, by their privacy loss distributions, through dp-accounting.
#
# A pair of databases and a mechanism have a privacy loss log(P(r)/P'(r)), r ~ P; together, the losses of several releases
# add up as independent ones (Sommer, Meiser & Mohammadi 2019; mathematics, section 4.3). Every step here rounds against us:
# distributions are put on a grid by "connect the dots" (Doroshenko et al. 2022), whose curve δ(ε) is never below the true one,
# tails that are cut off count as infinite losses, and the rounding of the convolutions is taken off δ beforehand.


_CELLS = 2**16  # of the grid, up to the largest loss that counts
_FINEST = 1e-6  # below it the rounding of a δ, 1e-16, shows in the cells
_LARGEST = 300.0  # a total beyond it is none, and exp of its losses nears the largest float
_LOST = 1e-15  # of δ, by one convolution: at most 5e-17 was seen, over 2 to 20,000 releases
_TAIL = 10.0  # standard deviations, beyond which normal noise has a mass below exp(−50)


def composed_epsilon(
    delta: float,
    *,
    gaussians: Sequence[float] = (),
    laplaces: Sequence[float] = (),
    others: Sequence[tuple[float, float]] = (),
) -> float:
    """An ε at which all these releases are (ε, δ)-DP together: an upper bound, 0 for no release, ∞ where none is found.

    ``gaussians``: noise to L2 sensitivity, σ/Δ, of one number or a vector. ``laplaces``: b/Δ, of one number each.
    ``others``: the (ε, δ) of any mechanism. Ratios are positive; the adjacency is the one that Δ was measured under.
    """
    if not (gaussians or laplaces or others):
        return 0.0
    if min(chain(gaussians, laplaces), default=1.0) * _LARGEST < 1:
        return math.inf
    normal, alike, worst = _one_gaussian(gaussians), Counter(map(_slightly_less, laplaces)), Counter(others)
    largest = _largest_loss(normal, alike, worst)
    left = delta - _LOST * (len(laplaces) + len(others))
    if largest > _LARGEST or left <= 0:
        return math.inf
    cell = max(largest / _CELLS, _FINEST)
    losses = _distribution(normal, alike, worst, cell)
    # never 0, which is no ε of a release, and would say more than a grid of this cell can
    return max(float(losses.get_epsilon_for_delta(left)), cell)


def _one_gaussian(ratios: Sequence[float]) -> float:
    """σ/Δ of the one Gaussian release that several amount to, 1/√(Σ (Δ/σ)²) (Dong, Roth & Su 2022)."""
    return _slightly_less(1 / math.hypot(*(1 / ratio for ratio in ratios))) if ratios else math.inf


def _slightly_less(ratio: float) -> float:
    """The ratio by 1e-12 to 3e-12 lower, so that ratios apart by rounding are one, and none looks larger than it is."""
    mantissa, exponent = math.frexp(ratio * (1 - 1e-12))
    return math.ldexp(math.floor(mantissa * 2**40), exponent - 40)


def _largest_loss(normal: float, alike: Mapping[float, int], worst: Mapping[tuple[float, float], int]) -> float:
    """Where the tail of the total's loss is below 2·exp(−50): by Hoeffding for the bounded, as E loss <= ε²/2 of each."""
    bounded = [(1 / ratio, count) for ratio, count in alike.items()] + [(x[0], count) for x, count in worst.items()]
    total = sum(epsilon * count for epsilon, count in bounded)
    squares = sum(epsilon * epsilon * count for epsilon, count in bounded)
    return 0.5 / normal**2 + _TAIL / normal + min(total, squares / 2 + _TAIL * math.sqrt(squares))


def _distribution(normal: float, alike: Mapping[float, int], worst: Mapping[tuple[float, float], int], cell: float) -> Any:
    """The loss of all of them together, on multiples of the cell."""
    with needs("tight"):
        from dp_accounting.pld.privacy_loss_distribution import (
            PrivacyLossDistribution,
            from_gaussian_mechanism,
            from_laplace_mechanism,
        )

    # both are called with sensitivity 1 in the sense of add-or-remove: their replace-one would double it
    gaussian = ((from_gaussian_mechanism(normal, value_discretization_interval=cell), 1) for _ in range(normal < math.inf))
    laplace = ((from_laplace_mechanism(ratio, value_discretization_interval=cell), count) for ratio, count in alike.items())
    other = ((PrivacyLossDistribution(_worst_case(*x, cell)), count) for x, count in worst.items())
    parts = (loss.self_compose(count) if count > 1 else loss for loss, count in chain(gaussian, laplace, other))
    return reduce(lambda first, second: first.compose(second), parts)


def _worst_case(epsilon: float, delta: float, cell: float) -> Any:
    """The loss that dominates every (ε, δ)-DP mechanism: ∞ with probability δ, else ε or −ε, odds exp(ε) to 1.

    (Kairouz, Oh & Viswanath 2015.) By its curve on the grid points beside ±ε, which is tighter than moving ε up to one.
    """
    from dp_accounting.pld.pld_pmf import create_pmf_pessimistic_connect_dots

    below = math.floor(epsilon / cell)
    points = np.array(sorted({-below - 1, -below, below, below + 1}))
    gain, loss = (-np.expm1(np.minimum(0.0, points * cell - value)) for value in (epsilon, -epsilon))
    likely = 1 / (1 + math.exp(-epsilon))
    return create_pmf_pessimistic_connect_dots(
        cell, points, delta + (1 - delta) * (likely * gain + math.exp(-epsilon) * likely * loss)
    )


ROUNDING = 1 + 2.0**-50  # equal parts of a budget, each rounded, sum to within an ulp or two of it


@final
@dataclass(frozen=True, slots=True)
class Spent:
    """(Σε, Σδ, Σγ), each sample's γ once and at its largest (mathematics, section 4.1). γ may pass 1.

    ``joint_gamma`` is averaged over the draws, whatever the bound: what a budget without confidence is compared with.
    """

    epsilon: float
    delta: float
    gamma: float
    joint_gamma: float
    confidence: float | None

    @classmethod
    def by(cls, lines: tuple[Line, ...], pending: tuple[Line, ...] = (), *, whole: bool = False) -> Spent:
        """Of lines, with the γ of planned ones that are still to be drawn; with ``whole`` their ε and δ too.

        That γ counts from the start: whether such a line is made at all may hang on the responses before it.
        """
        return Tally.of(lines).spent(pending, whole=whole)

    def tightened(self, lines: tuple[Line, ...], delta: float) -> Spent:
        """The same lines at this δ, by the smaller of two upper bounds; ε = ∞ where neither is one."""
        total, slips = _sum(x.epsilon for x in lines), math.fsum(x.delta for x in lines)
        basic = total if slips <= delta * ROUNDING else math.inf
        return replace(self, epsilon=min(basic, _tight_epsilon(lines, delta)), delta=delta)

    def guarantee(self) -> Guarantee | None:
        """What holds of all the lines; None where nothing is spent, or no promise is left."""
        if not math.isfinite(self.epsilon):
            return None
        if not 0 <= self.gamma < 1 or not self.delta < 1 or not (self.gamma or self.epsilon):
            return None
        if self.gamma:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    def beyond(self, budget: Guarantee) -> str:
        """The first number that is more than the budget's ("epsilon", "delta", "gamma" or "confidence"); empty within it."""
        gamma, confidence = self.joint_gamma, facts(budget).confidence
        if confidence is not None and self.gamma:
            if self.confidence is None or self.confidence * ROUNDING < confidence:
                return "confidence"
            gamma = self.gamma
        said = facts(budget)
        held = ("epsilon", self.epsilon, budget.epsilon), ("delta", self.delta, said.delta), ("gamma", gamma, said.gamma or 0.0)
        return next((name for name, value, most in held if not value <= most * ROUNDING), "")


def _sum(values: Iterable[float]) -> float:
    """Exactly rounded; ∞ beyond the floats."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _tight_epsilon(lines: Iterable[Line], delta: float) -> float:
    """By the law of each line's noise where it is known, normal or Laplace, else by whatever is (ε, δ)-DP."""
    gaussians: list[float] = []
    laplaces: list[float] = []
    others: list[tuple[float, float]] = []
    for line in lines:
        known = line.composes_as if 0 < line.noise_ratio < math.inf else ""
        if known == NORMAL:
            gaussians.append(line.noise_ratio)
        elif known == LAPLACE:
            laplaces.append(line.noise_ratio)
        elif line.epsilon or line.delta:  # draws alone spend neither
            others.append((line.epsilon, line.delta))
    return composed_epsilon(delta, gaussians=gaussians, laplaces=laplaces, others=others)


_UNIT = 2**1074  # of which every float is a whole number


def _whole(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return numerator * (_UNIT // denominator)


def _rounded(units: int) -> float:
    """Exactly rounded, as ``math.fsum`` rounds; ∞ beyond the floats."""
    try:
        return units / _UNIT
    except OverflowError:
        return math.inf


@final
@dataclass(frozen=True, slots=True)
class _Sample:
    """What the lines of one sample are charged for it: each number at its largest; None where one line has no confidence."""

    joint: float
    gamma: float
    confidence: float | None

    def with_(self, other: _Sample) -> _Sample:
        """Of both."""
        sure = None if self.confidence is None or other.confidence is None else min(self.confidence, other.confidence)
        return _Sample(max(self.joint, other.joint), max(self.gamma, other.gamma), sure)


@final
@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of a ledger's lines, in whole units and so exact: one more line is added, and no other is looked at again."""

    epsilon: int = 0
    delta: int = 0
    unbounded: bool = False
    samples: dict[str, _Sample] = field(default_factory=dict)
    sums: tuple[int, int, int, int] = (0, 0, 0, 0)  # of the samples: joint γ, γ, doubts, and how many have no confidence

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Tally:
        """Of all of these."""
        return reduce(lambda made, line: made.with_(line, own=True), lines, cls(samples={}))

    def with_(self, line: Line, *, own: bool = False) -> Tally:
        """With one line more. ``own``: nobody else has this one, so that its samples need no copy."""
        unbounded = self.unbounded or not math.isfinite(line.epsilon)
        epsilon = self.epsilon if unbounded else self.epsilon + _whole(line.epsilon)
        made = replace(self, epsilon=epsilon, delta=self.delta + _whole(line.delta), unbounded=unbounded)
        if line.drawn is None:
            return made
        return made.with_sample(line.joint_gamma, line.gamma, line.confidence, name=line.sample_id or line.target_id, own=own)

    def with_sample(
        self, joint: float, gamma: float, confidence: float | None, *, name: str = "a fresh one", own: bool = False
    ) -> Tally:
        """With the γ of one sample more, or of another line of the sample of this name."""
        sample = _Sample(joint, gamma, confidence)
        before = self.samples.get(name)
        now = sample if before is None else before.with_(sample)
        less = (0, 0, 0, 0) if before is None else _parts(before)
        joint, gamma, doubts, unsure = (had - out + new for had, out, new in zip(self.sums, less, _parts(now), strict=True))
        samples = self.samples if own else dict(self.samples)
        samples[name] = now
        return replace(self, samples=samples, sums=(joint, gamma, doubts, unsure))

    def spent(self, pending: tuple[Line, ...] = (), *, whole: bool = False) -> Spent:
        """What they spend, with the planned ones that are still to be drawn."""
        made = self
        for number, line in enumerate(pending):
            if whole:
                made = made.with_(replace(line, drawn=None))
            if line.drawn is not None:
                name = line.sample_id or f"pending {number}"
                made = made.with_sample(line.drawn.adapted_gamma, line.gamma, line.confidence, name=name)
        joint = _rounded(made.sums[0])
        gamma, confidence = made._certified() or (joint, None)
        epsilon = math.inf if made.unbounded else _rounded(made.epsilon)
        return Spent(epsilon, _rounded(made.delta), gamma, joint, confidence)

    def _certified(self) -> tuple[float, float] | None:
        """Where every sample has a confidence: Σγ with confidence 1 − Σ(1 − c) (mathematics, section 4.1); None elsewhere.

        Two lengths of one run under TIME_UNIFORM are two samples here, though one event covers both: more than is needed.
        """
        _, gamma, doubts, unsure = self.sums
        if not self.samples or unsure:
            return None
        if len(self.samples) == 1:
            (only,) = self.samples.values()
            return None if only.confidence is None else (_rounded(gamma), only.confidence)
        doubt = _rounded(doubts)
        return (_rounded(gamma), 1 - doubt) if doubt < 1 else None


def _parts(of: _Sample) -> tuple[int, int, int, int]:
    """What a sample adds to the sums."""
    doubt = 0 if of.confidence is None else _whole(1 - of.confidence)
    return _whole(of.joint), _whole(of.gamma), doubt, int(of.confidence is None)
