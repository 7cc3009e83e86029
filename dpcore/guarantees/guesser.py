"""How often the best guesser is right, who must tell from one response which of two neighbours it was made with.

Each of the two is as likely as the other beforehand, and all else may be known. He says D where P(r) > P'(r), P' where it is
less, and tosses a coin where both are equal: he is right with probability ½ + ½·TV(P, P') (mathematics, section 16.1).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray


class Guesser(ABC):
    """The best guesser's accuracy on pairs at each distance, in the norm of the sensitivity: from ½, a coin's, to 1.

    ``exact``: whether it is reached on each pair at that distance. Else it is a bound: nobody is right more often.
    """

    exact: bool
    sides: bool = True
    """Whether his side of the responses, {P > P'} and half of {P = P'}, has the probability ``right`` under D and 1 − ``right``
    under D'; where ``exact`` is not, at most the one and at least the other. It needs noise that is alike in both directions."""

    @property
    def in_proportion(self) -> bool:
        """Whether he is right equally often at distances that are the same number of the noise's scales."""
        return True

    @abstractmethod
    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """With which probability he is right on a pair at a distance of at least 0, or its bound; of any shape, ∞ among them."""

    @abstractmethod
    def distance(self, right: float, /) -> float:
        """At which distance he is right with this probability, from ½ to below 1: ``right`` inverted."""


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise(Guesser):
    """½ + ½·(1 − exp(−d/(2b))), d in L1, against noise of density exp(−|x|/b)/(2b) on each entry.

    Exact for one number. For several it is a bound, which a pair reaches that differs in one of them (mathematics, section 16.2).
    """

    scale: float
    exact: bool

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """1 − ½·exp(−d/(2b))."""
        return np.asarray(1 - 0.5 * np.exp(-0.5 * in_units(distance, self.scale)))

    def distance(self, right: float, /) -> float:
        """−2b·log(2(1 − right))."""
        return -2 * self.scale * math.log(2 * (1 - right))


@final
@dataclass(frozen=True, slots=True)
class NormalNoise(Guesser):
    """Φ(d/(2σ)), d in L2, against Normal(0, σ²) noise on each entry; exact for any number of them (mathematics, section 16.3)."""

    scale: float
    exact: bool = True

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """Φ(d/(2σ))."""
        from scipy.special import ndtr

        return np.asarray(ndtr(0.5 * in_units(distance, self.scale)))

    def distance(self, right: float, /) -> float:
        """2σ·Φ⁻¹(right)."""
        from scipy.special import ndtri

        return 2 * self.scale * float(ndtri(right))


@final
@dataclass(frozen=True, slots=True)
class LossBound(Guesser):
    """1/(1 + exp(−d/unit − besides)), a bound: no response takes even odds further where the loss is at most d/unit + besides
    (mathematics, section 16.4). ``besides``: what a later step tells, at every distance."""

    unit: float
    besides: float = 0.0
    exact: bool = False
    sides: bool = False

    @property
    def in_proportion(self) -> bool:
        """Unless a later step tells something too."""
        return self.besides == 0

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """1/(1 + exp(−loss))."""
        return np.asarray(1 / (1 + np.exp(-in_units(distance, self.unit) - self.besides)))

    def distance(self, right: float, /) -> float:
        """unit·(log(right/(1 − right)) − besides), and 0 where it is more at every distance."""
        return max(0.0, self.unit * (math.log(right / (1 - right)) - self.besides))


@final
@dataclass(frozen=True, slots=True)
class PromiseBound(Guesser):
    """What (ε, δ) alone say: (e^ε + δ)/(e^ε + 1) up to the sensitivity, and 1 beyond it, where nothing is promised (mathematics,
    section 16.4)."""

    epsilon: float
    delta: float
    sensitivity: float
    exact: bool = False
    sides: bool = False

    @property
    def in_proportion(self) -> bool:
        """It knows of no noise."""
        return False

    def right(self, distance: FloatArray | float, /) -> FloatArray:
        """½ at 0, the promise up to the sensitivity, and 1 beyond."""
        d = np.asarray(distance, dtype=np.float64)
        return np.where(d > self.sensitivity, 1.0, np.where(d > 0, self._promised, 0.5))

    def distance(self, right: float, /) -> float:
        """The largest distance at which it is no more: 0, or the sensitivity."""
        return self.sensitivity if right >= self._promised else 0.0

    @property
    def _promised(self) -> float:
        small = math.exp(-self.epsilon)
        return (1 + self.delta * small) / (1 + small)


def in_units(distance: FloatArray | float, unit: float) -> FloatArray:
    """d/unit; without any noise the unit is 0, and every distance above 0 is infinite."""
    d = np.asarray(distance, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(d == 0, 0.0, d / unit)
