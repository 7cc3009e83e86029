"""RANK: k/(m+1) >= 1 − γ, checked in whole numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=150)


def test_every_gamma_of_four_digits_gets_its_least_m() -> None:
    for parts in range(1, 10_000):
        point = OperatingPoint.for_gamma(parts / 10_000)
        m = point.m
        assert point.k == m
        assert parts * (m + 1) >= 10_000, parts  # 1/(m+1) <= γ
        assert m == 1 or parts * m < 10_000, parts  # one draw less does not


def test_every_m_survives_the_way_to_gamma_and_back() -> None:
    for m in [*range(1, 1_001), *range(1_001, 5_001, 13)]:
        gamma = OperatingPoint.for_sample_size(m).gamma
        assert OperatingPoint.for_gamma(gamma).m == m
        assert OperatingPoint.for_both(m, gamma).k == m


def test_a_computed_gamma_is_the_least_float_that_certifies() -> None:
    for m in range(1, 5_001):
        gamma = OperatingPoint.for_sample_size(m).gamma
        assert Fraction(str(gamma)) * (m + 1) >= 1
        assert Fraction(str(math.nextafter(gamma, 0))) * (m + 1) < 1


def test_k_is_least_for_every_m_up_to_120_and_every_gamma_of_two_digits() -> None:
    refused = 0
    for m in range(1, 121):
        for parts in range(1, 100):
            if parts * (m + 1) < 100:  # even k = m does not certify
                with pytest.raises(GammaOutOfReachError) as caught:
                    OperatingPoint.for_both(m, parts / 100)
                assert caught.value.least_m == math.ceil(Fraction(100, parts)) - 1
                refused += 1
                continue
            k = OperatingPoint.for_both(m, parts / 100).k
            assert 100 * k >= (100 - parts) * (m + 1), (m, parts)
            assert k == 1 or 100 * (k - 1) < (100 - parts) * (m + 1), (m, parts)
    assert refused == sum(parts * (m + 1) < 100 for m in range(1, 121) for parts in range(1, 100)) > 300


@FIXED
@given(m=st.integers(1, 10**12), parts=st.integers(1, 10**9 - 1))
def test_k_is_least_for_large_m_too(m: int, parts: int) -> None:
    gamma = parts / 10**9
    least = max(1, -((10**9 - parts) * (m + 1) // -(10**9)))
    if least > m:
        with pytest.raises(GammaOutOfReachError):
            OperatingPoint.for_both(m, gamma)
    else:
        assert OperatingPoint.for_both(m, gamma).k == least


def test_the_numbers_that_the_papers_readers_will_check() -> None:
    assert OperatingPoint.for_gamma(0.05).m == 19
    assert OperatingPoint.for_gamma(0.01).m == 99
    assert OperatingPoint.for_both(9, 0.7).k == 3  # ceil(10·(1 − 0.7)) is 4 in floats
    assert OperatingPoint.for_sample_size(1_305).gamma == pytest.approx(7.657e-4, rel=1e-3)


def test_rank_is_the_default_and_its_gamma_is_joint() -> None:
    for point in (OperatingPoint.for_gamma(0.05), OperatingPoint.for_sample_size(7), OperatingPoint.for_both(50, 0.3)):
        assert (point.bound, point.rho, point.confidence) == (Bound.RANK, None, None)
        assert point.joint_gamma == point.gamma


def test_a_gamma_of_seventeen_digits_is_read_as_it_is_written() -> None:
    assert OperatingPoint.for_gamma(1 / 3).m == 3  # 0.3333333333333333 is below a third
    assert OperatingPoint.for_gamma(0.33333333333333337).m == 2
