"""Directions by a convex fit: against other solvers and exact arithmetic, their worst case, and what they do not serve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore import L1, L2, LINF, RANGE, Laplace, OperatingPoint, PureDP, sample_sensitivity
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound
from dpcore.oracles import TwoClasses
from dpcore.targets import HuberDirection, LinearSVM, LogisticDirection, certified_fit
from dpcore.targets.certificates import Certificate
from dpcore.workbench.scenario import Scenario
from tests.dpcore.targets.fitted import (
    KINDS,
    UNIT,
    apart,
    exact_gradient,
    held_between,
    held_fast,
    moved,
    signed,
)
from tests.fuzz import directions

KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def _table(d: int, n: int, seed: int = 3, sd: float = 0.3) -> FloatArray:
    return TwoClasses(d, sd=sd).draw(1, n, rng=np.random.default_rng(seed))[0]


def _huber(m: FloatArray) -> FloatArray:
    return np.where(m <= 0, 0, np.where(m <= 0.5, m**2, m - 0.25))


@KIND
@pytest.mark.parametrize("cost", [0.1, 3.0, 100.0])
@pytest.mark.parametrize(("d", "n"), [(1, 9), (2, 60), (5, 4)])
def test_it_minimises_what_it_says(kind: Any, cost: float, d: int, n: int) -> None:
    """The loss in its own words, z with its constant ½, by a quasi-Newton method that knows no gradient."""
    database = _table(d, n)
    x, y = np.clip(database[:, :-1], 0, 1), np.where(database[:, -1] > 0.5, 1, -1)

    def objective(w: FloatArray) -> float:
        u = y * ((x - 0.5) @ w[:-1] + w[-1] / 2)
        losses = _huber(1 - u) if kind is HuberDirection else np.log1p(np.exp(-u))
        return float(w @ w / 2 + cost * losses.mean())

    found = minimize(objective, np.zeros(d + 1), method="BFGS", options={"gtol": 1e-9})
    assert kind(UNIT * d, C=cost).minimiser(database) == pytest.approx(found.x, abs=1e-4 * max(1, abs(found.x).max()))
    assert kind(UNIT * d, C=cost)(database) == pytest.approx(found.x[:-1], abs=1e-4 * max(1, abs(found.x).max()))


def test_a_small_cost_is_the_mean_direction() -> None:
    """Where no margin reaches ½ every slope is 1: w = (C/n) Σ y z."""
    database = _table(3, 50)
    rows = signed(HuberDirection(UNIT * 3), database)
    for cost in (1e-9, 0.1, 0.5):
        assert HuberDirection(UNIT * 3, C=cost)(database) == pytest.approx(cost * rows.mean(axis=0)[:-1], rel=1e-12)


@KIND
@pytest.mark.parametrize("cost", [1e-9, 0.3, 40.0, 1e4])
def test_the_certificate_counts_its_own_rounding(kind: Any, cost: float) -> None:
    """Equations (3) and (4): no computed gradient is further than err from the exact one; some are by a thousandth of err."""
    rng, shares = np.random.default_rng(2), []
    for n, d in ((1, 1), (2, 1), (7, 2), (30, 5)):
        target = kind(UNIT * d, C=cost)
        certificate = target.certificate(n)
        for size in (0.0, 1e-14, 1e-3, 1.0, 1.0):
            rows = signed(target, rng.random((n, d + 1)))
            w = certified_fit.fitted(rows, target.loss, certificate) + size * certificate.size * rng.normal(size=d + 1)
            computed = certified_fit._Objective(rows, cost / n, target.loss).at(w).gradient
            exact, err = exact_gradient(target, rows, w), certificate.rounding_at(w)
            shares.append(apart(exact, computed) / err)
            assert apart(exact, np.zeros(d + 1)) <= math.sqrt(computed @ computed) + err
    assert 1e-3 < max(shares) < 1


@KIND
@pytest.mark.parametrize("cost", [0.3, 40.0, 1e4])
def test_what_is_certified_is_near_enough_and_what_is_not_near_is_not_certified(kind: Any, cost: float) -> None:
    """‖w − w*‖ <= ‖∇F(w)‖ for w of any distance, and t certifies t: 1.01 t is refused."""
    rng = np.random.default_rng(4)
    target, n = kind(UNIT * 2, C=cost), 40
    rows, certificate = signed(target, _table(2, n)), target.certificate(n)
    best = certified_fit.fitted(rows, target.loss, certificate)
    assert certificate.distance == pytest.approx(0.02 * cost * math.sqrt(3) / n, rel=1e-12)
    objective = certified_fit._Objective(rows, cost / n, target.loss)
    for size in np.geomspace(1e-3, 10, 40):
        step = rng.normal(size=3)
        w = best + size * certificate.distance * step / np.linalg.norm(step)
        gradient = objective.at(w).gradient
        assert np.linalg.norm(gradient) >= size * certificate.distance * (1 - 1e-6)
        assert not certificate.proves(w, gradient) or size <= 1
    lengths = [share * (certificate.distance - certificate.rounding_at(best)) for share in (0.999, 1.001, math.nan)]
    assert [certificate.proves(best, np.array([size, 0, 0])) for size in lengths] == [True, False, False]


@KIND
@pytest.mark.parametrize("cost", [0.5, 30.0])
def test_the_descent_finds_what_newtons_method_does_not(monkeypatch: pytest.MonkeyPatch, kind: Any, cost: float) -> None:
    """T steps end within t/2 without a look at the certificate; with it sooner, within t. A corrupt fit is never an answer."""
    database = _table(2, 30)
    target = kind(UNIT * 2, C=cost)
    best, t = target.minimiser(database), target.certificate(30).distance
    bad = [np.full(3, np.nan), np.full(3, 1e300), np.zeros(3), best + 1.1 * t]
    for w in bad:
        monkeypatch.setattr(certified_fit, "_newton", lambda objective, _, w=w: objective.at(w))
        with np.errstate(all="ignore"):
            off = np.linalg.norm(target.minimiser(database) - best)
        assert 0 < off <= t
    monkeypatch.setattr(Certificate, "proves", lambda *_: False)
    assert np.linalg.norm(target.minimiser(database) - best) <= t / 2


@KIND
@pytest.mark.parametrize(("n", "d"), [(1, 1), (10, 2), (1_000, 2), (10_000, 64)])
def test_the_length_of_the_descent_is_what_its_proof_takes(kind: Any, n: int, d: int) -> None:
    """Equation (5): (1 − 1/L)^T r <= t/2, with no step more than ln(1 − 1/L) <= −1/L asks for."""
    for cost in (1e-9, 0.1, 1.0, 60.0):
        known = kind(UNIT * d, C=cost).certificate(n)
        assert known.served
        steps, shrink = known.steps, math.log1p(-1 / known.smoothness)
        assert steps * shrink + math.log(known.size) <= math.log(known.distance / 2) + 1e-12
        assert steps == 1 or steps - 1 <= known.smoothness * math.log(2 * known.size / known.distance)


@KIND
@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_the_worst_case_is_what_the_mathematics_says(kind: Any, norm: Any) -> None:
    for d, cost, n in ((1, 1.0, 10), (2, 3.0, 1_000), (64, 0.2, 500)):
        proved = kind(UNIT * d, C=cost).global_sensitivity(norm, n)
        moves = cost * (math.sqrt(d + 1) + math.sqrt(d)) / (2 * n) + 0.04 * cost * math.sqrt(d + 1) / n
        assert proved.value == pytest.approx(moves * (math.sqrt(d) if norm is L1 else 1), rel=1e-9)
        assert proved.value > moves * (math.sqrt(d) if norm is L1 else 1)
        assert proved.value < 1.04 * cost * math.sqrt((d + 1) * (d if norm is L1 else 1)) / n
    assert kind(UNIT).global_sensitivity(RANGE, 9) is None


@pytest.mark.parametrize(("d", "cost", "n", "share"), [(1, 1e3, 20_000, 0.93), (2, 1e3, 20_000, 0.92), (5, 1e3, 20_000, 0.9)])
def test_a_record_can_move_a_huberised_direction_by_over_nine_tenths_of_the_worst_case(
    d: int, cost: float, n: int, share: float
) -> None:
    """So a claim of 90 % of it is false. Nothing but t is between the rest and (2), of which .94 to .98 are reached."""
    target = HuberDirection(UNIT * d, C=cost)
    step = moved(target, held_fast(d, n))
    for norm in (L1, L2):
        proved = target.global_sensitivity(norm, n)
        assert proved is not None
        assert share * proved.value < norm(step) <= proved.value


def test_a_record_can_move_a_logistic_direction_by_over_eight_tenths_of_the_worst_case() -> None:
    target, extended = LogisticDirection(UNIT * 20, C=1e3), held_between(20, 10_000)
    proved = target.global_sensitivity(L2, 10_000)
    assert proved is not None
    assert 0.83 * proved.value < L2(moved(target, extended)) <= proved.value


@KIND
@pytest.mark.parametrize("d", [1, 2])
def test_no_neighbours_are_further_apart_than_the_proof_allows(kind: Any, d: int) -> None:
    """By climbing from a few records at corners: each next pair is the last that moved furthest, changed in one place."""
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


@KIND
@pytest.mark.parametrize("cost", [1e-9, 0.5, 1e5])
def test_it_never_fails_on_any_number(kind: Any, cost: float) -> None:
    target, rng = kind(((-1e300, 1e300), (0.0, 5e-324)), C=cost), np.random.default_rng(9)
    strange = np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, 0.5, 1.0])
    with np.errstate(all="ignore"):  # as a release has it
        for size in (1, 2, 5) * 15:
            assert np.isfinite(target(rng.choice(strange, (size, 3)))).all()
    assert target(np.empty((0, 3))).tolist() == [0.0, 0.0]


@KIND
def test_bounds_scale_the_features_and_a_missing_one_is_the_middle(kind: Any) -> None:
    database, target = _table(2, 40), kind(UNIT * 2)
    wide = database.copy()
    wide[:, :-1] = 10 + 5 * wide[:, :-1]
    assert kind(((10.0, 15.0),) * 2)(wide) == pytest.approx(target(database), rel=1e-9)
    odd = database.copy()
    odd[:3, 0], odd[3, 1] = (np.nan, np.inf, -4.0), -np.inf
    tame = database.copy()
    tame[:3, 0], tame[3, 1] = (0.5, 1.0, 0.0), 0.0
    assert target(odd).tolist() == target(tame).tolist()
    with pytest.raises(InvalidValueError):
        target(np.zeros((3, 4)))


@KIND
def test_what_would_take_too_long_is_refused_before_anything_is_drawn(kind: Any) -> None:
    """With the C that is served for so many records, or the n where none is: by a call, a sample and a scenario alike."""

    class Unasked:
        def draw(self, databases: int, records: int, /, *, rng: Any) -> Any:
            raise AssertionError

    target = kind(UNIT * 64, C=1e6)
    with pytest.raises(
        InvalidValueError, match=r"C must be from 0\.000000001 to [\d,]+ for 10,000 records of 64 features"
    ) as told:
        target.check_records(10_000)
    assert (told.value.name, told.value.got) == ("C", 1e6)
    most = float(told.value.expected.split()[3].replace(",", ""))
    kind(UNIT * 64, C=most).check_records(10_000)
    assert not kind(UNIT * 64, C=2 * most).certificate(10_000).served
    with pytest.raises(InvalidValueError):
        sample_sensitivity(target, Unasked(), norm=L1, n=10_000, at=OperatingPoint.for_gamma(0.05), seed=1)
    for asked in (lambda: target(np.zeros((10_000, 65))), lambda: _scenario(target)):
        with pytest.raises(InvalidValueError, match="10,000 records of 64 features"):
            asked()
    with pytest.raises(InvalidValueError, match=r"n must be at most 4,000,000 for records of 2 features") as told:
        kind(UNIT * 2).check_records(10**8)
    kind(UNIT * 2, C=1e-9).check_records(4 * 10**6)
    assert (told.value.name, told.value.got) == ("n", 10**8)
    for cost, n in ((1e6, 10_000), (1.0, 10**8), (1.0, 2**60), (1e-10, 9), (1e10, 9)):
        assert kind(UNIT * 64, C=cost).global_sensitivity(L1, n) is None


def _scenario(target: Any) -> Scenario:
    names = tuple(f"x{i}" for i in range(64))
    return Scenario(
        table="t", columns=(*names, "label"), target=target, oracle=TwoClasses(64), norm=L1, n=10_000, bound=Bound.RANK,
        confidence=None, m=19, gamma=0.05, epsilon=1.0, delta=None, mechanism=Laplace(), seed=1,
    )  # fmt: skip


@KIND
def test_fewer_records_are_served_where_more_are(kind: Any) -> None:
    for cost in (1e-9, 1.0, 1e3, 1e6):
        served = [kind(UNIT * 8, C=cost).certificate(n).served for n in (1, 10, 10**3, 10**5, 10**7, 2**53, 2**54)]
        assert served == sorted(served, reverse=True)
        assert served[0]
        assert not served[-1]


@KIND
def test_its_release_points_from_one_class_to_the_other(kind: Any) -> None:
    """Under differential privacy proper, where (w, b) of a machine with a free bias has a worst case of 6.9: ranks 19 in 20."""
    target, rng = kind(UNIT * 2), np.random.default_rng(1)
    database, fresh = TwoClasses(2).draw(2, 1_000, rng=rng)
    proved, whole = target.global_sensitivity(L1, 1_000), LinearSVM(UNIT * 2).global_sensitivity(L1, 1_000)
    assert whole is not None
    assert proved.value < 0.003 < whole.value / 1_000
    w = Laplace().calibrate(proved, PureDP(1.0)).release(database).response
    ranks, ones = fresh[:, :-1] @ w, fresh[:, -1] > 0.5
    assert (ranks[ones][:, None] > ranks[~ones]).mean() > 0.95


@KIND
@pytest.mark.parametrize(("given", "name"), [({"x_bounds": ()}, "x_bounds"), ({"x_bounds": UNIT, "C": 0.0}, "C")])
def test_what_is_no_direction_is_refused(kind: Any, given: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as told:
        kind(**given)
    assert told.value.name == name
