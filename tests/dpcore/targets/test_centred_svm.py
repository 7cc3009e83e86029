"""The support vector machine with its bias in the middle: what it says, its worst case, and the descent behind it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm
from dpcore.oracles import TwoClasses
from dpcore.targets import LinearSVM
from dpcore.targets.linear_svm import HingeDescent

UNIT = ((0.0, 1.0),)


def _table(n: int, d: int = 2, sd: float = 0.3, seed: int = 1) -> FloatArray:
    return TwoClasses(d, sd=sd).draw(1, n, rng=np.random.default_rng(seed))[0]


def _uncertified(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LinearSVM, "_gap", lambda *_: math.inf)


def test_it_is_the_same_machine_with_its_height_in_the_middle() -> None:
    database = _table(60)
    w1, w2, b = LinearSVM(UNIT * 2)(database)
    target = LinearSVM(UNIT * 2, centred=True)
    assert abs(b + (w1 + w2) / 2) < 1
    assert target(database) == pytest.approx([w1, w2, b + (w1 + w2) / 2], abs=1e-12)
    assert target.uncentred(target(database)[None]) == pytest.approx(np.array([[w1, w2, b]]), abs=1e-12)
    assert LinearSVM(UNIT * 2).uncentred(target(database)[None]).tolist() == [target(database).tolist()]


def test_a_height_beyond_one_is_clipped() -> None:
    """Both classes lie at one end, where b = 9 − 20·.98 puts the middle far away."""
    database = np.array([[0.98, 1.0], [0.9, 0.0]])
    one = LinearSVM(UNIT, C=1e3)(database)
    assert one[1] + one[0] / 2 < -5
    assert LinearSVM(UNIT, C=1e3, centred=True)(database).tolist() == [one[0], -1.0]


def test_what_it_misclassifies_is_counted_with_its_own_bias() -> None:
    database, wide = _table(80, sd=0.2), ((10.0, 20.0), (0.0, 4.0))
    database[:, :2] = [10, 0] + database[:, :2] * [10, 4]
    paper, target = LinearSVM(wide, C=30.0), LinearSVM(wide, C=30.0, centred=True)
    wrong = paper.misclassified(paper(database)[None], database)
    assert target.misclassified(target(database)[None], database) == wrong
    assert target.misclassified(paper(database)[None], database) > wrong + 0.3


@pytest.mark.parametrize(("norm", "exact"), [(L1, 2 + 0.012), (L2, 2.0), (LINF, 2.0)])
def test_its_worst_case_is_two_and_little_more(norm: Norm, exact: float) -> None:
    """At d = 2, C = 3 and n = 1,000; 2√d·t = 2(1 + 4Cd/n)/30 on top in L1. That of the paper's is 6.92."""
    target = LinearSVM(UNIT * 2, centred=True)
    proof = target.global_sensitivity(norm, 1_000)
    assert proof is not None
    room = 2 * 1.024 / 30 if norm == L1 else 0.002
    assert exact <= proof.value <= exact + room + 1e-9
    assert norm != L1 or proof.value == pytest.approx(exact + room)
    assert target.global_sensitivity(RANGE, 9) is None


def test_where_the_descent_would_take_too_long_a_fall_to_nothing_is_counted() -> None:
    """So at C = 3, d = 2 and 10⁶ records: 1 + √(Cd) + √d·t, and not 2.07; below Cd = 2 the step of 2 is the larger one."""
    for cost, value in ((3.0, 1 + math.sqrt(6) + 1 / 30), (0.1, 2 + 0.2 / 1e6 * 2 + 2 * math.sqrt(2) * math.sqrt(0.1) / 30)):
        target = LinearSVM(UNIT * 2, C=cost, centred=True)
        n = 10**6 if cost == 3 else 10**9
        assert not target._descent(n).served
        assert target.global_sensitivity(L1, n).value == pytest.approx(value, abs=2e-3)  # type: ignore[union-attr]


