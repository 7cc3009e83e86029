"""Scales of Laplace, geometric and Gaussian noise: by formula, to 60 digits, rounded up; and the law of geometric noise."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dpcore import L1, L2, Adjacency, ApproxDP, GaussianMechanism, GlobalSensitivity, LaplaceMechanism, PureDP, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.filters import GroupBy
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, NoiseUnderflowError
from dpcore.guarantees.sensitivity import Sensitivity
from dpcore.ledger.lines import of_release
from dpcore.mechanisms.gaussian import Calibration, GaussianLaw, gaussian_delta
from dpcore.mechanisms.laplace import GeometricLaw, LaplaceLaw
from dpcore.mechanisms.noise import add_geometric
from dpcore.mechanisms.response_law import NoiseLaw
from tests.reference.read import lines

REFERENCES = [{key: float(value) for key, value in line.items()} for line in lines("noise_scales.csv")]
FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=300)


def total(database: Database, /) -> FloatArray:
    return np.array([database.sum()])


def laplace(sensitivity: float, epsilon: float) -> float:
    proved = GlobalSensitivity(total, sensitivity, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return LaplaceMechanism().calibrate(proved, PureDP(epsilon)).law.scale


def gaussian(sensitivity: float, epsilon: float, delta: float, calibration: Calibration = "analytic") -> float:
    proved = GlobalSensitivity(total, sensitivity, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return GaussianMechanism(calibration).calibrate(proved, ApproxDP(epsilon, delta)).law.scale


@pytest.mark.parametrize("line", REFERENCES, ids=lambda line: f"{line['sensitivity']}-{line['epsilon']}-{line['delta']}")
def test_laplace_scales_are_the_references(line: dict[str, float]) -> None:
    assert laplace(line["sensitivity"], line["epsilon"]) == pytest.approx(line["laplace_scale"], rel=1e-15, abs=0)


@pytest.mark.parametrize("line", REFERENCES, ids=lambda line: f"{line['sensitivity']}-{line['epsilon']}-{line['delta']}")
def test_classical_scales_are_the_references_below_1(line: dict[str, float]) -> None:
    if line["epsilon"] < 1:
        scale = gaussian(line["sensitivity"], line["epsilon"], line["delta"], "classical")
        assert scale == pytest.approx(line["gaussian_sd"], rel=1e-14, abs=0)
    else:
        with pytest.raises(InvalidValueError) as caught:
            gaussian(line["sensitivity"], line["epsilon"], line["delta"], "classical")
        assert (caught.value.name, caught.value.got) == ("epsilon", line["epsilon"])


@FIXED
@given(sensitivity=st.floats(1e-300, 1e300), epsilon=st.floats(1e-6, 1e6))
def test_laplace_scale_is_rounded_up(sensitivity: float, epsilon: float) -> None:
    scale = laplace(sensitivity, epsilon)
    real = Fraction(sensitivity) / Fraction(epsilon)
    assert real <= Fraction(scale) <= real + 2 * Fraction(math.ulp(scale))


def test_the_analytic_scale_is_the_known_number() -> None:
    assert gaussian(1, 1, 1e-6) == pytest.approx(4.224678889, abs=5e-10)


def delta_with_60_digits(sigma: float, epsilon: float) -> Any:
    """Φ(1/(2σ) − εσ) − exp(ε)Φ(−1/(2σ) − εσ), of which 40 digits may cancel."""
    with mpmath.workdps(100):
        s, e = mpmath.mpf(sigma), mpmath.mpf(epsilon)
        return mpmath.ncdf(1 / (2 * s) - e * s) - mpmath.exp(e) * mpmath.ncdf(-1 / (2 * s) - e * s)


EPSILONS = tuple(float(epsilon) for epsilon in (1e-8, 3e-8, 1e-7, 1e-6, 2e-5, 1e-4, 1e-3, 0.01, 0.07, 0.5, 1, 3, 10, 37, 100))


@pytest.mark.parametrize("delta", [1e-16, 7.5e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.05, 0.5])
def test_analytic_scale_spends_delta_to_60_digits(delta: float) -> None:
    for epsilon in EPSILONS:
        sigma = gaussian(1, epsilon, delta)
        assert delta_with_60_digits(sigma, epsilon) <= delta, epsilon
        assert delta_with_60_digits(sigma * (1 - 1e-8), epsilon) > delta, epsilon


def test_gaussian_delta_errs_within_its_margin() -> None:
    for epsilon in EPSILONS:
        for z in np.linspace(-2, 9, 23):
            sigma = 1 / (math.hypot(z, math.sqrt(2 * epsilon)) - z)  # where z = εσ − 1/(2σ)
            exact = delta_with_60_digits(sigma, epsilon)
            grows = 1 + (epsilon * sigma + 1 / sigma) * (abs(z) + 2)
            error = float(gaussian_delta(sigma, epsilon) / exact - 1)
            assert -1e-14 * grows < error < 1e-9 + 1e-14 * grows, (epsilon, z)


def test_analytic_scale_is_below_the_classical_one() -> None:
    for epsilon, delta in itertools.product((0.1, 0.5, 0.9), (1e-3, 1e-6, 1e-9)):
        assert gaussian(1, epsilon, delta) < gaussian(1, epsilon, delta, "classical")


def test_a_calibration_has_one_of_two_names() -> None:
    other: Any = "exact"
    with pytest.raises(InvalidValueError) as caught:
        GaussianMechanism(calibration=other)
    assert (caught.value.name, caught.value.got) == ("calibration", "exact")


Z = np.arange(-4_000, 4_001)


def _chances(scale: float) -> FloatArray:
    """By the weights alone: exp(−|z|/scale) over their sum."""
    weights = np.exp(-np.abs(Z) / scale)
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("scale", [0.2, 1 / 3, 1.0, 2.5, 40.0])
def test_geometric_closed_forms_are_sums(scale: float) -> None:
    law, chances = GeometricLaw(scale), _chances(scale)
    assert law.density(Z.astype(float)) == pytest.approx(chances, rel=1e-12, abs=1e-300)
    for share in (0.011, 0.4, 0.5, 0.9, 0.95, 0.9987):
        half = law.half_width(share)
        assert half == next(y for y in range(4_001) if chances[np.abs(Z) <= y].sum() >= share)
    levels = np.linspace(0.0137, 0.9871, 301)
    sums = np.cumsum(chances)
    upper = levels >= 0.5
    assert law.quantile(levels[upper]).tolist() == [float(Z[np.argmax(sums >= level)]) for level in levels[upper]]
    assert law.quantile(1 - levels).tolist() == (-law.quantile(levels)).tolist()


def _drawn(scale: float, size: int) -> FloatArray:
    return np.concatenate([add_geometric(np.full(1_000, 7.0), scale) - 7 for _ in range(size // 1_000)])


def _far(found: FloatArray, scale: float) -> float:
    """Pearson's χ² of −2, …, 2 and what lies beyond, less its mean, in its standard deviations."""
    chances = _chances(scale)
    cells = [np.abs(Z + place) < 1 for place in range(-2, 3)]
    own = [np.abs(found + place) < 1 for place in range(-2, 3)]
    expected = np.array([chances[cell].sum() for cell in cells])
    seen = np.array([cell.mean() for cell in own])
    expected, seen = (np.append(one, 1 - one.sum()) for one in (expected, seen))
    return float((len(found) * ((seen - expected) ** 2 / expected).sum() - 5) / math.sqrt(10))


