"""The audit lets honest mechanisms pass, and sees one that runs at twice its ε or takes the wrong order statistic."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    ApproxDP,
    BernsteinMechanism,
    Bound,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    curves,
    oracles,
    targets,
)
from dpcore.audits.audit import Audit, audit, checks, clopper_pearson, coverage
from dpcore.audits.hard_pairs import hard_pairs
from dpcore.errors import InvalidValueError
from dpcore.registry import members
from dpcore.sampling.sampler import SensitivitySample
from tests.statistical.clopper_pearson import largest_share, least_share

pytestmark = pytest.mark.statistical
KINDS = tuple(members("mechanisms").values())
PAIRS = {pair.name: pair for kind in KINDS for pair in hard_pairs(kind)}


def _audited(name: str, epsilon: float, *, same: bool = False, **how: Any) -> Audit:
    pair = PAIRS[name]
    raw, other = np.array(pair.answers.raw), np.array(pair.answers.raw if same else pair.answers.other)
    return audit(pair.calibrated(epsilon), raw, other, seed=3, databases=pair.answers.databases, **how)


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_are_as_far_apart_as_the_sensitivity(name: str) -> None:
    sensitivity = PAIRS[name].calibrated(1.0).sensitivity
    distance = np.subtract(PAIRS[name].answers.raw, PAIRS[name].answers.other)
    assert float(sensitivity.norm(distance)) == pytest.approx(sensitivity.value, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_simulated_noise_keeps_epsilon_and_twice_is_caught(epsilon: float) -> None:
    """100,000 responses a side, each bound at 1 − 1e-6; every mechanism at twice its ε is seen above it."""
    for check in checks(KINDS, epsilon=epsilon, seed=7):
        assert check.honest.holds, check
        assert check.honest.lower > 0.3 * epsilon, check
        assert not check.doubled.holds, check
        assert check.doubled.epsilon == epsilon


# it takes more responses to see them: tests of their own
FAR_FROM_THEIR_BOUND = ("Gaussian", "Exponential, 2·L∞", "Exponential, by group", "In steps")


@pytest.mark.parametrize("name", [name for name in PAIRS if name not in FAR_FROM_THEIR_BOUND])
def test_release_noise_keeps_epsilon_and_a_quarter_is_caught(name: str) -> None:
    """800 responses a side from OpenDP: 4ε is seen far above ε = 1. The contracts compare the law with the simulated one."""
    assert _audited(name, 1.0, draws=800, released=True).holds
    assert not _audited(name, 4.0, draws=800, released=True, claimed=PureDP(1.0)).holds


def test_gaussian_release_noise_keeps_epsilon_and_a_quarter_is_caught() -> None:
    """4,000 responses a side: 4ε is seen far above 1. δ is taken off the event's probability."""
    assert _audited("Gaussian", 1.0, draws=4_000, released=True).holds
    assert not _audited("Gaussian", 4.0, draws=4_000, released=True, claimed=ApproxDP(1.0, 1e-3)).holds


def test_equal_answers_have_no_loss() -> None:
    assert _audited("Laplace", 1.0, same=True, draws=20_000).lower == 0


def test_exact_answers_are_caught() -> None:
    """Noise a thousand times too small gives responses that tell the two databases apart with certainty."""
    assert _audited("Laplace", 1_000.0, draws=20_000, claimed=PureDP(1.0)).lower > 5


def test_the_bounds_are_those_of_clopper_and_pearson() -> None:
    for hits, trials in ((0, 10), (3, 10), (10, 10), (500, 9_000)):
        low, high = clopper_pearson(hits, trials, 1e-6)
        assert low == pytest.approx(least_share(hits, trials), rel=1e-9)
        assert high == pytest.approx(largest_share(hits, trials), rel=1e-9)


def test_random_dp_is_kept_on_average_over_fresh_draws_and_k_minus_one_is_caught() -> None:
    """3,000 pairs, each with its own Δ̂ under RANK: the true share is γ exactly, and γ + 1/(m+1) with k − 1."""
    what: Any = targets.Mean(), oracles.Exponential(1.0), LaplaceMechanism(), PureDP(1.0)
    gamma = 0.05
    at = OperatingPoint.for_gamma(gamma)
    kept = coverage(*what, n=5, at=at, pairs=3_000, seed=11)
    assert kept.holds
    assert kept.low <= gamma <= kept.high
    assert kept.high < 1.5 * gamma
    broken = coverage(*what, n=5, at=at, pairs=3_000, seed=11, order=at.k - 1)
    assert not broken.holds
    assert broken.low <= gamma + 1 / (at.m + 1) <= broken.high


