"""The band of an empirical CDF holds the whole true CDF in at least 95% of samples, of any size, with ties and failures too.

The largest deviation of continuous distances has Kolmogorov's law, whatever their own law. A lesson draws this band.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.operating_points import half_width

pytestmark = pytest.mark.statistical
LEAST, UNIT, MOST = 200, 1_000, 4_605  # thousandths up to LEAST are 0, those beyond MOST (1 %) are failures


@pytest.mark.parametrize("m", [19, 199, 3_000, 20_000])
def test_it_holds_as_often_as_said_and_a_narrower_does_not(m: int) -> None:
    law = stats.kstwo(m)
    assert 0.95 <= law.cdf(half_width(m)) < 0.97
    assert law.cdf(0.9 * half_width(m)) < 0.93


def _cdf(at: FloatArray) -> FloatArray:
    return np.asarray(-np.expm1(-np.clip(np.floor(at), LEAST, MOST) / UNIT))


def test_ties_and_failures_only_help() -> None:
    """1,000 samples of 199 exponential distances in thousandths, with an atom at 0 and one at +∞. The share has a standard error
    of .007; the seed is fixed."""
    m, rng, held = 199, np.random.default_rng(199), 0
    for _ in range(1_000):
        found = np.sort(np.ceil(UNIT * rng.standard_exponential(m)))
        ordered = np.where(found > MOST, np.inf, np.where(found > LEAST, found, 0.0))
        at = ordered[np.isfinite(ordered)]
        left = np.maximum(np.nextafter(at, -1), 0)
        apart = (np.searchsorted(ordered, one, side="right") / m - _cdf(one) for one in (at, left))
        held += max(np.abs(one).max() for one in apart) <= half_width(m)
    assert held / 1_000 >= 0.93
