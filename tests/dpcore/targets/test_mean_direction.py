"""The mean direction and the thresholds along a direction: their values, and worst cases that are attained and never passed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.columns import Column
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError

BOUNDS = ((0.0, 1.0), (10.0, 20.0))
TARGET = targets.MeanDirection(BOUNDS)


def _database(rng: np.random.Generator, n: int) -> Any:
    """Records at corners, in the middle, beyond the bounds and missing."""
    x = rng.choice([-1.0, 0.0, 0.3, 0.5, 1.0, 9.0, np.nan], (n, 2))
    return np.column_stack([x[:, 0], 10 + 10 * x[:, 1], rng.integers(2, size=n)])


def test_it_is_the_mean_of_what_lies_from_the_middle_counted_by_class() -> None:
    database = np.array([[1.0, 10.0, 1.0], [0.0, 15.0, 0.0], [0.75, 30.0, 1.0], [np.nan, np.nan, 0.0]])
    assert TARGET(database).tolist() == [(0.5 + 0.5 + 0.25 - 0) / 4, (-0.5 - 0 + 0.5 - 0) / 4]


def test_it_is_the_support_vector_machines_direction_for_a_small_cost() -> None:
    """Without a free b, and another implementation's: sklearn's with an intercept that is as good as none."""
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(1)
    database = oracles.TwoClasses(2, 0.4, 0.6, 0.2, ((0.0, 1.0), (0.0, 1.0))).draw(1, 400, rng=rng)[0]
    database[:, :2] = np.clip(database[:, :2], 0, 1)
    solver = LinearSVC(C=1e-4, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6, random_state=0)
    other = solver.fit(database[:, :2] - 0.5, database[:, 2]).coef_[0]
    own = targets.MeanDirection(((0.0, 1.0), (0.0, 1.0)))(database)
    assert other / math.hypot(*other) == pytest.approx(own / math.hypot(*own), abs=1e-6)


@pytest.mark.parametrize(("norm", "exact"), [(L1, 2 / 9), (L2, math.sqrt(2) / 9), (LINF, 1 / 9), (RANGE, 2 / 9)])
def test_its_worst_case_is_attained_and_never_passed(norm: Norm, exact: float) -> None:
    proof = TARGET.global_sensitivity(norm, 9)
    assert proof is not None
    corner = np.tile([1.0, 10.0 if norm == RANGE else 20.0, 1.0], (9, 1))
    flipped = corner.copy()
    flipped[4, 2] = 0.0
    assert norm(TARGET(corner) - TARGET(flipped)) == pytest.approx(exact, rel=1e-12)
    assert exact <= proof.value <= exact * (1 + 1e-12)
    rng = np.random.default_rng(3)
    for _ in range(300):
        one = _database(rng, 9)
        other = one.copy()
        other[rng.integers(9)] = _database(rng, 1)[0]
        assert norm(TARGET(one) - TARGET(other)) <= proof.value


@pytest.mark.parametrize("seed", range(2))
def test_a_record_moves_no_count_by_more_than_one_whatever_the_direction(seed: int) -> None:
    rng = np.random.default_rng(seed)
    largest = 0.0
    for _ in range(200):
        step: Any = TARGET.then(rng.normal(size=2) * 10.0 ** rng.integers(-5, 5))
        one = _database(rng, 7)
        other = one.copy()
        other[rng.integers(7)] = _database(rng, 1)[0]
        moved = step(one) - step(other)
        proof = step.global_sensitivity(RANGE, 7)
        assert np.abs(moved).max() <= 1
        assert RANGE(moved) <= proof.value <= 2 * (1 + 1e-12)
        largest = max(largest, float(RANGE(moved)))
    assert largest == 2.0


def test_the_scores_of_many_directions_are_those_of_each_step() -> None:
    rng = np.random.default_rng(8)
    directions, database = rng.normal(size=(7, 2)), _database(rng, 30)
    many = TARGET.scores_after(directions, database)
    for direction, scores in zip(directions, many, strict=True):
        step = TARGET.then(direction)
        assert scores.tolist() == step(database).tolist()
        assert len(step.candidates) == scores.size


@pytest.mark.parametrize(
    "database",
    [np.tile([0.2, 12.0, 1.0], (5, 1)), np.array([[0.2, 12.0, 0.0]]), np.full((3, 3), np.nan), np.tile([0.5, 15.0, 0.0], (4, 1))],
    ids=["one class, equal rows", "one row", "all missing", "all in the middle"],
)
def test_it_always_answers(database: Any) -> None:
    first = TARGET(database)
    assert np.isfinite(first).all()
    assert np.isfinite(TARGET.then(first)(database)).all()


def test_sampling_takes_two_records_a_pair_and_finds_less_than_the_worst_case() -> None:
    unit = ((0.0, 1.0), (0.0, 1.0))
    sample = sample_sensitivity(
        targets.MeanDirection(unit),
        oracles.TwoClasses(2, x_bounds=unit),
        norm=L1,
        n=1_000,
        at=OperatingPoint.for_gamma(0.05),
        seed=1,
    )
    assert sample.way == "additive"
    assert 0 < sample.sensitivity().value < 0.002 / 3


def test_bad_bounds_and_directions_are_refused() -> None:
    with pytest.raises(InvalidValueError):
        targets.MeanDirection(())
    with pytest.raises(InvalidValueError):
        targets.MeanDirection(((1.0, 0.0),))
    for direction in ((1.0,), (1.0, np.nan), "ab"):
        with pytest.raises(InvalidValueError):
            targets.ThresholdScores(BOUNDS, direction)  # type: ignore[arg-type]


def test_categories_move_it_no_further_than_is_proved_and_have_a_weight_each_but_the_first() -> None:
    target = targets.MeanDirection(((0.0, 1.0), (0.0, 3.0)), categories=(0, 4))
    assert target.dims == 4
    rng = np.random.default_rng(5)
    proof = target.global_sensitivity(L1, 6)
    assert proof is not None

    def records(n: int) -> Any:
        return np.column_stack([rng.choice([0.0, 1.0], n), rng.choice([0, 1, 2, 3, np.nan, 9], n), rng.integers(2, size=n)])

    reached = 0.0
    for _ in range(250):
        one = records(6)
        other = one.copy()
        other[rng.integers(6)] = records(1)[0]
        reached = max(reached, float(np.abs(target(one) - target(other)).sum()))
        step: Any = target.then(rng.normal(size=4))
        assert RANGE(step(one) - step(other)) <= 2
    assert 0.99 * proof.value < reached <= proof.value


def test_a_picker_makes_it_of_numbers_and_categories_and_it_fits_these_columns_alone() -> None:
    ward, label = Column("ward", role="text", categories=("A", "B", "C")), Column("ill", role="text", categories=("no", "yes"))
    age = Column("age", bounds=(0.0, 100.0))
    target = targets.MeanDirection.suited((age, ward, label))
    assert target == targets.MeanDirection(((0.0, 100.0), (0.0, 2.0)), categories=(0, 3))
    assert target.fits((age, ward, label))
    assert target.fits((age, ward.coded, label.coded))
    assert not target.fits((ward, age, label))
    assert target.answer((age, ward, label)).labels == ("age", "ward = B", "ward = C", "bias")
    assert targets.MeanDirection.suited((Column("free", role="text"), label)) is None


@pytest.mark.parametrize("kind", [targets.MeanDirection, targets.HuberDirection, targets.LogisticDirection])
def test_a_record_with_a_missing_value_counts_nowhere_and_takes_no_more_than_its_part(kind: Any) -> None:
    target = kind(((0.0, 1.0), (0.0, 3.0)), categories=(0, 4))
    proof = target.global_sensitivity(L1, 12)
    rng = np.random.default_rng(6)
    for _ in range(20):
        whole = np.column_stack([rng.random(12), rng.integers(4, size=12), rng.integers(2, size=12)]).astype(float)
        for column in range(3):
            part = whole.copy()
            part[3, column] = np.nan
            gone = whole.copy()
            gone[3] = np.nan
            assert target(part).tolist() == target(gone).tolist()
            assert np.abs(target(part) - target(whole)).sum() <= proof.value * 0.55
            step: Any = target.then(target(whole))
            assert step(part).tolist() == step(gone).tolist()
            assert RANGE(step(part) - step(whole)) <= 1
            assert step(part)[0] >= -11
    nobody = np.full((12, 3), np.nan)
    assert np.abs(target(nobody)).max() == 0
    assert target.misclassified(np.ones((1, 5)), nobody).tolist() == [0.0]


def test_a_classifier_in_steps_cannot_be_asked_by_group_or_under_conditions() -> None:
    with pytest.raises(InvalidValueError, match="answered in one step"):
        targets.Query(targets.MeanDirection(((0.0, 1.0),)), ("x", "label"))
