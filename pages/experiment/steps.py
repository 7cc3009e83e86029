"""Long computations in steps that take a moment each, so that they can be shown and ended."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from typing import ParamSpec, TypeVar

from pages.experiment.computable import computable

R = TypeVar("R")
A = ParamSpec("A")
Steps = Generator[float, None, R]
"""It yields which share of the work is done, and returns what it found."""


def finished(steps: Steps[R]) -> R:
    """What the steps find, made at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: R = end.value
            return found


def computable_in_steps(make: Callable[A, Steps[R]]) -> Callable[A, Steps[R]]:
    """The same, but InvalidValueError where the scenario's own numbers cannot be computed with."""

    @wraps(make)
    def made(*given: A.args, **named: A.kwargs) -> Steps[R]:
        found: list[R] = []

        def whole() -> Steps[None]:
            found.append((yield from make(*given, **named)))

        steps = whole()
        step = computable(lambda: next(steps, None))
        while (share := step()) is not None:
            yield share
        return found[0]

    return made
