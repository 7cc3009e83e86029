"""What certifies a fitted direction, the descent that stands in, the terms of its proof, and what is not served."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, sample_sensitivity
from dpcore.base.types import Oracle
from dpcore.errors import InvalidValueError
from dpcore.targets import HuberDirection, margin_fits
from dpcore.targets.margin_fits import Certificate
from tests.dpcore.targets.fitted import KIND, UNIT, apart, exact_gradient, signed, table


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
            w = margin_fits.fitted(rows, target.loss, certificate) + size * certificate.size * rng.normal(size=d + 1)
            computed = margin_fits._Objective(rows, cost / n, target.loss).at(w).gradient
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
    rows, certificate = signed(target, table(2, n)), target.certificate(n)
    best = margin_fits.fitted(rows, target.loss, certificate)
    assert certificate.distance == pytest.approx(0.02 * cost * math.sqrt(3) / n, rel=1e-12)
    objective = margin_fits._Objective(rows, cost / n, target.loss)
    for size in np.geomspace(1e-3, 10, 40):
        step = rng.normal(size=3)
        w = best + size * certificate.distance * step / np.linalg.norm(step)
        gradient = objective.at(w).gradient
        assert np.linalg.norm(gradient) >= size * certificate.distance * (1 - 1e-6)
        assert not certificate.proves(w, gradient) or size <= 1
    lengths = [share * (certificate.distance - certificate.rounding_at(best)) for share in (0.999, 1.001, math.nan)]
    assert [certificate.proves(best, np.array([size, 0, 0])) for size in lengths] == [True, False, False]
    assert not certificate.proves(np.full(3, 1e18), np.zeros(3)), "a gradient is never known better than its rounding"


@KIND
@pytest.mark.parametrize("cost", [0.5, 30.0])
def test_the_descent_finds_what_newtons_method_does_not(monkeypatch: pytest.MonkeyPatch, kind: Any, cost: float) -> None:
    """T steps end within t/2 without a look at the certificate; with it sooner, within t. A corrupt fit is never an answer."""
    database = table(2, 30)
    target = kind(UNIT * 2, C=cost)
    best, t = target.minimiser(database), target.certificate(30).distance
    bad = [np.full(3, np.nan), np.full(3, 1e300), np.zeros(3), best + 1.1 * t]
    for w in bad:
        monkeypatch.setattr(margin_fits, "_newton", lambda objective, _, w=w: objective.at(w))
        with np.errstate(all="ignore"):
            off = np.linalg.norm(target.minimiser(database) - best)
        assert 0 < off <= t
    monkeypatch.setattr(Certificate, "proves", lambda *_: False)
    assert np.linalg.norm(target.minimiser(database) - best) <= t / 2


@KIND
@pytest.mark.parametrize(("n", "d"), [(1, 1), (10, 2), (1_000, 2), (10_000, 64)])
def test_the_length_of_the_descent_is_what_its_proof_takes(kind: Any, n: int, d: int) -> None:
    """Equation (5): (1 − 1/L)^T Cκ <= t/2, with no step more than ln(1 − 1/L) <= −1/L asks for."""
    for cost in (1e-9, 0.1, 1.0, 60.0):
        known = kind(UNIT * d, C=cost).certificate(n)
        assert known.served
        steps, shrink = known.steps, math.log1p(-1 / known.smoothness)
        assert steps * shrink + math.log(known.radius) <= math.log(known.distance / 2) + 1e-12
        assert steps - 1 <= known.smoothness * math.log(50 * n)


@KIND
def test_the_loss_is_as_steep_as_it_says_and_no_steeper(kind: Any) -> None:
    """φ(0) <= ¾, slopes from −1 to 0 that turn by β at most, and somewhere by β; L is the largest curvature of F."""
    u, loss = np.linspace(-30, 30, 60_001), kind.loss
    slopes = loss.slopes(u)
    turns = -np.diff(slopes) / np.diff(u)
    assert slopes.min() >= 0
    assert slopes.max() <= 1
    assert 0.999 * loss.steepest < turns.max() <= loss.steepest * (1 + 1e-9)
    assert loss.curvatures(slopes)[:-1] == pytest.approx(turns, abs=2 * loss.steepest * (kind is HuberDirection) + 1e-4)
    assert loss.curvatures(slopes).max() == pytest.approx(loss.steepest)
    assert np.trapezoid(slopes[u >= 0], u[u >= 0]) <= 0.75 + 1e-9  # φ(0), for φ(∞) = 0
    corner = np.full(4, 0.5)
    largest = np.linalg.eigvalsh(np.eye(4) + 7 * loss.steepest * np.outer(corner, corner)).max()
    assert kind(UNIT * 3, C=7.0).certificate(9).smoothness == pytest.approx(largest)


@KIND
def test_no_minimiser_is_longer_than_the_proof_has_it(kind: Any) -> None:
    """r is nearly reached by a record at a corner for small C, and by two near each other for a large one."""
    longest = {0.01: 0.0, 1e3: 0.0}
    for cost in longest:
        for gap in (0.0, 0.02, 0.05, 0.1, 1.0):
            target = kind(UNIT, C=cost)
            database = np.array([[1.0, 1.0], [1 - gap, 0.0]])[: 2 if gap else 1]
            size = float(np.linalg.norm(target.minimiser(database)))
            assert size <= target.certificate(2).size
            longest[cost] = max(longest[cost], size / target.certificate(2).size)
    assert longest[0.01] > (0.99 if kind is HuberDirection else 0.49)
    assert longest[1e3] > (0.5 if kind is HuberDirection else 0.35)


@KIND
def test_what_would_take_too_long_is_refused_before_anything_is_drawn(kind: Any) -> None:
    """With the C that is served for so many records, or the n where none is: by a call and by a sample."""

    class Unasked(Oracle):
        def draw(self, databases: int, records: int, /, *, rng: Any) -> Any:
            raise AssertionError

    target = kind(UNIT * 64, C=1e6)
    with pytest.raises(InvalidValueError, match=r"C must be from 0\.000000001 to [\d,]+ for 10,000 rows of 64 features") as told:
        target.check_records(10_000)
    assert (told.value.name, told.value.got) == ("C", 1e6)
    most = float(told.value.expected.split()[3].replace(",", ""))
    kind(UNIT * 64, C=most).check_records(10_000)
    assert not kind(UNIT * 64, C=2 * most).certificate(10_000).served
    with pytest.raises(InvalidValueError):
        sample_sensitivity(target, Unasked(), norm=L1, n=10_000, at=OperatingPoint.for_gamma(0.05), seed=1)
    with pytest.raises(InvalidValueError, match="10,000 rows of 64 features"):
        target(np.zeros((10_000, 65)))
    with pytest.raises(InvalidValueError, match="n must be smaller for rows of 2 features") as told:
        kind(UNIT * 2).check_records(10**8)
    kind(UNIT * 2, C=1e-9).check_records(4 * 10**6)
    assert (told.value.name, told.value.got) == ("n", 10**8)
    for cost, n in ((1e6, 10_000), (1.0, 10**8), (1.0, 10**400), (1e-10, 9), (1e10, 9)):
        assert kind(UNIT * 64, C=cost).global_sensitivity(L1, n) is None


@KIND
@pytest.mark.parametrize("d", [1, 8, 64])
def test_a_smaller_cost_is_served_where_a_larger_one_is(kind: Any, d: int) -> None:
    """So "from … to …" is the truth: also where t is beyond the length of every minimiser, and 0 would do."""
    for n in (1, 10, 1_000, 100_000):
        served = [kind(UNIT * d, C=10.0**power).certificate(n).served for power in range(-9, 10)]
        assert served == sorted(served, reverse=True)


@KIND
def test_fewer_records_are_served_where_more_are(kind: Any) -> None:
    for cost in (1e-9, 1.0, 1e3, 1e5):
        served = [kind(UNIT * 8, C=cost).certificate(n).served for n in (1, 10, 10**3, 10**5, 10**7, 2**53, 2**54)]
        assert served == sorted(served, reverse=True)
        assert served[0]
        assert not served[-1]
