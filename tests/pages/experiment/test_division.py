"""One ε for all lines of a list: what each gets, and that nothing is lost or made up by rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.errors import InvalidValueError
from pages.experiment.question_list import divided, most
from pages.experiment.scenario import LEAST_EPSILON


def _drawn() -> list[tuple[list[float], float]]:
    rng = np.random.default_rng(20261126)
    return [(rng.uniform(0.01, 20, rng.integers(2, 21)).tolist(), round(float(rng.uniform(0.2, 20)), 6)) for _ in range(300)]


def test_the_parts_sum_to_the_total_none_is_below_the_least_and_each_is_as_large_beside_the_others_as_it_was() -> None:
    for parts, total in _drawn():
        found = divided(parts, total)
        assert math.fsum(found) == pytest.approx(total, abs=1e-8 * len(parts))
        assert min(found) >= LEAST_EPSILON - 1e-8
        wanted = np.array(parts) / math.fsum(parts) * total
        if (wanted >= LEAST_EPSILON).all():  # else some get more, and the others less
            assert np.array(found) == pytest.approx(
                wanted, rel=0.005, abs=0.005 * total
            )  # the largest takes what rounding leaves


def test_what_does_not_go_round_is_refused_with_what_would() -> None:
    with pytest.raises(InvalidValueError, match=r"at least 0\.05, so that each of its lines gets 0\.01") as caught:
        divided([1.0] * 5, 0.04)
    assert caught.value.got == 0.04
    assert divided([1.0] * 5, 0.05) == (0.01,) * 5
    assert divided([1.0, 1.0, 1.0], 1.0) == (0.334, 0.333, 0.333)
    assert divided([0.02, 0.02, 0.003, 0.003, 0.004], 0.05) == (0.01,) * 5
    with pytest.raises(InvalidValueError, match=r"at most 133, so that none of its lines gets more than 100"):
        divided([3.0, 1.0], 150.0)
    assert divided([3.0, 1.0], most([3.0, 1.0])) == (pytest.approx(100, abs=0.05), pytest.approx(100 / 3, abs=0.05))
