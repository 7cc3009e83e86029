"""The share of the values that an advised limit, and advised bounds, keep; and what is said."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcore import targets
from pages.experiment import people_advice as advice
from pages.experiment.people import bounds_of, least
from tests.pages.experiment.people import made
from tests.pages.experiment.people.made import Row

WIDEST = (-10.0, 10.0)


def _sum(table: list[Row], bounds: tuple[float, float] = WIDEST, **limit: Any) -> Any:
    return made.contributions(table, made.about(targets.Sum(bounds), **limit))


def test_sizes_are_compared_and_do_not_cancel() -> None:
    found = _sum([(0, 4.0, 0), (0, -4.0, 0), (1, 2.0, 0), (1, -2.0, 0)], rows=2)
    assert advice.kept_by_limit(found, made.about(targets.Sum(WIDEST), rows=1)) == pytest.approx(1 / 2)
    assert advice.kept_by_limit(found, found.target) == pytest.approx(1)
    assert advice.kept_by_bounds(found, (-1.0, 1.0)) == pytest.approx(4 / 12)


def test_bounds_are_judged_on_rows_kept() -> None:
    table = [(0, 8.0, 0), (0, 8.0, 0), (1, 4.0, 0)]
    assert advice.kept_by_bounds(_sum(table, rows=1), (-4.0, 4.0)) == pytest.approx((4 + 4) / (8 + 4))
    assert advice.kept_by_bounds(_sum(table, rows=2), (-4.0, 4.0)) == pytest.approx(12 / 20)
    assert advice.kept_by_bounds(_sum([(0, 0.0, 0), (1, 0.0, 0)], rows=1), (-1.0, 1.0)) == 1


def test_a_mean_loses_only_by_its_bounds() -> None:
    for values, widest, bounds, kept in (
        ([60.0, 80.0, 100.0], (50.0, 100.0), (50.0, 60.0), 30 / 90),
        ([-60.0, -100.0], (-100.0, -50.0), (-70.0, -50.0), 30 / 60),
    ):
        table = [(0, value, 0) for value in values]
        found = made.contributions(table, made.about(targets.Mean(widest), rows=9))
        assert advice.kept_by_limit(found, made.about(targets.Mean(widest), rows=1)) == 1
        assert advice.kept_by_bounds(found, bounds) == pytest.approx(kept)


def test_limit_keeps_part_of_totals_of_some_people() -> None:
    found = _sum([(0, 5.0, 0), (0, 7.0, 0), (1, -4.0, 0), (2, 1.0, 0)], totals=(-3.0, 3.0))
    assert advice.kept_by_limit(found, found.target) == pytest.approx((3 + 3 + 1) / (12 + 4 + 1))
    assert advice.share_limited(found) == pytest.approx(2 / 3)
    assert advice.share_limited(_sum([(0, 5.0, 0), (0, 7.0, 0), (1, -4.0, 0)], rows=1)) == pytest.approx(1 / 2)


@pytest.mark.parametrize(("noise", "advised"), [(0.9, True), (1.1, False)])
def test_threshold_is_noise_equal_to_exact_sum(noise: float, advised: bool) -> None:
    """30 people with 30 rows of 1 each: noise for all rows is ``noise`` times the exact sum."""
    people, rows = 30, 30
    table = [(person, 1.0, 0) for person in range(people) for _ in range(rows)]
    found = made.contributions(
        table, made.about(targets.Sum((0.0, 1.0)), rows=rows), epsilon=math.sqrt(2) * rows / (noise * people * rows)
    )
    assert least(found.by_limit).size == pytest.approx(rows / (1 + noise**2), abs=1)
    given = advice.on_limit(found)
    assert (given.better is not None) is advised
    assert given.sentence.startswith("The least error is" if advised else "No advice on s: the best choice, s = ")


@pytest.mark.parametrize("epsilon", [50.0, 0.5])
def test_bounds_that_clip_nearly_everything_are_not_advised(epsilon: float) -> None:
    """The players of the tutorial: at ε = 0.5 the least error would be that of scores from −0.1 to 0.1."""
    table = [(0, 7.0, 0), (1, 5.0, 0), (1, 1.0, 0), *((2, value, 0) for value in (8.0, -8.0, -6.0, 1.0, -8.0)), (3, -1.0, 0)]
    found = made.contributions(table, made.about(targets.Sum(WIDEST), rows=3), epsilon=epsilon)
    given = advice.on_bounds(found)
    if epsilon < 1:
        assert bounds_of(least(found.by_bounds).target) == (-0.1, 0.1)
        assert given.sentence.startswith("No advice on the bounds: the best choice, values from -0.1 to 0.1, keeps only")
        assert given.better is None
    else:
        assert given.better is None or advice.kept_by_bounds(found, bounds_of(given.better.target)) >= advice.LEAST_KEPT


def test_what_is_said_of_numbers_of_people() -> None:
    one = _sum([(0, 5.0, 0), (0, 7.0, 0)], rows=1)
    people = made.contributions([(0, 1.0, 0), (1, 1.0, 0), (1, 1.0, 0)], made.about(targets.Count(), rows=1))
    assert "each person counts once" in advice.number_of_people(people)
    assert advice.without_noise(people) == ""
    assert advice.number_of_people(one) == ""
    assert "(exact: 12)" in advice.without_noise(one)
    assert advice.on_bounds(people).sentence == "Each row counts as 0 or 1, so its bounds are fixed."
