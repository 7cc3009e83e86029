"""The total of ledger lines: (Σε, Σδ, Σγ), or a smaller ε at one δ by privacy loss distributions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Any, final

import numpy as np

from dpcore.base.installation import needs
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.lines import Line
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

# The tight total at one δ, by privacy loss distributions from dp-accounting.
#
# A pair of databases and a mechanism have a privacy loss log(P(r)/P'(r)), r ~ P. The losses of several releases add up as
# independent ones (Sommer, Meiser & Mohammadi 2019; mathematics, section 4.3). Every step rounds against us: "connect the dots"
# (Doroshenko et al. 2022) puts distributions on a grid with a curve δ(ε) that is never below the true one, truncated tails count
# as infinite losses, and the rounding of the convolutions is subtracted from δ beforehand.

_CELLS = 2**16  # grid cells up to the largest loss that counts
_FINEST = 1e-6  # smallest cell: below it the rounding of δ, 1e-16, shows in the cells
_LARGEST = 300.0  # largest total: exp of larger losses nears the largest float
_LOST = 1e-15  # δ lost by one convolution; at most 5e-17 was measured, over 2 to 20,000 releases
_TAIL = 10.0  # standard deviations, beyond which normal noise has a mass below exp(−50)


def composed_epsilon(
    delta: float,
    *,
    gaussians: Sequence[float] = (),
    laplaces: Sequence[float] = (),
    others: Sequence[tuple[float, float]] = (),
) -> float:
    """Return an ε at which all these releases together are (ε, δ)-DP: an upper bound (mathematics, section 4.3).

    Args:
        delta: δ of the total.
        gaussians: Normal noise over the L2 sensitivity, σ/Δ, for one number or a vector. Positive.
        laplaces: Laplace noise over the sensitivity, b/Δ, for one number each. Positive.
        others: (ε, δ) of any mechanism.

    Returns:
        ε for the adjacency that Δ was measured under; 0 for no release, ∞ if no bound is found.
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
    # never 0: that is not the ε of a release, and more than a grid of this cell can say
    return max(float(losses.get_epsilon_for_delta(left)), cell)


def _one_gaussian(ratios: Sequence[float]) -> float:
    """Return σ/Δ of the Gaussian release that several amount to, 1/√(Σ (Δ/σ)²) (Dong, Roth & Su 2022); ∞ for none."""
    return _slightly_less(1 / math.hypot(*(1 / ratio for ratio in ratios))) if ratios else math.inf


def _slightly_less(ratio: float) -> float:
    """Return the ratio, 1e-12 to 3e-12 lower: ratios that differ by rounding become equal, and none larger."""
    mantissa, exponent = math.frexp(ratio * (1 - 1e-12))
    return math.ldexp(math.floor(mantissa * 2**40), exponent - 40)


def _largest_loss(normal: float, alike: Mapping[float, int], worst: Mapping[tuple[float, float], int]) -> float:
    """Return a loss beyond which the total's tail is below 2·exp(−50): by Hoeffding for bounded losses, with mean <= ε²/2."""
    bounded = [(1 / ratio, count) for ratio, count in alike.items()] + [(x[0], count) for x, count in worst.items()]
    total = sum(epsilon * count for epsilon, count in bounded)
    squares = sum(epsilon * epsilon * count for epsilon, count in bounded)
    return 0.5 / normal**2 + _TAIL / normal + min(total, squares / 2 + _TAIL * math.sqrt(squares))


def _distribution(normal: float, alike: Mapping[float, int], worst: Mapping[tuple[float, float], int], cell: float) -> Any:
    """Return the distribution of the total loss, on multiples of the cell."""
    with needs("tight"):
        from dp_accounting.pld.privacy_loss_distribution import (
            PrivacyLossDistribution,
            from_gaussian_mechanism,
            from_laplace_mechanism,
        )

    # both get sensitivity 1 for add-or-remove neighbours: their replace-one neighbours would double it
    gaussian = ((from_gaussian_mechanism(normal, value_discretization_interval=cell), 1) for _ in range(normal < math.inf))
    laplace = ((from_laplace_mechanism(ratio, value_discretization_interval=cell), count) for ratio, count in alike.items())
    other = ((PrivacyLossDistribution(_worst_case(*x, cell)), count) for x, count in worst.items())
    parts = (loss.self_compose(count) if count > 1 else loss for loss, count in chain(gaussian, laplace, other))
    return reduce(lambda first, second: first.compose(second), parts)


def _worst_case(epsilon: float, delta: float, cell: float) -> Any:
    """Return the loss that dominates every (ε, δ)-DP mechanism: ∞ with probability δ, otherwise ±ε with odds exp(ε) to 1.

    (Kairouz, Oh & Viswanath 2015.) Its curve at the grid points beside ±ε is tighter than ε rounded up to a grid point.
    """
    from dp_accounting.pld.pld_pmf import create_pmf_pessimistic_connect_dots

    below = math.floor(epsilon / cell)
    points = np.array(sorted({-below - 1, -below, below, below + 1}))
    gain, loss = (-np.expm1(np.minimum(0.0, points * cell - value)) for value in (epsilon, -epsilon))
    likely = 1 / (1 + math.exp(-epsilon))
    return create_pmf_pessimistic_connect_dots(
        cell, points, delta + (1 - delta) * (likely * gain + math.exp(-epsilon) * likely * loss)
    )


