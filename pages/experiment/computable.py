"""What arithmetic and arrays answer to numbers that nobody would choose: no answer, and no fault of the program."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dpcore.answers.answer import KindOfAnswer, answer_of, response_of
from dpcore.base.declared import Column
from dpcore.errors import DpcoreError, InvalidValueError
from pages.experiment.scenario import Scenario

_UNCOMPUTABLE = (ValueError, ArithmeticError, MemoryError)
UNREACHABLE = (DpcoreError, *_UNCOMPUTABLE)

R = TypeVar("R")
A = ParamSpec("A")


def computable(make: Callable[A, R]) -> Callable[A, R]:
    """The same, but InvalidValueError where the scenario's own numbers cannot be computed with."""

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


# What is answered to a scenario's question: numbers, a choice, a curve or another kind, with labels and unit.


def answered(scenario: Scenario, columns: tuple[Column, ...]) -> KindOfAnswer:
    """What the target says that its answer is, and what the mechanism makes of it."""
    return response_of(scenario.mechanism, answer_of(scenario.target, columns))
