"""Extreme ε, constant targets and huge values: a release is refused or right, never NaN, never the exact answer unasked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Adjacency,
    ApproxDP,
    BernsteinMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Curve, Target
from dpcore.errors import (
    InfiniteSensitivityError,
    InvalidValueError,
    NoiseUnderflowError,
    ReleaseFailedError,
    ZeroSensitivityError,
)
from dpcore.mechanisms import noise
from dpcore.mechanisms.noise import Selection
from dpcore.oracles import Bernoulli, Uniform
from dpcore.targets import OnLattice

DATABASE = np.array([0.25, 0.5, 0.75])
POINT = OperatingPoint.for_gamma(0.05)
BOTH: list[Selection] = ["gumbel", "permute-and-flip"]


class Level(Curve):
    """A curve: the same value, given by a function of the database, at every point but for a public tilt."""

    def __init__(self, level: Callable[[Database], float]) -> None:
        self.level = level

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.asarray(self.level(database) + 0 * points[:, 0])


class Adds(Target):
    """An additive target: Σ of a function of the records."""

    def __init__(self, part: Callable[[Database], FloatArray]) -> None:
        self.part = part

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        one = self.part(records)
        return np.stack([one, 0 * one, -one], axis=1)


class Plain(Target):
    """The same without the shortcut."""

    def __init__(self, level: Callable[[Database], float]) -> None:
        self.level = level

    def __call__(self, database: Database, /) -> FloatArray:
        value = self.level(database)
        return np.array([value, 0.0, -value])


def mean(database: Database) -> float:
    return float(database.mean())


MECHANISMS: dict[str, tuple[Any, Any, Callable[..., Any]]] = {
    "laplace": (LaplaceMechanism(), PureDP, Plain),
    "gaussian": (GaussianMechanism(), lambda epsilon: ApproxDP(epsilon, 1e-6), Plain),
    "bernstein": (BernsteinMechanism(order=3), PureDP, lambda level: OnLattice(Level(level), 2)),
    "bernstein-linf": (BernsteinMechanism(norm=LINF), PureDP, lambda level: OnLattice(Level(level), 2)),
    "gumbel": (ExponentialMechanism(("a", "b", "c")), PureDP, Plain),
    "permute-and-flip": (ExponentialMechanism(("a", "b", "c"), norm=LINF, selection="permute-and-flip"), PureDP, Plain),
}


def calibrated(name: str, level: Callable[[Database], float], epsilon: float = 1.0, value: float = 1.0) -> Any:
    mechanism, privacy, target = MECHANISMS[name]
    proved = GlobalSensitivity(target(level), value, mechanism.norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return mechanism.calibrate(proved, privacy(epsilon))


def numbers_of(response: Any) -> FloatArray:
    return np.asarray(getattr(response, "coefficients", response))


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 1e6])
def test_extreme_epsilons_give_finite_noisy_responses(name: str, epsilon: float) -> None:
    made = calibrated(name, mean, epsilon)
    raw = made.raw_response(DATABASE)
    simulated = made.simulate(raw, size=1_000, rng=np.random.default_rng(2))
    assert np.isfinite(simulated).all()
    for _ in range(3):
        response = made.release(DATABASE).response
        if isinstance(response, str):
            assert response in "abc"
        else:
            assert np.isfinite(numbers_of(response)).all()
            assert (numbers_of(response) != raw).all()
    if name in ("gumbel", "permute-and-flip"):
        law = made.law.probabilities(raw)
        assert np.isfinite(law).all()
        assert law.sum() == pytest.approx(1)
        assert law == pytest.approx(1 / 3 if epsilon == 1e-9 else law, rel=1e-6)
        assert epsilon < 1e6 or law[0] > 0.999
    else:
        spread = np.abs(simulated - numbers_of(simulated.mean(axis=0))).mean()
        assert spread > made.law.scale * 0.3
        assert (spread > 1e5) == (epsilon == 1e-9)  # δ = 1e-6 alone lets the Gaussian's be 4e5


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("value", [5e-324, 1e-310, 1e-300])
@pytest.mark.parametrize("epsilon", [1.0, 1e6])
def test_a_tiny_sensitivity_never_gives_the_exact_answer(name: str, value: float, epsilon: float) -> None:
    made = calibrated(name, mean, epsilon, value)
    assert made.law.scale > 0
    with pytest.raises(NoiseUnderflowError):
        made.release(DATABASE)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_sensitivity_too_large_for_epsilon_is_refused(name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        calibrated(name, mean, 1e-9, 1e307)
    assert caught.value.name == "epsilon"


def constant(database: Database) -> float:
    return 5.0


def nearly_constant(database: Database) -> float:
    return 5.0 + 1e-18 * mean(database)


def noisy_solver(database: Database) -> float:
    """Constant but for a solver's noise."""
    return 5.0 + 1e-12 * mean(database)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("level", [constant, nearly_constant, noisy_solver])
