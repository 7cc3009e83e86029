"""Operating points: which (m, k) certify γ, under four bounds (mathematics, section 1; Rubinstein & Aldà 2017, Table 1).

γ and the confidence are read as decimal fractions and compared in rationals, because ceil((m+1)·(1−γ)) in floating point is
off by one now and then (mathematics, section 1.7). A computed γ is rounded up until its decimal reading certifies.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import set_fields, share, whole
from dpcore.errors import GammaOutOfReachError, InvalidValueError, NotCertifiedError

_ROUNDING = 1 - 1e-12  # DKW's k comes from floats: a product an ulp above a whole number is that number
_DOUBT = 0.05  # probability that the band fails
_DIGITS = 60  # of a logarithm; _SURE of them are right beside any rounding
_SURE = 40
_NEARLY = Fraction(1, 10**_SURE)
_SAFE = 1e-12  # relative difference of two logarithms beyond which floats decide
_EXACTLY = 2_000  # draws up to which a near tie of TOLERANCE is decided in rationals
# What log L must have to spare. Its rounding was seen to be at most 1e-15 for k = m and 4e-15·m for a smaller k.
_HAIR, _HAIR_A_DRAW = 1e-9, 1e-13


class Bound(Enum):
    """The theorem that certifies an operating point. TIME_UNIFORM is TOLERANCE for an m that may depend on the draws.

    Examples:
        >>> [OperatingPoint.for_gamma(0.05, bound=bound).m for bound in (Bound.RANK, Bound.DKW)]
        [19, 1305]
        >>> [OperatingPoint.for_gamma(0.05, bound=bound, confidence=0.95).m for bound in (Bound.TOLERANCE, Bound.TIME_UNIFORM)]
        [59, 88]
    """

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

    Raises:
        InvalidValueError: If an argument is not as said here.
        NotCertifiedError: If the bound does not certify γ.

    Examples:
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
        """Return the point with the least m that certifies γ, and k = m (Table 1, row 1).

        Args:
            gamma: Share of random changes that may be unprotected, above 0 and below 1.
            bound: The theorem.
            confidence: Confidence over the draws; required for TOLERANCE and TIME_UNIFORM, otherwise None.

        Returns:
            The point.

        Raises:
            InvalidValueError: If an argument is not as said here.

        Examples:
            >>> OperatingPoint.for_gamma(0.05).m
            19
        """
        confidence = _check_bound(bound, confidence)
        gamma = share("gamma", gamma)
        m, rho = _least_m(gamma, bound, confidence)
        return cls(m, m, gamma, bound, rho, confidence)

    @classmethod
    def for_sample_size(cls, m: int, *, bound: Bound = Bound.RANK, confidence: float | None = None) -> OperatingPoint:
        """Return the point with the least γ that m draws certify, and k = m (Table 1, row 2).

        Args:
            m: Number of sampled pairs.
            bound: The theorem.
            confidence: Confidence over the draws; required for TOLERANCE and TIME_UNIFORM, otherwise None.

        Returns:
            The point.

        Raises:
            InvalidValueError: If an argument is not as said here, or that γ is 1 or more (DKW, m = 1).

        Examples:
            >>> OperatingPoint.for_sample_size(99).gamma
            0.01
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

        Args:
            m: Number of sampled pairs.
            gamma: Share of random changes that may be unprotected, above 0 and below 1.
            bound: The theorem.
            confidence: Confidence over the draws; required for TOLERANCE and TIME_UNIFORM, otherwise None.

        Returns:
            The point.

        Raises:
            InvalidValueError: If an argument is not as said here.
            GammaOutOfReachError: If no k certifies γ. It names the least γ and the least m that work.

        Examples:
            >>> OperatingPoint.for_both(199, 0.05).k
            190
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
    """Return the least m for which ``for_both(m, gamma)`` has a point.

    Args:
        gamma: Share of random changes that may be unprotected.
        bound: The theorem. Under DKW the number can exceed that of ``for_gamma``, which takes another ρ.
        confidence: Its confidence, if it has one.

    Returns:
        The number of pairs.
    """
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
    """Return whether the k-th smallest of m draws certifies γ under the bound, decided exactly.

    Args:
        m: Number of sampled pairs.
        k: Order of the distance, from 1 to m.
        gamma: Share of random changes that may be unprotected.
        bound: The theorem.
        rho: DKW's ρ.
        confidence: Confidence of TOLERANCE and TIME_UNIFORM.

    Returns:
        True if the theorem proves it.
    """
    if bound is Bound.RANK:
        # P(G <= G_(k)) >= k/(m+1) for exchangeable distances (mathematics, section 1.2).
        return Fraction(k, m + 1) >= 1 - exact(gamma)
    if bound is Bound.DKW:
        assert rho is not None
        # Theorem 15, (1) ρ + ρ′ <= γ, which (2) implies for k <= m, and (2) k >= m(1 − γ + ρ + ρ′) (mathematics, section 1.5).
        return rho <= 0.5 and k >= _dkw_k(m, gamma, rho)
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return _uniform_certifies(m, k, gamma, confidence)
    return _tolerates(m, k, gamma, confidence)


