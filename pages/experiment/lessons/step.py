"""A step of a lesson: what is guessed, and what is found at each visit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from dpcore.guarantees.words import figure

Guess = float | str


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """A guess that is a number: a slider from ``least`` to ``most``, which begins at ``start``. ``form``: "{} years".

    ``axis``: "x" or "y", where the guess is a place on that axis of the step's figure; else "".
    """

    least: float
    most: float
    by: float
    start: float
    form: str
    axis: str = ""

    def words(self, value: Guess) -> str:
        """The number as people read it."""
        return self.form.format(figure(float(value)))


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A guess that is one of the options in the lesson's text."""


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What was computed for a step.

    ``truth``: a number for a Mark, the name of an option for a Choice. ``figure``: makes the figure and the sentence that
    describes it. ``asked``: makes the figure that stands beside the question, where there is one. ``numbers``: those that the
    text says, by their names in it.
    """

    truth: Guess
    figure: Callable[[], tuple[Any, str]]
    numbers: Mapping[str, str] = field(default_factory=dict)
    asked: Callable[[], tuple[Any, str]] | None = None


@final
@dataclass(frozen=True, slots=True)
class Step:
    """How a step is guessed, and what computes it: in at most 0.3 s, at a fixed seed."""

    guess: Mark | Choice
    find: Callable[[], Found]
