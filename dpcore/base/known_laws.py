"""What oracles of single independent numbers may say of their records' law, for true sensitivity CDFs of targets.

Nothing is invented: None where an oracle says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray, Oracle

CDF = Callable[[FloatArray], FloatArray]
"""P(G <= g) at distances g of any shape."""
LEAST_SHARE, MOST_SHARE = 2.0**-1022, 1 - 2.0**-53  # what is inverted: no law is asked for its ends, which can be infinite
_ROUNDING = 1 - 1e-12  # a jump at 1/n is a jump at 1/n as computed


def difference_cdf(oracle: Oracle) -> CDF | None:
    """P(|x − x'| <= d) for two of its records, as its ``difference_cdf(d)`` has it."""
    known: CDF | None = oracle.difference_cdf
    return known if callable(known) and oracle.independent_records else None


def support(oracle: Oracle) -> Interval | None:
    """An interval that no record leaves, from its ``support``; its ends may be infinite."""
    return oracle.support


def chances(oracle: Oracle) -> Mapping[float, float] | Mapping[str, float] | None:
    """The chance of each value, number or text, that a record can have, from its ``chances``: there are few of them."""
    known: Mapping[float, float] | Mapping[str, float] | None = oracle.chances
    return known if known is not None and oracle.independent_records else None


def jump(at_zero: float, place: float) -> CDF:
    """The CDF of a distance that is 0 with chance ``at_zero``, and else ``place``."""
    return lambda g: np.where(np.asarray(g) >= place * _ROUNDING, 1.0, np.where(np.asarray(g) >= 0, at_zero, 0.0))
