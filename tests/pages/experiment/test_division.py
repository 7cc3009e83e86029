"""The ε of a list is divided among its questions without loss."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import InvalidValueError
from pages.experiment.question_list import divided, most
from pages.experiment.scenario import LEAST_EPSILON


@settings(derandomize=True, deadline=None, database=None)
@given(st.lists(st.floats(1, 10), min_size=1, max_size=20), st.floats(3, 20))
def test_divided_shares_sum_to_the_total_in_proportion(parts: list[float], total: float) -> None:
    found = divided(parts, total)
    assert math.fsum(found) == pytest.approx(total, abs=1e-8 * len(parts))
    assert min(found) >= LEAST_EPSILON
    wanted = [part / math.fsum(parts) * total for part in parts]
    assert list(found) == pytest.approx(wanted, rel=0.005, abs=0.005 * total)  # the largest takes what rounding leaves


@pytest.mark.parametrize(("parts", "total"), [([1.0] * 5, 0.04), ([3.0, 1.0], 150.0)])
def test_divided_refuses_shares_out_of_range(parts: list[float], total: float) -> None:
    with pytest.raises(InvalidValueError, match=r"each question gets from 0\.01 to 100") as caught:
        divided(parts, total)
    assert caught.value.got == total


def test_divided_reaches_the_ends() -> None:
    assert divided([1.0] * 5, 0.05) == (0.01,) * 5
    assert divided([1.0, 1.0, 1.0], 1.0) == (0.334, 0.333, 0.333)
    assert divided([3.0, 1.0], most([3.0, 1.0])) == (100.0, pytest.approx(100 / 3, abs=0.05))
