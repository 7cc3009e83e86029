"""The interval for Δ̂ while draws arrive: against sums of hypergeometric terms in rationals, and against runs that went on."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta

from dpcore import Bound, OperatingPoint
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.every_gamma import order_interval
from tests.statistical.clopper_pearson import largest_share, least_share

RUNS = 20_000
DOUBT = 1e-6  # that a test of coverage fails although the interval holds


def _fewer(count: int, m: int, k: int, t: int) -> Fraction:
    """P(H < count): of t of m draws without replacement, fewer than count are among the k smallest."""
    ways = sum(math.comb(k, i) * math.comb(m - k, t - i) for i in range(min(count, t + 1)))
    return Fraction(ways, math.comb(m, t))


@pytest.mark.parametrize("t", [1, 2, 7, 30, 59, 60])
@pytest.mark.parametrize("gamma", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("confidence", ["0.95", "0.8"])
def test_the_order_statistics_are_the_narrowest_by_sums_in_rationals(t: int, gamma: float, confidence: str) -> None:
    point, tail = OperatingPoint.for_both(60, gamma), (1 - Fraction(confidence)) / 2
    a = max(a for a in range(t + 1) if _fewer(a, 60, point.k, t) <= tail)
    b = min(b for b in range(1, t + 2) if 1 - _fewer(b, 60, point.k - 1, t) <= tail)
    low, high = order_interval(np.random.default_rng(1).permutation(np.arange(1.0, t + 1)), point, confidence=float(confidence))
    assert (low, high) == (a, b if b <= t else math.inf)


@pytest.mark.statistical
@pytest.mark.parametrize("law", ["continuous", "ties", "failures"])
@pytest.mark.parametrize(
    "point",
    [
        OperatingPoint.for_both(199, 0.05),
        OperatingPoint.for_both(400, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.95),
        OperatingPoint.for_both(1_305, 0.05, bound=Bound.DKW),
    ],
    ids=["RANK", "TIME_UNIFORM", "DKW"],
)
def test_it_holds_what_the_whole_run_gives_under_every_bound(point: OperatingPoint, law: str) -> None:
    """The order statistics that it names, of half of the draws, against the Δ̂ of all; by the limit of Clopper and Pearson."""
    rng, held, runs = np.random.default_rng([point.m, len(law)]), 0, RUNS * 200 // point.m
    t = point.m // 2
    a, b = order_interval(np.arange(1.0, t + 1), point)
    draws = rng.random((runs, point.m))
    if law == "ties":
        draws = np.ceil(draws * 30)
    elif law == "failures":
        draws = np.where(draws > 0.97, np.inf, draws)
    ordered = np.pad(np.sort(draws[:, :t], axis=1), ((0, 0), (1, 1)), constant_values=(0.0, np.inf))
    lows, highs, found = ordered[:, int(a)], ordered[:, int(min(b, t + 1))], np.sort(draws, axis=1)[:, point.k - 1]
    held = int(((lows <= found) & (found <= highs)).sum())
    assert order_interval(draws[0, :t], point) == (lows[0], highs[0])
    assert (beta.ppf(1 - DOUBT, held + 1, runs - held) if held < runs else 1.0) >= 0.95
    if law == "continuous" and point.bound is not Bound.DKW:  # whose k = m: only the low end is known
        assert beta.ppf(DOUBT, held, runs - held + 1) <= 0.995  # and it is not far too wide


def test_in_the_end_it_is_the_sensitivity_itself() -> None:
    for bound, confidence in ((Bound.RANK, None), (Bound.DKW, None), (Bound.TOLERANCE, 0.9)):
        point = OperatingPoint.for_both(5_000, 0.05, bound=bound, confidence=confidence)
        draws = np.random.default_rng(2).random(5_000)
        assert order_interval(draws, point) == (np.sort(draws)[point.k - 1],) * 2


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        ([], (0.0, math.inf)),
        ([3.0], (0.0, math.inf)),
        ([math.inf] * 400, (math.inf, math.inf)),
        ([0.0] * 400, (0.0, 0.0)),
    ],
    ids=["none", "one", "all infinite", "all zero"],
)
def test_the_ends_say_nothing_where_the_draws_do_not(distances: list[float], expected: tuple[float, float]) -> None:
    before = np.array(distances)
    assert order_interval(before, OperatingPoint.for_both(999, 0.05)) == expected
    assert before.tolist() == distances


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1, math.nan])
def test_a_confidence_that_is_none_is_refused(wrong: float) -> None:
    with pytest.raises(InvalidValueError) as caught:
        order_interval(np.ones(3), OperatingPoint.for_gamma(0.05), confidence=wrong)
    assert caught.value.name == "confidence"


def _missed(looks: list[int], share: float = 1.0) -> FloatArray:
    """At which looks of 4,000 runs of 999 draws the interval misses Δ̂; by ``share`` narrower in the orders of its ends.

    G_(a) is above Δ̂ iff fewer than a of those that arrived are among the k smallest; G_(b) likewise.
    """
    point = OperatingPoint.for_both(999, 0.05)
    ranks = np.random.default_rng(60).permuted(np.tile(np.arange(999, dtype=np.int16), (4_000, 1)), axis=1)
    least = np.cumsum(ranks < point.k, axis=1, dtype=np.int16)
    lesser = np.cumsum(ranks < point.k - 1, axis=1, dtype=np.int16)
    missed = []
    for t in looks:
        a, b = order_interval(np.arange(1.0, t + 1), point)
        middle, half = (a + min(b, t + 1)) / 2, share * (min(b, t + 1) - a) / 2
        missed.append((least[:, t - 1] < middle - half) | (lesser[:, t - 1] >= middle + half))
    return np.array(missed)


@pytest.mark.statistical
def test_it_holds_at_one_look_that_was_fixed_and_not_at_all_of_many() -> None:
    """4,000 runs, bounds of 1e-6: each of 60 looks misses in 5 % at most, some of them in 31 % (20 to 45 % at other m and γ)."""
    missed = _missed([round(999 * look / 60) for look in range(1, 61)])
    assert max(least_share(int(count), 4_000) for count in missed.sum(axis=1)) <= 0.05
    assert least_share(int(missed.any(axis=0).sum()), 4_000) > 0.25
    assert largest_share(int(missed.any(axis=0).sum()), 4_000) < 0.37


@pytest.mark.statistical
def test_an_interval_that_is_a_fifth_narrower_is_convicted() -> None:
    """The power, at half of the draws: its orders are few, so a tenth is one of them."""
    assert least_share(int(_missed([500], 0.8).sum()), 4_000) > 0.05
