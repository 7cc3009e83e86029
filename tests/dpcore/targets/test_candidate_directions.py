"""Three directions in one answer: what it is, its worst case, and the choice among them together with a threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, OperatingPoint, PureDP, TwoStepMechanism, oracles, sample_sensitivity, targets
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.base.features import THRESHOLDS
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError

UNIT = ((0.0, 1.0),)
TARGET = targets.CandidateDirections(UNIT * 2)


def _parts(dims: int) -> tuple[Any, ...]:
    bounds = UNIT * dims
    return targets.MeanDirection(bounds), targets.HuberDirection(bounds, C=1.0), targets.HuberDirection(bounds, C=10.0)


def _records(rng: np.random.Generator, n: int, dims: int = 2) -> FloatArray:
    """At corners, in the middle, beyond the bounds and missing."""
    x = rng.choice([-1.0, 0.0, 0.3, 0.5, 1.0, 9.0, np.nan], (n, dims))
    return np.column_stack([x, rng.integers(2, size=n)])


def test_it_is_three_directions_each_in_units_of_its_own_worst_case() -> None:
    database = oracles.TwoClasses(2).draw(1, 200, rng=np.random.default_rng(1))[0]
    expected = [part(database) / part.global_sensitivity(L1, 200).value for part in _parts(2)]
    assert TARGET(database) == pytest.approx(np.concatenate(expected), rel=1e-12)


@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_no_record_moves_it_further_than_is_proved(norm: Norm) -> None:
    rng = np.random.default_rng(2)
    for n in (1, 3, 9):
        proof = TARGET.global_sensitivity(norm, n)
        assert proof is not None
        assert proof.value <= 3 * (1 + 1e-9) if norm == L1 else proof.value < math.sqrt(3)
        for _ in range(60):
            one = _records(rng, n)
            other = one.copy()
            other[rng.integers(n)] = _records(rng, 1)[0]
            assert norm(TARGET(one) - TARGET(other)) <= proof.value


def test_a_record_can_move_it_by_nearly_all_of_three() -> None:
    """20 features; records of both classes at one corner balance one another, so that every slope is 1, and one of them flips."""
    target = targets.CandidateDirections(UNIT * 20)
    database = np.ones((4_001, 21))
    database[::2, -1] = 0
    other = database.copy()
    other[0, :-1] = 1.0
    other[0, -1] = 1.0
    proof = target.global_sensitivity(L1, 4_001)
    assert proof is not None
    assert 0.95 * proof.value < L1(target(database) - target(other)) <= proof.value


def test_a_replaced_record_moves_no_score_of_any_direction_by_more_than_one() -> None:
    rng = np.random.default_rng(4)
    largest = 0.0
    for _ in range(200):
        step = TARGET.then(rng.normal(size=6) * 10.0 ** rng.integers(-5, 5))
        proof = step.global_sensitivity(RANGE, 7)
        assert proof is not None
        one = _records(rng, 7)
        other = one.copy()
        other[rng.integers(7)] = _records(rng, 1)[0]
        moved = step(one) - step(other)
        assert np.abs(moved).max() <= 1
        assert RANGE(moved) <= proof.value <= 2 * (1 + 1e-12)
        largest = max(largest, float(RANGE(moved)))
    assert largest == 2.0


def test_the_scores_are_those_of_each_direction_alone_one_after_another() -> None:
    rng = np.random.default_rng(8)
    first, database = rng.normal(size=(5, 6)), _records(rng, 30)
    many = TARGET.scores_after(first, database)
    assert many.shape == (5, 3 * THRESHOLDS)
    for row, scores in zip(first, many, strict=True):
        alone = [targets.ThresholdScores(UNIT * 2, tuple(part))(database) for part in row.reshape(3, 2)]
        assert scores.tolist() == np.concatenate(alone).tolist() == TARGET.then(row)(database).tolist()
        assert TARGET.then(row).candidates == tuple(range(3 * THRESHOLDS))


def test_the_answer_is_the_chosen_direction_of_length_one_with_its_threshold() -> None:
    """It misclassifies as many as its score says, but for records within rounding of the boundary."""
    rng = np.random.default_rng(9)
    first = rng.normal(size=(40, 6))
    database = np.column_stack([rng.random((50, 2)), rng.integers(2, size=50)])
    chosen = rng.integers(3 * THRESHOLDS, size=40)
    answers = TARGET.both(first, chosen)
    picked = first.reshape(40, 3, 2)[np.arange(40), chosen // THRESHOLDS]
    assert np.hypot(*answers[:, :-1].T) == pytest.approx(np.ones(40))
    assert answers[:, :-1] == pytest.approx(picked / np.hypot(*picked.T)[:, None])
    scores = TARGET.scores_after(first, database)[np.arange(40), chosen]
    assert TARGET.misclassified(answers, database) == pytest.approx(-scores / 50)
    assert TARGET.both(np.zeros((1, 6)), np.array([500])).tolist() == [[0.0, 0.0, 0.0]]


def test_the_answer_does_not_tell_which_was_chosen_and_says_so() -> None:
    one = np.array([0.3, -0.4])
    alike = np.concatenate([one, 7 * one, 0.01 * one])
    for threshold in (0, 137, THRESHOLDS - 1):
        answers = TARGET.both(np.tile(alike, (3, 1)), threshold + THRESHOLDS * np.arange(3))
        assert answers[1] == pytest.approx(answers[0])
        assert answers[2] == pytest.approx(answers[0])
    columns = tuple(Column(name, bounds=(0.0, 1.0)) for name in ("x", "y", "label"))
    name, said = TARGET.answer(columns).parts(np.array([0.6, 0.8, -0.5]))[-1]
    assert name == "not told"
    assert said.startswith("The answer does not say which of the three directions was chosen")
    assert "not told" not in dict(targets.MeanDirection(UNIT * 2).answer(columns).parts(np.array([0.6, 0.8, -0.5])))


@pytest.mark.parametrize(
    "database",
    [np.tile([0.2, 0.4, 1.0], (5, 1)), np.array([[0.2, 0.9, 0.0]]), np.full((3, 3), np.nan), np.tile([0.5, 0.5, 0.0], (4, 1))],
    ids=["one class, equal rows", "one row", "all missing", "all in the middle"],
)
def test_it_always_answers(database: FloatArray) -> None:
    first = TARGET(database)
    assert np.isfinite(first).all()
    assert np.isfinite(TARGET.then(first)(database)).all()
    assert TARGET(database[:0]).tolist() == [0.0] * 6


def test_what_one_of_them_does_not_serve_is_refused_beforehand() -> None:
    target = targets.CandidateDirections(UNIT * 2)
    target.check_records(100_000)
    with pytest.raises(InvalidValueError):
        target.check_records(10**8)
    assert target.global_sensitivity(L1, 10**8) is None
    assert target.global_sensitivity(RANGE, 9) is None


def test_it_is_sampled_as_one_answer_and_released_in_two_steps() -> None:
    oracle = oracles.TwoClasses(2, 0.4, 0.6, 0.2, UNIT * 2)
    sample = sample_sensitivity(TARGET, oracle, norm=L1, n=300, at=OperatingPoint.for_gamma(0.05), seed=1)
    assert 0 < sample.sensitivity().value < 1.5
    database, fresh = oracle.draw(2, 300, rng=np.random.default_rng(3))
    calibrated = TwoStepMechanism().calibrate(sample.sensitivity(), PureDP(4.0))
    answers = calibrated.simulate(TARGET(database), size=100, rng=np.random.default_rng(4), database=database)
    assert answers.shape == (100, 3)
    assert TARGET.misclassified(answers, fresh).mean() < 0.3
    release = calibrated.release(database)
    assert release.response.shape == (3,)
