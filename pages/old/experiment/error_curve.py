"""How the expected error of a response falls as ε grows."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import UNREACHABLE
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON
from pages.old.experiment.headlines.base import Headline, MeasuredHeadline
from pages.old.experiment.live.tables import law_at

ERROR_POINTS = 24
EPSILONS: FloatArray = np.geomspace(LEAST_EPSILON, MOST_EPSILON, ERROR_POINTS)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorCurve:
    """The expected error of a response at each ε: ``what`` says in which sense; NaN where the mechanism has none at an ε,
    None without a worst case. ``units``: the noise's scale there at a sensitivity of 1."""

    what: str
    epsilons: FloatArray
    sampled: FloatArray
    worst_case: FloatArray | None
    no_privacy: float
    units: FloatArray


def error_curve(headline: Headline) -> ErrorCurve:
    """How the error falls with ε under the sampled and the global sensitivity, and what is left without any noise."""

    def of(sensitivity: float) -> FloatArray:
        return np.array([error_or_none(headline, sensitivity, epsilon) for epsilon in EPSILONS])

    laws = [law_at(headline.scenario, float(epsilon)) for epsilon in EPSILONS]
    worst = None if headline.worst is None else of(headline.worst.sensitivity.value)
    return ErrorCurve(
        what=headline.error_words,
        epsilons=EPSILONS,
        sampled=of(headline.noise.sensitivity.value),
        worst_case=worst,
        no_privacy=headline.least_error,
        units=np.array([math.nan if law is None else law.scale for law in laws]),
    )


def error_or_none(headline: Headline, sensitivity: float, epsilon: float) -> float:
    """The expected error under a sensitivity at an ε; NaN where the mechanism has none."""
    scenario = headline.scenario
    privacy = PureDP(epsilon) if scenario.delta is None else ApproxDP(epsilon, scenario.delta)
    try:
        return headline.error(scenario.mechanism.law(scenario.target, sensitivity, privacy))
    except UNREACHABLE:  # as the classical Gaussian, which has no proof from ε = 1 on
        return math.nan


# From how accurate an answer should be to the least ε that makes it so.


_PRECISION = 1e-9  # relative


def least_epsilon(
    calibrate_scale: Callable[[float], float],
    most: float,
    *,
    steps: Sequence[float] | None = None,
    highest: float = MOST_EPSILON,
) -> float | None:
    """The least ε from 0.01 to ``highest`` at which ``calibrate_scale(ε)`` is at most ``most``; None where there is none.

    ``calibrate_scale``: the noise's scale at an ε, by the mechanism itself, or how far an answer then reaches: it falls as ε
    grows. An ε that the mechanism refuses, as the classical Gaussian does from 1 on, is none. ``steps``: the ε to choose from,
    rising, as those of a slider; without them it is found by bisection, to a relative 1e-9 and never below.

        >>> least_epsilon(lambda epsilon: 3.0 / epsilon, 2.0, steps=[0.5, 1.0, 2.0])
        2.0
        >>> round(least_epsilon(lambda epsilon: 3.0 / epsilon, 2.0), 6)
        1.5
    """
    found: float | None
    if steps is not None:
        place = bisect_left(steps, True, key=lambda epsilon: _enough(calibrate_scale, epsilon, most))
        found = steps[place] if place < len(steps) else None
    else:
        found = _bisected(calibrate_scale, most, highest)
    return found if found is not None and _at(calibrate_scale, found) <= most else None


def _bisected(calibrate_scale: Callable[[float], float], most: float, highest: float) -> float:
    low, high = LEAST_EPSILON, highest
    if _enough(calibrate_scale, low, most):
        return low
    while high > low * (1 + _PRECISION):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _enough(calibrate_scale, middle, most) else (middle, high)
    return high


def closest(calibrate_scale: Callable[[float], float], steps: Sequence[float]) -> tuple[float, float]:
    """The largest of the steps that the mechanism takes, and what ``calibrate_scale`` is there; (NaN, ∞) where it takes none."""
    taken = ((epsilon, _at(calibrate_scale, epsilon)) for epsilon in reversed(steps))
    return next(((epsilon, reach) for epsilon, reach in taken if math.isfinite(reach)), (math.nan, math.inf))


def reach_at(headline: MeasuredHeadline, noise: Calibrated[Any], share: float) -> Callable[[float], float]:
    """ε -> within which distance that share of private answers lies, under noise of the same sensitivity; of several numbers,
    each taken alone, the largest."""
    scenario, sensitivity = headline.scenario, noise.sensitivity

    def reach(epsilon: float) -> float:
        calibrated = scenario.mechanism.calibrate(sensitivity, replace(scenario.privacy, epsilon=epsilon))
        return float(np.max(headline.reaches(calibrated, share)))

    return reach


def _enough(calibrate_scale: Callable[[float], float], epsilon: float, most: float) -> bool:
    """Whether it is small enough; where the mechanism refuses so large an ε, a smaller one must do."""
    found = _at(calibrate_scale, epsilon)
    return found <= most or math.isinf(found)


def _at(calibrate_scale: Callable[[float], float], epsilon: float) -> float:
    try:
        return calibrate_scale(epsilon)
    except UNREACHABLE:
        return math.inf
