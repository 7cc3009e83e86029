"""Where a quantile of the distances lies, as far as the draws that there are tell."""

from __future__ import annotations

import math

import numpy as np

from dpcore.checks import share
from dpcore.types import FloatArray


def quantile_interval(distances: FloatArray, p: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """(G_(a), G_(b)) that holds the p-quantile of G with the stated confidence, each tail at most half of the rest.

    #{G_i <= q} is at least, and #{G_i < q} at most, binomial with t trials and chance p (Wilks 1948). 0 or ∞ where t draws
    say nothing of that end. For one look at draws whose number was fixed: it calibrates nothing.
    """
    from scipy.stats import binom

    p, tail = share("p", p), (1 - share("confidence", confidence)) / 2
    t, ordered = len(distances), np.sort(distances)
    a = int(binom.ppf(tail, t, p)) if t else 0  # the least count with P(Bin <= a) >= tail, so P(Bin <= a − 1) < tail
    b = int(binom.isf(tail, t, p)) + 1 if t else 1  # the least count with P(Bin >= b) <= tail
    return (float(ordered[a - 1]) if a > 0 else 0.0), (float(ordered[b - 1]) if b <= t else math.inf)
