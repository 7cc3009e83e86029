"""How the expected error of a response falls as ε grows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.workbench.computable import UNREACHABLE
from dpcore.workbench.headlines.base import Headline
from dpcore.workbench.scenario import LEAST_EPSILON, MOST_EPSILON

ERROR_POINTS = 24
EPSILONS: FloatArray = np.geomspace(LEAST_EPSILON, MOST_EPSILON, ERROR_POINTS)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorCurve:
    """The expected error of a response at each ε: ``what`` says in which sense; NaN where the mechanism has none at an ε,
    None without a worst case."""

    what: str
    epsilons: FloatArray
    sampled: FloatArray
    worst_case: FloatArray | None
    no_privacy: float


def error_curve(headline: Headline) -> ErrorCurve:
    """How the error falls with ε under the sampled and the global sensitivity, and what is left without any noise."""

    def of(sensitivity: float) -> FloatArray:
        return np.array([error_or_none(headline, sensitivity, epsilon) for epsilon in EPSILONS])

    worst = None if headline.worst is None else of(headline.worst.sensitivity.value)
    return ErrorCurve(
        what=headline.error_words,
        epsilons=EPSILONS,
        sampled=of(headline.noise.sensitivity.value),
        worst_case=worst,
        no_privacy=headline.least_error,
    )


def error_or_none(headline: Headline, sensitivity: float, epsilon: float) -> float:
    """The expected error under a sensitivity at an ε; NaN where the mechanism has none."""
    scenario = headline.scenario
    privacy = PureDP(epsilon) if scenario.delta is None else ApproxDP(epsilon, scenario.delta)
    try:
        return headline.error(scenario.mechanism.law(scenario.target, sensitivity, privacy))
    except UNREACHABLE:  # as the classical Gaussian, which has no proof from ε = 1 on
        return math.nan
