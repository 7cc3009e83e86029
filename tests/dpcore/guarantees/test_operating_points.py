"""RANK and DKW points: least m, γ and k by other routes, diffpriv 0.4.2, and what is refused under every bound."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError, InvalidValueError, NotCertifiedError
from dpcore.guarantees.operating_points import orders
from tests.reference.read import lines

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=600)


def test_rank_m_is_least_for_four_digits() -> None:
    for parts in range(1, 10_000):
        point = OperatingPoint.for_gamma(parts / 10_000)
        m = point.m
        assert point.k == m
        assert parts * (m + 1) >= 10_000, parts  # 1/(m+1) <= γ
        assert m == 1 or parts * m < 10_000, parts  # one draw less does not


def test_rank_gamma_is_the_least_float() -> None:
    for m in range(1, 5_001):
        gamma = OperatingPoint.for_sample_size(m).gamma
        assert Fraction(str(gamma)) * (m + 1) >= 1
        assert Fraction(str(math.nextafter(gamma, 0))) * (m + 1) < 1


@FIXED
@given(m=st.one_of(st.integers(1, 200), st.integers(1, 10**12)), digits=st.integers(1, 9), data=st.data())
def test_rank_k_is_least_in_whole_numbers(m: int, digits: int, data: st.DataObject) -> None:
    """For γ = parts/10^digits, k >= (1 − γ)(m + 1) is compared without a fraction."""
    scale = 10**digits
    parts = data.draw(st.integers(1, scale - 1))
    least = max(1, -((scale - parts) * (m + 1) // -scale))
    if least > m:
        with pytest.raises(GammaOutOfReachError) as caught:
            OperatingPoint.for_both(m, parts / scale)
        assert caught.value.least_m == -(scale // -parts) - 1
    else:
        assert OperatingPoint.for_both(m, parts / scale).k == least


def test_rank_has_known_numbers() -> None:
    assert OperatingPoint.for_gamma(0.05).m == 19
    assert OperatingPoint.for_gamma(0.01).m == 99
    assert OperatingPoint.for_both(9, 0.7).k == 3  # ceil(10·(1 − 0.7)) is 4 in floats
    assert OperatingPoint.for_sample_size(1_305).gamma == pytest.approx(7.657e-4, rel=1e-3)


def test_rank_is_the_default() -> None:
    for point in (OperatingPoint.for_gamma(0.05), OperatingPoint.for_sample_size(7), OperatingPoint.for_both(50, 0.3)):
        assert (point.bound, point.rho, point.confidence) == (Bound.RANK, None, None)
        assert point.joint_gamma == point.gamma


def test_gamma_of_seventeen_digits_is_read_as_written() -> None:
    assert OperatingPoint.for_gamma(1 / 3).m == 3  # 0.3333333333333333 is below a third
    assert OperatingPoint.for_gamma(0.33333333333333337).m == 2


def _least_gamma(m: int) -> float:
    """min over ρ of ρ + √(log(1/ρ)/(2m)), by golden section on log ρ."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        lambda x: math.exp(x) + math.sqrt(-x / (2 * m)), bounds=(-60, math.log(0.5)), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.fun)


def test_dkw_gamma_is_the_minimum_over_rho() -> None:
    for m in [*range(2, 200), *range(200, 100_000, 997)]:
        assert OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma == pytest.approx(_least_gamma(m), rel=1e-9)


def test_dkw_m_is_least() -> None:
    for parts in range(10, 1_000):
        gamma = parts / 1000
        m = OperatingPoint.for_gamma(gamma, bound=Bound.DKW).m
        assert OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma <= gamma * (1 + 1e-12)
        if m > 2:
            assert OperatingPoint.for_sample_size(m - 1, bound=Bound.DKW).gamma > gamma


def test_dkw_k_is_least_by_theorem_15() -> None:
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


@pytest.mark.parametrize(("gamma", "m"), [(0.05, 1_305), (0.01, 41_971)])
def test_dkw_has_the_numbers_of_the_paper(gamma: float, m: int) -> None:
    point = OperatingPoint.for_gamma(gamma, bound=Bound.DKW)
    assert (point.m, point.k, point.joint_gamma) == (m, m, gamma)


GAMMA_ONLY = lines("operating_points_gamma_only.csv")
M_ONLY = lines("operating_points_m_only.csv")
BOTH = lines("operating_points_m_gamma.csv")
OUT_OF_REACH = [line for line in BOTH if "must exceed" in line["error"]]