ROUNDING = 1 + 2.0**-50  # equal parts of a budget, each rounded, add up to within an ulp or two of it
_Gammas = tuple[float, float, float | None]  # a line's γ averaged over the draws, its γ, and its confidence


@final
@dataclass(frozen=True, slots=True)
class Spent:
    """(Σε, Σδ, Σγ): each sample's γ counts once, at its largest (mathematics, section 4.1). γ may exceed 1.

    ``joint_gamma`` is averaged over the draws under every bound; a budget without confidence is compared with it.
    """

    epsilon: float
    delta: float
    gamma: float
    joint_gamma: float
    confidence: float | None

    @classmethod
    def by(cls, lines: tuple[Line, ...], pending: tuple[Line, ...] = (), *, whole: bool = False) -> Spent:
        """Return what lines spend, with the γ of planned lines that are still to come; with ``whole`` their ε and δ too.

        Args:
            lines: The charges.
            pending: Planned lines that are still to come.
            whole: True to add the ε and δ of planned lines too.

        Returns:
            The sums.
        """
        # The γ of the plan counts from the start: responses may decide whether a line is made (mathematics, section 4.1).
        charged = (*lines, *pending) if whole else lines
        samples: dict[str, list[_Gammas]] = {}
        for line in lines:
            if line.drawn is not None:
                samples.setdefault(line.sample_id or line.target_id, []).append((line.joint_gamma, line.gamma, line.confidence))
        for number, line in enumerate(pending):
            if line.drawn is not None:
                gammas = line.drawn.adapted_gamma, line.gamma, line.confidence
                samples.setdefault(line.sample_id or f"pending {number}", []).append(gammas)
        # One sample's event covers all its lines, so its γ counts once, at its largest (mathematics, section 4.1).
        joint = _sum(max(joint for joint, _, _ in sample) for sample in samples.values())
        gamma, confidence = _certified(samples.values()) or (joint, None)
        return cls(_sum(line.epsilon for line in charged), _sum(line.delta for line in charged), gamma, joint, confidence)

    def tightened(self, lines: tuple[Line, ...], delta: float) -> Spent:
        """Return what the same lines spend at this δ, by the smaller of two upper bounds.

        Args:
            lines: The lines.
            delta: δ of the total.

        Returns:
            The total; ε = ∞ if neither bound exists.
        """
        total, slips = _sum(x.epsilon for x in lines), math.fsum(x.delta for x in lines)
        basic = total if slips <= delta * ROUNDING else math.inf
        return replace(self, epsilon=min(basic, _tight_epsilon(lines, delta)), delta=delta)

    def guarantee(self) -> Guarantee | None:
        """Return the guarantee of all the lines; None if nothing is spent, or nothing is guaranteed."""
        if not math.isfinite(self.epsilon):
            return None
        if not 0 <= self.gamma < 1 or not self.delta < 1 or not (self.gamma or self.epsilon):
            return None
        if self.gamma:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    def beyond(self, budget: Guarantee) -> str:
        """Return the first number that exceeds the budget's: "epsilon", "delta", "gamma" or "confidence"; empty within it."""
        gamma, confidence = self.joint_gamma, budget.confidence
        if confidence is not None and self.gamma:
            if self.confidence is None or self.confidence * ROUNDING < confidence:
                return "confidence"
            gamma = self.gamma
        limits = {"epsilon": budget.epsilon, "delta": budget.delta, "gamma": budget.gamma or 0.0}
        spent = {"epsilon": self.epsilon, "delta": self.delta, "gamma": gamma}
        return next((name for name, limit in limits.items() if not spent[name] <= limit * ROUNDING), "")


def _certified(samples: Collection[list[_Gammas]]) -> tuple[float, float] | None:
    """Return Σγ and its confidence 1 − Σ(1 − c) if every sample has a confidence (mathematics, section 4.1), otherwise None.

    Two lengths of one run under TIME_UNIFORM count as two samples, although one event covers both: more than is needed.
    """
    sure = [min(-1.0 if confidence is None else confidence for _, _, confidence in sample) for sample in samples]
    if not sure or min(sure) < 0:
        return None
    # Union bound over the draws: the doubts 1 − c add up (mathematics, section 4.1).
    confidence = sure[0] if len(sure) == 1 else 1 - _sum(1 - one for one in sure)
    gamma = _sum(max(gamma for _, gamma, _ in sample) for sample in samples)
    return (gamma, confidence) if confidence > 0 else None


def _sum(values: Iterable[float]) -> float:
    """Return the exactly rounded sum; ∞ beyond the floats."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _tight_epsilon(lines: Iterable[Line], delta: float) -> float:
    """Compose the lines by the distribution of their noise, if it is normal or Laplace, otherwise by their (ε, δ)."""
    gaussians: list[float] = []
    laplaces: list[float] = []
    others: list[tuple[float, float]] = []
    for line in lines:
        known = line.composes_as if 0 < line.noise_ratio < math.inf else ""
        if known == NORMAL:
            gaussians.append(line.noise_ratio)
        elif known == LAPLACE:
            laplaces.append(line.noise_ratio)
        elif line.epsilon or line.delta:  # draws without a release spend neither
            others.append((line.epsilon, line.delta))
    return composed_epsilon(delta, gaussians=gaussians, laplaces=laplaces, others=others)
