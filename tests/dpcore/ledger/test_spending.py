"""Totals: sums by another way, and tight ones against references and exact curves by other routes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.ledger.lines import Drawn, Event, Line
from dpcore.ledger.spending import Spent, composed_epsilon
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.mechanisms.gaussian import gaussian_delta
from tests.dpcore.ledger.made import DATABASE, MEAN, POINT, TOLERANT, N, planned, sample

_LINE = Line(
    event=Event.RELEASE,
    target="mean",
    target_id="mean",
    n=10,
    adjacency=Adjacency.REPLACE_ONE_RECORD,
    epsilon=0.0,
    delta=0.0,
)


def _drawn(gamma: float, confidence: float | None) -> Drawn:
    return Drawn(
        oracle="uniform",
        oracle_id="uniform",
        point_id="point",
        sample_id=None,
        gamma=gamma,
        joint_gamma=1.5 * gamma,
        confidence=confidence,
    )


def _lines(seed: int, count: int, *, certified: bool) -> list[Line]:
    """Of every size of ε that a float has, and of a few samples that several lines share."""
    rng, lines = np.random.default_rng(seed), []
    for _ in range(count):
        gamma = float(rng.choice([0.0, *rng.uniform(1e-9, 0.01, 3)]))
        sure = float(rng.uniform(0.9, 0.9999)) if certified or rng.random() < 0.9 else None
        epsilon, delta = 10 ** float(rng.uniform(-300, 3)), 10 ** float(rng.uniform(-30, -4))
        name = f"sample {rng.integers(count // 2)}"
        lines.append(replace(_LINE, epsilon=epsilon, delta=delta, drawn=_drawn(gamma, sure) if gamma else None, target_id=name))
    return lines


def _plainly(lines: list[Line]) -> Spent:
    samples = defaultdict(list)
    for line in lines:
        if line.gamma:
            samples[line.target_id].append(line)
    joint = gamma = math.fsum(max(line.joint_gamma for line in of) for of in samples.values())
    confidence = None
    if samples and all(line.confidence is not None for of in samples.values() for line in of):
        least = [min(line.confidence or 0.0 for line in of) for of in samples.values()]
        together = least[0] if len(least) == 1 else 1 - math.fsum(1 - one for one in least)
        if together > 0:
            gamma, confidence = math.fsum(max(line.gamma for line in of) for of in samples.values()), together
    return Spent(math.fsum(x.epsilon for x in lines), math.fsum(x.delta for x in lines), gamma, joint, confidence)


@pytest.mark.parametrize("certified", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_spent_is_the_plain_sum(seed: int, certified: bool) -> None:
    lines = _lines(seed, 40, certified=certified)
    for count in range(1, len(lines) + 1):
        assert Spent.by(tuple(lines[:count])) == _plainly(lines[:count])


def test_pending_line_counts_gamma_at_once() -> None:
    lines = tuple(_lines(7, 20, certified=True))
    more = replace(_LINE, epsilon=0.5, drawn=_drawn(0.02, 0.9), target_id="another")
    adapted = replace(more, drawn=replace(_drawn(0.02, 0.9), joint_gamma=1 - 0.9 * 0.98), epsilon=0.0)
    assert Spent.by(lines, (more,)) == _plainly([*lines, adapted])
    assert Spent.by(lines, (more,), whole=True) == _plainly([*lines, replace(adapted, epsilon=0.5)])
    assert Spent.by(lines, (replace(more, drawn=None),)) == _plainly([*lines])


def test_an_epsilon_without_a_bound_stays_so() -> None:
    one = replace(_LINE, epsilon=math.inf)
    assert Spent.by((one, _LINE)).epsilon == math.inf
    assert Spent.by((replace(_LINE, epsilon=1.7e308),) * 2).epsilon == math.inf


Curve = Callable[[float], float]  # ε -> the least δ


def _two(database: Database) -> FloatArray:
    return np.asarray(database[:2])


def _laplace(epsilon: float, target: Target = MEAN, value: float = 1.0) -> Release[PureDP]:
    proved = GlobalSensitivity(target, value, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return LaplaceMechanism().calibrate(proved, PureDP(epsilon)).release(DATABASE)


def _gaussian(ratio: float, target: Target = MEAN, epsilon: float = 0.3) -> Calibrated[ApproxDP]:
    """A Gaussian whose analytic σ is ratio·Δ, and Δ = 2."""
    proved = GlobalSensitivity(target, 2.0, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return GaussianMechanism().calibrate(proved, ApproxDP(epsilon, gaussian_delta(ratio, epsilon)))


def _sampled(epsilon: float = 0.1, target: Target = MEAN, seed: int = 1, **change: Any) -> Release[RandomDP]:
    drawn = sample(target, seed=seed, **change)
    return LaplaceMechanism().calibrate(drawn.sensitivity(allow_zero=True), PureDP(epsilon)).release(DATABASE)


def _ledger(*items: Release[Any], plan: Sequence[Target] = (), at: OperatingPoint = POINT) -> Ledger:
    ledger = Ledger().planned(planned(target, at) for target in plan)
    for item in items:
        ledger = ledger.add(item)
    return ledger


def _epsilon(ledger: Ledger, delta: float) -> float:
    total = ledger.total(delta=delta)
    assert isinstance(total, ApproxDP)
    assert total.delta == delta
    return total.epsilon


def _least_epsilon(curve: Curve, delta: float) -> float:
    low, high = 0.0, 1.0
    while curve(high) > delta:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) > delta else (low, middle)
    return high


def _gaussian_curve(ratio: float, count: int = 1) -> Curve:
    """Several Gaussians are one with √count times less noise (Balle & Wang 2018, equation 6)."""
    return lambda epsilon: gaussian_delta(ratio / math.sqrt(count), epsilon)


def _worst_curve(each: float, count: int, delta: float = 0.0) -> Curve:
    """``count`` draws of the worst case: a binomial number of ε, the rest −ε (Kairouz, Oh & Viswanath 2015)."""
    wins = np.arange(count + 1)
    losses = (2 * wins - count) * each
    finite = -math.expm1(count * math.log1p(-delta))
    odds = (1 - finite) * binom.pmf(wins, count, 1 / (1 + math.exp(-each)))
    return lambda epsilon: finite + math.fsum(odds * -np.expm1(np.minimum(0.0, epsilon - losses)))


def _laplace_curve(each: float) -> Curve:
    """One Laplace release of one number: 1 − exp((ε' − ε)/2) within ±ε."""

    def curve(epsilon: float) -> float:
        return 0.0 if epsilon >= each else -math.expm1((epsilon - each) / 2 if epsilon > -each else epsilon)

    return curve


def _after_laplace(each: float, rest: Curve) -> Curve:
    """The rest's curve, averaged over a Laplace loss: ±ε with P = 1/2 and exp(−ε)/2, the density exp((l − ε)/2)/4 between."""

    def curve(epsilon: float) -> float:
        kinks = [x for x in (epsilon - each, epsilon + each) if -each < x < each]
        between = quad(
            lambda x: math.exp((x - each) / 2) / 4 * rest(epsilon - x),
            -each,
            each,
            points=kinks or None,
            epsabs=1e-13,
            epsrel=1e-11,
        )[0]
        return float(between + rest(epsilon - each) / 2 + math.exp(-each) / 2 * rest(epsilon + each))

    return curve


def _after_worst(each: float, delta: float, rest: Curve) -> Curve:
    """The rest's curve, averaged over the worst (ε, δ) loss."""
    likely = 1 / (1 + math.exp(-each))

    def curve(epsilon: float) -> float:
        return delta + (1 - delta) * (likely * rest(epsilon - each) + (1 - likely) * rest(epsilon + each))

    return curve


def test_fifty_gaussian_releases_compose_to_the_reference() -> None:
    release = _gaussian(10.0).release(DATABASE)
    assert release.scale == pytest.approx(20.0, rel=1e-9)
    assert _epsilon(_ledger(*[release] * 50), 1e-6) == pytest.approx(3.30760, abs=5e-6)


def test_fifty_laplace_releases_compose_to_the_reference() -> None:
    ledger = _ledger(*[_laplace(0.1)] * 50)
    assert _epsilon(ledger, 1e-6) == pytest.approx(3.121, abs=5e-4)
    assert ledger.total() == PureDP(5.0)


EXACT: dict[str, tuple[dict[str, Any], Curve]] = {
    "one Gaussian": ({"gaussians": [4.0]}, _gaussian_curve(4.0)),
    "little noise": ({"gaussians": [0.1]}, _gaussian_curve(0.1)),
    "much noise": ({"gaussians": [1000.0]}, _gaussian_curve(1000.0)),
    "50 Gaussians": ({"gaussians": [10.0] * 50}, _gaussian_curve(10.0, 50)),
    "500 Gaussians": ({"gaussians": [10.0] * 500}, _gaussian_curve(10.0, 500)),
    "Gaussians of 3 and 4": ({"gaussians": [1 / 0.3, 1 / 0.4]}, _gaussian_curve(2.0)),
    "one Laplace": ({"laplaces": [2.0]}, _laplace_curve(0.5)),
    "two Laplaces": ({"laplaces": [2.0, 2.0]}, _after_laplace(0.5, _laplace_curve(0.5))),
    "two unlike Laplaces": ({"laplaces": [2.0, 5.0]}, _after_laplace(0.5, _laplace_curve(0.2))),
    "one (ε, δ)": ({"others": [(0.5, 1e-14)]}, _worst_curve(0.5, 1, 1e-14)),
    "50 (ε, 0)": ({"others": [(0.1, 0.0)] * 50}, _worst_curve(0.1, 50)),
    "500 (ε, 0)": ({"others": [(0.1, 0.0)] * 500}, _worst_curve(0.1, 500)),
    "5,000 (ε, 0)": ({"others": [(0.01, 0.0)] * 5_000}, _worst_curve(0.01, 5_000)),
    "500 (ε, δ)": ({"others": [(0.1, 1e-16)] * 500}, _worst_curve(0.1, 500, 1e-16)),
    "off the grid": ({"others": [(1 / 3, 0.0)] * 30}, _worst_curve(1 / 3, 30)),
    "Gaussian, Laplace": ({"gaussians": [4.0], "laplaces": [2.0]}, _after_laplace(0.5, _gaussian_curve(4.0))),
    "Gaussian, (ε, δ)": ({"gaussians": [4.0], "others": [(0.5, 1e-14)]}, _after_worst(0.5, 1e-14, _gaussian_curve(4.0))),
}


@pytest.mark.parametrize("delta", [1e-10, 1e-3])
@pytest.mark.parametrize("case", EXACT)
def test_tight_total_bounds_the_exact_curve(case: str, delta: float) -> None:
    given, curve = EXACT[case]
    found, exact = composed_epsilon(delta, **given), _least_epsilon(curve, delta)
    assert curve(found) <= delta * (1 + 1e-9)
    assert found <= exact * (1 + 2e-3) + 1e-6


@pytest.mark.parametrize("delta", [1.2e-12, 1e-11])
@pytest.mark.parametrize("count", [500, 1_000])
def test_rounding_of_convolutions_is_no_privacy(count: int, delta: float) -> None:
    """Unmended, 500 convolutions lose up to 2.5e-14 of δ: where ε is asked for near that δ, it comes out too low."""
    for each in (0.01, 0.1):
        found = composed_epsilon(delta, others=[(each, 0.0)] * count)
        assert _worst_curve(each, count)(found) <= delta * (1 + 1e-9)


def test_ratio_is_rounded_down() -> None:
    """A Laplace of 1/ε at δ -> 0 shows ε itself; ratios that differ by rounding count as one and cost more, not less."""
    ratio = 1 / 0.3
    for near in (math.nextafter(ratio, 0), math.nextafter(ratio, math.inf)):
        assert composed_epsilon(1e-12, laplaces=[near]) >= 0.3 - 2e-12
    for round_one in (10.0, ratio):
        near = composed_epsilon(1e-6, laplaces=[round_one, math.nextafter(round_one, 0), math.nextafter(round_one, math.inf)])
        assert near == composed_epsilon(1e-6, laplaces=[round_one] * 3)


def test_an_epsilon_is_no_finer_than_the_grid() -> None:
    for far in ({"gaussians": [1e9]}, {"laplaces": [1e9]}, {"others": [(1e-9, 0.0)]}):
        assert composed_epsilon(1e-3, **far) == 1e-6


def test_lines_know_their_noise() -> None:
    def noise(line: Line) -> tuple[object, ...]:
        return line.noise_ratio, line.composes_as

    lines = _ledger(_laplace(0.5, value=3.0), _laplace(0.5, _two), _gaussian(4.0, _two).release(DATABASE)).lines
    assert noise(lines[0]) == (pytest.approx(2.0, rel=1e-15), "laplace")
    assert noise(lines[1]) == (pytest.approx(2.0, rel=1e-15), "")
    assert noise(lines[2]) == (pytest.approx(4.0, rel=1e-9), "normal")


def test_a_mixture_of_mechanisms_composes() -> None:
    ledger = _ledger(_gaussian(4.0).release(DATABASE), _laplace(0.5), _laplace(0.5, _two))
    exact = _least_epsilon(_after_worst(0.5, 0.0, _after_laplace(0.5, _gaussian_curve(4.0))), 1e-3)
    assert exact <= _epsilon(ledger, 1e-3) <= exact * (1 + 1e-6)


def test_laplace_vector_composes_as_its_epsilon() -> None:
    ledger = _ledger(*[_laplace(0.1, _two)] * 50)
    assert _epsilon(ledger, 1e-6) == composed_epsilon(1e-6, others=[(0.1, 0.0)] * 50) > 3.17


@pytest.mark.parametrize("norm", ["L1", "LINF", "RANGE", "", None])
def test_normal_noise_in_other_norms_composes_plainly(norm: str | None) -> None:
    """In L∞ a vector of d numbers moves by up to √d·Δ in L2."""
    like = _gaussian(4.0, _two).release(DATABASE)
    other = replace(like, provenance={**like.provenance, "norm": norm})
    delta = like.guarantee.delta
    assert _epsilon(_ledger(other), 2 * delta) == composed_epsilon(2 * delta, others=[(0.3, delta)])


LIKE = _laplace(0.1)
UNKNOWN: dict[str, dict[str, Any]] = {
    "another mechanism": {"response": "a", "mechanism": "ExponentialMechanism", "composes_as": ""},
    **{f"a law that says {said!r}": {"composes_as": said} for said in ("", "Laplace", "normal", "gaussian", None, 1)},
    "another norm": {"provenance": {**LIKE.provenance, "norm": "RANGE"}},
    "no sensitivity": {"provenance": {key: value for key, value in LIKE.provenance.items() if key != "sensitivity"}},
}


@pytest.mark.parametrize("changes", UNKNOWN.values(), ids=list(UNKNOWN))
def test_unknown_noise_composes_as_its_epsilon(changes: dict[str, Any]) -> None:
    ledger = _ledger(*[replace(LIKE, **changes)] * 50)
    assert _epsilon(ledger, 1e-6) == composed_epsilon(1e-6, others=[(0.1, 0.0)] * 50)


def test_failed_release_composes_as_epsilon_delta() -> None:
    calibrated = _gaussian(10.0, epsilon=0.5)
    ledger = Ledger().add_failed(calibrated, n=N).add_failed(calibrated, n=N)
    delta = calibrated.guarantee.delta
    assert (
        _epsilon(ledger, 1e-3) == composed_epsilon(1e-3, others=[(0.5, delta)] * 2) > composed_epsilon(1e-3, gaussians=[10.0] * 2)
    )


def test_release_without_noise_composes_as_epsilon() -> None:
    def nothing(_: object) -> FloatArray:
        return np.zeros(1)

    release = _sampled(0.1, nothing)
    assert release.scale == 0
    total = _ledger(*[release] * 50, plan=[nothing] * 50).total(delta=1e-6)
    assert total == RandomDP(composed_epsilon(1e-6, others=[(0.1, 0.0)] * 50), 1e-6, 0.05)


def test_tight_total_keeps_gamma_and_confidence() -> None:
    ledger = _ledger(_gaussian(10.0).release(DATABASE), *[_sampled(0.1, at=TOLERANT)] * 50, plan=[MEAN] * 50, at=TOLERANT)
    expected = composed_epsilon(1e-6, gaussians=[10.0], laplaces=[10.0] * 50)
    total = ledger.total(delta=1e-6)
    assert isinstance(total, RandomDP)
    assert total.epsilon == pytest.approx(expected, rel=1e-9)
    assert (total.delta, total.gamma, total.confidence) == (1e-6, 0.05, 0.95)


def test_draws_without_a_response_spend_gamma_alone() -> None:
    drawn = sample(seed=3)
    assert Ledger().add(drawn).total(delta=1e-6) == RandomDP(0.0, 1e-6, 0.05)
    total = Ledger().add(drawn).add(_laplace(0.5)).total(delta=1e-6)
    assert total == RandomDP(_epsilon(_ledger(_laplace(0.5)), 1e-6), 1e-6, 0.05)


@pytest.mark.parametrize("epsilon", [1e-12, 0.01, 50.0, 400.0])
@pytest.mark.parametrize("count", [1, 7])
def test_a_tight_total_is_never_above_the_sum(epsilon: float, count: int) -> None:
    for release in (_laplace(epsilon), _laplace(epsilon, _two)):
        assert 0 < _epsilon(_ledger(*[release] * count), 1e-10) <= math.fsum([epsilon] * count)


@pytest.mark.parametrize("delta", [1e-300, 1e-16])
def test_a_delta_below_all_rounding_gets_the_sum(delta: float) -> None:
    assert _ledger(*[_laplace(0.1)] * 10).total(delta=delta) == ApproxDP(1.0, delta)


def test_no_tight_total_below_spent_delta() -> None:
    failed = _gaussian(10.0, epsilon=0.5)
    ledger = Ledger().add_failed(failed, n=N).add_failed(failed, n=N)
    assert ledger.total(delta=1.9 * failed.guarantee.delta) is None
    assert ledger.total() is not None
    assert _epsilon(ledger, 2 * failed.guarantee.delta) <= 1.0


def test_gaussian_total_below_the_sum_of_deltas() -> None:
    release = _gaussian(10.0).release(DATABASE)
    ledger = _ledger(*[release] * 3)
    less = release.guarantee.delta / 100
    assert _epsilon(ledger, less) == pytest.approx(_least_epsilon(_gaussian_curve(10.0, 3), less), rel=1e-6)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-6, 2.0, math.nan, math.inf, True, "1e-6"])
@pytest.mark.parametrize("ledger", [Ledger(), _ledger(_laplace(0.1))], ids=["empty", "one line"])
def test_a_delta_is_a_share(ledger: Ledger, delta: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        ledger.total(delta=delta)
    assert caught.value.name == "delta"
