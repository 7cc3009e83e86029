"""TOLERANCE and TIME_UNIFORM: exact binomial tails and mixtures, and samples that are released at another m."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Bound, Ledger, OperatingPoint, RandomDP, SensitivitySample
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Target
from dpcore.errors import (
    BudgetExceededError,
    ExploredPointError,
    GammaOutOfReachError,
    InfiniteSensitivityError,
    NotCertifiedError,
)
from dpcore.guarantees import operating_points
from dpcore.guarantees.operating_points import least_order
from dpcore.mechanisms.base import Release
from tests.dpcore.ledger.made import DATABASE, MEAN, MEDIAN, POINT, TOLERANT, calibrated, planned, release, sample
from tests.yardstick import in_loops

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=100)


def _tolerant(m: int, gamma: float, confidence: float) -> OperatingPoint:
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
def test_tolerance_k_is_the_exact_least(confidence: Fraction) -> None:
    for m in range(1, 18):
        for parts in range(2, 20):  # γ from 0.1 to 0.95, ties of the tail with the confidence among them
            gamma, least = Fraction(parts, 20), _least_k(m, Fraction(parts, 20), confidence)
            if least > m:
                with pytest.raises(GammaOutOfReachError):
                    _tolerant(m, float(gamma), float(confidence))
            else:
                assert _tolerant(m, float(gamma), float(confidence)).k == least, (m, gamma)


@FIXED
@given(m=st.integers(1, 20_000), parts=st.integers(1, 999), confidence=st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_tolerance_k_is_least_by_scipy(m: int, parts: int, confidence: float) -> None:
    from scipy.stats import binom

    tails = binom.cdf(np.arange(m), m, 1 - parts / 1000)  # at k − 1 = 0, …, m − 1
    near = np.abs(tails - confidence) < 1e-9
    enough = tails >= confidence
    if not enough.any():
        with pytest.raises(GammaOutOfReachError):
            _tolerant(m, parts / 1000, confidence)
        return
    least = int(np.argmax(enough)) + 1
    k = _tolerant(m, parts / 1000, confidence).k
    assert k == least or near[min(k, least) - 1]


def test_tolerance_m_is_least() -> None:
    for parts in [*range(1, 100), *range(100, 1_000, 7)]:
        m = OperatingPoint.for_gamma(parts / 1000, bound=Bound.TOLERANCE, confidence=0.95).m
        keep = Fraction(1000 - parts, 1000)
        assert keep**m <= Fraction(5, 100)
        assert m == 1 or keep ** (m - 1) > Fraction(5, 100)


@pytest.mark.parametrize("confidence", ["0.1", "0.9", "0.95", "0.999", "0.99999"])
def test_tolerance_gamma_is_the_least_float(confidence: str) -> None:
    doubt = 1 - Fraction(confidence)
    for m in [1, 2, 19, 20, 59, 100, 199]:
        gamma = OperatingPoint.for_sample_size(m, bound=Bound.TOLERANCE, confidence=float(confidence)).gamma
        assert (1 - Fraction(str(gamma))) ** m <= doubt
        assert (1 - Fraction(str(math.nextafter(gamma, 0)))) ** m > doubt, m


def test_tolerance_has_the_numbers_of_wilks() -> None:
    assert OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95).m == 59
    assert OperatingPoint.for_gamma(0.5, bound=Bound.TOLERANCE, confidence=0.75).m == 2  # 0.5² = 1 − 0.75: a tie


def test_tolerance_joint_gamma_is_that_of_rank() -> None:
    for m in range(59, 400):
        point = _tolerant(m, 0.05, 0.95)
        assert Fraction(str(point.joint_gamma)) >= 1 - Fraction(point.k, m + 1)
        assert Fraction(str(math.nextafter(point.joint_gamma, 0))) < 1 - Fraction(point.k, m + 1)


def _point(m: int, gamma: float = 0.05, confidence: float = 0.95) -> OperatingPoint:
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


def test_time_uniform_has_known_numbers() -> None:
    assert OperatingPoint.for_gamma(0.05, bound=Bound.TIME_UNIFORM, confidence=0.95).m == 88
    assert _point(1_000, 0.05).k == 969
    with pytest.raises(GammaOutOfReachError) as caught:
        _point(87, 0.05)
    assert caught.value.least_m == 88


@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(8, 10), Fraction(95, 100), Fraction(999, 1000)])
def test_time_uniform_k_is_least_by_the_mixture(confidence: Fraction) -> None:
    for m in (1, 2, 3, 5, 8, 13, 21, 30):
        for gamma in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 5), Fraction(1, 2), Fraction(19, 20)):
            enough = [s for s in range(m + 1) if _mixture(m, s, gamma) * (1 - confidence) >= 1]
            assert enough == list(range(m + 1 - len(enough), m + 1))  # it grows with S, below m(1−γ) too
            if not enough:
                with pytest.raises(GammaOutOfReachError):
                    _point(m, float(gamma), float(confidence))
            else:
                assert _point(m, float(gamma), float(confidence)).k == enough[0], (m, gamma)


@pytest.mark.parametrize("m", [10_000, 100_000, 1_000_000])
@pytest.mark.parametrize("gamma", [0.001, 0.05, 0.3])
def test_time_uniform_margin_exceeds_rounding(m: int, gamma: float) -> None:
    k = _point(m, gamma).k
    for order in (k - 1, k, min(m, k + 50)):
        assert abs(operating_points._log_ratio(m, order, gamma, 1 - gamma) - _log_series(m, order, gamma)) < 1e-14 * m
    assert _log_series(m, k - 1, gamma) < math.log(20) <= _log_series(m, k, gamma)


def test_time_uniform_tie_certifies_nothing() -> None:
    assert _mixture(1, 1, Fraction(3, 4)) == 1 / (1 - Fraction(6, 10))  # m = 1, γ = 0.75, confidence 0.6
    assert OperatingPoint.for_gamma(0.75, bound=Bound.TIME_UNIFORM, confidence=0.6).m == 2
    with pytest.raises(NotCertifiedError):
        OperatingPoint(1, 1, 0.75, Bound.TIME_UNIFORM, confidence=0.6)
    OperatingPoint(1, 1, 0.75, Bound.TIME_UNIFORM, confidence=0.599999)


@pytest.mark.parametrize(("m", "k"), [(87, 87), (88, 87), (1_000, 968), (1_000, 700), (1_000, 1), (1_000, 1_001)])
def test_time_uniform_point_below_its_order_is_refused(m: int, k: int) -> None:
    with pytest.raises(NotCertifiedError) as caught:
        OperatingPoint(m, k, 0.05, Bound.TIME_UNIFORM, confidence=0.95)
    assert (caught.value.m, caught.value.k, caught.value.bound) == (m, k, "TIME_UNIFORM")


@FIXED
@given(m=st.integers(1, 100_000), parts=st.integers(1, 990), confidence=st.sampled_from([0.1, 0.8, 0.95, 0.9999]))
def test_time_uniform_k_is_monotone(m: int, parts: int, confidence: float) -> None:
    orders = [
        least_order(m, gamma, Bound.TIME_UNIFORM, sure)[0]
        for gamma, sure in (((parts + 5) / 1000, confidence), (parts / 1000, confidence), (parts / 1000, (1 + confidence) / 2))
    ]
    assert orders == sorted(orders)


@pytest.mark.parametrize("m", [1, 2, 19, 88, 150])
def test_time_uniform_gamma_is_least_to_a_millionth(m: int) -> None:
    gamma = OperatingPoint.for_sample_size(m, bound=Bound.TIME_UNIFORM, confidence=0.95).gamma
    assert _mixture(m, m, Fraction(str(gamma))) >= 20
    assert _mixture(m, m, Fraction(gamma) * Fraction(999_999, 1_000_000)) < 20


@pytest.mark.parametrize("gamma", [0.001, 0.05, 0.3, 0.7, 0.999])
def test_time_uniform_m_is_least_by_the_mixture(gamma: float) -> None:
    m = OperatingPoint.for_gamma(gamma, bound=Bound.TIME_UNIFORM, confidence=0.9).m
    keep = 1 - Fraction(str(gamma))
    ratios = [(1 - keep ** (size + 1)) / (size + 1) / (1 - keep) / keep**size for size in (m - 1, m)]  # in closed form
    assert ratios[0] < 10 <= ratios[1]


def test_time_uniform_joint_gamma_holds_for_any_m() -> None:
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


def _sample(target: Target = MEAN, *, seed: int = 1) -> SensitivitySample[L1Norm]:
    return sample(target, _point(1_000), seed=seed)


def _release(drawn: SensitivitySample[L1Norm]) -> Release[RandomDP]:
    return calibrated(drawn).release(DATABASE)


def test_time_uniform_m_may_follow_the_draws() -> None:
    drawn = _sample()
    for m in (88, 89, 500, 1_000):
        shorter = drawn.at(_point(m))
        assert not shorter.explored
        assert not shorter.at(_point(88)).explored
        assert shorter.sensitivity().value == np.sort(drawn.distances[:m])[_point(m).k - 1]
        assert _release(shorter).guarantee == RandomDP(1.0, 0.0, 0.05, 0.95)
    assert not drawn.at(OperatingPoint(500, 500, 0.05, Bound.TIME_UNIFORM, confidence=0.95)).explored  # a higher order


@pytest.mark.parametrize(
    "point",
    [
        _point(1_000, 0.06),
        _point(500, 0.06),
        _point(1_000, 0.05, 0.9),
        _point(500, 0.05, 0.99),
        OperatingPoint.for_both(1_000, 0.05, bound=Bound.TOLERANCE, confidence=0.95),
        OperatingPoint.for_both(1_000, 0.05),
    ],
)
def test_time_uniform_other_promise_is_explored(point: OperatingPoint) -> None:
    looked = _sample().at(point)
    assert looked.explored
    assert looked.at(_point(500)).explored
    with pytest.raises(ExploredPointError):
        _release(looked)


@pytest.mark.parametrize("first", [TOLERANT, OperatingPoint.for_both(1_000, 0.05)])
def test_draws_for_another_bound_stay_explored(first: OperatingPoint) -> None:
    assert sample(at=OperatingPoint(1_000, 1_000, 0.05, first.bound, confidence=first.confidence)).at(_point(500)).explored


def fails_high(database: Database, /) -> FloatArray:
    """Fails where any record is above 0.99: on about one pair in fifteen."""
    if database.max() > 0.99:
        raise ArithmeticError("too high")
    return np.array([database[0]])


def test_time_uniform_counts_failures_at_every_m() -> None:
    drawn = _sample(fails_high)
    assert 0.03 < len(drawn.failures) / 1_000 < 0.12
    shorter = drawn.at(_point(200))
    assert set(shorter.failures) == {pair for pair in drawn.failures if pair < 200}
    with pytest.raises(InfiniteSensitivityError):
        shorter.sensitivity()


def test_time_uniform_and_tolerance_doubts_add_up() -> None:
    own = _sample(seed=1).at(_point(500))
    ledger = Ledger().planned([calibrated(own), planned(MEDIAN, TOLERANT)]).add(_release(own))
    total = ledger.add(release(MEDIAN, TOLERANT, seed=2)).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == pytest.approx((0.1, 0.9))


def test_two_lengths_of_a_run_are_two_samples() -> None:
    drawn = _sample()
    one, other = (drawn.at(_point(m)) for m in (500, 600))
    plan = Ledger().planned([calibrated(one)] * 2).add(_release(one))
    assert plan.add(_release(one)).total() == RandomDP(2.0, 0.0, 0.05, 0.95)
    total = Ledger().planned([calibrated(one), calibrated(other)]).add(_release(one)).add(_release(other)).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == pytest.approx((0.1, 0.9))


def test_time_uniform_beside_rank_counts_joint_gamma() -> None:
    rank = release(MEDIAN, seed=2)
    own = _sample()
    total = Ledger().planned([calibrated(own), planned(MEDIAN, POINT)]).add(_release(own)).add(rank).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == (pytest.approx(0.05 + 0.0975), None)


def test_averaged_budget_weighs_joint_gamma_of_time_uniform() -> None:
    drawn = _sample()
    assert len(Ledger(RandomDP(1.0, 0.0, 0.0976)).add(_release(drawn)).lines) == 1
    assert len(Ledger(RandomDP(1.0, 0.0, 0.0976)).add(drawn).lines) == 1
    for charged in (_release(drawn), drawn):
        with pytest.raises(BudgetExceededError):
            Ledger(RandomDP(1.0, 0.0, 0.097)).add(charged)


def test_confident_budget_weighs_gamma_of_time_uniform() -> None:
    assert len(Ledger(RandomDP(1.0, 0.0, 0.05, 0.95)).add(_release(_sample())).lines) == 1
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.05, 0.96)).add(_release(_sample()))


@pytest.mark.parametrize(("m", "k", "gamma"), [(100, 98, 0.05), (1_000, 960, 0.05), (40, 30, 0.3)])
def test_tolerance_decides_at_the_exact_tail(m: int, k: int, gamma: float) -> None:
    doubt = sum(math.comb(m, i) * Fraction(str(gamma)) ** (m - i) * (1 - Fraction(str(gamma))) ** i for i in range(k, m + 1))
    for factor, certified in ((1 + 1e-8, True), (1 - 1e-8, False)):
        confidence = 1 - float(doubt) * factor
        if certified:
            assert OperatingPoint(m, k, gamma, Bound.TOLERANCE, confidence=confidence).k == k
        else:
            with pytest.raises(NotCertifiedError):
                OperatingPoint(m, k, gamma, Bound.TOLERANCE, confidence=confidence)


def test_tolerance_accepts_exact_ties_and_nothing_above() -> None:
    """(1 − γ)^m = 1 − confidence in decimals, which floats miss by an ulp either way."""
    for parts, m in itertools.product(range(1, 100), range(1, 6)):
        gamma, confidence = parts / 100, float(1 - (1 - Fraction(parts, 100)) ** m)
        assert OperatingPoint(m, m, gamma, Bound.TOLERANCE, confidence=confidence).k == m
        with pytest.raises(NotCertifiedError):
            OperatingPoint(m, m, gamma, Bound.TOLERANCE, confidence=math.nextafter(confidence, 1))
