"""The two bounds with a stated confidence, TOLERANCE and TIME_UNIFORM. Whether m draws certify γ is decided exactly.

TOLERANCE (Wilks 1941; mathematics, section 1.4) holds for an m that is fixed beforehand, TIME_UNIFORM for every number of draws
at once: P(for all m: G_(k_m) covers 1 − γ of pairs) >= confidence.

So m may be chosen by looking at the draws. With q = inf{g: Φ(g) >= 1−γ} the events {G_i < q} are independent, each of
probability p <= p0 = 1−γ, and G_(k) covers 1−γ of pairs if G_(k) >= q, that is unless S_m = #{i <= m: G_i < q} >= k. Mix
the likelihood ratio of S_m against p0 over a uniform p' = p0 + γu in [p0, 1]:

    L_m(S) = ∫_0^1 (1 + γu/(1−γ))^S (1−u)^(m−S) du = B(S+1, m−S+1) I_γ(m−S+1, S+1) / (γ (1−γ)^S γ^(m−S)).

L_m(S_m) starts at 1 and is a supermartingale whatever p <= p0, so the probability that it ever reaches 1/(1−confidence)
is at most 1−confidence (Ville 1939). It grows with S and with γ, so k_m is the least S at which it is as large; for
S <= m·p0 it is at most 1. The idea: Howard & Ramdas 2022, Bernoulli 28(3); the proof: mathematics, section 3.1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

_DIGITS = 60  # of a logarithm; _SURE of them are right beside any rounding
_SURE = 40
_NEARLY = Fraction(1, 10**_SURE)
_EXACTLY = 2_000  # draws up to which a near tie of TOLERANCE is decided in rationals
# What log L must have to spare. Its rounding was seen to be at most 1e-15 for k = m and 4e-15·m for a smaller k.
_HAIR, _HAIR_A_DRAW = 1e-9, 1e-13


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


def tolerates(m: int, k: int, gamma: float, confidence: float) -> bool:
    """Return whether P(Bin(m, 1−γ) <= k−1) >= confidence (mathematics, section 1.4)."""
    if k == m:
        return _all_below(m, gamma, confidence)
    from scipy.special import bdtr, bdtrc

    keep, doubt = 1 - exact(gamma), 1 - exact(confidence)
    small = confidence < 0.5  # the smaller of the two sides is the one that floats tell apart
    side, limit = (bdtr, confidence) if small else (bdtrc, float(doubt))
    chance = float(side(k - 1, m, float(keep)))
    if abs(chance - limit) > 1e-10 * limit:
        return chance > limit if small else chance < limit
    return m <= _EXACTLY and _tail(m, k, keep) <= doubt  # nearly a tie: decided exactly, or for more draws refused


def tolerance_m(gamma: float, confidence: float) -> int:
    """Return the least m that certifies γ with k = m under TOLERANCE."""
    context = _context(gamma, confidence)
    most = context.divide(_log(context, confidence), _log(context, gamma))
    m = max(1, int(most.to_integral_value(ROUND_CEILING)) - 2)
    while not _all_below(m, gamma, confidence):
        m += 1
    return m


def tolerance_gamma(m: int, confidence: float) -> float:
    """Return the least γ that m draws certify with k = m under TOLERANCE."""
    # 1 − (1−confidence)^(1/m), a hair below so that a true tie is not rounded past
    context = _context(confidence / m, confidence)
    least = context.subtract(1, context.exp(context.divide(_log(context, confidence), Decimal(m))))
    gamma = round_up(Fraction(least) * (1 - _NEARLY))
    while not _all_below(m, gamma, confidence):
        gamma = math.nextafter(gamma, math.inf)
    return gamma


def uniform_certifies(m: int, k: int, gamma: float, confidence: float) -> bool:
    """Return whether k >= k_m, that is log L_m(k) >= −log(1−confidence), with a margin so that rounding never certifies."""
    keep = float(1 - exact(gamma))
    if k < m and k <= m * keep:
        return False
    spare = _HAIR + (_HAIR_A_DRAW * m if k < m else 0.0)
    return _log_ratio(m, k, gamma, keep) - spare >= -math.log(1 - exact(confidence))


def uniform_m(gamma: float, confidence: float) -> int:
    """Return the least m that certifies γ with k = m under TIME_UNIFORM: L_m(m) grows with m."""
    low, high = 0, 1  # invariant: low does not certify; no range, for m can be beyond 2⁶³
    while not uniform_certifies(high, high, gamma, confidence):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if uniform_certifies(middle, middle, gamma, confidence) else (middle, high)
    return high


def uniform_gamma(m: int, confidence: float) -> float:
    """Return the least γ that m draws certify with k = m under TIME_UNIFORM; 1.0 if none below 1 does."""
    low, high = 0.0, 1.0  # invariant: low does not certify
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if uniform_certifies(m, m, middle, confidence) else (middle, high)
    return high


def least_order(m: int, certifies: Callable[[int], bool]) -> int:
    """Return the least k from 1 to m that certifies, if every k above it does too; m + 1 if m does not."""
    if not certifies(m):
        return m + 1
    return 1 + bisect_left(range(1, m), True, key=certifies)


def _log_ratio(m: int, k: int, gamma: float, keep: float) -> float:
    """Return log L_m(k) for k > m(1−γ): then the incomplete beta function is not small."""
    log_keep = math.log1p(-gamma) if gamma < 0.5 else math.log(keep)
    if k == m:  # ∫ (1 + γu/(1−γ))^m du, in which nothing cancels
        return math.log(-math.expm1((m + 1) * log_keep)) - math.log(m + 1) - math.log(gamma) - m * log_keep
    from scipy.special import betainc, betaln

    above = m - k + 1
    tail = float(betainc(above, k + 1, gamma))
    return math.log(tail) + float(betaln(above, k + 1)) - above * math.log(gamma) - k * log_keep


def _all_below(m: int, gamma: float, confidence: float) -> bool:
    """Return whether (1−γ)^m <= 1 − confidence, decided exactly: the point k = m tolerates γ (Wilks 1941)."""
    more = 0
    while True:
        context = _context(gamma, confidence, more)
        left, right = context.multiply(Decimal(m), _log(context, gamma)), _log(context, confidence)
        if abs(context.subtract(left, right)) > context.multiply(abs(right), Decimal(10) ** -(_SURE + more)):
            return left < right
        if m * _places(gamma) <= _places(confidence):  # as many decimals as keep**m has: otherwise the two are not equal
            return (1 - exact(gamma)) ** m <= 1 - exact(confidence)
        more += _DIGITS


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
