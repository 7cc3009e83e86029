"""Any confidence above 0 and below 1, however near to either, and any γ: a point that certifies, or a refusal, soon."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator
from fractions import Fraction
from types import FrameType

import pytest
from scipy.stats import binom

from dpcore.errors import GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint

CONFIDENCES = (
    5e-324,
    1e-310,
    1e-100,
    1e-17,
    1e-12,
    1e-3,
    0.3,
    0.49,
    0.5,
    0.95,
    1 - 1e-9,
    1 - 1e-12,
    math.nextafter(1, 0),
)
GAMMAS = (1e-300, 1e-20, 1e-5, 0.05, 0.012345678901234567, 0.5, math.nextafter(1, 0))
BOUNDS = (Bound.TOLERANCE, Bound.TIME_UNIFORM)
_SECONDS = 5.0


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """A failure where a call does not end."""

    def stop(_: int, __: FrameType | None) -> None:
        raise AssertionError(f"no end after {_SECONDS:g} s")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)


def _log_rest(value: float) -> float:
    """log(1 − value) of the decimals that are written."""
    return math.log1p(-value) if value < 0.5 else math.log(1 - Fraction(repr(value)))


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("bound", BOUNDS)
def test_the_least_gamma_of_a_number_of_draws_ends(bound: Bound, confidence: float) -> None:
    for m in (1, 2, 199, 2_000, 100_000):
        try:
            point = OperatingPoint.for_sample_size(m, bound=bound, confidence=confidence)
        except InvalidValueError:
            continue  # as one draw at a confidence next to 1
        assert 0 < point.gamma < 1
        assert 0 < point.joint_gamma <= 1
        if bound is Bound.TOLERANCE and point.gamma > 1e-290:  # (1 − γ)^m <= 1 − confidence, and for no smaller γ
            assert m * _log_rest(point.gamma) == pytest.approx(_log_rest(confidence), rel=1e-9, abs=0)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("bound", BOUNDS)
def test_for_gamma_takes_the_fewest_draws(bound: Bound, confidence: float) -> None:
    for gamma in GAMMAS:
        point = OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence)
        if bound is Bound.TOLERANCE:  # to all digits: the logarithms' quotient, rounded up
            assert point.m == pytest.approx(max(1.0, _log_rest(confidence) / math.log1p(-gamma)), rel=1e-6, abs=1)
        if 1 < point.m < 10**15:
            with pytest.raises(GammaOutOfReachError) as caught:
                OperatingPoint.for_both(point.m - 1, gamma, bound=bound, confidence=confidence)
            assert caught.value.least_m == point.m


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("bound", BOUNDS)
def test_the_least_order_ends(bound: Bound, confidence: float) -> None:
    for m, gamma in ((19, 0.5), (199, 0.05), (1_999, 0.012345678901234567), (2_000, 0.001), (100_000, 0.3)):
        try:
            point = OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence)
        except GammaOutOfReachError:
            continue
        if bound is Bound.TOLERANCE and confidence < 0.9999 and point.k > 1:  # P(Bin(m, 1−γ) <= k−1): just enough
            assert binom.cdf(point.k - 1, m, 1 - gamma) >= confidence * (1 - 1e-9)
            assert binom.cdf(point.k - 2, m, 1 - gamma) <= confidence * (1 + 1e-9)