def _least_m(gamma: float, bound: Bound, confidence: float | None) -> tuple[int, float | None]:
    """Return the least m that certifies γ with k = m, and DKW's ρ (Table 1, row 1)."""
    if bound is Bound.RANK:
        # m/(m+1) >= 1 − γ (mathematics, section 1.2).
        return max(1, math.ceil(1 / exact(gamma)) - 1), None
    if bound is Bound.DKW:
        # Corollary 20: ρ = exp(W₋₁(−γ/(2√e)) + ½) and m = log(1/ρ)/(2(γ − ρ)²).
        rho = math.exp(_lambert(-gamma / (2 * math.sqrt(math.e))) + 0.5)
        return math.ceil(math.log(1 / rho) / (2 * (gamma - rho) ** 2) * _ROUNDING), rho
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return _uniform_m(gamma, confidence), None
    return _tolerance_m(gamma, confidence), None


def _least_gamma(m: int, bound: Bound, confidence: float | None) -> tuple[float, float | None]:
    """Return the least γ that m draws certify with k = m, and DKW's ρ (Table 1, row 2)."""
    if bound is Bound.RANK:
        return round_up(Fraction(1, m + 1)), None
    if bound is Bound.DKW:
        # Table 1, row 2: γ = ρ + ρ′ with ρ′ = √(log(1/ρ)/(2m)).
        rho = _rho_of_m(m)
        return rho + math.sqrt(math.log(1 / rho) / (2 * m)), rho
    assert confidence is not None
    if bound is Bound.TIME_UNIFORM:
        return _uniform_gamma(m, confidence), None
    return _tolerance_gamma(m, confidence), None


def least_order(m: int, gamma: float, bound: Bound, confidence: float | None) -> tuple[int, float | None]:
    """Return the least k that certifies γ, m + 1 or more if none does, and DKW's ρ (Table 1, row 3).

    Args:
        m: Number of sampled pairs.
        gamma: Share of random changes that may be unprotected.
        bound: The theorem.
        confidence: Its confidence, if it has one.

    Returns:
        k, and ρ or None.
    """
    if bound is Bound.RANK:
        # k = ⌈(m+1)(1−γ)⌉ (mathematics, section 1.2).
        return max(1, math.ceil((m + 1) * (1 - exact(gamma)))), None
    if bound is Bound.DKW:
        rho = _rho_of_m(m)
        return max(1, _dkw_k(m, gamma, rho)), rho
    # Every k above one that certifies does too, so the least one is found by bisection; m + 1 if k = m does not certify.
    return 1 + bisect_left(range(1, m + 1), True, key=lambda k: certifies(m, k, gamma, bound, None, confidence)), None


def _rho_of_m(m: int) -> float:
    """Return the ρ of Corollaries 21 and 22, exp(½ W₋₁(−1/(4m))), which minimises ρ + ρ′."""
    return math.exp(0.5 * _lambert(-1 / (4 * m)))


def _dkw_k(m: int, gamma: float, rho: float) -> int:
    """Return the least k of Theorem 15 (2): m(1 − γ + ρ + ρ′), rounded up."""
    return math.ceil(m * (1 - gamma + rho + math.sqrt(math.log(1 / rho) / (2 * m))) * _ROUNDING)


def _lambert(x: float) -> float:
    """Return Lambert's W₋₁(x), the lower branch, for −1/e <= x < 0."""
    from scipy.special import lambertw

    return float(lambertw(x, -1).real)