@pytest.mark.parametrize("line", [*GAMMA_ONLY, *M_ONLY[1:], *(line for line in BOTH if not line["error"])], ids=str)
def test_dkw_points_are_those_of_diffpriv(line: dict[str, str]) -> None:
    if not line["in_gamma"]:
        point = OperatingPoint.for_sample_size(int(line["in_m"]), bound=Bound.DKW)
    elif not line["in_m"]:
        point = OperatingPoint.for_gamma(float(line["in_gamma"]), bound=Bound.DKW)
    else:
        point = OperatingPoint.for_both(int(line["in_m"]), float(line["in_gamma"]), bound=Bound.DKW)
    assert (point.m, point.k) == (int(line["m"]), int(line["k"]))
    assert (point.gamma, point.rho) == pytest.approx((float(line["gamma"]), float(line["rho"])), rel=1e-12)


def test_dkw_refuses_one_draw() -> None:
    assert M_ONLY[0]["in_m"] == "1"
    assert float(M_ONLY[0]["gamma"]) > 1
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint.for_sample_size(1, bound=Bound.DKW)
    assert (caught.value.name, caught.value.got) == ("m", 1)


@pytest.mark.parametrize("line", OUT_OF_REACH, ids=lambda line: f"{line['in_m']}-{line['in_gamma']}")
def test_dkw_names_the_least_gamma_in_reach(line: dict[str, str]) -> None:
    m, gamma = int(line["in_m"]), float(line["in_gamma"])
    with pytest.raises(GammaOutOfReachError) as caught:
        OperatingPoint.for_both(m, gamma, bound=Bound.DKW)
    assert (caught.value.m, caught.value.gamma, caught.value.bound) == (m, gamma, "DKW")
    assert caught.value.least_gamma == pytest.approx(float(line["error"].split()[-1]), rel=1e-12)


@pytest.mark.parametrize(("bound", "confidence"), [(bound, 0.95 if bound.has_confidence else None) for bound in Bound])
def test_orders_of_many_gammas_are_those_of_each(bound: Bound, confidence: float | None) -> None:
    gammas = np.geomspace(0.001, 0.5, 40).round(4)
    for m in (1, 19, 199, 3_000):
        found = orders(m, gammas, bound, confidence)
        for gamma, k in zip(gammas.tolist(), found.tolist(), strict=True):
            if k == 0:
                with pytest.raises(GammaOutOfReachError):
                    OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence)
            else:
                assert OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence).k == k


BOUNDS = [(Bound.DKW, None), (Bound.RANK, None), (Bound.TOLERANCE, 0.95), (Bound.TIME_UNIFORM, 0.95)]
NO_GAMMA: list[Any] = [0, 1, 1.1, -0.2, 0.0, 1.0, math.nan, math.inf, "0.05", None, True, np.bool_(True), 0.05j, [0.05]]
NO_M: list[Any] = [0, -5, 1.1, 19.0, math.nan, math.inf, "19", None, True, np.float64(19), np.bool_(True), [19]]


@pytest.mark.parametrize(("bound", "confidence"), BOUNDS)
@pytest.mark.parametrize("gamma", NO_GAMMA, ids=repr)
def test_what_is_no_gamma_is_refused(bound: Bound, confidence: float | None, gamma: Any) -> None:
    for make in (
        lambda: OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence),
        lambda: OperatingPoint.for_both(2_000, gamma, bound=bound, confidence=confidence),
        lambda: OperatingPoint(2_000, 2_000, gamma, bound, 0.004 if bound is Bound.DKW else None, confidence),
    ):
        with pytest.raises(InvalidValueError) as caught:
            make()
        assert caught.value.name == "gamma"
        assert caught.value.got is gamma


@pytest.mark.parametrize(("bound", "confidence"), BOUNDS)
@pytest.mark.parametrize("m", NO_M, ids=repr)
def test_what_is_no_m_is_refused(bound: Bound, confidence: float | None, m: Any) -> None:
    for make in (
        lambda: OperatingPoint.for_sample_size(m, bound=bound, confidence=confidence),
        lambda: OperatingPoint.for_both(m, 0.5, bound=bound, confidence=confidence),
        lambda: OperatingPoint(m, 1, 0.5, bound, 0.004 if bound is Bound.DKW else None, confidence),
    ):
        with pytest.raises(InvalidValueError) as caught:
            make()
        assert caught.value.name == "m"
        assert caught.value.got is m


