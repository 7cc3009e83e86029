"""A step of a lesson: what is guessed, and what is found at each visit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

from dpcore.guarantees.words import figure

Guess = float | str
Axis = Literal["x", "y", "x2"]


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """A guess that is a number: a slider from ``least`` to ``most``, which begins at ``start``. ``form``: "{} years".

    ``axis``: of the step's figure, on which the guess is a place: x, y, or x2 of the ruler below it.
    """

    least: float
    most: float
    by: float
    start: float
    form: str
    axis: Axis

    def words(self, value: Guess) -> str:
        """The number as people read it."""
        return self.form.format(figure(float(value)))


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A guess that is one of the options in the lesson's text."""


@final
@dataclass(frozen=True, eq=False)
class Asked:
    """The figure that is guessed on, which tells no answer, and the sentence that describes it.

    ``per``: how much of its axis one of the guess is.
    """

    chart: Any
    alt: str
    per: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What was computed for a step.

    ``truth``: a number for a Mark, the name of an option for a Choice. ``figure``: makes the figure and the sentence that
    describes it. ``asked``: makes the figure that stands beside the question. ``numbers``: those that the text says, by
    their names in it.
    """

    truth: Guess
    figure: Callable[[], tuple[Any, str]]
    asked: Callable[[], Asked]
    numbers: Mapping[str, str] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """How a step is guessed, and what computes it: in at most 0.3 s, at a fixed seed."""

    guess: Mark | Choice
    find: Callable[[], Found]
