"""A lesson: its text in Markdown, and for each step a guess and a function that computes the answer.

A lesson is a call of ``read_lesson`` in a module of ``pages/lessons``, and a file in ``pages/lessons/text``::

    # Title
    What the lesson is about.
    ## name: Title of the step
    The question.
    ### Guess
    The label of the slider; or the options, each a line "- name: Words".
    ### Before
    Title of the chart beside the question.
    ### After
    Title of the chart with the answer: its message, in a sentence.
    ### Reveal
    The answer and its reason.
    ### Keep
    One sentence.
    ## Try
    What to try.

A name in braces, as in ``{moved}``, is a number that the module computes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, final

from dpcore.guarantees.descriptions import figure
from pages.experiment.scenario import Scenario
from pages.figures.theme import Chart

_FOLDER = Path(__file__).parent / "text"
_PARTS = ["Guess", "Before", "After", "Reveal", "Keep"]
_OPTION = re.compile(r"- (\w+): (.+)")


@final
@dataclass(frozen=True)
class Slider:
    """A guess of a number.

    Args:
        low: Lower end.
        high: Upper end.
        step: Distance between values.
        start: First value.
        form: The number in words, such as ``"{} years"``.
        axis: Axis of the chart on which the guess is a line.
    """

    low: float
    high: float
    step: float
    start: float
    form: str
    axis: Literal["x", "y", "ruler"]


@final
@dataclass(frozen=True)
class Choice:
    """A guess of one option of the text."""


@final
@dataclass(frozen=True, eq=False)
class Result:
    """The answer of a step.

    Args:
        truth: A number for a slider, the name of an option for a choice.
        before: The chart beside the question.
        after: The chart with the answer, on the same axes.
        numbers: Numbers of the text, by name. Those that are no text are written with three digits, whole ones with all.
        unit: Position on the axis of a guess of 1.
    """

    truth: float | str
    before: Chart
    after: Chart
    numbers: Mapping[str, Any]
    unit: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {name: _written(number) for name, number in self.numbers.items()})


def _written(number: str | float) -> str:
    if isinstance(number, str):
        return number
    return f"{number:,}" if isinstance(number, int) else figure(float(number))


@final
@dataclass(frozen=True, eq=False)
class Step:
    """One guess of a lesson. Texts hold names of numbers in braces.

    Args:
        lesson: Name of its lesson.
        name: Name in the address.
        title: Title.
        question: The question.
        prompt: Label of the slider, or lines of options.
        before: Title of the chart beside the question.
        after: Title of the chart with the answer.
        reveal: The answer and its reason.
        keep: One sentence to remember.
        guess: How to guess.
        compute: Computes the answer, always the same one.
    """

    lesson: str
    name: str
    title: str
    question: str
    prompt: str
    before: str
    after: str
    reveal: str
    keep: str
    guess: Slider | Choice
    compute: Callable[[], Result]

    @property
    def key(self) -> str:
        """Name of lesson and step, for keys."""
        return f"{self.lesson}_{self.name}"

    @cached_property
    def result(self) -> Result:
        """The answer."""
        return self.compute()

    @property
    def options(self) -> dict[str, str]:
        """Options of a choice, by name."""
        return dict(_OPTION.findall(self.filled(self.prompt)))

    def filled(self, text: str) -> str:
        """Return a text with its numbers."""
        return text.format_map(self.result.numbers)

    def words(self, value: float | str) -> str:
        """Return a guess, or the answer, in words."""
        if isinstance(self.guess, Slider):
            return self.guess.form.format(figure(float(value)))
        return self.options[str(value)]


@final
@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson.

    Args:
        name: Name in the address.
        title: Title.
        about: Its subject in a sentence or two.
        steps: Its steps.
        to_try: Text of the end.
        scenario: Makes the scenario to try.
        opens: Page that opens with the scenario.
        live: Slider of Explore that is shown at the end, ``epsilon`` or ``gamma``; empty for none.
    """

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]
    to_try: str
    scenario: Callable[[], Scenario]
    opens: str = "explore"
    live: str = ""

    def step(self, name: str) -> Step | None:
        """Return the step with this name, or None."""
        return next((step for step in self.steps if step.name == name), None)


Steps = Mapping[str, tuple[Slider | Choice, Callable[[], Result]]]


def read_lesson(name: str, steps: Steps, scenario: Callable[[], Scenario], *, opens: str = "explore", live: str = "") -> Lesson:
    """Read the text of a lesson and join it with its computations.

    Args:
        name: Name of the lesson and of its file.
        steps: Guess and computation of each step, by name, in the order of the text.
        scenario: Makes the scenario to try.
        opens: Page that opens with the scenario.
        live: Slider of Explore that is shown at the end.

    Raises:
        ValueError: If the text has another form or other steps.
    """
    (title, about), *texts, (last, to_try) = _sections((_FOLDER / f"{name}.md").read_text(encoding="utf-8"), "## ")
    names = [heading.partition(":")[0] for heading, _ in texts]
    if names != list(steps) or last != "Try":
        raise ValueError(f"Expected the steps {', '.join(steps)} and Try in {name}.md, got {', '.join(names)} and {last}.")
    made = tuple(_step(name, heading, body, *how) for (heading, body), how in zip(texts, steps.values(), strict=True))
    return Lesson(name, title.removeprefix("# "), about, made, to_try, scenario, opens, live)


def _step(lesson: str, heading: str, body: str, guess: Slider | Choice, compute: Callable[[], Result]) -> Step:
    (first, rest), *parts = _sections(body, "### ")
    if [part for part, _ in parts] != _PARTS or not all(text for _, text in parts):
        raise ValueError(f"Expected {', '.join(_PARTS)} after “{first}”, got {', '.join(part for part, _ in parts)}.")
    name, _, title = heading.partition(": ")
    prompt, before, after, reveal, keep = (text for _, text in parts)
    return Step(lesson, name, title, f"{first}\n{rest}".strip(), prompt, before, after, reveal, keep, guess, compute)


def _sections(text: str, mark: str) -> list[tuple[str, str]]:
    """Return first line and rest of the text before the first heading of a level, and of each section."""
    parts = re.split(rf"^{mark}", text.strip(), flags=re.MULTILINE)
    split = (part.strip().partition("\n") for part in parts)
    return [(first.strip(), rest.strip()) for first, _, rest in split]
