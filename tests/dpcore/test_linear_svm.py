"""The linear SVM against an independent solver, its conventions, and the sensitivities of the paper's Figure 5."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore import L1, Laplace, OperatingPoint, PureDP, sample_sensitivity
from dpcore.errors import InvalidValueError
from dpcore.oracles import TwoClasses
from dpcore.targets import LinearSVM
from dpcore.types import FloatArray

UNIT = ((0.0, 1.0),)


def _objective(answer: FloatArray, database: FloatArray, cost: float) -> float:
    x, y = np.clip(database[:, :-1], 0, 1), np.where(database[:, -1] > 0.5, 1.0, -1.0)
    w, b = answer[:-1], answer[-1]
    return float(0.5 * w @ w + cost / len(y) * np.maximum(0, 1 - y * (x @ w + b)).sum())


def _solved(database: FloatArray, cost: float) -> FloatArray:
    """The primal as a quadratic programme with one slack a record, by SLSQP."""
    x, y = np.clip(database[:, :-1], 0, 1), np.where(database[:, -1] > 0.5, 1.0, -1.0)
    n, d = x.shape
    rows = np.hstack([y[:, None] * x, y[:, None], np.eye(n)])
    start = np.concatenate([np.zeros(d + 1), np.ones(n)])
    found = minimize(
        lambda v: 0.5 * v[:d] @ v[:d] + cost / n * v[d + 1 :].sum(), start, method="SLSQP",
        jac=lambda v: np.concatenate([v[:d], [0.0], np.full(n, cost / n)]), options={"maxiter": 500, "ftol": 1e-12},
        constraints=[{"type": "ineq", "fun": lambda v: rows @ v - 1, "jac": lambda v: rows}],
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
    )  # fmt: skip
    return np.asarray(found.x[: d + 1])


@pytest.mark.parametrize("cost", [0.3, 3.0, 100.0])
@pytest.mark.parametrize(("dims", "n", "sd"), [(1, 12, 0.3), (2, 20, 0.1), (3, 25, 0.5)])
def test_it_minimises_the_objective(cost: float, dims: int, n: int, sd: float) -> None:
    database = TwoClasses(dims, sd=sd).draw(1, n, rng=np.random.default_rng(n))[0]
    answer, other = LinearSVM(UNIT * dims, C=cost)(database), _solved(database, cost)
    best = _objective(other, database, cost)
    assert _objective(answer, database, cost) <= best * (1 + 1e-6) + 1e-9
    assert answer[:-1] == pytest.approx(other[:-1], abs=2e-4)


def test_no_other_bias_is_better_and_the_middle_of_equally_good_ones_is_taken() -> None:
    """w = (0.6)² is forced by C/n; between the classes every b of an interval is as good."""
    database = np.array([[0.0, 0.0], [0.1, 0.0], [0.9, 1.0], [1.0, 1.0]])
    target = LinearSVM(UNIT, C=0.5)
    w, b = target(database)
    values = {shift: _objective(np.array([w, b + shift]), database, 0.5) for shift in np.linspace(-2, 2, 401)}
    best = min(values.values())
    good = [shift for shift, value in values.items() if value <= best + 1e-12]
    assert max(good) > 0.05
    assert np.mean(good) == pytest.approx(0, abs=0.011)


def test_an_absent_class_and_odd_values_have_their_conventions() -> None:
    target = LinearSVM(UNIT * 2)
    rng = np.random.default_rng(1)
    for label, bias in ((1.0, 1.0), (0.0, -1.0)):
        database = np.column_stack([rng.random((9, 2)), np.full(9, label)])
        assert target(database).tolist() == [0.0, 0.0, bias]
    odd = np.column_stack([rng.random((9, 2)), rng.integers(2, size=9).astype(float)])
    odd[0, 0], odd[1, 1], odd[2, 2], odd[3, 0] = np.nan, np.inf, np.nan, -5.0
    tame = odd.copy()
    tame[0, 0], tame[1, 1], tame[2, 2], tame[3, 0] = 0.5, 1.0, 0.0, 0.0
    assert target(odd).tolist() == target(tame).tolist()


@pytest.mark.parametrize("column", [0.5, 0.0, 1.0])
def test_a_constant_column_and_separable_data_are_fitted(column: float) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(2, size=60).astype(float)
    database = np.column_stack([np.full(60, column), 0.2 + 0.6 * labels, labels])
    answer = LinearSVM(UNIT * 2, C=1_000.0)(database)
    assert np.isfinite(answer).all()
    assert ((database[:, :-1] @ answer[:-1] + answer[-1] > 0) == (labels > 0.5)).all()


def test_bounds_scale_the_features() -> None:
    database = TwoClasses(2).draw(1, 40, rng=np.random.default_rng(2))[0]
    wide = database.copy()
    wide[:, :-1] = 10 + 5 * wide[:, :-1]
    assert LinearSVM(((10.0, 15.0),) * 2)(wide) == pytest.approx(LinearSVM(UNIT * 2)(database), abs=1e-6)


def test_halving_the_tolerance_changes_the_sampled_sensitivity_by_less_than_a_thousandth() -> None:
    """On overlapping classes, where the solver has something to do."""
    values = []
    for tolerance in (1e-8, 5e-9, 1e-2):
        target = LinearSVM(UNIT * 2, C=50.0, tolerance=tolerance)
        at = OperatingPoint.for_both(99, 0.1)
        values.append(sample_sensitivity(target, TwoClasses(2, sd=0.4), norm=L1, n=80, at=at, seed=1).sensitivity().value)
    assert values[1] == pytest.approx(values[0], rel=1e-3)
    assert values[2] != pytest.approx(values[0], rel=1e-3)  # a loose solver is seen


def test_the_bounds_of_the_exact_minimiser_are_those_of_the_paper_and_better() -> None:
    """Mathematics, section 10: 6.92 at d = 2, C = 3, n = 1,000, where Proposition 19 has 10.51."""
    bound = LinearSVM(UNIT * 2, C=3.0).exact_bound(1_000)
    assert bound == pytest.approx(2 + 2 * math.sqrt(6) + 0.024, rel=1e-12)
    assert bound < 2 + 2 * 3 * math.sqrt(2) + 0.024 == pytest.approx(10.51, abs=0.01)
    assert LinearSVM(UNIT * 2, C=0.25).exact_bound(1) == pytest.approx(2 + 2 * math.sqrt(0.5) + 2)


def test_what_a_solver_finds_has_no_proof_so_no_release_is_printed_as_dp() -> None:
    assert not hasattr(LinearSVM(UNIT), "global_sensitivity")


@pytest.mark.parametrize("cost", [0.2, 1.0, 3.0, 40.0])
@pytest.mark.parametrize("dims", [1, 2])
def test_no_neighbours_are_further_apart_than_the_bound(cost: float, dims: int) -> None:
    target, rng = LinearSVM(UNIT * dims, C=cost), np.random.default_rng(5)
    corners = np.array([0.0, 1.0, 0.5])
    for n in (2, 3, 6):
        bound, worst = target.exact_bound(n), 0.0
        for _ in range(120):
            x, labels = rng.choice(corners, (n + 1, dims)), rng.integers(2, size=(n + 1, 1))
            extended = np.hstack([x, labels]).astype(float)
            worst = max(worst, float(np.abs(target(extended[:n]) - target(np.delete(extended, n - 1, axis=0))).sum()))
        assert 0.05 * bound < worst <= bound * (1 + 1e-6)


@pytest.mark.parametrize("dims", [8, 64])
def test_the_sampled_sensitivity_is_two_orders_under_the_bound(dims: int) -> None:
    """Figure 5 of the paper: C = 3, n = 1,000; γ = 0.2 here is enough to see it."""
    target = LinearSVM(UNIT * dims, C=3.0)
    sample = sample_sensitivity(target, TwoClasses(dims), norm=L1, n=1_000, at=OperatingPoint.for_gamma(0.05), seed=3)
    assert sample.order_statistic < target.exact_bound(1_000) / 100


def test_its_release_is_a_classifier_that_sorts_fresh_records() -> None:
    """At C = 30 all of 2,000 simulated responses sort every record right; 0.9 is far below."""
    target: Any = LinearSVM(UNIT * 2, C=30.0)
    rng = np.random.default_rng(1)
    database, fresh = TwoClasses(2).draw(2, 1_000, rng=rng)
    sample = sample_sensitivity(target, TwoClasses(2), norm=L1, n=1_000, at=OperatingPoint.for_gamma(0.05), seed=8)
    response = Laplace().calibrate(sample.sensitivity(), PureDP(5.0)).release(database).response
    assert np.mean((fresh[:, :-1] @ response[:-1] + response[-1] > 0) == (fresh[:, -1] > 0.5)) > 0.9


@pytest.mark.parametrize(("given", "name"), [({"x_bounds": ()}, "x_bounds"), ({"x_bounds": UNIT, "C": 0.0}, "C"),
                                             ({"x_bounds": UNIT, "tolerance": -1.0}, "tolerance")])  # fmt: skip
def test_what_is_no_svm_is_refused(given: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        LinearSVM(**given)
    assert caught.value.name == name
    with pytest.raises(InvalidValueError):
        LinearSVM(UNIT)(np.zeros((3, 3)))
