"""Scales of Laplace and Gaussian noise: by formula, by quadrature of the privacy loss, and rounded up."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import L1, L2, Adjacency, ApproxDP, GaussianMechanism, GlobalSensitivity, LaplaceMechanism, PureDP
from dpcore.base.arrays import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.gaussian import Calibration, gaussian_delta
from tests.reference.read import lines

SCALES = [{key: float(value) for key, value in line.items()} for line in lines("noise_scales.csv")]
FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=300)


def total(database: Database, /) -> FloatArray:
    return np.array([database.sum()])


def laplace(sensitivity: float, epsilon: float) -> float:
    proved = GlobalSensitivity(total, sensitivity, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return LaplaceMechanism().calibrate(proved, PureDP(epsilon)).law.scale


def gaussian(sensitivity: float, epsilon: float, delta: float, calibration: Calibration = "analytic") -> float:
    proved = GlobalSensitivity(total, sensitivity, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return GaussianMechanism(calibration).calibrate(proved, ApproxDP(epsilon, delta)).law.scale


def delta_by_quadrature(sigma: float, epsilon: float) -> float:
    """∫ max(0, p(x) − exp(ε) q(x)) dx for p = Normal(0, σ²) and q = Normal(1, σ²): the definition of the least δ."""
    from scipy.integrate import quad
    from scipy.stats import norm

    edge = 0.5 - epsilon * sigma**2  # where p = exp(ε) q
    found = quad(
        lambda x: norm.pdf(x, 0, sigma) - math.exp(epsilon) * norm.pdf(x, 1, sigma),
        min(edge, 0) - 14 * sigma,
        edge,
        points=(edge - sigma, edge - 4 * sigma),
        epsabs=0,
        epsrel=1e-10,
        limit=500,
    )
    return float(found[0])


@pytest.mark.parametrize("line", SCALES, ids=lambda line: f"{line['sensitivity']}-{line['epsilon']}-{line['delta']}")
def test_laplace_scales_are_the_references(line: dict[str, float]) -> None:
    assert laplace(line["sensitivity"], line["epsilon"]) == pytest.approx(line["laplace_scale"], rel=1e-15, abs=0)


@pytest.mark.parametrize("line", SCALES, ids=lambda line: f"{line['sensitivity']}-{line['epsilon']}-{line['delta']}")
def test_classical_gaussian_scales_are_the_references_below_epsilon_1_and_refused_from_there(line: dict[str, float]) -> None:
    if line["epsilon"] < 1:
        scale = gaussian(line["sensitivity"], line["epsilon"], line["delta"], "classical")
        assert scale == pytest.approx(line["gaussian_sd"], rel=1e-14, abs=0)
    else:
        with pytest.raises(InvalidValueError) as caught:
            gaussian(line["sensitivity"], line["epsilon"], line["delta"], "classical")
        assert (caught.value.name, caught.value.got) == ("epsilon", line["epsilon"])


@FIXED
@given(sensitivity=st.floats(1e-300, 1e300), epsilon=st.floats(1e-6, 1e6))
def test_a_laplace_scale_is_above_the_real_quotient_by_at_most_two_ulp(sensitivity: float, epsilon: float) -> None:
    scale = laplace(sensitivity, epsilon)
    real = Fraction(sensitivity) / Fraction(epsilon)
    assert real <= Fraction(scale) <= real + 2 * Fraction(math.ulp(scale))


@pytest.mark.parametrize("calibration", ["analytic", "classical"])
def test_a_gaussian_scale_is_not_below_the_real_product(calibration: Calibration) -> None:
    rng = np.random.default_rng(3)
    unit = Fraction(gaussian(1.0, 0.5, 1e-6, calibration))
    for sensitivity in rng.random(200):
        ratio = Fraction(gaussian(float(sensitivity), 0.5, 1e-6, calibration)) / Fraction(float(sensitivity)) / unit
        assert abs(ratio - 1) < Fraction(1, 10**15)


def test_the_analytic_scale_is_the_known_number() -> None:
    assert gaussian(1, 1, 1e-6) == pytest.approx(4.224678889, abs=5e-10)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-9])
def test_the_analytic_scale_spends_exactly_delta_by_quadrature(epsilon: float, delta: float) -> None:
    sigma = gaussian(1, epsilon, delta)
    assert delta_by_quadrature(sigma, epsilon) == pytest.approx(delta, rel=1e-5)
    assert delta_by_quadrature(sigma * 0.99, epsilon) > delta * 1.01  # a scale 1 % less would not do
    assert delta_by_quadrature(sigma * 1.01, epsilon) < delta * 0.99


def delta_with_60_digits(sigma: float, epsilon: float) -> Any:
    """Φ(1/(2σ) − εσ) − exp(ε)Φ(−1/(2σ) − εσ), of which 40 digits may cancel."""
    with mpmath.workdps(100):
        s, e = mpmath.mpf(sigma), mpmath.mpf(epsilon)
        return mpmath.ncdf(1 / (2 * s) - e * s) - mpmath.exp(e) * mpmath.ncdf(-1 / (2 * s) - e * s)


EPSILONS = tuple(float(epsilon) for epsilon in (1e-8, 3e-8, 1e-7, 1e-6, 2e-5, 1e-4, 1e-3, 0.01, 0.07, 0.5, 1, 3, 10, 37, 100))


@pytest.mark.parametrize("delta", [1e-16, 7.5e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.05, 0.5])
def test_the_analytic_scale_spends_no_more_than_delta_to_60_digits_and_hardly_less(delta: float) -> None:
    for epsilon in EPSILONS:
        sigma = gaussian(1, epsilon, delta)
        assert delta_with_60_digits(sigma, epsilon) <= delta, epsilon
        assert delta_with_60_digits(sigma * (1 - 1e-8), epsilon) > delta, epsilon


def test_what_is_computed_of_delta_errs_by_less_than_its_margin_counts_on() -> None:
    for epsilon in EPSILONS:
        for z in np.linspace(-2, 9, 23):
            sigma = 1 / (math.hypot(z, math.sqrt(2 * epsilon)) - z)  # where z = εσ − 1/(2σ)
            exact = delta_with_60_digits(sigma, epsilon)
            grows = 1 + (epsilon * sigma + 1 / sigma) * (abs(z) + 2)
            error = float(gaussian_delta(sigma, epsilon) / exact - 1)
            assert -1e-14 * grows < error < 1e-9 + 1e-14 * grows, (epsilon, z)


def test_the_classical_scale_at_epsilon_10_would_spend_more_than_delta() -> None:
    classical = math.sqrt(2 * math.log(1.25 / 1e-5)) / 10
    assert delta_by_quadrature(classical, 10) == pytest.approx(2.3e-5, rel=0.05)
    assert gaussian(1, 10, 1e-5) > classical


def test_an_analytic_scale_never_exceeds_the_classical_one() -> None:
    for epsilon in (0.1, 0.5, 0.9):
        for delta in (1e-3, 1e-6, 1e-9):
            assert gaussian(1, epsilon, delta) < gaussian(1, epsilon, delta, "classical")


def test_a_scale_that_overflows_is_refused() -> None:
    for make in (
        lambda: laplace(1e300, 1e-10),
        lambda: gaussian(1e308, 0.01, 1e-9),
        lambda: gaussian(1e308, 0.01, 1e-9, "classical"),
    ):
        with pytest.raises(InvalidValueError) as caught:
            make()
        assert caught.value.name == "epsilon"


def test_a_calibration_has_one_of_two_names() -> None:
    other: Any = "exact"
    with pytest.raises(InvalidValueError) as caught:
        GaussianMechanism(calibration=other)
    assert (caught.value.name, caught.value.got) == ("calibration", "exact")