@pytest.mark.statistical
@pytest.mark.parametrize("made", ["released", "simulated"])
def test_geometric_draws_have_their_law(made: str) -> None:
    """40,000 draws at scale 1.5. The true law is rejected with probability under 1e-9, and one that is 10 % off is seen."""
    if made == "released":
        found = _drawn(1.5, 40_000)
    else:
        found = GeometricLaw(1.5).simulate(np.zeros(1), size=40_000, rng=np.random.default_rng(5))[:, 0]
    assert (found == np.round(found)).all()
    assert _far(found, 1.5) < 15
    assert _far(found, 1.65) > 15
    assert _far(found, 1.35) > 15


COUNTS: dict[str, Any] = {
    "count": targets.Count(interval=(0.0, 2.0)),
    "histogram": targets.Histogram(edges=(0.0, 1.0, 4.0), counts=True),
}
OTHERS: dict[str, Any] = {"shares": targets.Histogram(edges=(0.0, 1.0, 4.0)), "sum": targets.Sum((0.0, 4.0))}


def _noise(target: Any, epsilon: float = 1.0) -> Any:
    return LaplaceMechanism().calibrate(target.global_sensitivity(L1, 5), PureDP(epsilon))


@pytest.mark.parametrize("name", [*COUNTS, *OTHERS])
def test_only_counts_take_geometric_noise(name: str) -> None:
    target = (COUNTS | OTHERS)[name]
    calibrated = _noise(target)
    assert isinstance(calibrated.law, GeometricLaw if name in COUNTS else LaplaceLaw)
    response = calibrated.release(np.array([0.5, 1.0, 2.0, 3.0, 4.0])).response
    assert (response == np.round(response)).all() == (name in COUNTS)
    assert ("two-sided geometric" in calibrated.release(np.zeros(5)).sampling.words) == (name in COUNTS)


