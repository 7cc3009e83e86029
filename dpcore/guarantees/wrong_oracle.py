"""What γ becomes where real records are unlike the oracle's (Rubinstein & Aldà 2017, Proposition 8).

Δ̂ misses a random pair of the oracle P with probability γ at most. The world follows Q, and T is the Kullback–Leibler divergence
KL(P‖Q) of all that decides whether a pair is missed, in nats: ``dpcore.audits.wrong_oracle`` counts it. Then a random pair of Q
is missed with probability γ′ at most,

    γ′ = sup{q: kl(γ, q) <= T},  kl(p, q) = p·log(p/q) + (1 − p)·log((1 − p)/(1 − q)),

and γ′ <= γ + √(T/2), as Pinsker has it (mathematics, section 12.3). It says nothing of a worst case, which needs no oracle.
"""

from __future__ import annotations

import math

from dpcore.base.checks import finite, share
from dpcore.errors import InvalidValueError

_SLACK = 8 * 2.0**-53  # of each term and of 1: more than the rounding of kl


def divergence(p: float, q: float) -> float:
    """kl(p, q) in nats, of two coins that fall on one side with probability p and q, both above 0 and below 1."""
    return math.fsum(_terms(share("p", p), share("q", q)))


def gamma_elsewhere(gamma: float, total: float) -> float:
    """γ′ = sup{q: kl(γ, q) <= T}, rounded up: the share of the world's changes that is not protected, at most.

    ``gamma``: that of the guarantee, above 0 and below 1. ``total``: T in nats, at least 0. -> γ for T = 0, up to 1.
    """
    gamma, total = share("gamma", gamma), _total(total)
    low, high = gamma, 1.0
    while low < (middle := (low + high) / 2) < high:
        if middle == 1 or _surely_above(gamma, middle, total):  # kl rises in q from γ on
            high = middle
        else:
            low = middle
    return min(high, by_pinsker(gamma, total))  # whose root needs fewer roundings where T is tiny


def by_pinsker(gamma: float, total: float) -> float:
    """γ + √(T/2), rounded up, and at most 1: Proposition 8's own form, which is never below γ′."""
    bound = math.nextafter(share("gamma", gamma) + math.nextafter(math.sqrt(_total(total) / 2), math.inf), math.inf)
    return min(bound, 1.0) if total else gamma


def normal_shift(tau: float) -> float:
    """How many standard deviations the mean of a normal law is moved by for KL = τ nats: √(2τ)."""
    return math.sqrt(2 * _total(tau))


def _total(value: float) -> float:
    number = finite("total", value)
    if number < 0:
        raise InvalidValueError("total", "a divergence of at least 0", value)
    return number


def _terms(p: float, q: float) -> tuple[float, float]:
    return p * math.log(p / q), (1 - p) * math.log((1 - p) / (1 - q))


def _surely_above(gamma: float, q: float, total: float) -> bool:
    """Whether kl(γ, q) > T whatever rounding did."""
    terms = _terms(gamma, q)
    return math.fsum(terms) - _SLACK * (1 + sum(map(abs, terms))) > total
