"""Each oracle's inverse distribution function has the law of its draws, and would not pass for one 10 % off."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.base.types import inverse_of
from dpcore.oracles import Bernoulli, Categorical, Exponential, Normal, Product, Resample, Uniform
from dpcore.sampling.agreement import distance

pytestmark = pytest.mark.statistical
RECORDS = 400_000
REACH = math.sqrt(math.log(2 / 1e-6) / (2 * RECORDS))  # Dvoretzky, Kiefer and Wolfowitz: 0.43 %
SHARES = np.concatenate([[1e-9], np.arange(1, 2_000) / 2_000, [1 - 1e-9]])


@pytest.mark.parametrize(
    ("oracle", "wrong"),
    [
        (Uniform(-2, 3), [Uniform(-2, 3.5), Uniform(-2.5, 3), Uniform(-1.75, 2.75)]),
        (Normal(4, 2), [Normal(4, 2.2), Normal(4, 1.8), Normal(4.2, 2)]),
        (Normal(0, 1, (-1, 0.5)), [Normal(0, 1, (-1.1, 0.5)), Normal(0, 1, (-1, 0.55)), Normal(0, 1.1, (-1, 0.5))]),
        (Exponential(3), [Exponential(3.3), Exponential(2.7)]),
        (Exponential(1, (0.5, 2)), [Exponential(1, (0.55, 2)), Exponential(1, (0.5, 1.8)), Exponential(1.1, (0.5, 2))]),
        (Bernoulli(0.3), [Bernoulli(0.33), Bernoulli(0.27)]),
        (Categorical((0.2, 0.0, 0.5, 0.3)), [Categorical((0.22, 0.0, 0.48, 0.3)), Categorical((0.0, 0.2, 0.5, 0.3))]),
        (Resample(np.array([5.0, 5.0, 1.0, 9.0])), [Resample(np.array([5.0] * 11 + [1.0] * 4 + [9.0] * 5))]),
        (Product((Exponential(3),)), [Product((Exponential(3.3),))]),
    ],
    ids=lambda part: repr(part) if not isinstance(part, list) else "",
)
def test_an_inverse_has_the_law_of_the_draws(oracle: Any, wrong: list[Any]) -> None:
    """400,000 records: size 10⁻⁶, and each law 10 % off is refused."""
    records = oracle.draw(RECORDS, 1, rng=np.random.default_rng(2_026)).reshape(-1)
    for other in (oracle, *wrong):
        inverse = inverse_of(other)
        assert inverse is not None
        edges = inverse(SHARES)
        assert (np.diff(edges) >= 0).all()
        assert (distance(records, edges, SHARES).max() <= REACH) == (other is oracle)


@pytest.mark.parametrize(
    ("oracle", "law"),
    [(Normal(4, 2), stats.norm(4, 2)), (Exponential(3), stats.expon(scale=1 / 3)), (Uniform(-2, 3), stats.uniform(-2, 5))],
)
def test_an_inverse_is_scipys(oracle: Any, law: Any) -> None:
    shares = np.array([1e-300, 1e-12, 0.01, 0.5, 0.99, 1 - 1e-12, 1 - 2.0**-53])
    assert oracle.inverse(shares) == pytest.approx(law.ppf(shares), rel=1e-12)