def test_under_tolerance_one_sampled_sensitivity_serves_every_pair() -> None:
    at = OperatingPoint.for_gamma(0.1, bound=Bound.TOLERANCE, confidence=0.999)
    kept = coverage(targets.Mean(), oracles.Exponential(1.0), LaplaceMechanism(), PureDP(1.0), n=5, at=at, pairs=8_000, seed=2)
    assert kept.holds
    assert kept.missed > 0


@pytest.mark.parametrize(
    ("target", "oracle", "mechanism", "n"),
    [
        (targets.LetterCounts(), oracles.Names(), ExponentialMechanism(tuple(ascii_lowercase), selection="permute-and-flip"), 10),
        (targets.OnLattice(curves.KernelDensity(0.1), 5), oracles.Uniform(0, 1), BernsteinMechanism(order=3), 8),
        (targets.OnLattice(curves.PriestleyChao(0.1), 5), oracles.RegressionPrior(), BernsteinMechanism(), 8),
    ],
    ids=["letters", "density", "regression"],
)
def test_no_mechanism_loses_more_than_epsilon_more_often_than_promised(target: Any, oracle: Any, mechanism: Any, n: int) -> None:
    """300 pairs, each with a fresh Δ̂."""
    at = OperatingPoint.for_gamma(0.1)
    assert coverage(target, oracle, mechanism, PureDP(1.0), n=n, at=at, pairs=300, seed=4).holds


def test_a_sampler_with_half_the_sensitivity_is_caught_for_curves() -> None:
    """The order 4 of 9 in place of 9: the share is then 0.6 where 0.1 was promised."""
    target: Any = targets.OnLattice(curves.KernelDensity(0.1), 5)
    at = OperatingPoint.for_gamma(0.1)
    broken = coverage(target, oracles.Uniform(0, 1), BernsteinMechanism(), PureDP(1.0), n=8, at=at, pairs=500, seed=4, order=4)
    assert not broken.holds
    assert broken.low > 0.4


def test_what_cannot_be_audited_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="draws"):
        _audited("Laplace", 1.0, draws=1)
    gaussian: Any = GaussianMechanism()
    at = OperatingPoint.for_gamma(0.1)
    with pytest.raises(InvalidValueError, match="mechanism"):
        coverage(targets.Mean(), oracles.Uniform(0, 1), gaussian, PureDP(1.0), n=5, at=at, pairs=5, seed=1)
    density = targets.OnLattice(curves.KernelDensity(0.01), 4)
    proved = density.global_sensitivity(L1, 5)
    assert proved is not None
    curve: Any = BernsteinMechanism(order=2).calibrate(proved, PureDP(1.0))
    with pytest.raises(InvalidValueError, match="order"):
        audit(curve, np.zeros(5), np.ones(5), draws=10, seed=1)


def test_coverage_goes_through_the_samplers_own_order_statistic(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that calibrated to the least distance would lose more than ε on almost every pair."""
    what: Any = targets.Mean(), oracles.Exponential(1.0), LaplaceMechanism(), PureDP(1.0)
    at = OperatingPoint.for_both(99, 0.05)
    assert coverage(*what, n=5, at=at, pairs=300, seed=1).holds
    monkeypatch.setattr(SensitivitySample, "order_statistic", property(lambda sample: float(sample.distances.min())))
    broken = coverage(*what, n=5, at=at, pairs=300, seed=1)
    assert not broken.holds
    assert broken.low > 0.8


def _first(database: Any) -> Any:
    return database[:1]


def _last(database: Any) -> Any:
    return database[-1:]


def _often_fails(database: Any) -> Any:
    if database.min() < 0.01:
        raise ArithmeticError
    return database.mean(keepdims=True)


@pytest.mark.parametrize("target", [_first, _last, _often_fails])
def test_targets_that_look_at_places_or_fail_are_covered_and_a_broken_sampler_is_caught(target: Any) -> None:
    """The replaced record is at a random place, as the promise is; 400 pairs of four records."""
    what: Any = target, oracles.Uniform(0, 1), LaplaceMechanism(), PureDP(1.0)
    at = OperatingPoint.for_both(19, 0.1)
    assert coverage(*what, n=4, at=at, pairs=400, seed=1).holds
    assert not coverage(*what, n=4, at=at, pairs=400, seed=1, order=5).holds
