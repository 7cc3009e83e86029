"""DKW: Theorem 15 of Rubinstein & Aldà (2017), k >= m(1 − γ + ρ + √(log(1/ρ)/(2m))), minimised over ρ by other means."""

from __future__ import annotations

import math

import pytest

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError, NotCertifiedError


def _least_gamma(m: int) -> float:
    """min over ρ of ρ + √(log(1/ρ)/(2m)), by golden section on log ρ."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        lambda x: math.exp(x) + math.sqrt(-x / (2 * m)), bounds=(-60, math.log(0.5)), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.fun)


def test_the_least_gamma_is_the_minimum_over_rho() -> None:
    for m in [*range(2, 200), *range(200, 100_000, 997)]:
        assert OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma == pytest.approx(_least_gamma(m), rel=1e-9)


def test_m_is_least_for_every_gamma_of_three_digits() -> None:
    for parts in range(10, 1_000):
        gamma = parts / 1000
        m = OperatingPoint.for_gamma(gamma, bound=Bound.DKW).m
        assert OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma <= gamma * (1 + 1e-12)
        if m > 2:
            assert OperatingPoint.for_sample_size(m - 1, bound=Bound.DKW).gamma > gamma


def test_every_m_survives_the_way_to_gamma_and_back() -> None:
    for m in range(2, 3_000):
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma
        assert OperatingPoint.for_gamma(gamma, bound=Bound.DKW).m == m
        assert OperatingPoint.for_both(m, gamma, bound=Bound.DKW).k == m


def test_k_is_least_by_the_theorems_inequality() -> None:
    reached = 0
    for m in range(2, 2_000, 13):
        for parts in range(1, 100):
            try:
                point = OperatingPoint.for_both(m, parts / 100, bound=Bound.DKW)
            except GammaOutOfReachError:
                assert _least_gamma(m) > parts / 100 * (1 - 1e-9)
                continue
            assert point.rho is not None
            needed = m * (1 - parts / 100 + point.rho + math.sqrt(math.log(1 / point.rho) / (2 * m)))
            assert point.k >= needed * (1 - 1e-11)
            assert point.k == 1 or point.k - 1 < needed
            reached += 1
    assert reached > 10_000


@pytest.mark.parametrize(("m", "gamma"), [(1_305, 0.1), (285, 0.3), (10_000, 0.05)])
def test_one_rank_less_certifies_nothing(m: int, gamma: float) -> None:
    point = OperatingPoint.for_both(m, gamma, bound=Bound.DKW)
    with pytest.raises(NotCertifiedError) as caught:
        OperatingPoint(m, point.k - 1, gamma, Bound.DKW, rho=point.rho)
    assert (caught.value.m, caught.value.k, caught.value.gamma, caught.value.bound) == (m, point.k - 1, gamma, "DKW")


@pytest.mark.parametrize(("gamma", "m"), [(0.05, 1_305), (0.01, 41_971)])
def test_the_numbers_of_the_paper(gamma: float, m: int) -> None:
    point = OperatingPoint.for_gamma(gamma, bound=Bound.DKW)
    assert (point.m, point.k, point.joint_gamma) == (m, m, gamma)


def test_it_takes_the_lower_branch_of_the_lambert_function() -> None:
    assert OperatingPoint.for_gamma(0.05, bound=Bound.DKW).m != 1_325  # the upper branch, as in Sherpa.FL
