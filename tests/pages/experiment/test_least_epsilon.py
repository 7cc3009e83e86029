"""The least ε for a wanted accuracy, by each mechanism's own scale, and the trials for a wanted time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, Adjacency, ApproxDP, Gaussian, GlobalSensitivity, Laplace, PureDP, targets
from pages.old.experiment.error_curve import closest, least_epsilon, reach_at
from tests.pages.experiment.test_grouped_headlines import made

MEAN = targets.Mean((0.0, 1.0))
STEPS = [0.01, 0.1, 0.5, 0.9, 1.0, 2.0, 20.0]


def _scale(mechanism: Any, epsilon: float) -> float:
    normal = isinstance(mechanism, Gaussian)
    privacy: Any = ApproxDP(epsilon, 1e-6) if normal else PureDP(epsilon)
    sensitivity = GlobalSensitivity(MEAN, 0.5, L2 if normal else L1, Adjacency.REPLACE_ONE_RECORD, "said so", None)
    return float(mechanism.calibrate(sensitivity, privacy).law.scale)


@pytest.mark.parametrize(("mechanism", "most"), [(Laplace(), 0.7), (Gaussian(), 0.7), (Gaussian("classical"), 4.0)])
def test_it_is_the_least_at_which_the_mechanisms_own_scale_is_small_enough(mechanism: Any, most: float) -> None:
    found = least_epsilon(lambda epsilon: _scale(mechanism, epsilon), most)
    assert found is not None
    assert _scale(mechanism, found) <= most < _scale(mechanism, found * (1 - 1e-6))
    if isinstance(mechanism, Laplace):
        assert found == pytest.approx(0.5 / most)
    step = least_epsilon(lambda epsilon: _scale(mechanism, epsilon), most, steps=STEPS)
    assert step == next(one for one in STEPS if one >= found)


def test_there_is_none_where_no_epsilon_that_the_mechanism_takes_is_enough() -> None:
    """The classical Gaussian has no proof from ε = 1 on."""
    for steps in (None, STEPS):
        assert least_epsilon(lambda epsilon: _scale(Laplace(), epsilon), 0.01, steps=steps) is None
        assert least_epsilon(lambda epsilon: _scale(Gaussian("classical"), epsilon), 1.0, steps=steps) is None
        assert least_epsilon(lambda epsilon: _scale(Laplace(), epsilon), 1e9, steps=steps) == 0.01
    epsilon, scale = closest(lambda one: _scale(Gaussian("classical"), one), STEPS)
    assert (epsilon, scale) == (0.9, _scale(Gaussian("classical"), 0.9))
    assert closest(lambda _: math.inf, STEPS)[1] == math.inf


@pytest.mark.parametrize("kind", ["count", "mean"])
def test_an_answer_then_lies_as_close_as_was_wanted_and_one_step_before_it_did_not(kind: str) -> None:
    headline = made(kind)
    reach = reach_at(headline, headline.noise, 0.9)
    assert reach(1.0) == float(np.max(headline.reaches(headline.noise, 0.9)))
    steps = list(np.geomspace(0.01, 20, 40))
    found = least_epsilon(reach, reach(3.0), steps=steps)
    assert found is not None
    assert reach(found) <= reach(3.0) < reach(steps[steps.index(found) - 1])
