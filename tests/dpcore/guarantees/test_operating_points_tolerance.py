"""TOLERANCE: P(Bin(m, 1−γ) <= k−1) >= confidence, checked by exact binomial tails."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=100)


def _point(m: int, gamma: float, confidence: float) -> OperatingPoint:
    return OperatingPoint.for_both(m, gamma, bound=Bound.TOLERANCE, confidence=confidence)


def _least_k(m: int, gamma: Fraction, confidence: Fraction) -> int:
    """By summing the binomial law exactly; m + 1 where no k will do."""
    below = Fraction(0)
    for k in range(1, m + 1):
        below += math.comb(m, k - 1) * (1 - gamma) ** (k - 1) * gamma ** (m - k + 1)
        if below >= confidence:
            return k
    return m + 1


@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(9, 10), Fraction(95, 100), Fraction(999, 1000)])
def test_k_is_the_exact_least_for_small_m(confidence: Fraction) -> None:
    for m in range(1, 18):
        for parts in range(2, 20):  # γ from 0.1 to 0.95, ties of the tail with the confidence among them
            gamma, least = Fraction(parts, 20), _least_k(m, Fraction(parts, 20), confidence)
            if least > m:
                with pytest.raises(GammaOutOfReachError):
                    _point(m, float(gamma), float(confidence))
            else:
                assert _point(m, float(gamma), float(confidence)).k == least, (m, gamma)


@pytest.mark.parametrize("m", [3, 5, 7, 9, 51, 101])
def test_a_tail_that_equals_the_confidence_is_enough(m: int) -> None:
    assert _point(m, 0.5, 0.5).k == (m + 1) // 2  # the median of a symmetric law


@FIXED
@given(m=st.integers(1, 20_000), parts=st.integers(1, 999), confidence=st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_k_is_least_by_the_binomial_law_of_scipy(m: int, parts: int, confidence: float) -> None:
    from scipy.stats import binom

    tails = binom.cdf(np.arange(m), m, 1 - parts / 1000)  # at k − 1 = 0, …, m − 1
    near = np.abs(tails - confidence) < 1e-9
    enough = tails >= confidence
    if not enough.any():
        with pytest.raises(GammaOutOfReachError):
            _point(m, parts / 1000, confidence)
        return
    least = int(np.argmax(enough)) + 1
    k = _point(m, parts / 1000, confidence).k
    assert k == least or near[min(k, least) - 1]


def test_a_gamma_of_three_digits_gets_its_least_m() -> None:
    for parts in [*range(1, 100), *range(100, 1_000, 7)]:
        m = OperatingPoint.for_gamma(parts / 1000, bound=Bound.TOLERANCE, confidence=0.95).m
        keep = Fraction(1000 - parts, 1000)
        assert keep**m <= Fraction(5, 100)
        assert m == 1 or keep ** (m - 1) > Fraction(5, 100)


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_every_m_survives_the_way_to_gamma_and_back(confidence: float) -> None:
    for m in [*range(1, 200), *range(1_000, 100_000, 4_951)]:
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.TOLERANCE, confidence=confidence).gamma
        assert OperatingPoint.for_gamma(gamma, bound=Bound.TOLERANCE, confidence=confidence).m == m
        assert _point(m, gamma, confidence).k == m


@pytest.mark.parametrize("confidence", ["0.1", "0.9", "0.95", "0.999", "0.99999"])
def test_a_computed_gamma_is_the_least_float_that_certifies(confidence: str) -> None:
    doubt = 1 - Fraction(confidence)
    for m in [1, 2, 19, 20, 59, 100, 199]:
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.TOLERANCE, confidence=float(confidence)).gamma
        assert (1 - Fraction(str(gamma))) ** m <= doubt
        assert (1 - Fraction(str(math.nextafter(gamma, 0)))) ** m > doubt, m


def test_the_known_number_of_wilks() -> None:
    assert OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95).m == 59
    assert OperatingPoint.for_gamma(0.5, bound=Bound.TOLERANCE, confidence=0.75).m == 2  # 0.5² = 1 − 0.75: a tie


def test_its_joint_gamma_is_that_of_its_rank() -> None:
    for m in range(59, 400):
        point = _point(m, 0.05, 0.95)
        assert Fraction(str(point.joint_gamma)) >= 1 - Fraction(point.k, m + 1)
        assert Fraction(str(math.nextafter(point.joint_gamma, 0))) < 1 - Fraction(point.k, m + 1)


def test_with_a_confidence_of_1_minus_1_over_e_it_certifies_rank_too_and_with_little_it_does_not() -> None:
    for m in range(1, 300):
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.TOLERANCE, confidence=0.6322).gamma
        assert OperatingPoint.for_both(m, gamma, bound=Bound.TOLERANCE, confidence=0.6322).joint_gamma <= gamma
    assert OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.1).joint_gamma == 0.25
