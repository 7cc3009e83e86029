"""The best attacker's accuracy: closed forms against integrals, edges, and which are exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from dpcore import (
    L1,
    LINF,
    RANGE,
    Adjacency,
    ApproxDP,
    BernsteinMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    PureDP,
    targets,
)
from dpcore.audits.hard_pairs import TwoAnswers, TwoScores
from dpcore.curves import KernelDensity
from dpcore.guarantees.attacker import Attacker, GuaranteeAttackerBound, LaplaceNoise, LossAttackerBound, NormalNoise
from dpcore.mechanisms.base import Mechanism

ONES: list[Attacker] = [LaplaceNoise(0.3, exact=True), NormalNoise(2.5), LossAttackerBound(0.7)]
NOISES = {"Laplace": (ONES[0], stats.laplace(scale=0.3)), "Normal": (ONES[1], stats.norm(scale=2.5))}


def _calibrated(mechanism: Any, privacy: Any, target: Any, value: float = 1.0) -> Any:
    return mechanism.calibrate(
        GlobalSensitivity(target, value, mechanism.norm, Adjacency.REPLACE_ONE_RECORD, "Said.", 1), privacy
    )


def test_the_sentence_of_one_number_at_one_half() -> None:
    """1 − ½·exp(−¼) = 0.6106, where the loss alone only says 0.6225."""
    attacker = _calibrated(LaplaceMechanism(), PureDP(0.5), TwoAnswers((0.5,), (1.5,))).attacker(1)
    assert attacker.exact
    assert float(attacker.right(1.0)) == pytest.approx(1 - 0.5 * math.exp(-0.25), rel=1e-12)
    assert round(100 * float(attacker.right(1.0))) == 61
    assert float(LossAttackerBound(2.0).right(1.0)) == pytest.approx(0.6224593, rel=1e-6)


@pytest.mark.parametrize("distance", [0.01, 0.4, 1.0, 3.0])
@pytest.mark.parametrize("noise", NOISES)
def test_attacker_closed_form_is_the_integral(noise: str, distance: float) -> None:
    attacker, law = NOISES[noise]
    apart, _ = integrate.quad(
        lambda x: abs(law.pdf(x) - law.pdf(x - distance)), -60, 60, points=[0, distance / 2, distance], limit=500
    )
    assert float(attacker.right(distance)) == pytest.approx(0.5 + apart / 4, abs=1e-9)


@pytest.mark.parametrize("attacker", [*ONES, GuaranteeAttackerBound(1.0, 0.1, 0.5)], ids=lambda one: type(one).__name__)
def test_attacker_grows_from_one_half_to_certainty(attacker: Attacker) -> None:
    found = attacker.right(np.array([0.0, 1e-300, 0.1, 0.5, 1.0, 1e3, 1e300, np.inf]))
    assert found[0] == 0.5
    assert (np.diff(found) >= 0).all()
    assert found[-1] == 1.0


def test_without_noise_every_distance_above_zero_is_told() -> None:
    for attacker in (LaplaceNoise(0.0, exact=True), NormalNoise(0.0), LossAttackerBound(0.0)):
        assert attacker.right(np.array([0.0, 1e-12])).tolist() == [0.5, 1.0]


def test_which_are_exact_and_which_are_bounds() -> None:
    one, several = TwoAnswers((0.0,), (1.0,)), TwoAnswers((0.0, 0.0), (1.0, 0.0))
    scores = TwoScores((0.0, 2.0), (1.0, 1.0))
    assert [
        _calibrated(LaplaceMechanism(), PureDP(1.0), target).attacker(size).exact for target, size in ((one, 1), (several, 2))
    ] == [
        True,
        False,
    ]
    assert _calibrated(GaussianMechanism(), ApproxDP(1.0, 1e-6), several).attacker(2).exact
    chosen = _calibrated(ExponentialMechanism(scores.candidates), PureDP(1.0), scores).attacker(2)
    assert (chosen.exact, chosen.sides) == (False, False)
    assert float(chosen.right(1.0)) == pytest.approx(1 / (1 + math.exp(-1)))


def test_attacker_in_linf_keeps_its_bound() -> None:
    """2Δ/ε in L∞ hides a range of up to 2d; (k+1)·Δ/ε hides k+1 values that all move by d."""
    scores = TwoScores((0.0, 2.0), (1.0, 1.0))
    assert _calibrated(ExponentialMechanism(scores.candidates, norm=LINF), PureDP(1.0), scores).attacker(2).right(
        1.0
    ) == pytest.approx(1 / (1 + math.exp(-1)))
    curve = targets.OnLattice(KernelDensity(), 4)
    for norm in (L1, LINF):
        attacker = _calibrated(BernsteinMechanism(norm=norm), PureDP(1.0), curve).attacker(5)
        assert float(attacker.right(1.0)) == pytest.approx(1 - 0.5 * math.exp(-0.5))
        assert not attacker.exact


def test_attacker_defaults_to_the_bound_of_the_guarantee() -> None:
    calibrated = _calibrated(GaussianMechanism(), ApproxDP(1.0, 0.1), TwoAnswers((0.0,), (1.0,)))
    attacker = Mechanism.attacker(calibrated.mechanism, calibrated, 1)
    assert float(attacker.right(1.0)) == pytest.approx((math.e + 0.1) / (math.e + 1))  # Kairouz, Oh & Viswanath 2015
    assert float(attacker.right(1.001)) == 1.0
    assert not attacker.exact
    assert float(calibrated.attacker(1).right(1.0)) <= float(attacker.right(1.0))
    assert GuaranteeAttackerBound(800.0, 0.0, 1.0).right(1.0) == 1.0


@pytest.mark.parametrize("several", [(1.0, 0.0), (0.5, 0.5), (0.9, -0.1), (0.2,) * 5])
def test_attacker_bound_of_several_numbers_holds(several: tuple[float, ...]) -> None:
    """The exact total variation: the law of the sum of log ratios, each convolved on a fine grid of its own."""
    bound = float(LaplaceNoise(1.0, exact=False).right(sum(map(abs, several))))
    found = _right_of(several)
    assert found <= bound + 1e-4
    assert (abs(found - bound) < 1e-4) == (np.count_nonzero(several) == 1)


def _right_of(moves: tuple[float, ...], steps: int = 4_000) -> float:
    """½ + ½·E max(0, 1 − e^(−L)), where P has L = a with chance ½ −a with ½·e^(−a), and between them density ¼·e^((x−a)/2)."""
    width, law = 2 * sum(map(abs, moves)) / steps, np.array([1.0])
    for move in filter(None, map(abs, moves)):
        half = round(move / width)
        at = np.arange(-half, half + 1) * width
        inner = 0.25 * np.exp((at - move) / 2) * width
        inner[[0, -1]] *= 0.5
        inner[-1] += 0.5
        inner[0] += 0.5 * math.exp(-move)
        law = np.convolve(law, inner / inner.sum())
    loss = (np.arange(len(law)) - len(law) // 2) * width
    return float(0.5 + 0.5 * (law * np.maximum(0, -np.expm1(-loss))).sum())


def test_selection_sides_are_exact() -> None:
    for selection in ("gumbel", "permute-and-flip"):
        law = ExponentialMechanism(("a", "b", "c"), selection=selection).law(TwoScores((), ()), 2.0, PureDP(1.5))
        raw, other = np.array([0.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0])
        yours, theirs = law.sides(raw, other)
        p, q = law.probabilities(raw), law.probabilities(other)
        assert 0.5 + (yours - theirs) / 2 == pytest.approx(0.5 + 0.25 * np.abs(p - q).sum())
        assert 0.5 + (yours - theirs) / 2 <= float(LossAttackerBound(law.scale).right(float(RANGE(raw - other))))
        assert law.sides(raw, raw) == (pytest.approx(0.5), pytest.approx(0.5))


@pytest.mark.parametrize("steps", [1, 2, 7, 40])
def test_attacker_on_opendps_grid_differs_by_its_square(steps: int) -> None:
    """OpenDP's noise is a whole number of grid steps g: P(k) ∝ exp(−|k|g/b). Summed term by term (mathematics, section 16.5)."""
    g_over_b = Fraction(1, 5)
    q, k = math.exp(-g_over_b), np.arange(-2_000, 2_001)
    p = (1 - q) / (1 + q) * q ** np.abs(k)
    shifted = (1 - q) / (1 + q) * q ** np.abs(k - steps)
    right = 0.5 + np.abs(p - shifted).sum() / 4
    ideal = float(LaplaceNoise(5.0, exact=True).right(float(steps)))
    assert 0 <= right - ideal + 1e-12 <= float(g_over_b) ** 2 / 16 + 2e-12
    assert (abs(right - ideal) < 1e-12) == (steps % 2 == 0)
