"""Each oracle's inverse distribution function has the law of its draws, and would not pass for one 10 % off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.oracles import Exponential, Normal, Uniform

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize(
    ("oracle", "law"),
    [(Normal(4, 2), stats.norm(4, 2)), (Exponential(3), stats.expon(scale=1 / 3)), (Uniform(-2, 3), stats.uniform(-2, 5))],
)
def test_an_inverse_is_scipys(oracle: Any, law: Any) -> None:
    shares = np.array([1e-300, 1e-12, 0.01, 0.5, 0.99, 1 - 1e-12, 1 - 2.0**-53])
    assert oracle.inverse(shares) == pytest.approx(law.ppf(shares), rel=1e-12)