@pytest.mark.parametrize("certified", [True, False])
@pytest.mark.parametrize("cost", [0.2, 3.0])
def test_no_neighbours_are_further_apart_than_the_proof_allows(
    cost: float, certified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certified and not, each against each: one record at a time, changed where it moved the answer most."""
    rng, reached = np.random.default_rng(5), 0.0
    target = LinearSVM(UNIT, C=cost, centred=True)
    for n in (1, 2, 3, 5):
        proof = target.global_sensitivity(L1, n)
        assert proof is not None
        assert target._descent(n).served
        for _ in range(3 if cost == 3 else 12):
            records = np.column_stack([rng.choice([0.0, 0.5, 1.0], n + 1), rng.integers(2, size=n + 1)]).astype(float)
            one = target(records[:n])
            with monkeypatch.context() as patch:
                if not certified:
                    _uncertified(patch)
                other = target(np.delete(records, n - 1, axis=0))
            assert L1(one - other) <= proof.value
            reached = max(reached, float(L1(one - other)) / proof.value)
    assert reached > 0.6


def test_zero_in_place_of_what_is_not_certified_would_break_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first C, 3: classes 2/√C apart on the diagonal have ‖w‖₂ = √C, and so (w, b) is 2.67 away from 0, beyond 2.2."""
    ends = np.array([[1.0, 1.0, 1.0], [1 - math.sqrt(2 / 3), 1 - math.sqrt(2 / 3), 0.0]])
    database, target = np.tile(ends, (50, 1)), LinearSVM(UNIT * 2, centred=True)
    answer, proof = target(database), target.global_sensitivity(L1, 100)
    assert proof is not None
    assert L1(answer) == pytest.approx(1.5 * math.sqrt(6) - 1, abs=1e-6)
    assert L1(answer) > 1.2 * proof.value
    _uncertified(monkeypatch)
    assert 0 < L1(answer - target(database)) < 2 * math.sqrt(2) * target._distance(100)


def test_where_zero_is_an_answer_it_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """At C = 400 the descent would take too long: two classes .1 apart have w = 20."""
    database, target = np.tile([[0.45, 0.0], [0.55, 1.0]], (500, 1)), LinearSVM(UNIT, C=400.0, centred=True)
    answer, proof = target(database), target.global_sensitivity(L1, 1_000)
    assert proof is not None
    assert not target._descent(1_000).served
    assert 0.9 * proof.value < L1(answer) + 1 < proof.value
    _uncertified(monkeypatch)
    assert target(database).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("cost", "d", "n", "sd"), [(0.3, 1, 5, 0.3), (1.0, 2, 60, 0.2), (3.0, 2, 30, 0.5), (2.0, 3, 9, 0.1)])
def test_the_descent_ends_as_near_as_it_says(cost: float, d: int, n: int, sd: float) -> None:
    """Beside the certified fit: T = 2C²d/t² steps for t."""
    database = _table(n, d, sd)
    x, y = np.clip(database[:, :-1], 0, 1), np.where(database[:, -1] > 0.5, 1.0, -1.0)
    exact = LinearSVM(UNIT * d, C=cost, tolerance=1e-12)(database)[:-1]
    near = 0.03 * cost * math.sqrt(d)
    descent = HingeDescent(cost, n, d, near)
    assert descent.served
    assert descent.steps == math.ceil(2 / 0.03**2)
    assert np.linalg.norm(descent.found(x, y) - exact) <= near


def test_the_descent_keeps_its_distance_on_hard_records() -> None:
    """Ties, one record of a class and far corners; its proof is nearly used up on none of them, but passed by none."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        n, d, cost = int(rng.integers(2, 9)), int(rng.integers(1, 4)), float(10 ** rng.uniform(-1, 1))
        x, y = rng.choice([0.0, 0.5, 1.0], (n, d)), rng.choice([-1.0, 1.0], n)
        y[:2] = -1, 1
        exact = LinearSVM(UNIT * d, C=cost, tolerance=1e-12)(np.column_stack([x, y > 0]))[:-1]
        descent = HingeDescent(cost, n, d, 0.1 * cost * math.sqrt(d))
        assert np.linalg.norm(descent.found(x, y) - exact) <= descent.distance * (1 + 1e-6)


def test_a_fit_that_is_not_certified_is_the_descents_and_no_further_than_t(monkeypatch: pytest.MonkeyPatch) -> None:
    database, target = _table(30), LinearSVM(UNIT * 2, C=1.0, centred=True)
    certified = target(database)
    _uncertified(monkeypatch)
    other = target(database)
    assert 0 < np.linalg.norm(certified[:-1] - other[:-1]) <= 2 * target._distance(30)
    assert abs(certified[-1] - other[-1]) <= 2
    assert LinearSVM(UNIT * 2, C=1.0)(database).tolist() == [0.0, 0.0, 0.0]
