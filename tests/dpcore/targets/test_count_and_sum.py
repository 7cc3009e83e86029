"""Counts of a condition and sums of known values: what is missing is in none and adds nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, LaplaceMechanism, PureDP, targets
from dpcore.audits.audit import audit
from dpcore.base.columns import KNOWN, Column
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import Numbers

STAYS = Column("days", "Days", "d", bounds=(0.0, 30.0))
SEX = Column("sex", categories=(0.0, 1.0))
RECORDS = np.array([0.0, 4.0, 15.0, 16.0, np.nan, 50.0, -2.0])


def test_a_count_is_of_the_records_that_the_condition_holds_of() -> None:
    assert targets.Count(interval=(0, 15))(RECORDS).tolist() == [3]
    assert targets.Count(category=16)(RECORDS).tolist() == [1]
    assert targets.Count(category="a")(np.array(["a", "b", "", "a"])).tolist() == [2]
    assert targets.Count.suited((STAYS,)) == targets.Count(interval=(0.0, 15.0))
    assert targets.Count.suited((SEX,)) == targets.Count(category=1.0)
    assert targets.Count(category=1.0).answer((STAYS,)) == Numbers(("Days",), "rows", amount=True)


def test_all_records_are_counted_whose_value_is_known() -> None:
    target = targets.Count()
    assert target(RECORDS).tolist() == [6]
    assert target(np.array(["a", "b", "", "a"])).tolist() == [3]
    assert target(np.array([], dtype=float)).tolist() == [0]
    assert target.rows_that_count(RECORDS).tolist() == [True] * 4 + [False] + [True] * 2
    assert target.contribution(RECORDS, 7)[:, 0].tolist() == [1, 1, 1, 1, 0, 1, 1]
    assert target.answer((STAYS,)) == Numbers(("Rows",), "rows", amount=True)
    assert target.asked_of((STAYS,)) == "Number of rows"
    assert target.asked_of((replace(STAYS, missing=KNOWN),)) == "Number of rows whose Days is known"
    with pytest.raises(InvalidValueError):
        target(np.zeros((3, 2)))
    with pytest.raises(InvalidValueError):
        target(np.array([None, "a"], dtype=object))


@pytest.mark.parametrize("kind", [targets.Count, targets.Proportion])
@pytest.mark.parametrize("given", [{"category": 1.0, "interval": (0, 1)}, {"interval": (1, 0)}, {"category": np.nan}])
def test_a_condition_is_a_category_or_an_interval(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        kind(**given)


def test_a_proportion_needs_a_category_or_an_interval() -> None:
    with pytest.raises(InvalidValueError):
        targets.Proportion()


def test_a_sum_is_of_the_clipped_known_values_in_their_unit() -> None:
    target = targets.Sum((0.0, 30.0))
    assert target(RECORDS).tolist() == [0 + 4 + 15 + 16 + 30 + 0]
    assert targets.Sum.suited((STAYS,)) == target
    assert targets.Sum.suited((Column("a"),)) is None
    assert target.answer((STAYS,)) == Numbers(("Days",), "d", amount=True)
    assert targets.Sum((-1.0, 1.0))(np.array([1e16, -1e16, 1.0, np.nan])).tolist() == [1.0]


@pytest.mark.parametrize(
    ("target", "worst"),
    [
        (targets.Count(category=1.0), 1),
        (targets.Count(interval=(0, 2)), 1),
        (targets.Count(), 1),
        (targets.Sum((0.0, 3.0)), 3),
        (targets.Sum((-2.0, 3.0)), 5),
        (targets.Sum((2.0, 3.0)), 3),
        (targets.Sum((-3.0, -2.0)), 3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_the_worst_case_is_reached_and_never_exceeded_whatever_is_missing(target: Any, worst: float, norm: Norm) -> None:
    for n in (1, 2, 3):
        extended = np.array(list(product((-3.0, -2.0, 1.0, 3.0, np.nan), repeat=n + 1)))
        found = max(float(norm(target(records[:n]) - target(np.delete(records, n - 1)))) for records in extended)
        known = target.global_sensitivity(norm, n)
        assert worst == found <= known.value <= worst * (1 + 1e-12)
        assert target.global_sensitivity(RANGE, n) is None


@pytest.mark.statistical
def test_an_audit_of_a_sum_holds_at_epsilon_and_fails_at_half_the_noise() -> None:
    """A value at the upper bound gets lost. 100,000 responses a side at ε = 1."""
    target = targets.Sum((2.0, 30.0))
    first, second = target(np.array([30.0, 7.0])), target(np.array([np.nan, 7.0]))
    proof = target.global_sensitivity(L1, 2)
    assert proof is not None
    honest, loud = (LaplaceMechanism().calibrate(proof, PureDP(epsilon)) for epsilon in (1.0, 2.0))
    sound = audit(honest, first, second, draws=100_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.75
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds
