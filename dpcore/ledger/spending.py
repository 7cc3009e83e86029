"""What lines spend together: (Σε, Σδ, Σγ), or with privacy loss distributions less of ε at one δ."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.lines import Line
from dpcore.ledger.tight import composed_epsilon
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

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
        samples: dict[str, list[Line]] = {}
        for line in lines:
            if line.gamma:
                samples.setdefault(line.sample_id or line.target_id, []).append(line)
        for number, line in enumerate(pending):
            if line.drawn is not None:
                samples[f"pending {number}"] = [replace(line, joint_gamma=line.drawn.adapted_gamma)]
        joint = math.fsum(max(line.joint_gamma for line in of) for of in samples.values())
        gamma, confidence = _certified(list(samples.values())) or (joint, None)
        made = (*lines, *pending) if whole else lines
        return cls(_sum(x.epsilon for x in made), math.fsum(x.delta for x in made), gamma, joint, confidence)

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
        gamma, confidence = self.joint_gamma, getattr(budget, "confidence", None)
        if confidence is not None and self.gamma:
            if self.confidence is None or self.confidence * ROUNDING < confidence:
                return "confidence"
            gamma = self.gamma
        spent = {"epsilon": self.epsilon, "delta": self.delta, "gamma": gamma}
        return next((name for name, value in spent.items() if not value <= getattr(budget, name, 0.0) * ROUNDING), "")


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


def _certified(samples: list[list[Line]]) -> tuple[float, float] | None:
    """Where every sample has a confidence: Σγ with confidence 1 − Σ(1 − c) (mathematics, section 4.1); None elsewhere.

    Two lengths of one run under TIME_UNIFORM are two samples here, though one event covers both: more than is needed.
    """
    confidences = [[line.confidence for line in lines if line.confidence is not None] for lines in samples]
    if not samples or any(len(given) < len(lines) for given, lines in zip(confidences, samples, strict=True)):
        return None
    gamma = math.fsum(max(line.gamma for line in lines) for lines in samples)
    if len(samples) == 1:
        return gamma, min(confidences[0])
    doubt = math.fsum(1 - min(given) for given in confidences)
    return (gamma, 1 - doubt) if doubt < 1 else None
