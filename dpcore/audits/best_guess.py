"""How often a guess is right between two tables, from private answers: the best guess that there is, and from even odds."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.response_law import NoiseLaw

_CELLS = 20_000
_CELLS_OF_ONE = 400  # between the least and the largest loss of one answer


def right(law: NoiseLaw, apart: float) -> float:
    """From one private answer, of two tables whose answers lie ``apart``: ½ + ½·P(|noise| <= apart/2).

    The density falls to both sides alike, so the nearer answer is the more likely one, and it is guessed. It is the right one
    where the noise leads less than half of the way over: with chance ½ + ½·P(|noise| <= apart/2).
    """
    edges = np.linspace(0, apart / 2, _CELLS + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    within = 2 * float(law.density(middles).sum()) * (apart / 2) / _CELLS
    return 0.5 + 0.5 * within


def right_from_several(epsilon: float, most: int) -> FloatArray:
    """From 1, 2, …, ``most`` answers, each with Laplace noise at ε and each as far apart as its noise was sized for, (most,).

    The best guess is right with chance ½ + ½·E max(0, 1 − e^(−L)), where L, the privacy loss, is the sum of those of the answers:
    independent, of one law. Of one, under the first table, P(L = ε) = ½, P(L = −ε) = e^(−ε)/2, and P(L <= l) = e^(−(ε−l)/2)/2
    between (mathematics, section 1.1; Sommer et al. 2019).
    """
    losses = np.linspace(-epsilon, epsilon, _CELLS_OF_ONE + 1)
    edges = np.clip((losses[1:] + losses[:-1]) / 2, -epsilon, epsilon)
    below = np.exp((edges - epsilon) / 2) / 2
    one = np.diff(np.concatenate(([0.0], below, [1.0])))
    chances, together = [], np.ones(1)
    for answers in range(1, most + 1):
        together = np.convolve(together, one)
        loss = np.linspace(-answers * epsilon, answers * epsilon, len(together))
        chances.append(0.5 + 0.5 * float(together @ np.maximum(0, -np.expm1(-loss))))
    return np.array(chances)
