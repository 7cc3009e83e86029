"""TOLERANCE for every number of draws at once: P(for all m: G_(k_m) covers 1 − γ of pairs) >= confidence.

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
from fractions import Fraction

# What log L must have to spare. Its rounding was seen to be at most 1e-15 for k = m and 4e-15·m for a smaller k.
_HAIR, _HAIR_A_DRAW = 1e-9, 1e-13


def certifies(m: int, k: int, gamma: float, confidence: float) -> bool:
    """Whether k >= k_m: log L_m(k) is at least −log(1−confidence), with a hair to spare, so that no rounding certifies."""
    keep = float(1 - Fraction(str(gamma)))
    if k < m and k <= m * keep:
        return False
    spare = _HAIR + (_HAIR_A_DRAW * m if k < m else 0.0)
    return _log_ratio(m, k, gamma, keep) - spare >= -math.log(1 - Fraction(str(confidence)))


def least_m(gamma: float, confidence: float) -> int:
    """The least m that certifies with k = m: L_m(m) grows with m."""
    low, high = 0, 1  # invariant: low does not certify; no range, for m can be beyond 2⁶³
    while not certifies(high, high, gamma, confidence):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if certifies(middle, middle, gamma, confidence) else (middle, high)
    return high


def least_gamma(m: int, confidence: float) -> float:
    """The least float that m draws certify with k = m; 1.0 where there is none below."""
    low, high = 0.0, 1.0  # invariant: low does not certify
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if certifies(m, m, middle, confidence) else (middle, high)
    return high


def least_k(m: int, gamma: float, confidence: float) -> int:
    """k_m; m + 1 where m draws certify nothing."""
    if not certifies(m, m, gamma, confidence):
        return m + 1
    return 1 + bisect_left(range(1, m), True, key=lambda k: certifies(m, k, gamma, confidence))


def _log_ratio(m: int, k: int, gamma: float, keep: float) -> float:
    """log L_m(k), for k > m(1−γ): the incomplete beta function is then no small number."""
    log_keep = math.log1p(-gamma) if gamma < 0.5 else math.log(keep)
    if k == m:  # ∫ (1 + γu/(1−γ))^m du, in which nothing cancels
        return math.log(-math.expm1((m + 1) * log_keep)) - math.log(m + 1) - math.log(gamma) - m * log_keep
    from scipy.special import betainc, betaln

    above = m - k + 1
    tail = float(betainc(above, k + 1, gamma))
    return math.log(tail) + float(betaln(above, k + 1)) - above * math.log(gamma) - k * log_keep
