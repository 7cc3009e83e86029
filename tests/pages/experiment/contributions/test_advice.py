"""The share of the values that advised caps, limits and bounds keep."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Adjacency, PureDP
from pages.old.experiment.contributions.advice import LEAST_KEPT, kept_by_bounds, kept_by_cap
from pages.old.experiment.contributions.asked import MEAN, SUM, Asked, Question, Terms
from pages.old.experiment.contributions.cap import Cap, counted_rows
from pages.old.experiment.contributions.limit import Limit
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import predict
from tests.pages.experiment.contributions.naive import field

WIDEST = (-10.0, 10.0)


def _question(
    persons: list[int], values: list[float], asked: Asked = SUM, widest: tuple[float, float] = WIDEST, epsilon: float = 1.0
) -> Question:
    return Question(
        rows=counted_rows(field(persons), np.array(values)),
        asked=asked,
        terms=Terms(LaplaceNoise(PureDP(epsilon)), Adjacency.ADD_OR_REMOVE_ONE_USER),
        cap=Cap(1),
        bounds=widest,
        widest=widest,
    )


def test_sizes_are_compared_and_do_not_cancel() -> None:
    asked = _question([0, 0, 1, 1], [4.0, -4.0, 2.0, -2.0])
    assert kept_by_cap(asked, Cap(1), WIDEST) == pytest.approx(1 / 2)
    assert kept_by_cap(asked, Cap(2), WIDEST) == pytest.approx(1)
    assert kept_by_bounds(asked, Cap(2), (-1.0, 1.0)) == pytest.approx(4 / 12)


def test_bounds_are_judged_on_rows_kept() -> None:
    asked = _question([0, 0, 1], [8.0, 8.0, 4.0])
    assert kept_by_bounds(asked, Cap(1), (-4.0, 4.0)) == pytest.approx((4 + 4) / (8 + 4))
    assert kept_by_bounds(asked, Cap(2), (-4.0, 4.0)) == pytest.approx(12 / 20)


def test_a_mean_loses_only_by_its_bounds() -> None:
    asked = _question([0, 0, 1], [60.0, 80.0, 100.0], MEAN, widest=(50.0, 100.0))
    assert kept_by_cap(asked, Cap(1), (50.0, 100.0)) == 1
    assert kept_by_bounds(asked, Cap(2), (50.0, 60.0)) == pytest.approx(30 / 90)
    below = _question([0, 1], [-60.0, -100.0], MEAN, widest=(-100.0, -50.0))
    assert kept_by_bounds(below, Cap(1), (-70.0, -50.0)) == pytest.approx(30 / 60)


def test_a_limit_keeps_part_of_each_total() -> None:
    asked = _question([0, 0, 1], [5.0, 7.0, -4.0])
    assert kept_by_cap(asked, Limit(-3.0, 3.0), WIDEST) == pytest.approx((3 + 3) / (12 + 4))


def test_values_at_fixed_end_lose_nothing() -> None:
    assert kept_by_bounds(_question([0, 1], [0.0, 0.0]), Cap(1), (-1.0, 1.0)) == 1


@pytest.mark.parametrize(("noise", "advised"), [(0.9, True), (1.1, False)])
def test_threshold_is_noise_equal_to_exact_sum(noise: float, advised: bool) -> None:
    """100 people with 100 rows of 1 each: noise for all rows is ``noise`` times the exact sum."""
    people, rows = 100, 100
    epsilon = np.sqrt(2) * rows / (noise * people * rows)
    asked = _question([person for person in range(people) for _ in range(rows)], [1.0] * people * rows, epsilon=epsilon)
    best = predict(asked.rows, SUM, asked.terms, [Cap(s) for s in range(1, rows + 1)], [(0.0, 1.0)]).best
    assert best.cap.size == pytest.approx(rows / (1 + noise**2), abs=1)
    assert (kept_by_cap(asked, best.cap, (0.0, 1.0)) >= LEAST_KEPT) is advised
