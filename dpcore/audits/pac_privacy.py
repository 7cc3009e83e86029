"""PAC privacy (Xiao & Devadas 2023): noise for an answer on a random half of a public table. It is no differential privacy.

It bounds how often somebody guesses right on average over the halves that might have been drawn. Whoever knows the other rows of
the half has no such bound: nothing is promised of two neighbours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError

_NOTHING = 1e-12  # of the largest variance: a direction in which all halves answer alike


@final
@dataclass(frozen=True, eq=False)
class HalvesLaw:
    """Independent normal noise along those ``axes`` (d, e) in which answers of halves differ, of standard deviations (e,)."""

    axes: FloatArray
    deviations: FloatArray

    @property
    def scale(self) -> float:
        """The largest standard deviation."""
        return float(self.deviations.max())

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """So many responses along the axes, in units of the noise: (size, e)."""
        return np.asarray((raw @ self.axes) / self.deviations + rng.standard_normal((size, len(self.deviations))))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[np.float64], /) -> FloatArray:
        """(|r − f(D')|² − |r − f(D)|²)/2 in these units."""
        here, there = ((answer @ self.axes) / self.deviations for answer in (raw, other))
        return np.asarray((((responses - there) ** 2).sum(axis=1) - ((responses - here) ** 2).sum(axis=1)) / 2)


def information(right: float) -> float:
    """v = log 2 + p·log p + (1 − p)·log(1 − p), in nats: with less, nobody is right about a coin's side more often than p.

    It is KL(p‖½), which the mutual information of table and response bounds from above (mathematics, section 16.7).
    """
    if not 0.5 < right < 1:
        raise InvalidValueError("right", "a share above ½ and below 1", right)
    return math.log(2) + right * math.log(right) + (1 - right) * math.log1p(-right)


def noise_for_halves(answers: FloatArray, right: float) -> HalvesLaw:
    """The noise with which nobody is right more often than that, on average over the halves with these answers, (halves, d).

    Along the axis of variance λ_j of the answers its own variance is √λ_j·Σ√λ_i/(2v), v = ``information(right)``, so that the
    mutual information is at most ½·Σ log(1 + λ_j/s_j) <= v (mathematics, section 16.7). The answers' variance is taken for the
    true one: the paper's margin for estimating it is left out. InvalidValueError where all halves answer alike.
    """
    variances, axes = np.linalg.eigh(np.atleast_2d(np.cov(answers, rowvar=False)))
    differ = variances > _NOTHING * max(float(variances.max()), np.finfo(float).tiny)
    if not differ.any():
        raise InvalidValueError("answers", "different on some halves of the table", None)
    roots = np.sqrt(variances[differ])
    return HalvesLaw(axes[:, differ], np.sqrt(roots * roots.sum() / (2 * information(right))))
