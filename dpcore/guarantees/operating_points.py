"""Operating points: which (m, k) certify γ, under four bounds (mathematics, section 1; Rubinstein & Aldà 2017, Table 1).

γ and the confidence are read as decimal fractions and compared in rationals, because ceil((m+1)·(1−γ)) in floating point is
off by one now and then (mathematics, section 1.7). A computed γ is rounded up until its decimal reading certifies.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import set_fields, share, whole
from dpcore.errors import GammaOutOfReachError, InvalidValueError, NotCertifiedError
from dpcore.guarantees import tolerance
from dpcore.guarantees.tolerance import exact, round_up

_ROUNDING = 1 - 1e-12  # DKW's k comes from floats: a product an ulp above a whole number is that number
_DOUBT = 0.05  # probability that the band fails
_NEARLY = 1 - 1e-9


class Bound(Enum):
    """The theorem that certifies an operating point. TIME_UNIFORM is TOLERANCE for an m that may depend on the draws."""

    DKW = "DKW"
    RANK = "RANK"
    TOLERANCE = "TOLERANCE"
    TIME_UNIFORM = "TIME_UNIFORM"

    def __repr__(self) -> str:
        return f"Bound.{self.name}"

    @property
    def words(self) -> str:
        """The name in the middle of a sentence: "the time-uniform bound"."""
        return self.name if self is Bound.DKW else self.name.lower().replace("_", "-")

    @property
    def has_confidence(self) -> bool:
        """True if the bound is about the drawn Δ̂ itself, with a stated confidence over the draws."""
        return self in (Bound.TOLERANCE, Bound.TIME_UNIFORM)


@final
@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """m draws whose k-th smallest certifies γ under a bound. The constructor refuses a point that certifies less than it says.

    Attributes:
        m: Number of sampled pairs.
        k: Order of the distance that is taken as Δ̂, from 1.
        gamma: Share of random changes that may be unprotected.
        bound: The theorem.
        rho: DKW's ρ; None under other bounds.
        confidence: Confidence over the draws of TOLERANCE and TIME_UNIFORM; None under other bounds.

    Example:
        >>> OperatingPoint.for_gamma(0.05)
        OperatingPoint(m=19, k=19, gamma=0.05, bound=Bound.RANK, rho=None, confidence=None)
    """

    m: int
    k: int
    gamma: float
    bound: Bound
    rho: float | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        _check_bound(self.bound, self.confidence)
        set_fields(self, m=whole("m", self.m), k=whole("k", self.k), gamma=share("gamma", self.gamma))
        if self.bound is Bound.DKW:
            object.__setattr__(self, "rho", share("rho", self.rho))
        elif self.rho is not None:
            raise InvalidValueError("rho", f"left out under the {self.bound.words} bound", self.rho)
        if self.k > self.m or not certifies(self.m, self.k, self.gamma, self.bound, self.rho, self.confidence):
            raise NotCertifiedError(self.m, self.k, self.gamma, self.bound.name)

    @classmethod
    def for_gamma(cls, gamma: float, *, bound: Bound = Bound.RANK, confidence: float | None = None) -> OperatingPoint:
        """Return the point with the least m that certifies γ, and k = m (Table 1, row 1)."""
        confidence = _check_bound(bound, confidence)
        gamma = share("gamma", gamma)
        m, rho = _least_m(gamma, bound, confidence)
        return cls(m, m, gamma, bound, rho, confidence)

    @classmethod
    def for_sample_size(cls, m: int, *, bound: Bound = Bound.RANK, confidence: float | None = None) -> OperatingPoint:
        """Return the point with the least γ that m draws certify, and k = m (Table 1, row 2).

        Raises:
            InvalidValueError: If that γ is 1 or more (DKW, m = 1).
        """
        confidence = _check_bound(bound, confidence)
        m = whole("m", m)
        gamma, rho = _least_gamma(m, bound, confidence)
        if gamma >= 1:
            raise InvalidValueError("m", f"large enough to certify some γ below 1 under {bound.name}", m)
        return cls(m, m, gamma, bound, rho, confidence)

    @classmethod
    def for_both(cls, m: int, gamma: float, *, bound: Bound = Bound.RANK, confidence: float | None = None) -> OperatingPoint:
        """Return the point with the least k for which m draws certify γ (Table 1, row 3).

        Raises:
            GammaOutOfReachError: If no k certifies γ.
        """
        confidence = _check_bound(bound, confidence)
        m, gamma = whole("m", m), share("gamma", gamma)
        k, rho = least_order(m, gamma, bound, confidence)
        if k > m:
            least_gamma = _least_gamma(m, bound, confidence)[0]
            raise GammaOutOfReachError(m, gamma, bound.name, least_gamma, reachable_m(gamma, bound, confidence))
        return cls(m, k, gamma, bound, rho, confidence)

    @property
    def joint_gamma(self) -> float:
        """γ over the pair and the draws together (mathematics, section 1.6).

        1 − k/(m+1) under TOLERANCE, whose m is fixed. 1 − confidence·(1−γ) under TIME_UNIFORM, whatever chose m: the miss is at
        most γ if the bound holds, otherwise at most 1. γ itself under the other bounds.
        """
        if self.confidence is None:
            return self.gamma
        if self.bound is Bound.TIME_UNIFORM:
            return round_up(1 - exact(self.confidence) * (1 - exact(self.gamma)))
        return round_up(1 - Fraction(self.k, self.m + 1))


def reachable_m(gamma: float, bound: Bound, confidence: float | None = None) -> int:
    """Return the least m for which ``for_both(m, gamma)`` has a point; under DKW it can exceed that of ``for_gamma``."""
    m = _least_m(share("gamma", gamma), bound, confidence)[0]
    if bound is not Bound.DKW:  # k = m is what the least m was found for
        return m
    while least_order(m, gamma, bound, confidence)[0] > m:
        m += 1
    return m


def _check_bound(bound: Bound, confidence: float | None) -> float | None:
    if not isinstance(bound, Bound):
        raise InvalidValueError("bound", f"one of {', '.join(map(repr, Bound))}", bound)
    if bound.has_confidence:
        return share(f"confidence of the {bound.words} bound", confidence)
    if confidence is not None:
        raise InvalidValueError("confidence", f"left out under the {bound.words} bound", confidence)
    return None


def certifies(m: int, k: int, gamma: float, bound: Bound, rho: float | None, confidence: float | None) -> bool:
    """Return whether the k-th smallest of m draws certifies γ under the bound, decided exactly. ``rho`` is for DKW only."""
    if bound is Bound.RANK:
        return Fraction(k, m + 1) >= 1 - exact(gamma)  # P(G <= G_(k)) >= k/(m+1) (mathematics, section 1.2)
    if bound is Bound.DKW:
        assert rho is not None
        return rho <= 0.5 and k >= _dkw_k(m, gamma, rho)  # Theorem 15 (1) and (2) (mathematics, section 1.5)
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return tolerance.uniform_certifies(m, k, gamma, confidence)
    return tolerance.tolerates(m, k, gamma, confidence)


def _least_m(gamma: float, bound: Bound, confidence: float | None) -> tuple[int, float | None]:
    if bound is Bound.RANK:
        return max(1, math.ceil(1 / exact(gamma)) - 1), None
    if bound is Bound.DKW:
        rho = math.exp(_lambert(-gamma / (2 * math.sqrt(math.e))) + 0.5)  # Corollary 20
        return math.ceil(math.log(1 / rho) / (2 * (gamma - rho) ** 2) * _ROUNDING), rho
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return tolerance.uniform_m(gamma, confidence), None
    return tolerance.tolerance_m(gamma, confidence), None


def _least_gamma(m: int, bound: Bound, confidence: float | None) -> tuple[float, float | None]:
    if bound is Bound.RANK:
        return round_up(Fraction(1, m + 1)), None
    if bound is Bound.DKW:
        rho = _rho_of_m(m)
        return rho + math.sqrt(math.log(1 / rho) / (2 * m)), rho
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return tolerance.uniform_gamma(m, confidence), None
    return tolerance.tolerance_gamma(m, confidence), None


def least_order(m: int, gamma: float, bound: Bound, confidence: float | None) -> tuple[int, float | None]:
    """Return the least k that certifies γ, m + 1 or more if none does, and DKW's ρ."""
    if bound is Bound.RANK:
        return max(1, math.ceil((m + 1) * (1 - exact(gamma)))), None
    if bound is Bound.DKW:
        rho = _rho_of_m(m)
        return max(1, _dkw_k(m, gamma, rho)), rho
    return tolerance.least_order(m, lambda k: certifies(m, k, gamma, bound, None, confidence)), None