def test_weighted_counts_take_laplace_noise() -> None:
    by = targets.Query(targets.Count(), ("a",), by=GroupBy("g", ("x", "y")))
    assert isinstance(_noise(by).law, GeometricLaw)
    capped: Any = targets.ContributionBounded(targets.Query(targets.Count(), ("a",)), "who", 2)
    assert isinstance(_noise(capped).law, LaplaceLaw)


def test_geometric_noise_refuses_fractions() -> None:
    with pytest.raises(InvalidValueError, match="whole numbers"):
        add_geometric(np.array([0.5]), 1.0)
    with pytest.raises(NoiseUnderflowError):
        add_geometric(np.array([2.0**60]), 1.0)


class _Three(Target):
    """Whole answers, and a sampled sensitivity could be below how far they move."""

    whole_numbers = True

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([3.0 * database.sum()])


def test_geometric_attacker_is_exact_for_one_count() -> None:
    """By the laws themselves, ½ + ½·TV."""
    attacker = _noise(COUNTS["count"]).attacker(1)
    chances = _chances(1.0)
    for moved in (1, 2, 3):
        right = 0.5 + 0.25 * float(np.abs(chances[moved:] - chances[:-moved]).sum() + chances[-moved:].sum() * 2)
        assert attacker.right(float(moved)) == pytest.approx(right) if moved == 1 else attacker.right(float(moved)) > right
    assert (attacker.exact, attacker.sides) == (True, True)
    three: Sensitivity[Any] = GlobalSensitivity(_Three(), 3.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    for sensitivity, numbers in ((three, 1), (COUNTS["histogram"].global_sensitivity(L1, 5), 2)):
        bound = LaplaceMechanism().calibrate(sensitivity, PureDP(1.0)).attacker(numbers)
        assert (bound.exact, bound.sides) == (False, False)


def test_geometric_noise_composes_as_its_epsilon() -> None:
    """Its losses are ε and −ε alone, more than those of Laplace noise: counted as such a total would be below what was spent."""
    line = of_release(_noise(COUNTS["count"]).release(np.zeros(5)))
    assert line.composes_as == ""
    assert of_release(_noise(targets.Sum((0.0, 1.0))).release(np.zeros(5))).composes_as == "laplace"


@pytest.mark.parametrize(
    ("law", "known"), [(GaussianLaw(2.5), stats.norm(scale=2.5)), (LaplaceLaw(2.5), stats.laplace(scale=2.5))]
)
def test_half_widths_and_densities_are_those_of_scipy(law: NoiseLaw, known: Any) -> None:
    offsets = np.linspace(-9, 9, 41)
    assert law.density(offsets) == pytest.approx(known.pdf(offsets), rel=1e-12)
    for share in (0.01, 0.5, 0.95, 0.999):
        half = law.half_width(share)
        assert known.cdf(half) - known.cdf(-half) == pytest.approx(share, rel=1e-9)
