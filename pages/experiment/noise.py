"""The noise of a scenario, and failed arithmetic of unusual settings as an InvalidValueError."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from dpcore import Column, GlobalSensitivity, SensitivitySample
from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import Sampling
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import answer_of
from dpcore.targets.proved import worst_case_of
from pages.experiment.scenario import Scenario

_UNCOMPUTABLE = (ValueError, ArithmeticError, MemoryError)
UNREACHABLE = (DpcoreError, *_UNCOMPUTABLE)

R = TypeVar("R")
A = ParamSpec("A")


def computable(make: Callable[A, R]) -> Callable[A, R]:
    """Decorate a function to report failed arithmetic as an error of the settings.

    Raises:
        InvalidValueError: By the decorated function, if the scenario's numbers cannot be computed with.
    """

    @wraps(make)
    def made(*given: A.args, **named: A.kwargs) -> R:
        try:
            return make(*given, **named)
        except DpcoreError:
            raise
        except _UNCOMPUTABLE:
            expected = "such that their numbers can be computed with"
            raise InvalidValueError("target, the oracle and the mechanism", expected, None) from None

    return made


def answered(scenario: Scenario, columns: tuple[Column, ...]) -> KindOfAnswer:
    """Return the kind of answer with labels and unit: numbers, a choice, a curve or another kind.

    Args:
        scenario: The scenario. Its target states the kind of answer, and its mechanism may change it.
        columns: The columns that the target takes.
    """
    return scenario.mechanism.response(answer_of(scenario.target, columns))


def worst_case(scenario: Scenario) -> GlobalSensitivity[Norm] | None:
    """Return the proved global sensitivity of the target in the scenario's norm, or None."""
    with suppress(*UNREACHABLE):  # without a number there is nothing to calibrate to
        return worst_case_of(scenario.target, scenario.norm, scenario.n, scenario.adjacency)
    return None


@computable
def calibrate_worst_case(scenario: Scenario) -> Calibrated[Any] | None:
    """Return the mechanism calibrated to the proved worst case, or None if no worst case is proved."""
    proved = worst_case(scenario)
    return None if proved is None else scenario.mechanism.calibrate(proved, scenario.privacy)


@computable
def calibrate_sampled(scenario: Scenario, sample: SensitivitySample[Norm]) -> Calibrated[Any]:
    """Return the mechanism calibrated to sampled pairs.

    Args:
        scenario: The scenario.
        sample: At least m pairs. If they were explored, the noise is for charts, and its release is refused.
    """
    return scenario.mechanism.calibrate(sample.at(scenario.point).sensitivity(), scenario.privacy)


def sampling(scenario: Scenario) -> Sampling | None:
    """Return how a release draws its noise, or None if the mechanism has none at this ε."""
    try:
        return scenario.mechanism.law(scenario.target, 1.0, scenario.privacy).sampling
    except DpcoreError:
        return None
