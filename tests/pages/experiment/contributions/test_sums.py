"""Capped answers and the parts of their error: those of plain loops, and of every choice that a salt can make."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Adjacency, PureDP
from dpcore.base.types import FloatArray
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM, Asked, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, Keeping, counted_rows
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import predict
from tests.pages.experiment.contributions.naive import Row, choices, field, rows, sums, weights

WEIGHTS = Terms(LaplaceNoise(PureDP(1.0)), Adjacency.ADD_OR_REMOVE_ONE_USER)
BY_SALT = Terms(WEIGHTS.noise, WEIGHTS.adjacency, Keeping.ROWS)
CAPS = [Cap(1), Cap(3), Cap(100), Cap(1, 1), Cap(2, 3), Cap(100, 100)]
BOUNDS = [(-5.0, 12.0), (2.0, 9.0), (-9.0, -1.0), (-20.0, 40.0)]


def counted(table: list[Row], groups: int, *, ones: bool = False) -> CountedRows:
    people, values, places = (np.array(each) for each in zip(*table, strict=True))
    return counted_rows(field(people.tolist()), None if ones else values, group=places, groups=groups)


@pytest.mark.parametrize("groups", [1, 3, 400])
@pytest.mark.parametrize("asked", [COUNT, SUM, MEAN], ids=lambda asked: asked.name)
def test_answers_are_those_of_plain_loops_and_the_parts_of_the_bias_add_up(asked: Asked, groups: int) -> None:
    """400 groups of 60 people: most groups are empty, and keys are sorted instead of looked up."""
    table = rows(np.random.default_rng(5), 60, 9, groups)
    bounds = [(0.0, 1.0)] if asked.bounds else BOUNDS
    found = predict(counted(table, groups, ones=asked is COUNT), asked, WEIGHTS, CAPS, None if asked.bounds else BOUNDS)
    ones = [(person, 1.0, group) for person, _, group in table] if asked is COUNT else table
    for cap, row in zip(CAPS, found.table, strict=True):
        for pair, each in zip(bounds, row, strict=True):
            expected, truth, clipped = (
                _answer(asked, sums(ones, kept, within, groups), within)
                for kept, within in (
                    (weights(ones, cap.rows, cap.groups), pair),
                    ([1.0] * len(ones), (-100.0, 100.0)),
                    ([1.0] * len(ones), pair),
                )
            )
            errors, there = each.errors, ~np.isnan(truth)
            assert errors.truth == pytest.approx(truth, nan_ok=True)
            assert errors.answer[there] == pytest.approx(expected[there])
            assert errors.dropped == pytest.approx(expected - clipped, abs=1e-9, nan_ok=True)
            assert errors.clipped_low + errors.clipped_high == pytest.approx(clipped - truth, abs=1e-9, nan_ok=True)
            assert (errors.clipped_low[there] >= 0).all()
            assert (errors.clipped_high[there] <= 0).all()
            assert errors.bias - errors.from_noise == pytest.approx(expected - truth, abs=1e-9, nan_ok=True)


def _answer(asked: Asked, found: FloatArray, bounds: tuple[float, float]) -> FloatArray:
    if asked is not MEAN:
        return found[:, 0]
    return np.where(found[:, 1] > 0, _mean(found, bounds), np.nan)


def _mean(found: FloatArray, bounds: tuple[float, float]) -> FloatArray:
    """From shares between the bounds, as it is released: a group that weighs less than one row is drawn to the middle."""
    low, half = bounds[0], (bounds[1] - bounds[0]) / 2
    shares = (found[:, 0] - low * found[:, 1]) / half - found[:, 1]
    return np.asarray(low + half * (shares / np.maximum(found[:, 1], 1.0) + 1))


@pytest.mark.parametrize("cap", [Cap(1), Cap(2), Cap(2, 1), Cap(1, 2)], ids=str)
@pytest.mark.parametrize("asked", [COUNT, SUM], ids=lambda asked: asked.name)
def test_the_variance_over_salts_is_that_of_all_choices(asked: Asked, cap: Cap) -> None:
    """Every choice of a salt on 3 people with up to 4 rows in 2 groups."""
    table = [(0, 3.0, 0), (0, -4.0, 1), (0, 20.0, 0), (1, 6.0, 0), (2, 1.0, 1), (2, 8.0, 1), (2, -2.0, 0), (2, 7.5, 1)]
    table = [(person, 1.0 if asked is COUNT else value, group) for person, value, group in table]
    pair = (0.0, 1.0) if asked is COUNT else (-3.0, 9.0)
    for groups in (1, 2):
        placed = [(person, value, group % groups) for person, value, group in table]
        answers = np.array([sums(placed, kept, pair, groups)[:, 0] for kept in choices(placed, cap.rows, cap.groups)])
        bounds = None if asked.bounds else [pair]
        errors = predict(counted(placed, groups, ones=asked is COUNT), asked, BY_SALT, [cap], bounds).best.errors
        assert errors.answer == pytest.approx(answers.mean(axis=0))
        assert errors.salts == pytest.approx(answers.var(axis=0), abs=1e-12)
        by_weight = predict(counted(placed, groups, ones=asked is COUNT), asked, WEIGHTS, [cap], bounds).best.errors
        assert by_weight.salts.tolist() == [0.0] * groups


def test_a_mean_without_groups_has_the_variance_of_its_choices_and_one_by_group_nearly() -> None:
    """20 people with 6 rows: the number of kept rows is fixed without groups; with two it varies, and both sums are linear."""
    rng = np.random.default_rng(6)
    table = [(person, float(rng.uniform(0, 10)), int(rng.integers(2))) for person in range(20) for _ in range(6)]
    for groups, within in ((1, 0.03), (2, 0.05)):
        placed = [(person, value, group % groups) for person, value, group in table]
        values = np.array([value for _, value, _ in placed]).reshape(20, 6)
        places = np.array([group for _, _, group in placed]).reshape(20, 6)
        chosen = rng.random((20_000, 20, 6)).argsort(axis=2) < 3
        inside = chosen & (places == 0)
        means = (inside * values).sum(axis=(1, 2)) / inside.sum(axis=(1, 2))
        errors = predict(counted(placed, groups), MEAN, BY_SALT, [Cap(3)], [(0.0, 10.0)]).best.errors
        assert errors.salts[0] == pytest.approx(means.var(), rel=within)


@pytest.mark.parametrize("cap", [Cap(1), Cap(1, 1)], ids=str)
def test_a_mean_of_less_than_one_row_varies_as_its_choices_do(cap: Cap) -> None:
    """One person in two groups: each of them weighs less than one row whichever row is kept, so it counts as one."""
    table = [(0, 2.0, 0), (0, 7.0, 0), (0, 9.5, 0), (0, 1.0, 1)]
    pair = (0.0, 10.0)
    answers = [_mean(sums(table, kept, pair, 2), pair) for kept in choices(table, cap.rows, cap.groups)]
    errors = predict(counted(table, 2), MEAN, BY_SALT, [cap], [pair]).best.errors
    assert errors.answer == pytest.approx(np.mean(answers, axis=0))
    assert errors.salts == pytest.approx(np.var(answers, axis=0))


def test_the_errors_square_is_its_parts() -> None:
    errors = predict(counted(rows(np.random.default_rng(8), 30, 6), 1), SUM, BY_SALT, [Cap(2)], [(0.0, 9.0)]).best.errors
    bias = errors.clipped_low + errors.clipped_high + errors.dropped
    assert errors.rmse**2 == pytest.approx(bias**2 + errors.salts + 2 * (2 * 9) ** 2)
    assert errors.total == pytest.approx(errors.rmse[0])
