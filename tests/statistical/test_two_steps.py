"""Classifiers in two steps keep their ε together, fail at half the noise of either step, and are as good as they should be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, PureDP, TwoStepMechanism, oracles, targets
from dpcore.audits.audit import clopper_pearson
from dpcore.base.arrays import FloatArray
from dpcore.base.features import THRESHOLDS
from dpcore.mechanisms.laplace import LaplaceLaw

pytestmark = pytest.mark.statistical
ONE, UNIT = ((0.0, 1.0),), ((0.0, 1.0), (0.0, 1.0))
MEAN, THREE = targets.MeanDirection(ONE), targets.CandidateDirections(ONE)
LAST = 376  # the last threshold below a record at .94, of a direction above 0


def _calibrated(target: Any, n: int, epsilon: float, share: float = 0.5) -> Any:
    return TwoStepMechanism(share).calibrate(target.global_sensitivity(L1, n), PureDP(epsilon))


def _least_epsilon(law: Any, target: Any, x: float, others: FloatArray, event: Callable[..., Any], draws: int) -> float:
    """Return a lower bound of ε, wrong with probability 2e-6, from one event; neighbours differ in the label of a record at x."""
    pair, hits = [np.vstack([[[x, label]], others]) for label in (1.0, 0.0)], []
    for seed, database in enumerate(pair):
        responses = law.on(database).simulate(target(database), size=draws, rng=np.random.default_rng(seed))
        hits.append(int(event(responses, np.max([target(one) for one in pair], axis=0), len(database)).sum()))
    return math.log(clopper_pearson(hits[0], draws, 1e-6)[0] / clopper_pearson(hits[1], draws, 1e-6)[1])


def _halved(law: Any, step: str) -> Any:
    wrong: dict[str, Any] = {"first": {"first": LaplaceLaw(law.first.scale / 2)}, "second": {"epsilon": 2 * law.epsilon}}
    return replace(law, **wrong[step])


def _is_beyond_with_a_low_threshold(responses: FloatArray, _most: FloatArray, n: int) -> Any:
    w, cut = responses[:, 0], -responses[:, 1]
    return (w > 0.45 / n) & (cut < 0.94 * w)


@pytest.mark.parametrize(("others", "step"), [(5, "second"), (10, "first")])
def test_mean_direction_keeps_epsilon_and_half_the_noise_is_seen(others: int, step: str) -> None:
    """ε = 2, half of it a step; 40,000 responses a side.

    The record at .95 decides; those at .94 are of class 0, so a threshold below misclassifies them all; those at .06 keep the
    mean direction at 0.
    """
    rest = np.column_stack([np.repeat([0.94, 0.06], others), np.zeros(2 * others)])
    honest = _calibrated(MEAN, 2 * others + 1, 2.0).law
    bounds = [
        _least_epsilon(law, MEAN, 0.95, rest, _is_beyond_with_a_low_threshold, 40_000) for law in (honest, _halved(honest, step))
    ]
    assert 1.2 < bounds[0] <= 2 < bounds[1]


def _are_all_beyond(rows: FloatArray, most: FloatArray, _n: int) -> Any:
    return (rows[:, :3] > most).all(axis=1)


def _has_a_low_threshold(rows: FloatArray, _most: FloatArray, _n: int) -> Any:
    direction, threshold = np.divmod(rows[:, 3].astype(int), THRESHOLDS)
    return (rows[np.arange(len(rows)), direction] > 0) & (threshold <= LAST)


@pytest.mark.parametrize(
    ("step", "share", "others", "x", "event"),
    [  # others that leave all three directions to the record that differs; others that make a low threshold unlikely
        ("first", 0.95, np.column_stack([np.full(8, 0.5), np.tile([0.0, 1.0], 4)]), 0.9, _are_all_beyond),
        ("second", 0.05, np.column_stack([np.repeat([0.94, 0.06], 3), np.zeros(6)]), 0.95, _has_a_low_threshold),
    ],
    ids=["first", "second"],
)
def test_best_of_three_keeps_epsilon_and_half_the_noise_is_seen(
    step: str, share: float, others: FloatArray, x: float, event: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ε = 2, nineteen twentieths of it in the step that is tried; 8,000 responses a side, of all that both steps say."""
    monkeypatch.setattr(targets.CandidateDirections, "both", lambda _, first, chosen: np.column_stack([first, chosen]))
    honest = _calibrated(THREE, len(others) + 1, 2.0, share).law
    bounds = [_least_epsilon(law, THREE, x, others, event, 8_000) for law in (honest, _halved(honest, step))]
    assert 0.6 < bounds[0] <= 2 < bounds[1]


@pytest.mark.parametrize(
    ("target", "centres", "sd", "epsilon", "most"),
    [
        (targets.MeanDirection(UNIT), (0.2, 0.8), 0.1, 1.0, 0.002),
        (targets.MeanDirection(UNIT), (0.2, 0.8), 0.1, 0.1, 0.015),
        (targets.MeanDirection(UNIT), (0.4, 0.6), 0.2, 1.0, 0.26),
        (targets.CandidateDirections(UNIT), (0.4, 0.6), 0.2, 1.0, 0.26),
    ],
    ids=["apart, ε = 1", "apart, ε = 0.1", "overlapping, ε = 1", "best of three, overlapping, ε = 1"],
)
def test_few_fresh_records_are_misclassified_under_pure_dp(
    target: Any, centres: tuple[float, float], sd: float, epsilon: float, most: float
) -> None:
    """n = 1,000 of two normal classes in two dimensions; 50 answers to each of 5 tables, 5,000 fresh records."""
    oracle, rng = oracles.TwoClasses(2, *centres, sd, UNIT), np.random.default_rng(11)
    calibrated, wrong = _calibrated(target, 1_000, epsilon), []
    for database in oracle.draw(5, 1_000, rng=rng):
        answers = calibrated.simulate(target(database), size=50, rng=rng, database=database)
        wrong.append(target.misclassified(answers, oracle.draw(1, 5_000, rng=rng)[0]).mean())
    assert np.mean(wrong) <= most
