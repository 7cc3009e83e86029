"""The best attacker: how often a guess from a response is right about which of two neighbours is the database.

Both are equally likely beforehand, and the attacker may know everything else. The best guess is D if P(r) > P'(r), D' if it is
less, and random if both are equal. It is right with probability ½ + ½·TV(P, P') (mathematics, section 16.1).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.arrays import FloatArray


class Attacker(ABC):
    """The best attacker's accuracy on pairs at each distance, in the norm of the sensitivity: from ½, random guessing, to 1.

    Attributes:
        exact: True if the accuracy is reached on each pair at that distance; otherwise it is an upper bound.
        sides: True if the responses {P > P'} and half of {P = P'} have probability ``right`` under D and 1 − ``right`` under D';
            if ``exact`` is false, at most the one and at least the other. It needs noise that is symmetric.
    """

    exact: bool
    sides: bool = True

    @abstractmethod
    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Return the accuracy, or its bound, on pairs at distances of at least 0; of any shape, with ∞."""


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise(Attacker):
    """Accuracy ½ + ½·(1 − exp(−d/(2b))), d in L1, against noise of density exp(−|x|/b)/(2b) on each entry.

    Exact for one number. For several it is a bound, reached by pairs that differ in one of them (mathematics, section 16.2).
    """

    scale: float
    exact: bool

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Return 1 − ½·exp(−d/(2b))."""
        # ½ + ½·TV, and TV = 1 − exp(−d/(2b)) (mathematics, section 16.2).
        return np.asarray(1 - 0.5 * np.exp(-0.5 * in_units(distance, self.scale)))


@final
@dataclass(frozen=True, slots=True)
class NormalNoise(Attacker):
    """Accuracy Φ(d/(2σ)), d in L2, against Normal(0, σ²) noise on each of any number of entries (mathematics, section 16.3)."""

    scale: float
    exact: bool = True

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Return Φ(d/(2σ))."""
        from scipy.special import ndtr

        # ½ + ½·TV, and TV = 2Φ(d/(2σ)) − 1 (mathematics, section 16.3).
        return np.asarray(ndtr(0.5 * in_units(distance, self.scale)))


@final
@dataclass(frozen=True, slots=True)
class LossAttackerBound(Attacker):
    """Bound 1/(1 + exp(−d/unit − besides)) for a privacy loss of at most d/unit + besides (mathematics, section 16.4).

    ``besides`` is the loss of a later step, at every distance.
    """

    unit: float
    besides: float = 0.0
    exact: bool = False
    sides: bool = False

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Return 1/(1 + exp(−loss))."""
        # A loss of at most ε gives at most e^ε/(1 + e^ε) (mathematics, section 16.4).
        return np.asarray(1 / (1 + np.exp(-in_units(distance, self.unit) - self.besides)))


@final
@dataclass(frozen=True, slots=True)
class GuaranteeAttackerBound(Attacker):
    """Bound (e^ε + δ)/(e^ε + 1) up to the sensitivity, and 1 beyond it, without a guarantee (mathematics, section 16.4)."""

    epsilon: float
    delta: float
    sensitivity: float
    exact: bool = False
    sides: bool = False

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Return ½ at 0, the bound up to the sensitivity, and 1 beyond."""
        # (e^ε + δ)/(e^ε + 1), without overflow (Kairouz, Oh & Viswanath 2015; mathematics, section 16.4).
        d, small = np.asarray(distance, dtype=np.float64), math.exp(-self.epsilon)
        promised = (1 + self.delta * small) / (1 + small)
        return np.where(d > self.sensitivity, 1.0, np.where(d > 0, promised, 0.5))


def in_units(distance: FloatArray | float, unit: float) -> FloatArray:
    """Return d/unit.

    Args:
        distance: Distances of at least 0, of any shape.
        unit: The unit; 0 without noise, and then every distance above 0 is infinite.

    Returns:
        The quotients, of the same shape.
    """
    d = np.asarray(distance, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(d == 0, 0.0, d / unit)


_CELLS = 400  # between the smallest and the largest loss of one answer


def right_from_several(epsilon: float, most: int) -> FloatArray:
    """Return the best attacker's accuracy with 1, 2, …, ``most`` answers, each with Laplace noise sized for their distance at ε.

    The accuracy is ½ + ½·E max(0, 1 − e^(−L)), with the privacy loss L the sum of the answers' independent losses. Under the
    first database the loss of one answer has P(L = ε) = ½, P(L = −ε) = e^(−ε)/2, and P(L <= l) = e^(−(ε−l)/2)/2 between
    (mathematics, section 1.1; Sommer et al. 2019).

    Args:
        epsilon: ε of each answer.
        most: The largest number of answers.

    Returns:
        The accuracies, shape (most,).
    """
    losses = np.linspace(-epsilon, epsilon, _CELLS + 1)
    edges = np.clip((losses[1:] + losses[:-1]) / 2, -epsilon, epsilon)
    below = np.exp((edges - epsilon) / 2) / 2
    one = np.diff(np.concatenate(([0.0], below, [1.0])))
    chances, together = [], np.ones(1)
    for answers in range(1, most + 1):
        together = np.convolve(together, one)
        loss = np.linspace(-answers * epsilon, answers * epsilon, len(together))
        chances.append(0.5 + 0.5 * float(together @ np.maximum(0, -np.expm1(-loss))))
    return np.array(chances)