def chance_of_missing_more(point: OperatingPoint, share: float | None = None) -> float:
    """Return P(Δ̂ misses more than a share of pairs) = P(Beta(m−k+1, k) > share), for continuous distances.

    (Mathematics, section 1.3.)

    Args:
        point: The operating point.
        share: The share; γ by default.

    Returns:
        The probability over the draws.
    """
    from scipy.special import betainc

    return float(1 - betainc(point.m - point.k + 1, point.k, point.gamma if share is None else share))


def half_width(m: int) -> float:
    """Return √(log(2/0.05)/(2m)), the largest distance of empirical and true CDF in 95% of samples (Massart 1990)."""
    return math.sqrt(math.log(2 / _DOUBT) / (2 * m))


def orders(m: int, gammas: FloatArray, bound: Bound, confidence: float | None = None) -> FloatArray:
    """Return k of ``OperatingPoint.for_both(m, gamma, ...)`` for many γ.

    Args:
        m: Number of sampled pairs.
        gammas: Shares, shape (g,).
        bound: The theorem.
        confidence: Its confidence, if it has one.

    Returns:
        k of each as a float, shape (g,); 0 if no k certifies it.
    """
    found = np.array([least_order(m, gamma, bound, confidence)[0] for gamma in gammas.tolist()], dtype=np.float64)
    return np.where(found > m, 0.0, found)


@lru_cache(maxsize=4_096)
def exact(value: float) -> Fraction:
    """Return a share as it is written: 0.05 is 1/20."""
    return Fraction(str(float(value)))


def round_up(value: Fraction) -> float:
    """Return the least float whose decimal reading is at least the value."""
    rounded = float(value)
    for _ in range(2):
        rounded = math.nextafter(rounded, 0.0)
    while exact(rounded) < value:
        rounded = math.nextafter(rounded, math.inf)
    return rounded


# TOLERANCE and TIME_UNIFORM, decided exactly or on the safe side.


def _tolerates(m: int, k: int, gamma: float, confidence: float) -> bool:
    """Return whether P(Bin(m, 1−γ) <= k−1) >= confidence (mathematics, section 1.4)."""
    if k == m:
        return _all_below(m, gamma, confidence)
    from scipy.special import bdtr, bdtrc

    doubt = 1 - exact(confidence)
    # In missed draws the condition is P(Bin(m, γ) >= m−k+1) >= confidence. Floats compare the smaller of the two sides.
    small = confidence < 0.5
    side, limit = (bdtrc, confidence) if small else (bdtr, float(doubt))
    chance = float(side(m - k, m, gamma))
    if abs(chance - limit) > 1e-10 * limit:
        return chance > limit if small else chance < limit
    # Nearly a tie: decided in whole numbers, or refused for more draws.
    return m <= _EXACTLY and _tail(m, k, 1 - exact(gamma)) <= doubt


def _tolerance_m(gamma: float, confidence: float) -> int:
    """Return the least m that certifies γ with k = m under TOLERANCE."""
    context = _context(gamma, confidence)
    most = context.divide(_log(context, confidence), _log(context, gamma))
    m = max(1, int(most.to_integral_value(ROUND_CEILING)) - 2)
    while not _all_below(m, gamma, confidence):
        m += 1
    return m


def _tolerance_gamma(m: int, confidence: float) -> float:
    """Return the least γ that m draws certify with k = m under TOLERANCE."""
    # 1 − (1−confidence)^(1/m), a hair below so that a true tie is not rounded past
    context = _context(confidence / m, confidence)
    least = context.subtract(1, context.exp(context.divide(_log(context, confidence), Decimal(m))))
    gamma = round_up(Fraction(least) * (1 - _NEARLY))
    while not _all_below(m, gamma, confidence):
        gamma = math.nextafter(gamma, math.inf)
    return gamma


def _uniform_certifies(m: int, k: int, gamma: float, confidence: float) -> bool:
    """Return whether k >= k_m, that is log L_m(k) >= −log(1−confidence), with a margin so that rounding never certifies."""
    keep = float(1 - exact(gamma))
    # L_m(S) <= 1 for S <= m(1−γ) (mathematics, section 3.1).
    if k < m and k <= m * keep:
        return False
    # Ville's inequality: L_m(S_m) reaches 1/(1−confidence) with probability at most 1−confidence.
    spare = _HAIR + (_HAIR_A_DRAW * m if k < m else 0.0)
    return _log_ratio(m, k, gamma, keep) - spare >= -math.log(1 - exact(confidence))


