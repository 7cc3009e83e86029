"""A wrong oracle: γ by Proposition 8 of Rubinstein & Aldà (2017), and counts of missed pairs of another oracle.

Δ̂ misses a random pair of the oracle P with probability γ at most. The real records follow Q, and T is the Kullback–Leibler
divergence KL(P‖Q) of everything that decides whether a pair is missed, in nats. Then a random pair of Q is missed with
probability γ′ at most,

    γ′ = sup{q: kl(γ, q) <= T},  kl(p, q) = p·log(p/q) + (1 − p)·log((1 − p)/(1 − q)),

and γ′ <= γ + √(T/2) by Pinsker's inequality (mathematics, section 12.3). Proved worst cases need no oracle.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.audits.audit import clopper_pearson
from dpcore.base.checks import finite, share, whole
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.methods import choose
from dpcore.sampling.sampler import sample_sensitivity

CONFIDENCE = 0.95
_SLACK = 8 * 2.0**-53  # of each term and of 1: more than the rounding of kl


@final
@dataclass(frozen=True, slots=True)
class Missed:
    """The count of ``missed`` among ``pairs`` random pairs; the true share is in [low, high] with 95 % confidence."""

    pairs: int
    missed: int
    low: float
    high: float


def records_that_decide(target: Target, oracle: Oracle, n: int, adjacency: Adjacency) -> int | None:
    """Return how many independent records, or users, decide whether a pair is missed: T is as many τ (mathematics, section 12.3).

    For an additive target, the two that are exchanged or the one that is removed; otherwise all that are drawn. None if records
    of one database depend on each other: then τ is of a whole database, and T is one τ.

    Args:
        target: The target.
        oracle: The oracle.
        n: Number of records, or users.
        adjacency: What changes between neighbours.

    Examples:
        >>> from dpcore import oracles, targets
        >>> [records_that_decide(one, oracles.Normal(0, 1), 20, Adjacency.REPLACE_ONE_RECORD)
        ...  for one in (targets.Mean(), targets.Quantile(0.5))]
        [2, 21]
    """
    removes = adjacency.removes
    if not oracle.independent_records:
        return None
    if choose(target, oracle, n, adjacency).name == "additive":
        return 1 if removes else 2
    return n if removes else n + 1


def missed(
    target: Target,
    oracle: Oracle,
    norm: Norm,
    n: int,
    sensitivity: float,
    *,
    pairs: int,
    seed: int,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    executor: Executor | None = None,
) -> Missed:
    """Count the random pairs of an oracle on which the target moves further than Δ̂, which may be of another oracle.

    Args:
        target, oracle, norm, n, seed, adjacency, executor: Arguments of ``sample_sensitivity``, whose errors are raised.
        sensitivity: Δ̂ in the norm, at least 0.
        pairs: Number of random pairs. A pair on which the target fails is missed.

    Returns:
        The count, with an interval for the share.

    Raises:
        InvalidValueError: If the sensitivity is negative or not a number.

    Examples:
        >>> from dpcore import L1, oracles, targets
        >>> found = missed(targets.Mean(), oracles.Normal(0, 2.0), L1, 20, 0.139, pairs=1_000, seed=1)
        >>> round(found.missed / found.pairs, 1)  # 0.05 if the standard deviation is 1
        0.3
    """
    sensitivity, pairs = _at_least_0("sensitivity", sensitivity), whole("pairs", pairs)
    at = OperatingPoint.for_sample_size(pairs)
    drawn = sample_sensitivity(target, oracle, norm=norm, n=n, at=at, seed=seed, adjacency=adjacency, executor=executor)
    beyond = int(np.count_nonzero(drawn.distances > sensitivity))
    low, high = clopper_pearson(beyond, pairs, (1 - CONFIDENCE) / 2)
    return Missed(pairs, beyond, low, high)


def gamma_elsewhere(gamma: float, total: float) -> float:
    """Return γ′ = sup{q: kl(γ, q) <= T}, rounded up: the largest share of real changes that is not protected.

    Args:
        gamma: γ of the guarantee.
        total: T in nats, at least 0.

    Returns:
        γ′, at least γ and at most 1.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> round(gamma_elsewhere(0.05, 0.02), 3)
        0.106
    """
    gamma, total = share("gamma", gamma), _at_least_0("total", total)
    low, high = gamma, 1.0
    while low < (middle := (low + high) / 2) < high:
        if middle == 1 or _surely_above(gamma, middle, total):  # kl rises in q from γ on
            high = middle
        else:
            low = middle
    return min(high, by_pinsker(gamma, total))  # whose root needs fewer roundings where T is tiny


def by_pinsker(gamma: float, total: float) -> float:
    """Return γ + √(T/2), rounded up, at most 1 (Proposition 8): never below γ′.

    Args:
        gamma: γ of the guarantee.
        total: T in nats, at least 0.

    Examples:
        >>> round(by_pinsker(0.05, 0.02), 3)
        0.15
    """
    bound = math.nextafter(share("gamma", gamma) + math.nextafter(math.sqrt(_at_least_0("total", total) / 2), math.inf), math.inf)
    return min(bound, 1.0) if total else gamma


def normal_shift(tau: float) -> float:
    """Return by how many standard deviations the mean of a normal distribution moves for KL = τ nats: √(2τ).

    Args:
        tau: Divergence of one record in nats, at least 0.

    Examples:
        >>> round(normal_shift(0.02), 3)
        0.2
    """
    return math.sqrt(2 * _at_least_0("tau", tau))


def _at_least_0(name: str, value: float) -> float:
    number = finite(name, value)
    if number < 0:
        raise InvalidValueError(name, "at least 0", value)
    return number


def _surely_above(gamma: float, q: float, total: float) -> bool:
    """Return whether kl(γ, q) > T, despite rounding."""
    terms = gamma * math.log(gamma / q), (1 - gamma) * math.log((1 - gamma) / (1 - q))
    return math.fsum(terms) - _SLACK * (1 + sum(map(abs, terms))) > total