def test_constant_plain_target_is_refused_unless_allowed(name: str, level: Any) -> None:
    mechanism, privacy, make = MECHANISMS[name]
    sample = sample_sensitivity(make(level), Uniform(0, 1), norm=mechanism.norm, n=3, at=POINT, seed=1)
    with pytest.raises(ZeroSensitivityError) as caught:
        sample.sensitivity()
    assert caught.value.value <= caught.value.resolution
    assert 0 <= caught.value.value < 1e-10
    allowed = mechanism.calibrate(sample.sensitivity(allow_zero=True), privacy(1.0))
    if allowed.law.scale == 0:
        raw = allowed.raw_response(DATABASE)
        response = allowed.release(DATABASE).response
        assert response == "a" if isinstance(response, str) else np.isfinite(numbers_of(response)).all()
        if name == "laplace":
            assert (response == raw).all()
    else:
        assert level is noisy_solver


@pytest.mark.parametrize("name", ["laplace", "gaussian", "gumbel", "permute-and-flip"])
def test_constant_additive_target_is_refused_but_tiny_works(name: str) -> None:
    """An additive target's distances are exact, so that 1e-18·Σx keeps its scale and is released with noise of it."""
    mechanism, privacy, _ = MECHANISMS[name]
    for part in (lambda records: 0 * records + 5.0, lambda records: 5.0 + 1e-18 * records):
        sample = sample_sensitivity(Adds(part), Uniform(0, 1), norm=mechanism.norm, n=3, at=POINT, seed=1)
        assert sample.way == "additive"
        with pytest.raises(ZeroSensitivityError) as caught:
            sample.sensitivity()
        assert (caught.value.value, caught.value.resolution) == (0.0, 0.0)
    tiny = sample_sensitivity(Adds(lambda records: 1e-18 * records), Uniform(0, 1), norm=mechanism.norm, n=3, at=POINT, seed=1)
    sensitivity = tiny.sensitivity()
    assert 1e-19 < sensitivity.value < 1e-17
    made = mechanism.calibrate(sensitivity, privacy(1.0))
    response = made.release(DATABASE).response
    if isinstance(response, str):
        assert response in "abc"
    else:
        assert np.isfinite(response).all()
        assert (response != made.raw_response(DATABASE)).all()
        assert np.abs(response).max() < 1e-15


@pytest.mark.parametrize("name", MECHANISMS)
def test_single_distance_above_zero_counts_at_k_equal_m(name: str) -> None:
    """A target that moves on about one pair in a hundred: with k < m it is refused, with k = m its one distance is used."""
    mechanism, privacy, make = MECHANISMS[name]
    target = make(lambda database: float(database.sum() >= 2))
    rare, at = Bernoulli(0.05), OperatingPoint.for_sample_size(40)
    seed = next(
        seed
        for seed in range(300)
        if np.count_nonzero(sample_sensitivity(target, rare, norm=mechanism.norm, n=3, at=at, seed=seed).distances) == 1
    )
    sample = sample_sensitivity(target, rare, norm=mechanism.norm, n=3, at=at, seed=seed)
    assert (sample.point.k, sample.resolution) == (40, 0)
    made = mechanism.calibrate(sample.sensitivity(), privacy(1.0))
    assert made.law.scale > 0
    response = made.release(np.array([0.0, 1.0, 0.0])).response
    assert isinstance(response, str) or (numbers_of(response) != 0).all()
    with pytest.raises(ZeroSensitivityError):
        sample.at(OperatingPoint.for_both(40, 0.1)).sensitivity()


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_infinite_target_gives_neither_sensitivity_nor_response(name: str, value: float) -> None:
    mechanism, _, make = MECHANISMS[name]
    sample = sample_sensitivity(make(lambda database: value), Uniform(0, 1), norm=mechanism.norm, n=3, at=POINT, seed=1)
    assert len(sample.failures) == 19
    with pytest.raises(InfiniteSensitivityError):
        sample.sensitivity(allow_zero=True)
    with pytest.raises(ReleaseFailedError):
        calibrated(name, lambda database: value).release(DATABASE)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("huge", [1e18, -1e18, 1e300, 1.7e308])
