"""A question: the target of the records that meet its conditions, in each of its groups, and its worst case by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    Filter,
    GroupBy,
    LaplaceMechanism,
    PureDP,
    targets,
)
from dpcore.base.columns import Column
from dpcore.errors import DatabaseMismatchError
from dpcore.result_types.kind import Grouped

STAYS = np.array(
    [(1, 20, "F", "a"), (2, 30, "F", "b"), (4, 40, "M", "a"), (np.nan, 50, "F", "a"), (8, 60, "F", ""), (16, np.nan, "F", "b")],
    dtype=[("cost", float), ("age", float), ("sex", "U2"), ("ward", "U3")],
)
COST, AGE = Column("cost", "Cost", "€", bounds=(0.0, 10.0)), Column("age", bounds=(0.0, 120.0))
SEX, WARD = Column("sex", "Sex", role="text"), Column("ward", role="text", categories=("a", "b"))
FEMALE, ADULT, BY_WARD = Filter("sex", "F"), Filter("age", interval=(18, 55)), GroupBy("ward", ("b", "none", "a"))
SUM = targets.Sum((0.0, 10.0))


@pytest.mark.parametrize(
    ("target", "where", "wanted"),
    [
        (SUM, (), 1 + 2 + 4 + 8 + 10),
        (SUM, (FEMALE,), 1 + 2 + 8 + 10),
        (SUM, (FEMALE, ADULT), 1 + 2),
        (SUM, (Filter("sex", "F", excluded=True),), 4),
        (SUM, (Filter("age", interval=(25, 45), excluded=True),), 1 + 8),
        (SUM, (Filter("cost", interval=(3, 9)),), 4 + 8),
        (targets.Count(interval=(0, 100)), (FEMALE,), 4),
        (targets.Count(), (), 5),
        (targets.Count(), (FEMALE,), 4),
        (targets.Count(), (ADULT,), 3),
    ],
    ids=repr,
)
def test_a_record_that_a_condition_does_not_hold_of_counts_nowhere_and_a_missing_value_meets_none(
    target: Any, where: tuple[Filter, ...], wanted: float
) -> None:
    assert targets.Query(target, ("cost",), where)(STAYS).tolist() == [wanted]


def test_groups_are_answered_one_after_another_and_an_empty_one_like_any_other() -> None:
    asked = targets.Query(SUM, ("cost",), (FEMALE,), BY_WARD)
    assert asked(STAYS).tolist() == [12, 0, 1]
    assert asked.groups == ("b", "none", "a")
    assert targets.Query(SUM, ("cost",), (FEMALE,)).groups == ()
    means = targets.Query(targets.Mean((0.0, 10.0)), ("cost",), by=BY_WARD)
    assert means(STAYS) == pytest.approx([-0.6 + 1, 2, 0, 0, -0.8 - 0.2, 2])


@pytest.mark.parametrize("inner", [targets.Sum((-1.0, 2.0)), targets.Mean((-1.0, 2.0))], ids=repr)
def test_all_groups_in_one_pass_are_to_the_bit_what_each_is_under_a_condition(inner: Any) -> None:
    """Sums that hang on their order, unless each is rounded once: 10⁻⁹ beside 1, and both signs."""
    rng, wards = np.random.default_rng(4), ("b", "c", "a", "empty")
    stays = np.zeros(4_000, dtype=[("cost", float), ("ward", "U6")])
    stays["cost"] = rng.normal(size=4_000) * 10.0 ** rng.integers(-9, 1, 4_000)
    stays["cost"][::7], stays["ward"] = np.nan, rng.choice(["a", "b", "c", "elsewhere", ""], 4_000)
    alone = [targets.Query(inner, ("cost",), (Filter("ward", ward),))(stays) for ward in wards]
    assert targets.Query(inner, ("cost",), by=GroupBy("ward", wards))(stays).tobytes() == np.concatenate(alone).tobytes()


def test_texts_of_two_columns_and_numbers_of_a_group_are_asked_about_too() -> None:
    women = targets.Query(targets.Count("F"), ("sex",), (ADULT,), GroupBy("ward", ("a", "b")))
    assert women(STAYS).tolist() == [2, 1]
    by_age = targets.Query(targets.Count("F"), ("sex",), by=GroupBy("age", (20, 50, 70)))
    assert by_age(STAYS).tolist() == [1, 1, 0]
    assert by_age.groups == ("20", "50", "70")
    both = targets.Query(targets.Correlation(((0, 10), (0, 120))), ("cost", "age"), (Filter("cost", interval=(0, 5)),))
    assert both(STAYS) == pytest.approx(np.corrcoef([1, 2, 4], [20, 30, 40])[0, 1])


def test_it_says_of_itself_what_its_target_says() -> None:
    plain, grouped = targets.Query(SUM, ("cost",), (FEMALE,)), targets.Query(SUM, ("cost",), (FEMALE,), BY_WARD)
    assert plain.fields == ("cost", "sex")
    assert grouped.fields == ("cost", "sex", "ward")
    assert plain.answer((COST, SEX)) == SUM.answer((COST,))
    assert grouped.answer((COST, SEX, WARD)) == Grouped(SUM.answer((COST,)), ("b", "none", "a"))
    assert plain.candidates == ()
    assert plain.answer_bounds is not None
    assert plain.answer_bounds(7) == (0.0, 70.0)
    assert grouped.answer_bounds is None
    bars = targets.Histogram(categories=("F", "M"))
    assert targets.Query(bars, ("sex",)).candidates == ("F", "M")
    assert targets.Query(bars, ("sex",), by=GroupBy("ward", ("a", "b"))).candidates == ("a: F", "a: M", "b: F", "b: M")
    assert targets.Query(targets.Count("F"), ("sex",)).whole_numbers is True

    median = targets.QuantileScores(0.5, (0.0, 10.0))
    assert median.seconds(1_000) < targets.Query(median, ("cost",)).seconds(1_000) < 1.5 * median.seconds(1_000)
    spread = targets.Variance((0.0, 10.0))  # which has no sums that all groups share
    by_ward, whole = targets.Query(spread, ("cost",), by=BY_WARD), targets.Query(spread, ("cost",))
    assert by_ward.seconds(1_000) == pytest.approx(3 * whole.seconds(1_000), rel=0.01)
    assert plain.seconds is None


def test_a_release_of_other_columns_is_refused_before_anything_is_spent() -> None:
    proof = targets.Query(SUM, ("cost",), (FEMALE,)).global_sensitivity(L1, 6)
    assert proof is not None
    calibrated = LaplaceMechanism().calibrate(proof, PureDP(1e6))
    assert calibrated.release(STAYS).response == pytest.approx([21], abs=0.01)
    for database in (np.zeros(6), STAYS[["cost", "age"]]):
        with pytest.raises(DatabaseMismatchError) as caught:
            calibrated.release(database)
        assert caught.value.expected == ("cost", "sex")


def test_it_fits_its_columns_in_order_where_they_hold_what_is_asked() -> None:
    asked = targets.Query(SUM, ("cost",), (FEMALE, ADULT), BY_WARD)
    assert asked.fits((COST, SEX, AGE, WARD))
    assert not asked.fits((COST, AGE, SEX, WARD))
    assert not asked.fits((COST, SEX, AGE))
    assert not asked.fits((COST, Column("sex"), AGE, WARD))
    assert not asked.fits((Column("cost", role="text"), SEX, AGE, WARD))