def _uniform_m(gamma: float, confidence: float) -> int:
    """Return the least m that certifies γ with k = m under TIME_UNIFORM: L_m(m) grows with m."""
    low, high = 0, 1  # invariant: low does not certify; no range, for m can be beyond 2⁶³
    while not _uniform_certifies(high, high, gamma, confidence):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _uniform_certifies(middle, middle, gamma, confidence) else (middle, high)
    return high


def _uniform_gamma(m: int, confidence: float) -> float:
    """Return the least γ that m draws certify with k = m under TIME_UNIFORM; 1.0 if none below 1 does."""
    low, high = 0.0, 1.0  # invariant: low does not certify
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if _uniform_certifies(m, m, middle, confidence) else (middle, high)
    return high


def _log_ratio(m: int, k: int, gamma: float, keep: float) -> float:
    """Return log L_m(k) for k > m(1−γ), where the incomplete beta function is not small (mathematics, section 3.1).

    L_m(S) = ∫₀¹ (1 + γu/(1−γ))^S (1−u)^(m−S) du = B(S+1, m−S+1) I_γ(m−S+1, S+1)/(γ (1−γ)^S γ^(m−S)).
    """
    log_keep = _log_rest(gamma)
    # For S = m it is (1 − (1−γ)^(m+1))/((m+1) γ (1−γ)^m), in which nothing cancels.
    if k == m:
        return math.log(-math.expm1((m + 1) * log_keep)) - math.log(m + 1) - math.log(gamma) - m * log_keep
    from scipy.special import betainc, betaln

    above = m - k + 1
    tail = float(betainc(above, k + 1, gamma))
    return math.log(tail) + float(betaln(above, k + 1)) - above * math.log(gamma) - k * log_keep


def _log_rest(value: float) -> float:
    """Return log(1 − value) in floats, to a relative 1e-15 also near 0 and near 1."""
    return math.log1p(-value) if value < 0.5 else math.log(1 - exact(value))


def _all_below(m: int, gamma: float, confidence: float) -> bool:
    """Return whether (1−γ)^m <= 1 − confidence, the condition of TOLERANCE at k = m, decided exactly (Wilks 1941)."""
    left, right = m * _log_rest(gamma), _log_rest(confidence)
    if abs(left - right) > _SAFE * abs(right):
        return left < right
    # Nearly a tie: neighbouring m differ by a relative 1/m, so its digits are added to those that decide.
    digits = len(str(m))
    context = _context(gamma, confidence, digits)
    exact_left, exact_right = context.multiply(Decimal(m), _log(context, gamma)), _log(context, confidence)
    if abs(context.subtract(exact_left, exact_right)) > context.multiply(abs(exact_right), Decimal(10) ** -(_SURE + digits)):
        return exact_left < exact_right
    # Both sides can only be equal if (1−γ)^m has no more decimals than 1 − confidence.
    return m * _places(gamma) <= _places(confidence) and (1 - exact(gamma)) ** m <= 1 - exact(confidence)


def _places(value: float) -> int:
    """Return the number of decimals that a share is written with, without zeros at its end."""
    return -int(Decimal(str(float(value))).normalize().as_tuple().exponent)


def _context(gamma: float, confidence: float, more: int = 0) -> Context:
    """Return a context with enough digits for sixty digits of 1 − γ and 1 − confidence, however small the two are."""
    lost = sum(max(0, -math.frexp(value)[1]) * 0.302 for value in (gamma, confidence))  # decimal digits before the first
    return Context(prec=_DIGITS + math.ceil(lost) + more)


def _log(context: Context, value: float) -> Decimal:
    """Return log(1 − value)."""
    return context.ln(context.divide(*map(Decimal, (1 - exact(value)).as_integer_ratio())))


def _tail(m: int, k: int, keep: Fraction) -> Fraction:
    """Return P(Bin(m, keep) >= k) exactly: Σ_{i>=k} C(m, i) a^i b^(m−i)/(a+b)^m with keep = a/(a+b), from i = m down."""
    a, b = keep.numerator, keep.denominator - keep.numerator
    term = total = a**m
    for i in range(m, k, -1):
        term = term * b * i // (a * (m - i + 1))  # C(m, i−1)/C(m, i) = i/(m−i+1), and it comes out even
        total += term
    return Fraction(total, keep.denominator**m)
