"""What an operating point refuses, by the attributes of its errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError, InvalidValueError, NotCertifiedError

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
def test_tolerance_needs_a_confidence_whether_m_is_fixed_or_not(bound: Bound, confidence: Any) -> None:
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
def test_a_point_made_by_hand_that_certifies_nothing_is_refused(
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


@settings(derandomize=True, deadline=None, database=None, max_examples=150)
@given(m=st.integers(2, 400), parts=st.integers(1, 60), which=st.sampled_from(BOUNDS))
def test_a_refusal_names_the_least_gamma_and_the_least_m_that_work(m: int, parts: int, which: tuple[Bound, float | None]) -> None:
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