def _rho_of_m(m: int) -> float:
    return math.exp(0.5 * _lambert(-1 / (4 * m)))  # Table 1, rows 2 and 3


def _dkw_k(m: int, gamma: float, rho: float) -> int:
    return math.ceil(m * (1 - gamma + rho + math.sqrt(math.log(1 / rho) / (2 * m))) * _ROUNDING)


def _lambert(x: float) -> float:
    """Return Lambert's W₋₁(x), the lower branch, for −1/e <= x < 0."""
    from scipy.special import lambertw

    return float(lambertw(x, -1).real)


def chance_of_missing_more(point: OperatingPoint, share: float | None = None) -> float:
    """Return P(Δ̂ misses more than a share of pairs) = P(Beta(m−k+1, k) > share), for continuous distances.

    See mathematics, section 1.3.

    Args:
        point: The operating point.
        share: The share; γ by default.
    """
    from scipy.special import betainc

    return float(1 - betainc(point.m - point.k + 1, point.k, point.gamma if share is None else share))


def half_width(m: int) -> float:
    """Return √(log(2/0.05)/(2m)), the largest distance of empirical and true CDF in 95 % of samples (Massart 1990)."""
    return math.sqrt(math.log(2 / _DOUBT) / (2 * m))


# The same for many γ at one m.


