"""Somebody who chooses the second γ once the first answer is known: the example of mathematics, section 4.5, tried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import OperatingPoint

EPSILON, FIRST = 20.0, 0.005  # of the first line
LARGE, GENEROUS, STRICT = 3.5, 0.2, 0.001  # the second γ, where the first answer is above so many years, and else
PAIRS = 400_000
_SEED, _SHOWN = 5, 400


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """The share of pairs that either line misses, the γ that were chosen, added up and averaged, and the share so far."""

    missed: float
    promised: float
    so_far: FloatArray


def seen() -> Seen:
    """It, of tables of one record each from Exponential(1), whose record is replaced: then Φ(G) is uniform."""
    rng = np.random.default_rng(_SEED)
    record, other = rng.exponential(size=(2, PAIRS))
    level = -np.expm1(-np.abs(record - other))  # Φ(G)
    first, generous, strict = (OperatingPoint.for_gamma(gamma) for gamma in (FIRST, GENEROUS, STRICT))
    reached = _drawn(first, rng)
    answer = record - np.log1p(-reached) / EPSILON * rng.laplace(size=PAIRS)  # Laplace noise of scale Δ̂/ε
    large = answer > LARGE
    missed = (level > reached) | (level > np.where(large, _drawn(generous, rng), _drawn(strict, rng)))
    promised = first.gamma + float(np.where(large, generous.gamma, strict.gamma).mean())
    so_far = np.cumsum(missed) / np.arange(1, PAIRS + 1)
    return Seen(float(so_far[-1]), promised, so_far[PAIRS // _SHOWN - 1 :: PAIRS // _SHOWN])


def _drawn(point: OperatingPoint, rng: np.random.Generator) -> FloatArray:
    """Φ(Δ̂) of draws that are fresh for each pair: the k-th of m uniform numbers, Beta(k, m−k+1)."""
    return rng.beta(point.k, point.m - point.k + 1, PAIRS)
