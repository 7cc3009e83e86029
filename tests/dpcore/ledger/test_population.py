"""The interval for the population of a share and of a mean: beside exact sums and textbooks, at the ends, and what has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.errors import InvalidValueError
from dpcore.ledger import population as room
from dpcore.ledger.population import Estimate, ForPopulation, Spread, mean_of_population, share_of_population
from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import LaplaceLaw

NONE = LaplaceLaw(0.0)


def _share(released: float, n: int, law: Any) -> ForPopulation:
    found = share_of_population(Estimate(noisy=np.array([released]), records=n, law=law))
    assert found is not None
    return found


def _last(holds: Any, inside: float, outside: float) -> float:
    for _ in range(30):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def _cover(n: int, share: float, law: Any, noise: Any) -> float:
    """The exact probability that the interval holds ``share``: over all X and the law of the noise, by where it begins and ends
    to hold it. ``noise``: the law that the numbers really have, as scipy knows it."""
    far = share + 1 + law.half_width(1 - 1e-9), share - 1 - law.half_width(1 - 1e-9)
    high = _last(lambda a: _share(a, n, law).both[0] <= share, share, far[0])
    low = _last(lambda a: _share(a, n, law).both[1] >= share, share, far[1])
    x = np.arange(n + 1)
    return float(stats.binom.pmf(x, n, share) @ (noise.cdf(high - x / n) - noise.cdf(low - x / n)))


@pytest.mark.parametrize(
    ("n", "share", "law", "noise"),
    [
        (40, 0.3, LaplaceLaw(1 / 40), stats.laplace(scale=1 / 40)),
        (300, 0.01, LaplaceLaw(3 / 300), stats.laplace(scale=3 / 300)),
        (40, 0.95, GaussianLaw(0.05), stats.norm(scale=0.05)),
    ],
)
def test_of_a_share_it_holds_95_in_100_exactly_and_under_half_as_much_noise_as_there_is_it_does_not(
    n: int, share: float, law: Any, noise: Any
) -> None:
    assert 0.9495 <= _cover(n, share, law, noise) <= 0.975
    assert _cover(n, share, law, noise.dist(scale=2 * law.scale)) < 0.94


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_of_a_share_of_none_or_of_all_it_holds_the_end_and_says_how_much_there_can_be(share: float) -> None:
    law = LaplaceLaw(1 / 200)
    found = _share(share, 200, law)
    assert (found.both[0], found.both[1])[int(share)] == share
    assert 0.015 < found.both[1] - found.both[0] < 0.06  # 3.7/n without noise
    assert _cover(200, share, law, stats.laplace(scale=1 / 200)) >= 0.95


@pytest.mark.parametrize("released", [-3.0, -0.001, 1.2])
def test_a_share_that_the_noise_drove_out_has_one_that_begins_at_the_end(released: float) -> None:
    found = _share(released, 100, LaplaceLaw(0.5))
    end = 0 if released < 0 else 1
    assert found.both[end] == end
    assert found.sampling is not None
    assert found.both[0] <= found.sampling[0] <= found.sampling[1] <= found.both[1]


def test_without_noise_it_is_clopper_and_pearsons() -> None:
    exact = stats.binomtest(7, 60).proportion_ci(0.95, "exact")
    found = _share(7 / 60, 60, NONE)
    assert found.sampling == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert found.both == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_of_many_rows_in_blocks_it_is_as_wide_as_two_normal_laws_together() -> None:
    """At n = 10⁶ sampling is normal: the width is 2·1.96·√(π(1 − π)/n + σ²), at most a hundredth more."""
    found = _share(0.3, 10**6, GaussianLaw(0.0004))
    meant = 2 * 1.959964 * np.sqrt(0.3 * 0.7 / 1e6 + 0.0004**2)
    assert meant <= found.both[1] - found.both[0] <= 1.01 * meant
    assert found.sampling is not None
    assert found.sampling[1] - found.sampling[0] == pytest.approx(2 * 1.959964 * np.sqrt(0.21 / 1e6), rel=1e-3)


def _mean(released: float, n: int, law: Any, spread: Spread, bounds: Any = (0.0, 10.0)) -> ForPopulation:
    found = mean_of_population(Estimate(noisy=np.array([released]), records=n, law=law, bounds=bounds), spread)
    assert found is not None
    return found


def test_of_a_mean_without_noise_sampling_alone_is_students_and_both_a_hair_wider() -> None:
    values = np.random.default_rng(1).uniform(2, 8, 25)
    low, high = stats.t(24, values.mean(), values.std(ddof=1) / 5).interval(0.95)
    found = _mean(values.mean(), 25, NONE, Spread(variance=values.var(), law=NONE))
    assert found.sampling == pytest.approx((low, high), abs=1e-9)
    wide = stats.t(24).ppf(1 - 0.0225) / stats.t(24).ppf(0.975)
    assert found.both[1] - found.both[0] == pytest.approx(wide * (high - low), rel=0.01)


def test_noise_on_the_mean_and_on_the_spread_each_make_it_wider_and_never_beyond_the_bounds() -> None:
    widths = [
        np.diff(_mean(5.0, 400, law, Spread(variance=4.0, law=of)).both)[0]
        for law, of in ((NONE, NONE), (LaplaceLaw(0.1), NONE), (LaplaceLaw(0.1), LaplaceLaw(0.5)))
    ]
    assert widths[0] < widths[1] < widths[2]
    far = _mean(9.9, 400, LaplaceLaw(5.0), Spread(variance=4.0, law=LaplaceLaw(500.0)))
    assert far.both[0] >= 0
    assert far.both[1] == 10
    swamped = _mean(5.0, 400, NONE, Spread(variance=4.0, law=LaplaceLaw(1e6)))  # then the bounds say how large a spread can be
    assert np.diff(swamped.both)[0] == pytest.approx(2 * stats.t(399).ppf(1 - 0.0225) * 5 / np.sqrt(399), rel=0.01)


@pytest.mark.parametrize("variance", [0.0, -3.0])
def test_a_released_spread_of_0_or_below_has_none_by_sampling_alone_and_one_with_noise(variance: float) -> None:
    found = _mean(5.0, 100, LaplaceLaw(0.1), Spread(variance=variance, law=LaplaceLaw(1.0)))
    assert found.sampling is None
    assert found.both[0] < 5 < found.both[1]


def test_one_row_and_too_few_known_values_have_none() -> None:
    few = np.array([0.5, 3.0])
    spread = Spread(variance=1.0, law=NONE)
    assert mean_of_population(Estimate(noisy=np.array([5.0]), records=1, law=NONE, bounds=(0, 10)), spread) is None
    assert mean_of_population(Estimate(noisy=few, records=100, law=LaplaceLaw(1.0), bounds=(0, 10)), spread) is None
    assert share_of_population(Estimate(noisy=few, records=100, law=LaplaceLaw(1.0))) is None
    assert share_of_population(Estimate(noisy=few * 30, records=100, law=LaplaceLaw(1.0))) is not None


@pytest.mark.parametrize(
    "wrong", [{"noisy": np.array([np.nan])}, {"noisy": np.zeros(3)}, {"bounds": (1.0, 1.0)}, {"bounds": (0.0, np.inf)}]
)
def test_what_is_no_released_number_between_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        Estimate(**{"noisy": np.array([0.5]), "records": 10, "law": NONE} | wrong)


def test_blocks_of_a_sampling_law_have_all_its_probability_and_its_mean() -> None:
    for number, share in ((10, 0.5), (3_000, 0.2), (10**7, 0.001), (50, 0.0), (50, 1.0)):
        low, high, weights = room._binomial(number, share)
        assert weights.sum() == pytest.approx(1, abs=1e-9)
        assert (low <= high).all()
        assert weights @ low <= 1e-9 * number
        assert weights @ high >= -1e-9 * number
