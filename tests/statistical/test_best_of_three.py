"""Three directions, then one with its threshold: both steps keep their ε together, and the choice is as good as it should be."""

from __future__ import annotations

import math
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
DOUBT = 1e-6
UNIT = ((0.0, 1.0),)
TARGET = targets.CandidateDirections(UNIT)
DRAWS = 8_000
LAST = 376  # the last threshold below a record at .94, of a direction above 0
BALANCED = np.column_stack([np.full(8, 0.5), np.tile([0.0, 1.0], 4)])
"""Others that leave all three directions to the record that differs: each slope is 1."""
AGAINST = np.column_stack([np.repeat([0.94, 0.06], 3), np.zeros(6)])
"""Others of class 0, so that a threshold below .94 is hardly chosen."""


def _hits(law: Any, others: FloatArray, x: float, *, low: bool) -> list[int]:
    """How often all three directions lie beyond both answers, or the chosen one above 0 with a ``low`` threshold: of a database
    with a record of class 1 at x beside the others, and of one where it is of class 0."""
    pair = [np.vstack([[[x, label]], others]) for label in (1.0, 0.0)]
    most, found = np.max([TARGET(database) for database in pair], axis=0), []
    for seed, database in enumerate(pair):
        rows = law.on(database).simulate(TARGET(database), size=DRAWS, rng=np.random.default_rng(seed))
        direction, threshold = np.divmod(rows[:, 3].astype(int), THRESHOLDS)
        beyond = (rows[:, :3] > most).all(axis=1)
        seen = (rows[np.arange(DRAWS), direction] > 0) & (threshold <= LAST) if low else beyond
        found.append(int(seen.sum()))
    return found


def _least_epsilon(hits: list[int]) -> float:
    """A lower bound of ε, wrong with probability 2e-6."""
    return math.log(clopper_pearson(hits[0], DRAWS, DOUBT)[0] / clopper_pearson(hits[1], DRAWS, DOUBT)[1])


@pytest.mark.parametrize(
    ("step", "share", "others", "x"), [("first", 0.95, BALANCED, 0.9), ("second", 0.05, AGAINST, 0.95)], ids=["first", "second"]
)
def test_both_steps_keep_epsilon_and_half_the_noise_of_either_is_seen(
    step: str, share: float, others: FloatArray, x: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ε = 2, nineteen twentieths of it in the step that is tried; 8,000 responses a side, of all that both steps say."""
    monkeypatch.setattr(targets.CandidateDirections, "both", lambda _, first, chosen: np.column_stack([first, chosen]))
    proved = TARGET.global_sensitivity(L1, len(others) + 1)
    assert proved is not None
    honest: Any = TwoStepMechanism(share).calibrate(proved, PureDP(2.0)).law
    halved: dict[str, Any] = {"first": {"first": LaplaceLaw(honest.first.scale / 2)}, "second": {"epsilon": 2 * honest.epsilon}}
    wrong: Any = replace(honest, **halved[step])
    bounds = [_least_epsilon(_hits(law, others, x, low=step == "second")) for law in (honest, wrong)]
    assert 0.6 < bounds[0] <= 2 < bounds[1]


def test_few_fresh_records_are_misclassified_whatever_suits_the_table() -> None:
    """n = 1,000 of two overlapping normal classes, ε = 1 under pure DP: 50 answers to each of 5 tables, 5,000 fresh records."""
    unit = UNIT * 2
    oracle, target = oracles.TwoClasses(2, 0.4, 0.6, 0.2, unit), targets.CandidateDirections(unit)
    proved = target.global_sensitivity(L1, 1_000)
    assert proved is not None
    rng = np.random.default_rng(11)
    calibrated: Any = TwoStepMechanism().calibrate(proved, PureDP(1.0))
    wrong = []
    for database in oracle.draw(5, 1_000, rng=rng):
        answers = calibrated.simulate(target(database), size=50, rng=rng, database=database)
        wrong.append(target.misclassified(answers, oracle.draw(1, 5_000, rng=rng)[0]).mean())
    assert np.mean(wrong) <= 0.26
