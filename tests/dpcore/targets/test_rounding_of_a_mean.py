"""Rounding moves a mean by over 2 ulp beyond what a record can: its worst case counts that (mathematics, section 1.9)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpcore import L1
from dpcore.base.arrays import Database
from dpcore.targets import Mean

N, UNIT = 1_025, 2**52  # records are whole multiples of an ulp of numbers from 1 to 2, that is of 2⁻⁵²
STEP = 2_048  # units: an ulp of sums from 2,048 to 4,096, to which an exact sum is rounded


def _neighbours() -> tuple[Database, Database]:
    """Sums a little above 2,048: the one is rounded up by nearly half a STEP, the other down, and so are the two quotients."""
    small = 2_048 * UNIT + 261 * STEP + (STEP // 2 - 1)
    large = 2_048 * UNIT + 761 * STEP - (STEP // 2 - 1)
    low = small // N - (large - small) // 2
    share, more = divmod(small - low, N - 1)
    common = [share + 1] * more + [share] * (N - 1 - more)
    high = low + large - small
    assert low <= min(common) <= max(common) <= high
    return np.array([low, *common], dtype=np.float64) / UNIT, np.array([high, *common], dtype=np.float64) / UNIT


def test_a_mean_moves_by_nearly_three_ulp_more_than_its_record_and_no_more_than_is_proved() -> None:
    first, second = _neighbours()
    low, high = float(first[0]), float(second[0])
    target = Mean((low, high))
    moved = Fraction(float(target(second)[0])) - Fraction(float(target(first)[0]))
    beyond = (moved - (Fraction(high) - Fraction(low)) / N) / Fraction(math.ulp(high))
    assert 2.97 < beyond < 3
    proved = target.global_sensitivity(L1, N)
    assert proved is not None
    assert moved <= Fraction(proved.value)
