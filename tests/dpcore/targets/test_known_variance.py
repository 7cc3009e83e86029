"""The variance of the known values: the usual one where all are known, total, and never further apart than its range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, RANGE, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.columns import Column
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.norms import Norm

SPREAD = targets.Variance((-2.0, 10.0))
TARGET: Any = SPREAD.of_known_values()


@pytest.mark.parametrize("seed", range(5))
def test_it_is_numpys_variance_of_what_is_known(seed: int) -> None:
    values = np.random.default_rng(seed).normal(3, 4, 200)
    values[::7] = np.nan
    assert TARGET(values) == pytest.approx([np.nanvar(np.clip(values, -2, 10))], rel=1e-12)


@pytest.mark.parametrize("values", [[np.nan, np.nan], [np.nan, 5.0], [5.0, 5.0], [1e300, 1e300]])
def test_it_always_answers_and_a_constant_has_none(values: list[float]) -> None:
    assert TARGET(np.array(values)).tolist() == [0.0]


@pytest.mark.parametrize("norm", [L1, L2])
def test_its_worst_case_is_attained_and_never_passed(norm: Norm) -> None:
    proof = TARGET.global_sensitivity(norm, 9)
    assert proof is not None
    low, missing = np.full(9, -2.0), np.full(7, np.nan)
    low[2:] = missing
    high = low.copy()
    high[1] = 10.0
    assert TARGET(high)[0] - TARGET(low)[0] == pytest.approx(36, rel=1e-12)
    assert 36 <= proof.value <= 36 * (1 + 1e-12)
    rng = np.random.default_rng(3)
    for _ in range(300):
        one = rng.choice([-5.0, -2.0, 0.0, 4.0, 10.0, 99.0, np.nan], 9)
        other = one.copy()
        other[rng.integers(9)] = rng.choice([-5.0, 10.0, np.nan])
        assert abs(TARGET(one)[0] - TARGET(other)[0]) <= proof.value


def test_there_is_no_worst_case_for_one_record_in_range_or_where_squares_overflow() -> None:
    assert TARGET.global_sensitivity(RANGE, 9) is None
    assert TARGET.global_sensitivity(L1, 1) is None
    assert targets.Variance((-1e200, 1e200)).of_known_values().global_sensitivity(L1, 9) is None


def test_many_known_values_move_it_far_less_than_its_worst_case() -> None:
    sample = sample_sensitivity(TARGET, oracles.Uniform(-2.0, 10.0), norm=L1, n=500, at=OperatingPoint.for_gamma(0.05), seed=1)
    assert sample.sensitivity().value < 36 / 100


def test_it_can_be_asked_under_conditions_and_by_group() -> None:
    rows = [(1.0, "a"), (3.0, "a"), (9.0, "b"), (np.nan, "b")]
    stays = np.array(rows, dtype=[("x", float), ("ward", "U1")])
    asked = targets.Query(SPREAD, ("x",), (Filter("x", interval=(0.0, 9.0)),), GroupBy("ward", ("a", "b")))
    assert asked(stays).tolist() == pytest.approx([1.0, 0.0])
    assert targets.Variance.suited((Column("x", unit="days", bounds=(0.0, 1.0)),)) == targets.Variance((0.0, 1.0))
    assert TARGET.answer((Column("x", unit="days"),)).unit == "days²"
