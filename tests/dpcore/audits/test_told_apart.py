"""Attacks that are run find what the formulas say, no more than is promised, and more once the noise is too small."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binomtest

from dpcore import L1, L2, ApproxDP, Exponential, Gaussian, Laplace, PureDP, targets
from dpcore.audits.told_apart import Told, told_apart, told_by_threshold
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.bernstein import CurveLaw
from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.registry.catalog import members

ZERO = np.zeros(1)
SURE = 1 - 1e-6


def _told(law: Any, raw: FloatArray, other: FloatArray, responses: int = 40_000) -> Told:
    return told_apart(law, raw, other, responses=responses, rng=np.random.default_rng(3), confidence=SURE)


@pytest.mark.parametrize("apart", [0.0, 0.3, 1.0, 4.0])
def test_laplace_and_normal_noise_are_told_apart_as_often_as_their_formulas_say(apart: float) -> None:
    for law, right in ((LaplaceLaw(1.0), 1 - 0.5 * math.exp(-apart / 2)), (GaussianLaw(1.0), ndtr(apart / 2))):
        told = _told(law, ZERO, ZERO + apart)
        assert told.low <= right <= told.high
        assert told.high - told.low < 0.03
        assert not told.low <= right + 0.03 <= told.high


def test_a_choice_is_told_apart_by_half_the_variation_of_its_chances() -> None:
    law = Exponential(("a", "b", "c"), selection="permute-and-flip").law(targets.Histogram(("a", "b", "c")), 2.0, PureDP(1.0))
    scores, others = np.array([3.0, 1.0, 0.0]), np.array([2.0, 2.0, 0.0])
    told = _told(law, scores, others)
    right = 0.5 + 0.25 * np.abs(law.probabilities(scores) - law.probabilities(others)).sum()
    assert told.low <= right <= told.high


def test_without_noise_every_change_is_told_and_no_change_by_a_coin() -> None:
    assert _told(None, ZERO, ZERO + 1e-12).share == 1
    for law in (None, LaplaceLaw(0.0), LaplaceLaw(1.0)):
        told = _told(law, ZERO + 0.1, ZERO + 0.1)
        assert told.low <= 0.5 <= told.high < 0.52


def test_the_interval_is_that_of_the_binomial_law() -> None:
    told = told_apart(LaplaceLaw(1.0), ZERO, ZERO + 1, responses=2_000, rng=np.random.default_rng(1))
    by_scipy = binomtest(told.right, 2_000).proportion_ci(0.95, "exact")
    assert (told.low, told.high) == pytest.approx((by_scipy.low, by_scipy.high))
    many = [told_apart(LaplaceLaw(1.0), ZERO, ZERO + 1, responses=200, rng=np.random.default_rng(i)) for i in range(400)]
    assert np.mean([one.low <= 1 - 0.5 * math.exp(-0.5) <= one.high for one in many]) >= 0.93


def test_what_is_learned_from_half_of_the_responses_nearly_reaches_the_best_guesser() -> None:
    rng = np.random.default_rng(4)
    of_first = rng.random(40_000) < 0.5
    told = told_by_threshold(GaussianLaw(1.0).simulate(ZERO, size=40_000, rng=rng) + of_first[:, None], of_first, rng=rng)
    assert told.responses == 20_000
    assert told.low <= ndtr(0.5) + 0.002
    assert told.high >= ndtr(0.5) - 0.005
    alone = told_by_threshold(np.zeros((8, 1)), np.ones(8, dtype=bool), rng=rng)
    assert alone.low <= 0.5 <= alone.high
    drawn = rng.random((4_000, 5))  # nothing to learn: what is guessed is not what was learned from
    assert told_by_threshold(drawn, rng.random(4_000) < 0.5, rng=rng, confidence=SURE).low <= 0.5


def test_a_law_that_knows_no_ratio_is_learned() -> None:
    law = CurveLaw(0.1, 4, ((0.0, 1.0),), 2, None)
    raw = np.array([0.0, 0.1, 0.2, 0.1, 0.0])
    with pytest.raises(InvalidValueError):
        law.log_ratio(raw, raw, raw[None])
    assert 0.8 < _told(law, raw, raw + 0.2).share < 0.999


def test_two_steps_are_told_apart_by_both() -> None:
    """The second step asks the database again, so it tells what the first alone does not."""
    pair = next(pair for kind in members("mechanisms").values() for pair in kind.hard_pairs() if facts(pair.answers).databases)
    calibrated = pair.mechanism.calibrate(pair.answers.global_sensitivity(pair.mechanism.norm, 1), PureDP(1.0))
    raw, databases = np.array(pair.answers.raw), facts(pair.answers).databases
    how: dict[str, Any] = {"responses": 20_000, "confidence": SURE}
    told = told_apart(calibrated.law, raw, np.array(pair.answers.other), rng=np.random.default_rng(5), databases=databases, **how)
    assert 0.55 < told.low <= 1 / (1 + math.exp(-1.0))


def test_bad_values_are_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidValueError, match="responses must be a whole number of at least 2"):
        told_apart(None, ZERO, ZERO, responses=1, rng=np.random.default_rng())


def test_noise_of_half_the_scale_is_seen() -> None:
    for mechanism, privacy, norm in ((Laplace(), PureDP(1.0), L1), (Gaussian(), ApproxDP(1.0, 1e-6), L2)):
        proved = targets.Mean((0.0, 20.0)).global_sensitivity(norm, 500)
        assert proved is not None
        calibrated: Any = mechanism.calibrate(proved, privacy)  # type: ignore[arg-type]
        honest = _told(calibrated.law, ZERO, ZERO + proved.value)
        halved = _told(replace(calibrated.law, scale=calibrated.law.scale / 2), ZERO, ZERO + proved.value)
        right = float(calibrated.guesser(1).right(proved.value))
        assert honest.low <= right < halved.low