def test_huge_value_that_swallows_noise_is_refused(name: str, huge: float) -> None:
    made = calibrated(name, lambda database: huge)
    with pytest.raises(NoiseUnderflowError) as caught:
        made.release(DATABASE)
    assert vars(caught.value) == {"scale": made.law.scale}


@pytest.mark.parametrize("name", ["laplace", "gaussian", "bernstein-linf"])
def test_huge_value_with_large_noise_is_released(name: str) -> None:
    made = calibrated(name, lambda database: 1e18, 1.0, 1e17)
    response = numbers_of(made.release(DATABASE).response)
    assert (response != made.raw_response(DATABASE)).all()


@pytest.mark.parametrize("selection", BOTH)
def test_selection_of_huge_scores_is_refused(selection: Selection) -> None:
    at_the_edge = 2.0**42  # its spacing is 2⁻¹⁰ = scale/1024
    assert noise.select(np.array([at_the_edge, 0.0]), 1.0, selection) == 0
    for scores in ([2.0**43, 0.0], [0.0, -(2.0**43)], [2.0**43, 2.0**43]):
        with pytest.raises(NoiseUnderflowError) as caught:
            noise.select(np.array(scores), 1.0, selection)
        assert caught.value.scale == 1.0


@pytest.mark.parametrize(
    "scores", [np.array([np.nan, 1]), np.array([np.inf, 1]), np.empty(0), np.zeros((2, 2)), np.array(1.0)], ids=repr
)
@pytest.mark.parametrize("selection", BOTH)
def test_scores_that_are_no_finite_vector_are_not_compared(selection: Selection, scores: FloatArray) -> None:
    with pytest.raises(InvalidValueError) as caught:
        noise.select(scores, 1.0, selection)
    assert caught.value.name == "scores"
    for scale in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(InvalidValueError) as other:
            noise.select(np.zeros(2), scale, selection)
        assert other.value.name == "scale"


@pytest.mark.parametrize("name", ["laplace", "gaussian", "bernstein", "bernstein-linf"])
def test_refusal_depends_only_on_noisy_response(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is post-processing: a large value with a small noisy one passes, the reverse does not."""
    made = calibrated(name, lambda database: 0.5)
    large = calibrated(name, lambda database: 1e18)
    monkeypatch.setattr(noise, "_measurement", lambda kind, scale: lambda values: [1e18] * len(values))
    with pytest.raises(NoiseUnderflowError):
        made.release(DATABASE)
    monkeypatch.setattr(noise, "_measurement", lambda kind, scale: lambda values: [0.25] * len(values))
    assert numbers_of(large.release(DATABASE).response) == pytest.approx(0.25)
    monkeypatch.setattr(noise, "_measurement", lambda kind, scale: lambda values: [math.inf] * len(values))
    with pytest.raises(NoiseUnderflowError):
        made.release(DATABASE)


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE])
def test_norms_of_huge_differences_are_failures_and_not_nan(norm: Any) -> None:
    target = Plain(lambda database: 1.7e308 if database[0] > 0.5 else -1.7e308)
    sample = sample_sensitivity(target, Uniform(0, 1), norm=norm, n=2, at=OperatingPoint.for_sample_size(61), seed=3)
    assert not np.isnan(sample.distances).any()
    assert set(sample.distances) == {0.0, np.inf}
