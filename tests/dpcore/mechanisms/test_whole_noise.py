"""Two-sided geometric noise on counts: its closed forms against sums of its chances, OpenDP's draws, and an attacker’s gain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Adjacency, GlobalSensitivity, LaplaceMechanism, PureDP, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.filters import GroupBy
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, NoiseUnderflowError
from dpcore.guarantees.sensitivity import Sensitivity
from dpcore.ledger.lines import of_release
from dpcore.mechanisms.laplace import GeometricLaw, LaplaceLaw
from dpcore.mechanisms.noise import add_geometric

SCALES = (0.2, 1 / 3, 1.0, 2.5, 40.0)
Z = np.arange(-4_000, 4_001)


def _chances(scale: float) -> FloatArray:
    """By the weights alone: exp(−|z|/scale) over their sum."""
    weights = np.exp(-np.abs(Z) / scale)
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("scale", SCALES)
def test_its_closed_forms_are_sums_of_its_chances(scale: float) -> None:
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


def test_its_error_is_smaller_than_laplace_noise_of_the_same_epsilon_at_every_epsilon() -> None:
    """At ε = 3 the standard error of a count is .33 where it was .47."""
    for epsilon in (0.01, 0.1, 1.0, 3.0, 20.0):
        ratio = math.exp(-epsilon)
        error = math.sqrt(2 * ratio) / (1 - ratio)
        assert error == pytest.approx(math.sqrt(float(_chances(1 / epsilon) @ Z**2)), rel=1e-3 if epsilon == 0.01 else 1e-9)
        assert error < math.sqrt(2) / epsilon
    assert (round(math.sqrt(2 * math.exp(-3)) / (1 - math.exp(-3)), 2), round(math.sqrt(2) / 3, 2)) == (0.33, 0.47)


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
def test_draws_have_its_law_and_not_one_of_a_tenth_more_noise(made: str) -> None:
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
def test_counts_take_it_and_nothing_else_does(name: str) -> None:
    target = (COUNTS | OTHERS)[name]
    calibrated = _noise(target)
    assert isinstance(calibrated.law, GeometricLaw if name in COUNTS else LaplaceLaw)
    response = calibrated.release(np.array([0.5, 1.0, 2.0, 3.0, 4.0])).response
    assert (response == np.round(response)).all() == (name in COUNTS)
    assert ("two-sided geometric" in calibrated.release(np.zeros(5)).sampling.words) == (name in COUNTS)


def test_counts_by_group_take_it_and_counts_of_people_whose_rows_have_weights_do_not() -> None:
    by = targets.Query(targets.Count(), ("a",), by=GroupBy("g", ("x", "y")))
    assert isinstance(_noise(by).law, GeometricLaw)
    capped: Any = targets.ContributionBounded(targets.Query(targets.Count(), ("a",)), "who", 2)
    assert isinstance(_noise(capped).law, LaplaceLaw)


def test_an_answer_that_is_not_whole_is_refused_and_never_rounded() -> None:
    with pytest.raises(InvalidValueError, match="whole numbers"):
        add_geometric(np.array([0.5]), 1.0)
    with pytest.raises(NoiseUnderflowError):
        add_geometric(np.array([2.0**60]), 1.0)


class _Three(Target):
    """Whole answers, and a sampled sensitivity could be below how far they move."""

    whole_numbers = True

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([3.0 * database.sum()])


def test_the_best_attacker_is_counted_exactly_where_one_count_moves_by_one_and_bounded_elsewhere() -> None:
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


def test_a_tight_total_takes_it_for_what_it_is_a_choice_of_two_at_its_epsilon() -> None:
    """Its losses are ε and −ε alone, more than those of Laplace noise: counted as such a total would be below what was spent."""
    line = of_release(_noise(COUNTS["count"]).release(np.zeros(5)))
    assert line.composes_as == ""
    assert of_release(_noise(targets.Sum((0.0, 1.0))).release(np.zeros(5))).composes_as == "laplace"
