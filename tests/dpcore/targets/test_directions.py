"""Directions of classifiers in two steps: their values against other solvers, their worst cases, and the second step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

from dpcore import L1, L2, LINF, RANGE, oracles, targets
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.base.features import THRESHOLDS
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.targets import CandidateDirections, HuberDirection, LogisticDirection, MeanDirection
from tests.dpcore.targets.fitted import KIND, UNIT, held_between, held_fast, moved, signed, table
from tests.fuzz import directions

MEAN, THREE = MeanDirection(UNIT * 2), CandidateDirections(UNIT * 2)
CODED: dict[str, Any] = {"x_bounds": ((0.0, 1.0), (0.0, 3.0)), "categories": (0, 4)}


def _records(rng: np.random.Generator, n: int, dims: int = 2) -> FloatArray:
    """At corners, in the middle, beyond the bounds and missing."""
    x = rng.choice([-1.0, 0.0, 0.3, 0.5, 1.0, 9.0, np.nan], (n, dims))
    return np.column_stack([x, rng.integers(2, size=n)])


def _neighbours(rng: np.random.Generator, n: int) -> tuple[FloatArray, FloatArray]:
    one = _records(rng, n)
    other = one.copy()
    other[rng.integers(n)] = _records(rng, 1)[0]
    return one, other


def test_mean_direction_is_the_mean_by_class() -> None:
    database = np.array([[1.0, 10.0, 1.0], [0.0, 15.0, 0.0], [0.75, 30.0, 1.0], [np.nan, np.nan, 0.0]])
    target = MeanDirection(((0.0, 1.0), (10.0, 20.0)))
    assert target(database).tolist() == [(0.5 + 0.5 + 0.25 - 0) / 4, (-0.5 - 0 + 0.5 - 0) / 4]


def test_mean_direction_is_another_machines_for_a_small_cost() -> None:
    database = oracles.TwoClasses(2, 0.4, 0.6, 0.2, UNIT * 2).draw(1, 400, rng=np.random.default_rng(1))[0]
    database[:, :2] = np.clip(database[:, :2], 0, 1)
    solver = LinearSVC(C=1e-4, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6, random_state=0)
    other, own = solver.fit(database[:, :2] - 0.5, database[:, 2]).coef_[0], MEAN(database)
    assert other / math.hypot(*other) == pytest.approx(own / math.hypot(*own), abs=1e-6)


def _objective(kind: Any, cost: float, database: FloatArray, w: FloatArray) -> float:
    """The loss in its own words, with the constant feature ½."""
    x, y = np.clip(database[:, :-1], 0, 1), np.where(database[:, -1] > 0.5, 1, -1)
    m = 1 - y * ((x - 0.5) @ w[:-1] + w[-1] / 2)
    huber = np.where(m <= 0, 0, np.where(m <= 0.5, m**2, m - 0.25))
    return float(w @ w / 2 + cost * (huber if kind is HuberDirection else np.log1p(np.exp(m - 1))).mean())


@KIND
@pytest.mark.parametrize("cost", [0.1, 3.0, 100.0])
@pytest.mark.parametrize(("d", "n"), [(1, 9), (2, 60), (5, 4)])
def test_fitted_direction_minimises_its_objective(kind: Any, cost: float, d: int, n: int) -> None:
    """Against a quasi-Newton method that knows no gradient."""
    database = table(d, n)
    found = minimize(lambda w: _objective(kind, cost, database, w), np.zeros(d + 1), method="BFGS", options={"gtol": 1e-9}).x
    near = 1e-4 * max(1, abs(found).max())
    assert kind(UNIT * d, C=cost).minimiser(database) == pytest.approx(found, abs=near)
    assert kind(UNIT * d, C=cost)(database) == pytest.approx(found[:-1], abs=near)


def test_huber_direction_of_a_small_cost_is_the_mean() -> None:
    """If no margin reaches ½, every slope is 1: w = (C/n) Σ y z."""
    database = table(3, 50)
    rows = signed(HuberDirection(UNIT * 3), database)
    for cost in (1e-9, 0.1, 0.5):
        assert HuberDirection(UNIT * 3, C=cost)(database) == pytest.approx(cost * rows.mean(axis=0)[:-1], rel=1e-12)


@KIND
def test_fitted_direction_scales_and_clips_features(kind: Any) -> None:
    database, target = table(2, 40), kind(UNIT * 2)
    wide = database.copy()
    wide[:, :-1] = 10 + 5 * wide[:, :-1]
    assert kind(((10.0, 15.0),) * 2)(wide) == pytest.approx(target(database), rel=1e-9)
    odd, tame = database.copy(), database.copy()
    odd[:3, 0], odd[3, 1] = (7.0, np.inf, -4.0), -np.inf
    tame[:3, 0], tame[3, 1] = (1.0, 1.0, 0.0), 0.0
    assert target(odd).tolist() == target(tame).tolist()


@KIND
@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_fitted_worst_case_is_that_of_the_mathematics(kind: Any, norm: Any) -> None:
    for d, cost, n in ((1, 1.0, 10), (2, 3.0, 1_000), (64, 0.2, 500)):
        proved = kind(UNIT * d, C=cost).global_sensitivity(norm, n)
        moves = cost * (math.sqrt(d + 1) + math.sqrt(d)) / (2 * n) + 0.04 * cost * math.sqrt(d + 1) / n
        exact = moves * (math.sqrt(d) if norm is L1 else 1)
        assert exact < proved.value <= exact * (1 + 1e-9)
    assert kind(UNIT).global_sensitivity(RANGE, 9) is None


@pytest.mark.parametrize(
    ("target", "extended", "norm", "share"),
    [
        *((HuberDirection(UNIT * d, C=1e3), held_fast(d, 20_000), norm, 0.9) for d in (1, 2, 5) for norm in (L1, L2)),
        (LogisticDirection(UNIT * 20, C=1e3), held_between(20, 5_000), L2, 0.8),
    ],
    ids=repr,
)
def test_record_moves_fitted_direction_by_most_of_worst_case(target: Any, extended: Any, norm: Any, share: float) -> None:
    proved = target.global_sensitivity(norm, len(extended) - 1)
    assert share * proved.value < norm(moved(target, extended)) <= proved.value


@KIND
@pytest.mark.parametrize("d", [1, 2])
def test_fitted_neighbours_stay_within_the_proof(kind: Any, d: int) -> None:
    """By climbing from a few records at corners: each next pair is the last that moved furthest, changed in one value."""
    rng = np.random.default_rng(5)
    for cost in (0.5, 3.0, 100.0):
        for n in (1, 3, 8):
            target, best = kind(UNIT * d, C=cost), -1.0
            bound = target.global_sensitivity(L2, n).value
            extended = np.hstack([rng.choice([0.0, 1.0], (n + 1, d)), rng.integers(2, size=(n + 1, 1)).astype(float)])
            for _ in range(60):
                tried = extended if best < 0 else directions.changed(extended, rng)
                size = float(L2(moved(target, tried)))
                assert size <= bound
                best, extended = (size, tried) if size > best else (best, extended)


def test_three_directions_are_in_units_of_their_worst_cases() -> None:
    database = oracles.TwoClasses(2).draw(1, 200, rng=np.random.default_rng(1))[0]
    parts: tuple[Any, ...] = (MEAN, HuberDirection(UNIT * 2, C=1.0), HuberDirection(UNIT * 2, C=10.0))
    expected = [part(database) / part.global_sensitivity(L1, 200).value for part in parts]
    assert THREE(database) == pytest.approx(np.concatenate(expected), rel=1e-12)
    assert THREE(database[:0]).tolist() == [0.0] * 6


@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_three_directions_stay_within_the_proof(norm: Norm) -> None:
    rng = np.random.default_rng(2)
    for n in (1, 3, 9):
        proof = THREE.global_sensitivity(norm, n)
        assert proof is not None
        assert proof.value <= 3 * (1 + 1e-9) if norm == L1 else proof.value < math.sqrt(3)
        for one, other in (_neighbours(rng, n) for _ in range(60)):
            assert norm(THREE(one) - THREE(other)) <= proof.value


def test_record_moves_three_directions_by_nearly_three() -> None:
    """Records of both classes at one corner balance one another, so that every slope is 1, and one of them flips."""
    target, database = CandidateDirections(UNIT * 20), np.ones((4_001, 21))
    database[::2, -1] = 0
    other = database.copy()
    other[0, -1] = 1.0
    proof = target.global_sensitivity(L1, 4_001)
    assert proof is not None
    assert 0.95 * proof.value < L1(target(database) - target(other)) <= proof.value


def test_unserved_number_of_records_is_refused() -> None:
    THREE.check_records(100_000)
    with pytest.raises(InvalidValueError):
        THREE.check_records(10**8)
    assert THREE.global_sensitivity(L1, 10**8) is None
    assert THREE.global_sensitivity(RANGE, 9) is None


@pytest.mark.parametrize("target", [MEAN, THREE], ids=repr)
def test_record_moves_no_score_by_more_than_one(target: Any) -> None:
    rng, largest = np.random.default_rng(4), 0.0
    for _ in range(200):
        step = target.then(rng.normal(size=2 if target is MEAN else 6) * 10.0 ** rng.integers(-5, 5))
        one, other = _neighbours(rng, 7)
        change = step(one) - step(other)
        assert np.abs(change).max() <= 1
        assert RANGE(change) <= step.global_sensitivity(RANGE, 7).value <= 2 * (1 + 1e-12)
        largest = max(largest, float(RANGE(change)))
    assert largest == 2.0


def test_scores_are_those_of_each_direction_alone() -> None:
    rng = np.random.default_rng(8)
    first, database = rng.normal(size=(5, 6)), _records(rng, 30)
    many = THREE.scores_after(first, database)
    for row, scores in zip(first, many, strict=True):
        alone = [targets.ThresholdScores(UNIT * 2, tuple(part))(database) for part in row.reshape(3, 2)]
        assert scores.tolist() == np.concatenate(alone).tolist() == THREE.then(row)(database).tolist()
        assert THREE.then(row).candidates == tuple(range(3 * THRESHOLDS))


def test_chosen_direction_has_length_one_and_its_threshold() -> None:
    """It misclassifies as many as its score says."""
    rng = np.random.default_rng(9)
    first = rng.normal(size=(40, 6))
    database = np.column_stack([rng.random((50, 2)), rng.integers(2, size=50)])
    chosen = rng.integers(3 * THRESHOLDS, size=40)
    answers = THREE.both(first, chosen)
    picked = first.reshape(40, 3, 2)[np.arange(40), chosen // THRESHOLDS]
    assert answers[:, :-1] == pytest.approx(picked / np.hypot(*picked.T)[:, None])
    scores = THREE.scores_after(first, database)[np.arange(40), chosen]
    assert THREE.misclassified(answers, database) == pytest.approx(-scores / 50)
    assert THREE.both(np.zeros((1, 6)), np.array([500])).tolist() == [[0.0, 0.0, 0.0]]


def test_answer_does_not_tell_the_chosen_direction() -> None:
    one = np.array([0.3, -0.4])
    alike = np.concatenate([one, 7 * one, 0.01 * one])
    for threshold in (0, 137, THRESHOLDS - 1):
        answers = THREE.both(np.tile(alike, (3, 1)), threshold + THRESHOLDS * np.arange(3))
        assert answers == pytest.approx(np.tile(answers[0], (3, 1)))
    columns = tuple(Column(name, bounds=(0.0, 1.0)) for name in ("x", "y", "label"))
    name, said = THREE.answer(columns).parts(np.array([0.6, 0.8, -0.5]))[-1]
    assert (name, said.split(" which")[0]) == ("not told", "The answer does not say")
    assert "not told" not in dict(MEAN.answer(columns).parts(np.array([0.6, 0.8, -0.5])))


@pytest.mark.parametrize("kind", [MeanDirection, HuberDirection, LogisticDirection])
def test_record_with_missing_value_counts_nowhere(kind: Any) -> None:
    target, rng = kind(**CODED), np.random.default_rng(6)
    proof = target.global_sensitivity(L1, 12)
    for _ in range(20):
        whole = np.column_stack([rng.random(12), rng.integers(4, size=12), rng.integers(2, size=12)]).astype(float)
        step: Any = target.then(target(whole))
        for column in range(3):
            part, gone = whole.copy(), whole.copy()
            part[3, column], gone[3] = np.nan, np.nan
            assert target(part).tolist() == target(gone).tolist()
            assert np.abs(target(part) - target(whole)).sum() <= proof.value * 0.55
            assert step(part).tolist() == step(gone).tolist()
            assert RANGE(step(part) - step(whole)) <= 1
    nobody = np.full((12, 3), np.nan)
    assert np.abs(target(nobody)).max() == 0
    assert target.misclassified(np.ones((1, 5)), nobody).tolist() == [0.0]


def test_categories_have_a_weight_each_except_the_first() -> None:
    ward, label = Column("ward", role="text", categories=("A", "B", "C")), Column("ill", role="text", categories=("no", "yes"))
    age = Column("age", bounds=(0.0, 100.0))
    target = MeanDirection.suited((age, ward, label))
    assert target == MeanDirection(((0.0, 100.0), (0.0, 2.0)), categories=(0, 3))
    assert target.fits((age, ward, label))
    assert target.fits((age, ward.coded, label.coded))
    assert not target.fits((ward, age, label))
    assert target.answer((age, ward, label)).labels == ("age", "ward = B", "ward = C", "bias")
    assert MeanDirection.suited((Column("free", role="text"), label)) is None
    own = MeanDirection(**CODED)
    proof, first, other = own.global_sensitivity(L1, 1), np.array([[1.0, 1.0, 1.0]]), np.array([[1.0, 1.0, 0.0]])
    assert proof is not None
    assert L1(own(first) - own(other)) == pytest.approx(4.0) == pytest.approx(proof.value)
