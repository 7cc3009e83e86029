"""Each true CDF against an empirical one of the plain call, within the DKW band; one of a law that is 10 % off lies outside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.sampling.sampler import true_cdf

M = 200_000
N = 3
BAND = math.sqrt(math.log(2 / 1e-6) / (2 * M))  # Massart (1990): a true CDF lies outside with probability 1e-6
CODES = (0.0, 1.0, 2.0)
CASES: list[tuple[Any, Any, Any, tuple[Norm, ...]]] = [
    (targets.Mean(), oracles.Exponential(1.3), oracles.Exponential(1.43), (L1, L2, LINF)),
    (targets.Mean(), oracles.Uniform(-1, 3), oracles.Uniform(-1, 3.4), (L1, L2, LINF)),
    (targets.Mean((-2, 4)), oracles.Uniform(-1, 3), oracles.Uniform(-1, 3.4), (L1, L2, LINF)),
    (targets.Mean(), oracles.Normal(5, 2), oracles.Normal(5, 2.2), (L1, L2, LINF)),
    (targets.Mean(), oracles.Bernoulli(0.3), oracles.Bernoulli(0.33), (L1, L2, LINF)),
    (targets.Proportion(category=1.0), oracles.Bernoulli(0.3), oracles.Bernoulli(0.33), (L1, L2, LINF)),
    (
        targets.Proportion(category=2.0),
        oracles.Categorical((0.2, 0.5, 0.3)),
        oracles.Categorical((0.2, 0.47, 0.33)),
        (L1, L2, LINF),
    ),
    (
        targets.Proportion(interval=(0.5, 1.5)),
        oracles.Categorical((0.3, 0.3, 0.4)),
        oracles.Categorical((0.3, 0.33, 0.37)),
        (L1, LINF),
    ),
    (
        targets.Histogram(categories=CODES),
        oracles.Categorical((0.2, 0.5, 0.3)),
        oracles.Categorical((0.2, 0.55, 0.25)),
        (L1, L2, LINF, RANGE),
    ),
    (targets.Histogram(categories=(1.0, 0.0)), oracles.Bernoulli(0.3), oracles.Bernoulli(0.33), (L1, L2, LINF, RANGE)),
    (targets.Mean(((-1, 3),)), oracles.Uniform(-1, 3), oracles.Uniform(-1, 2.6), (L1, L2, LINF)),
]


def _distances(target: Any, oracle: Any, norm: Norm) -> np.ndarray:
    """By the contributions of the two records that differ: an additive target's other records cancel."""
    records = oracle.draw(M, 2, rng=np.random.default_rng(20171))
    moved = target.contribution(records[:, 0], N) - target.contribution(records[:, 1], N)
    return np.sort(norm(moved))


def _farthest(distances: np.ndarray, cdf: Any) -> float:
    """sup |empirical − true|, just above each distance where a jump of the true CDF has happened too, and just below."""
    width = 1e-9 * (distances[-1] or 1)
    values = np.unique(distances.round(12))
    above, below = values + width, values - width
    empirical = [np.searchsorted(distances, place, side="right") / M for place in (above, below)]
    return float(max(np.abs(empirical[0] - cdf(above)).max(), np.abs(empirical[1] - cdf(below)).max()))


@pytest.mark.statistical
@pytest.mark.parametrize(("target", "oracle", "wrong", "norms"), CASES, ids=lambda part: repr(part)[:50])
def test_a_true_cdf_lies_in_the_band_and_one_that_is_ten_percent_off_does_not(
    target: Any, oracle: Any, wrong: Any, norms: tuple[Norm, ...]
) -> None:
    for norm in norms:
        distances = _distances(target, oracle, norm)
        right, other = true_cdf(target, oracle, norm, N), true_cdf(target, wrong, norm, N)
        assert right is not None
        assert other is not None
        assert _farthest(distances, right) <= BAND + 1e-6
        assert _farthest(distances, other) > BAND + 1e-6


@pytest.mark.parametrize(
    ("target", "oracle", "norm"),
    [
        (targets.Mean((0, 1)), oracles.Exponential(1.0), L1),
        (targets.Mean((0, 1)), oracles.Uniform(-1, 1), L1),
        (targets.Mean((0, 1)), oracles.Normal(0, 1), L1),
        (targets.Mean(), oracles.Normal(0, 1, (-1, 1)), L1),
        (targets.Mean(), oracles.Exponential(1.0, (0, 2)), L1),
        (targets.Mean(((0, 1), (0, 1))), oracles.IndependentColumns((oracles.Uniform(0, 1),) * 2), L1),
        (targets.Mean(), oracles.Uniform(0, 1), RANGE),
        (targets.Mean(), oracles.Categorical((0.5, 0.5)), L1),
        (targets.Variance(), oracles.Normal(0, 1), L1),
        (targets.Quantile(0.5), oracles.Uniform(0, 1), L1),
        (targets.Proportion(category=5.0), oracles.Bernoulli(0.5), L1),
        (targets.Proportion(category="ja"), oracles.Bernoulli(0.5), L1),
        (targets.Mean(((0, 1), (0, 1))), oracles.Bernoulli(0.5), L1),
        (targets.Proportion(interval=(-1, 2)), oracles.Bernoulli(0.5), L1),
        (targets.Proportion(interval=(0, 0.5)), oracles.Uniform(0, 1), L1),
        (targets.Histogram(categories=(0.0, 1.0)), oracles.Categorical((0.2, 0.5, 0.3)), L1),
        (targets.Histogram(edges=(0, 1, 2)), oracles.Uniform(0, 2), L1),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_none_is_given_where_something_is_clipped_or_no_form_is_known(target: Any, oracle: Any, norm: Norm) -> None:
    assert true_cdf(target, oracle, norm, N) is None


@pytest.mark.parametrize(("target", "oracle", "wrong", "norms"), CASES, ids=lambda part: repr(part)[:50])
def test_a_true_cdf_is_zero_below_zero_and_one_far_out(target: Any, oracle: Any, wrong: Any, norms: tuple[Norm, ...]) -> None:
    cdf = true_cdf(target, oracle, norms[0], N)
    assert cdf is not None
    assert float(cdf(np.array([1e6]))[0]) == 1
    rising = cdf(np.linspace(0, 10, 1000))
    assert (np.diff(rising) >= 0).all()
    assert (rising >= 0).all()
