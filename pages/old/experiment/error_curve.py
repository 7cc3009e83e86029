"""How the expected error of a response falls as ε grows."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from pages.experiment.computable import UNREACHABLE
from pages.experiment.scenario import LEAST_EPSILON, SLIDER_EPSILON
from pages.old.experiment.headlines.base import Headline

EPSILONS: FloatArray = np.geomspace(LEAST_EPSILON, SLIDER_EPSILON, 24)


def error_or_none(headline: Headline, sensitivity: float, epsilon: float) -> float:
    """The expected error under a sensitivity at an ε; NaN where the mechanism has none."""
    scenario = headline.scenario
    privacy = PureDP(epsilon) if scenario.delta is None else ApproxDP(epsilon, scenario.delta)
    try:
        return headline.error(scenario.mechanism.law(scenario.target, sensitivity, privacy))
    except UNREACHABLE:  # as the classical Gaussian, which has no proof from ε = 1 on
        return math.nan
