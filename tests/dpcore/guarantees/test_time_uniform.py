"""TIME_UNIFORM: k_m is the least S with L_m(S) >= 1/(1 − confidence), checked by the definition of L as a mixture."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError, NotCertifiedError
from dpcore.guarantees import operating_points
from dpcore.guarantees.operating_points import least_order
from tests.yardstick import in_loops

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=60)


def _point(m: int, gamma: float, confidence: float = 0.95) -> OperatingPoint:
    return OperatingPoint.for_both(m, gamma, bound=Bound.TIME_UNIFORM, confidence=confidence)


def _mixture(m: int, s: int, gamma: Fraction) -> Fraction:
    """∫ over p in [1−γ, 1] of p^s (1−p)^(m−s) dp/γ, over its value at 1−γ: exact, by expanding (1−v)^s, v = 1−p."""
    area = sum((-1) ** i * math.comb(s, i) * gamma ** (m - s + i + 1) / (m - s + i + 1) for i in range(s + 1))
    return area / gamma / ((1 - gamma) ** s * gamma ** (m - s))


def _log_series(m: int, s: int, gamma: float) -> float:
    """log ∫_0^1 (1 + γu/(1−γ))^s (1−u)^(m−s) du by the binomial series: its terms are all positive, so nothing cancels."""
    j = np.arange(min(s, 20_000))
    terms = np.cumprod((s - j) / (m - s + 2 + j) * (gamma / (1 - gamma)))
    assert j.size == s or terms[-1] < 1e-15
    return math.log((1 + math.fsum(terms)) / (m - s + 1))


def test_the_known_numbers() -> None:
    assert OperatingPoint.for_gamma(0.05, bound=Bound.TIME_UNIFORM, confidence=0.95).m == 88
    assert _point(1_000, 0.05).k == 969
    with pytest.raises(GammaOutOfReachError) as caught:
        _point(87, 0.05)
    assert caught.value.least_m == 88


@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(8, 10), Fraction(95, 100), Fraction(999, 1000)])
def test_k_is_the_least_of_all_orders_by_the_exact_mixture(confidence: Fraction) -> None:
    for m in (1, 2, 3, 5, 8, 13, 21, 30):
        for gamma in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 5), Fraction(1, 2), Fraction(19, 20)):
            enough = [s for s in range(m + 1) if _mixture(m, s, gamma) * (1 - confidence) >= 1]
            assert enough == list(range(m + 1 - len(enough), m + 1))  # it grows with S, below m(1−γ) too
            if not enough:
                with pytest.raises(GammaOutOfReachError):
                    _point(m, float(gamma), float(confidence))
            else:
                assert _point(m, float(gamma), float(confidence)).k == enough[0], (m, gamma)


@pytest.mark.parametrize(("m", "gamma"), [(88, 0.05), (300, 0.05), (1_000, 0.2), (3_000, 0.01), (500, 0.5)])
def test_the_ratio_is_the_integral_by_quadrature(m: int, gamma: float) -> None:
    for k in range(math.ceil(m * (1 - gamma)) + 1, m + 1, max(1, m // 50)):
        area, _ = quad(lambda u, k=k: (1 + gamma * u / (1 - gamma)) ** k * (1 - u) ** (m - k), 0, 1, epsabs=0, epsrel=1e-11)
        assert operating_points._log_ratio(m, k, gamma, 1 - gamma) == pytest.approx(math.log(area), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("m", [10_000, 100_000, 1_000_000])
@pytest.mark.parametrize("gamma", [0.001, 0.05, 0.3])
def test_for_many_draws_the_rounding_is_below_the_hair_and_k_is_still_the_least(m: int, gamma: float) -> None:
    k = _point(m, gamma).k
    for order in (k - 1, k, min(m, k + 50)):
        assert abs(operating_points._log_ratio(m, order, gamma, 1 - gamma) - _log_series(m, order, gamma)) < 1e-14 * m
    assert _log_series(m, k - 1, gamma) < math.log(20) <= _log_series(m, k, gamma)


def test_a_tie_certifies_nothing_for_rounding_could_have_made_it() -> None:
    assert _mixture(1, 1, Fraction(3, 4)) == 1 / (1 - Fraction(6, 10))  # m = 1, γ = 0.75, confidence 0.6
    assert OperatingPoint.for_gamma(0.75, bound=Bound.TIME_UNIFORM, confidence=0.6).m == 2
    with pytest.raises(NotCertifiedError):
        OperatingPoint(1, 1, 0.75, Bound.TIME_UNIFORM, confidence=0.6)
    OperatingPoint(1, 1, 0.75, Bound.TIME_UNIFORM, confidence=0.599999)


@pytest.mark.parametrize(("m", "k"), [(87, 87), (88, 87), (1_000, 968), (1_000, 700), (1_000, 1), (1_000, 1_001)])
def test_a_point_made_by_hand_that_certifies_nothing_is_refused(m: int, k: int) -> None:
    with pytest.raises(NotCertifiedError) as caught:
        OperatingPoint(m, k, 0.05, Bound.TIME_UNIFORM, confidence=0.95)
    assert (caught.value.m, caught.value.k, caught.value.bound) == (m, k, "TIME_UNIFORM")


@pytest.mark.parametrize(("gamma", "confidence"), [(0.05, 0.95), (0.2, 0.8), (0.01, 0.5)])
def test_with_each_draw_the_order_stays_or_rises_by_one_and_is_never_below_tolerance_s(gamma: float, confidence: float) -> None:
    first = OperatingPoint.for_gamma(gamma, bound=Bound.TIME_UNIFORM, confidence=confidence).m
    last = _point(first, gamma, confidence).k
    assert last == first
    for m in range(first + 1, first + 250):
        k = _point(m, gamma, confidence).k
        assert k in (last, last + 1)
        assert k >= OperatingPoint.for_both(m, gamma, bound=Bound.TOLERANCE, confidence=confidence).k
        last = k


@FIXED
@given(m=st.integers(1, 100_000), parts=st.integers(1, 990), confidence=st.sampled_from([0.1, 0.8, 0.95, 0.9999]))
def test_less_gamma_or_more_confidence_never_takes_a_lower_order(m: int, parts: int, confidence: float) -> None:
    orders = [
        least_order(m, gamma, Bound.TIME_UNIFORM, sure)[0]
        for gamma, sure in (((parts + 5) / 1000, confidence), (parts / 1000, confidence), (parts / 1000, (1 + confidence) / 2))
    ]
    assert orders == sorted(orders)


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_every_m_survives_the_way_to_gamma_and_back(confidence: float) -> None:
    for m in [*range(1, 200), *range(1_000, 100_000, 4_951)]:
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.TIME_UNIFORM, confidence=confidence).gamma
        assert OperatingPoint.for_gamma(gamma, bound=Bound.TIME_UNIFORM, confidence=confidence).m == m
        assert _point(m, gamma, confidence).k == m


@pytest.mark.parametrize("m", [1, 2, 19, 88, 150])
def test_a_computed_gamma_certifies_exactly_and_a_millionth_less_does_not(m: int) -> None:
    gamma = OperatingPoint.for_sample_size(m, bound=Bound.TIME_UNIFORM, confidence=0.95).gamma
    assert _mixture(m, m, Fraction(str(gamma))) >= 20
    assert _mixture(m, m, Fraction(gamma) * Fraction(999_999, 1_000_000)) < 20


@pytest.mark.parametrize("gamma", [0.001, 0.05, 0.3, 0.7, 0.999])
def test_the_least_m_is_least_by_the_exact_mixture(gamma: float) -> None:
    m = OperatingPoint.for_gamma(gamma, bound=Bound.TIME_UNIFORM, confidence=0.9).m
    keep = 1 - Fraction(str(gamma))
    ratios = [(1 - keep ** (size + 1)) / (size + 1) / (1 - keep) / keep**size for size in (m - 1, m)]  # in closed form
    assert ratios[0] < 10 <= ratios[1]


def test_its_joint_gamma_speaks_of_any_m() -> None:
    for m in (88, 1_000):
        joint = _point(m, 0.05).joint_gamma
        assert Fraction(str(joint)) >= Fraction(975, 10_000)  # 1 − 0.95·0.95
        assert joint == pytest.approx(0.0975, rel=1e-15)


def test_points_are_found_fast() -> None:
    """0.2, 0.3 and 0.7 ms were measured, where a loop takes 16: all three in less than one of it."""

    def three() -> None:
        _point(100_000, 0.05)
        OperatingPoint.for_gamma(0.001, bound=Bound.TIME_UNIFORM, confidence=0.95)
        OperatingPoint.for_sample_size(100_000, bound=Bound.TIME_UNIFORM, confidence=0.95)

    assert in_loops(three) < 1.0