def orders(m: int, gammas: FloatArray, bound: Bound, confidence: float | None = None) -> FloatArray:
    """Return k of ``OperatingPoint.for_both(m, gamma, ...)`` for each of increasing ``gammas``, as floats; 0 if there is none.

    This is much faster than one by one, because the next γ's k is near the last one's.
    """
    if bound is Bound.RANK:
        return _of_ranks(m, tuple(gammas.tolist()))
    found, least = np.zeros(len(gammas)), _least_gamma(m, bound, confidence)[0]
    above = 0.0  # k less m(1 − γ)
    for i in reversed(range(len(gammas))):
        gamma = float(gammas[i])
        if gamma < least * _NEARLY:
            break  # and so is every smaller one
        k = _least_k(m, gamma, bound, confidence, round(m * (1 - gamma) + above))
        if k > m:
            break
        found[i], above = k, k - m * (1 - gamma)
    return found


def _of_ranks(m: int, gammas: tuple[float, ...]) -> FloatArray:
    """Return ⌈(m+1)(1−γ)⌉, computed in whole numbers (mathematics, section 1.2)."""
    found = np.array([max(1, -(-(m + 1) * kept // of)) for kept, of in _complements(gammas)], dtype=np.float64)
    return np.where(found > m, 0.0, found)


@lru_cache(maxsize=64)
def _complements(gammas: tuple[float, ...]) -> tuple[tuple[int, int], ...]:
    """Return 1 − γ of each as a fraction, with γ as it is written."""
    return tuple((1 - exact(gamma)).as_integer_ratio() for gamma in gammas)


def _least_k(m: int, gamma: float, bound: Bound, confidence: float | None, guess: int) -> int:
    """Search from a guess in steps that double, then by bisection; return m + 1 if no k certifies γ."""
    if not bound.has_confidence:
        return least_order(m, gamma, bound, None)[0]

    def enough(k: int) -> bool:
        return k > m or (k > 0 and certifies(m, k, gamma, bound, None, confidence))

    low = high = min(max(guess, 1), m)
    step = 1
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while low >= 1 and (low == high or enough(low)):
        low, high, step = low - step, min(low, high), 2 * step
    low = max(low, 0)  # does not certify
    return low + 1 + bisect_left(range(low + 1, min(high, m + 1)), True, key=enough)
