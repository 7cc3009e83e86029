"""Known facts of the distribution of an oracle's records, for the true CDFs of sensitivities."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpcore.base.arrays import CDF
from dpcore.base.types import Oracle

LEAST_SHARE, MOST_SHARE = 2.0**-1022, 1 - 2.0**-53  # the shares that are inverted: the ends of a distribution can be infinite
_ROUNDING = 1 - 1e-12  # a jump at 1/n is also a jump at 1/n as computed


def difference_cdf(oracle: Oracle) -> CDF | None:
    """Return P(|x − x'| <= d) for two records, if they are independent and it is known."""
    return oracle.difference_cdf if oracle.independent_records else None


def chances(oracle: Oracle) -> Mapping[float, float] | Mapping[str, float] | None:
    """Return the probability of each value of a record, if records are independent and have few known values."""
    return oracle.chances if oracle.independent_records else None


def jump(at_zero: float, place: float) -> CDF:
    """Return the CDF of a distance that is 0 with probability ``at_zero``, and ``place`` otherwise."""
    return lambda g: np.where(np.asarray(g) >= place * _ROUNDING, 1.0, np.where(np.asarray(g) >= 0, at_zero, 0.0))
