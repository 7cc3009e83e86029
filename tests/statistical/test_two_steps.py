"""Classifiers in two steps keep their ε together, fail at half the noise of either step, and are as good as they should be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, PureDP, TwoStepMechanism, oracles, targets
from dpcore.audits.audit import clopper_pearson
from dpcore.mechanisms.laplace import LaplaceLaw

pytestmark = pytest.mark.statistical
DOUBT = 1e-6
ONE, UNIT = ((0.0, 1.0),), ((0.0, 1.0), (0.0, 1.0))


def _hard(others: int) -> tuple[Any, Any]:
    """Two neighbours: a record at .95 whose label flips, and others that make the thresholds below it hardly ever chosen.

    Those at .94 are of class 0, so that a threshold below misclassifies them all; those at .06 keep the mean direction at 0.
    """
    rest = np.column_stack([np.repeat([0.94, 0.06], others), np.zeros(2 * others)])
    return np.vstack([[[0.95, 1.0]], rest]), np.vstack([[[0.95, 0.0]], rest])


def _unusual(law: Any, raw: Any, database: Any, draws: int, seed: int) -> int:
    """How many responses have a direction beyond either answer and a threshold below the record that differs."""
    responses = law.on(database).simulate(raw, size=draws, rng=np.random.default_rng(seed))
    w, cut = responses[:, 0], -responses[:, 1]
    return int(((w > 0.45 / len(database)) & (cut < 0.94 * w)).sum())


def _least_epsilon(others: int, law: Any, draws: int = 40_000) -> float:
    """A lower bound of ε, wrong with probability 2e-6, from one event."""
    target = targets.MeanDirection(ONE)
    hits = [_unusual(law, target(database), database, draws, seed) for seed, database in enumerate(_hard(others))]
    least, most = clopper_pearson(hits[0], draws, DOUBT)[0], clopper_pearson(hits[1], draws, DOUBT)[1]
    return math.log(least / most)


@pytest.mark.parametrize("others", [5, 10])
def test_both_steps_keep_epsilon_and_half_the_noise_of_either_is_seen(others: int) -> None:
    """ε = 2, half of it a step; 40,000 responses a side."""
    n = 2 * others + 1
    proved = targets.MeanDirection(ONE).global_sensitivity(L1, n)
    assert proved is not None
    honest: Any = TwoStepMechanism().calibrate(proved, PureDP(2.0)).law
    first: Any = replace(honest, first=LaplaceLaw(honest.first.scale / 2))
    second: Any = replace(honest, epsilon=2 * honest.epsilon)
    assert 1.2 < _least_epsilon(others, honest) <= 2
    assert _least_epsilon(others, first if others == 10 else second) > 2


@pytest.mark.parametrize(
    ("centres", "sd", "epsilon", "most"),
    [((0.2, 0.8), 0.1, 1.0, 0.002), ((0.2, 0.8), 0.1, 0.1, 0.015), ((0.4, 0.6), 0.2, 1.0, 0.26)],
    ids=["apart, ε = 1", "apart, ε = 0.1", "overlapping, ε = 1"],
)
def test_few_fresh_records_are_misclassified_under_pure_dp(
    centres: tuple[float, float], sd: float, epsilon: float, most: float
) -> None:
    """n = 1,000 of two normal classes in two dimensions; 100 answers to each of 10 tables, 5,000 fresh records."""
    oracle = oracles.TwoClasses(2, *centres, sd, UNIT)
    target = targets.MeanDirection(UNIT)
    proved = target.global_sensitivity(L1, 1_000)
    assert proved is not None
    rng = np.random.default_rng(11)
    calibrated: Any = TwoStepMechanism().calibrate(proved, PureDP(epsilon))
    wrong = []
    for database in oracle.draw(10, 1_000, rng=rng):
        answers = calibrated.simulate(target(database), size=100, rng=rng, database=database)
        wrong.append(target.misclassified(answers, oracle.draw(1, 5_000, rng=rng)[0]).mean())
    assert np.mean(wrong) <= most
