"""True sensitivity CDFs Φ(g) = P(G <= g), where they are known: the one file that knows a target and an oracle together.

Nothing is invented: None where no closed form is known. A new law is a line in ``true_cdf``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import FloatArray, Oracle, Target
from dpcore.oracles import Bernoulli, Categorical, Exponential, Normal, Uniform
from dpcore.targets import Histogram, Mean, Proportion

CDF = Callable[[FloatArray], FloatArray]
_ROUNDING = 1 - 1e-12  # a jump at 1/n is a jump at 1/n as computed


def true_cdf(target: Target, oracle: Oracle, norm: Norm, n: int) -> CDF | None:
    """Φ for the pairs that the sampler draws, or None. The formulas are for one column where nothing is clipped."""
    if isinstance(target, Mean) and norm != RANGE and _unclipped(target, oracle):
        return _of_mean(oracle, n)
    if isinstance(target, Proportion) and norm != RANGE:
        return _of_proportion(target, oracle, n)
    if isinstance(target, Histogram) and isinstance(oracle, Categorical) and target.categories is not None:
        codes = tuple(float(code) for code in range(len(oracle.p)))
        if sorted(target.categories, key=str) == sorted(codes, key=str):
            # both records in one category: no move; else two shares move by 1/n
            step = {L1: 2.0, L2: math.sqrt(2), LINF: 1.0, RANGE: 2.0}[norm] / n
            return _jump(sum(p * p for p in oracle.p), step)
    return None


def _of_mean(oracle: Oracle, n: int) -> CDF | None:
    """The law of |x − x'|/n for two records."""
    if isinstance(oracle, Exponential):
        rate = oracle.rate
        return lambda g: np.asarray(-np.expm1(-rate * n * g))  # Example 6
    if isinstance(oracle, Uniform):
        width = oracle.high - oracle.low
        return lambda g: np.asarray(1 - (1 - np.clip(n * g / width, 0, 1)) ** 2)
    if isinstance(oracle, Normal):
        sd = oracle.sd
        return lambda g: _folded_normal(n * g / sd)
    if isinstance(oracle, Bernoulli):
        return _jump(1 - 2 * oracle.p * (1 - oracle.p), 1 / n)
    return None


def _of_proportion(target: Proportion, oracle: Oracle, n: int) -> CDF | None:
    if isinstance(oracle, Bernoulli):
        chances = {0.0: 1 - oracle.p, 1.0: oracle.p}
    elif isinstance(oracle, Categorical):
        chances = {float(code): p for code, p in enumerate(oracle.p)}
    else:
        return None
    if target.interval is not None:
        low, high = target.interval
        inside = sum(p for code, p in chances.items() if low <= code <= high)
    else:
        inside = sum(p for code, p in chances.items() if code == target.category)
    return _jump(1 - 2 * inside * (1 - inside), 1 / n) if 0 < inside < 1 else None


def _unclipped(target: Mean, oracle: Oracle) -> bool:
    """Whether the target's and the oracle's bounds change no draw."""
    support = _support(oracle)
    if support is None or (isinstance(oracle, (Normal, Exponential)) and oracle.bounds is not None):
        return False
    if target.bounds is None:
        return True
    low, high = target.bounds
    return not isinstance(low, tuple) and not isinstance(high, tuple) and low <= support[0] and support[1] <= high


def _support(oracle: Oracle) -> tuple[float, float] | None:
    if isinstance(oracle, Uniform):
        return oracle.low, oracle.high
    if isinstance(oracle, Bernoulli):
        return 0.0, 1.0
    if isinstance(oracle, Exponential):
        return 0.0, math.inf
    return (-math.inf, math.inf) if isinstance(oracle, Normal) else None


def _folded_normal(z: FloatArray) -> FloatArray:
    """2Φ(z/√2) − 1: |x − x'| of two standard normals is √2 times a folded normal."""
    from scipy.special import erf

    return np.asarray(erf(np.asarray(z) / 2))


def _jump(at_zero: float, place: float) -> CDF:
    return lambda g: np.where(np.asarray(g) >= place * _ROUNDING, 1.0, np.where(np.asarray(g) >= 0, at_zero, 0.0))
