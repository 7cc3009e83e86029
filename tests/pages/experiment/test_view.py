"""Questions: explored draws, exact answers and proved worst cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, oracles, targets
from dpcore.errors import ExploredPointError, TooSlowError
from dpcore.guarantees.operating_points import Bound
from pages.experiment.cost import QUICK, refuse_slow, seconds
from pages.experiment.noise import calibrate_sampled, calibrate_worst_case
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question
from pages.files.tables import Column, Table

ORACLE = oracles.Uniform(0, 10)
RECORDS = np.array([1.0, 2.0, 3.0, 4.0])
TABLE = Table("t", (Column("a", label="Apples", bounds=(0.0, 10.0)),), {"a": RECORDS}, public=True)


def _scenario(target: Any = None, **changes: Any) -> Scenario:
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": target or targets.Mean((0, 10)),
        "oracle": ORACLE,
        "n": 4,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 99,
        "gamma": 0.05,
        "epsilon": 1.0,
        "delta": None,
        "mechanism": LaplaceMechanism(),
        "seed": 5,
    }
    return Scenario(**(fields | changes))


def test_explored_draws_are_refused_by_a_release() -> None:
    scenario = _scenario()
    sample = Question(scenario, TABLE).sample(scenario.m)
    noise = calibrate_sampled(scenario, sample)
    with pytest.raises(ExploredPointError):
        noise.release(RECORDS)


def test_slow_draws_are_refused_with_a_smaller_m() -> None:
    mixture = oracles.NormalMixture((0.5, 0.5), (0, 1), (1, 2))
    with pytest.raises(TooSlowError) as caught:
        refuse_slow(100_000, seconds(targets.Quantile(0.5), 10**6, 1, mixture), 5.0)
    assert caught.value.seconds > 5
    refuse_slow(caught.value.most_m, seconds(targets.Quantile(0.5), 10**6, 1, mixture), 5.0)
    refuse_slow(100_000, seconds(targets.Quantile(0.5), 10**6, 1, ORACLE), 5.0)  # under this oracle it is drawn directly
    assert seconds(targets.Quantile(0.5), 10**9, 100_000, ORACLE) <= QUICK
    assert seconds(targets.Quantile(0.5), 10**6, 100_000, mixture) > QUICK
    assert seconds(targets.Variance(), 10**6, 100_000, ORACLE) > QUICK


def test_worst_case_needs_bounds() -> None:
    noise = calibrate_worst_case(_scenario())
    assert noise is not None
    assert type(noise.guarantee).__name__ == "PureDP"
    assert noise.sensitivity.value == pytest.approx(2.5)
    assert calibrate_worst_case(_scenario(targets.Mean())) is None


def test_exact_answer_of_confidential_table_is_simulated() -> None:
    real, simulated = Question(_scenario(), TABLE).exact, Question(_scenario(), replace(TABLE, public=False)).exact
    assert real.tolist() == [2.5]
    assert simulated.tolist() != [2.5]
    assert simulated.tolist() == Question(_scenario(epsilon=2.0), replace(TABLE, public=False)).exact.tolist()
