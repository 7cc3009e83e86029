"""The band of an empirical CDF holds the whole true CDF in at least 95% of samples of any size; one 10 % narrower does not.

The largest deviation of continuous distances has Kolmogorov's law, whatever their own law. A lesson draws this band.
"""

from __future__ import annotations

import pytest
from scipy import stats

from dpcore.guarantees.operating_points import half_width

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("m", [19, 199, 3_000, 20_000])
def test_band_holds_and_a_narrower_one_does_not(m: int) -> None:
    law = stats.kstwo(m)
    assert 0.95 <= law.cdf(half_width(m)) < 0.97
    assert law.cdf(0.9 * half_width(m)) < 0.93