@pytest.mark.parametrize("bound", [Bound.TOLERANCE, Bound.TIME_UNIFORM])
@pytest.mark.parametrize("confidence", [None, 0, 1, 1.5, -0.1, math.nan, "0.95", True])
def test_confident_bounds_need_a_confidence(bound: Bound, confidence: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint.for_gamma(0.05, bound=bound, confidence=confidence)
    assert caught.value.name == f"confidence of the {bound.words} bound"
    assert caught.value.got is confidence


@pytest.mark.parametrize("bound", [Bound.RANK, Bound.DKW])
def test_no_other_bound_takes_a_confidence(bound: Bound) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint.for_gamma(0.05, bound=bound, confidence=0.95)
    assert (caught.value.name, caught.value.got) == ("confidence", 0.95)


@pytest.mark.parametrize("bound", ["RANK", None, 1])
def test_a_bound_is_a_bound(bound: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint.for_gamma(0.05, bound=bound)
    assert (caught.value.name, caught.value.got) == ("bound", bound)
    assert all(repr(known) in caught.value.expected for known in Bound)


@pytest.mark.parametrize(
    ("m", "k", "gamma", "bound", "rho", "confidence"),
    [
        (18, 18, 0.05, Bound.RANK, None, None),
        (19, 18, 0.05, Bound.RANK, None, None),
        (19, 20, 0.05, Bound.RANK, None, None),
        (9, 2, 0.7, Bound.RANK, None, None),
        (58, 58, 0.05, Bound.TOLERANCE, None, 0.95),
        (59, 58, 0.05, Bound.TOLERANCE, None, 0.95),
        (59, 60, 0.05, Bound.TOLERANCE, None, 0.95),
        (87, 87, 0.05, Bound.TIME_UNIFORM, None, 0.95),
        (1_304, 1_304, 0.05, Bound.DKW, 0.0041828699, None),
        (1_305, 1_305, 0.05, Bound.DKW, 0.001, None),
        (10_000, 10_000, 0.9, Bound.DKW, 0.6, None),  # Massart's inequality ends at ρ = ½
    ],
)
def test_point_that_certifies_nothing_is_refused(
    m: int, k: int, gamma: float, bound: Bound, rho: float | None, confidence: float | None
) -> None:
    with pytest.raises(NotCertifiedError) as caught:
        OperatingPoint(m, k, gamma, bound, rho, confidence)
    assert (caught.value.m, caught.value.k, caught.value.gamma, caught.value.bound) == (m, k, gamma, bound.name)


def test_the_same_points_one_step_up_are_accepted() -> None:
    OperatingPoint(19, 19, 0.05, Bound.RANK)
    OperatingPoint(9, 3, 0.7, Bound.RANK)
    OperatingPoint(59, 59, 0.05, Bound.TOLERANCE, confidence=0.95)
    OperatingPoint(1_305, 1_305, 0.05, Bound.DKW, rho=0.0041828699)


@pytest.mark.parametrize("k", [0, -1, 1.0, "19", True])
def test_a_rank_is_a_whole_number(k: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint(19, k, 0.05, Bound.RANK)
    assert (caught.value.name, caught.value.got) == ("k", k)


@pytest.mark.parametrize(("bound", "rho"), [(Bound.DKW, None), (Bound.DKW, 0.0), (Bound.DKW, math.nan), (Bound.RANK, 0.1)])
def test_rho_belongs_to_dkw_alone(bound: Bound, rho: float | None) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint(2_000, 2_000, 0.05, bound, rho)
    assert caught.value.name == "rho"


@pytest.mark.parametrize(("bound", "confidence"), BOUNDS)
def test_numpy_numbers_give_the_points_of_plain_ones(bound: Bound, confidence: float | None) -> None:
    m: Any = np.int64(2_000)
    plain = OperatingPoint.for_both(2_000, 0.1, bound=bound, confidence=confidence)
    numpy = OperatingPoint.for_both(
        m, np.float64(0.1), bound=bound, confidence=None if confidence is None else np.float64(confidence)
    )
    assert numpy == plain
    assert (type(numpy.m), type(numpy.k), type(numpy.gamma)) == (int, int, float)
    assert OperatingPoint.for_gamma(np.float64(0.05), bound=bound, confidence=confidence) == OperatingPoint.for_gamma(
        0.05, bound=bound, confidence=confidence
    )


@settings(derandomize=True, deadline=None, database=None, max_examples=600)
@given(m=st.integers(2, 400), parts=st.integers(1, 60), which=st.sampled_from(BOUNDS))
def test_refusal_names_gamma_and_m_that_work(m: int, parts: int, which: tuple[Bound, float | None]) -> None:
    bound, confidence = which
    gamma = parts / 1_000 + 0.02
    try:
        OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence)
    except GammaOutOfReachError as error:
        least_gamma, least_m = error.least_gamma, error.least_m
        assert least_m > m
        assert OperatingPoint.for_both(m, least_gamma, bound=bound, confidence=confidence).k == m
        OperatingPoint.for_both(least_m, gamma, bound=bound, confidence=confidence)
        with pytest.raises(GammaOutOfReachError):
            OperatingPoint.for_both(least_m - 1, gamma, bound=bound, confidence=confidence)
    else:
        assert m >= OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m
