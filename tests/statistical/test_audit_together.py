"""Several questions under one noise keep their ε on a worst pair, and at half the noise of any one of them they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, ApproxDP, Condition, Gaussian, Groups, Laplace, PureDP, targets
from dpcore.audits.audit import audit
from dpcore.base.types import FloatArray

pytestmark = pytest.mark.statistical
FIELDS = [("cost", float), ("age", float), ("ward", "U1")]
OTHERS = [(3.0, 40.0, "a"), (np.nan, 70.0, "b")]
FIRST, SECOND = (np.array([*OTHERS, one], dtype=FIELDS) for one in ((10.0, 0.0, "a"), (10.0, 120.0, "b")))
PARTS = (
    targets.On(targets.Sum((0.0, 10.0)), ("cost",), (Condition("ward", "a"),)),
    targets.On(targets.KnownMean((0.0, 120.0)), ("age",)),
    targets.On(targets.KnownCount(), ("cost",), by=Groups("ward", ("a", "b"))),
)
BASKET = targets.Together(PARTS, (5.0, 1.0, 1.0))
PLACES = range(len(PARTS))
LAWS: dict[str, Any] = {
    "Laplace": (Laplace(), L1, PureDP, 1.0),
    "Gaussian": (Gaussian(), L2, lambda epsilon: ApproxDP(epsilon, 1e-3), 1.0),
}


def _calibrated(name: str) -> Any:
    mechanism, norm, privacy, epsilon = LAWS[name]
    return mechanism.calibrate(BASKET.global_sensitivity(norm, len(FIRST)), privacy(epsilon))


def _with_less_noise(answer: FloatArray, place: int, times: float) -> FloatArray:
    """The same noise on an answer that is so many times as large, which is so many times less noise on that question."""
    shares = np.repeat([times if part == place else 1.0 for part in PLACES], BASKET.sizes)
    return np.asarray(answer * shares)


@pytest.mark.parametrize("name", LAWS)
def test_an_audit_holds_at_epsilon(name: str) -> None:
    """200,000 responses a side, to two tables as far apart as any: the record that changes moves all three questions."""
    calibrated, first, second = _calibrated(name), BASKET(FIRST), BASKET(SECOND)
    proof = calibrated.sensitivity
    assert float(proof.norm(first - second)) == pytest.approx(proof.value, rel=1e-9)
    sound = audit(calibrated, first, second, draws=200_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.6


@pytest.mark.parametrize("place", PLACES)
def test_half_the_noise_of_one_question_is_caught(place: int) -> None:
    """At these widths each question has a third of the loss, so that half its noise makes 4/3 of ε = 1."""
    calibrated = _calibrated("Laplace")
    answers = [_with_less_noise(BASKET(table), place, 2.0) for table in (FIRST, SECOND)]
    loud = audit(calibrated, answers[0], answers[1], draws=400_000, seed=2)
    assert not loud.holds


@pytest.mark.parametrize("name", LAWS)
def test_a_width_that_its_noise_does_not_have_is_caught(name: str) -> None:
    """A sum that was not divided by its 5: the noise on it is a fifth of what it must be."""
    calibrated = _calibrated(name)
    answers = [_with_less_noise(BASKET(table), 0, BASKET.widths[0]) for table in (FIRST, SECOND)]
    assert not audit(calibrated, answers[0], answers[1], draws=100_000, seed=3).holds
