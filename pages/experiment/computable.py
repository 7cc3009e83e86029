"""Errors of arithmetic that unusual settings cause, reported as InvalidValueError."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dpcore.answers.answer import answer_of, response_of
from dpcore.answers.kind import KindOfAnswer
from dpcore.base.declared import Column
from dpcore.errors import DpcoreError, InvalidValueError
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
    return response_of(scenario.mechanism, answer_of(scenario.target, columns))
