"""The words of a lesson: a Markdown file, which can be edited without code.

    # Title
    What the lesson is about.
    ## name: Title of the step
    The question.
    ### Guess
    What a slider is labelled with; or the options, each a line "- name: Words".
    ### Asked
    The title of the figure beside the question, where there is one.
    ### Chart
    The title of the figure beside what is so: its message, in a sentence.
    ### Reveal
    What is so.
    ### Keep
    One sentence.
    ### Note
    What a speaker says here, and what people get wrong.
    ## Try
    What to try on Explore, or on the page that the module opens.

A number in braces, as in ``{moved}``, is one that the lesson's module computes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

TRY = "Try"
_PARTS, _ASKED = ("Guess", "Chart", "Reveal", "Keep", "Note"), "Asked"
_NUMBER = re.compile(r"\{(\w+)\}")
_OPTION = re.compile(r"- (\w+): (.+)")


@final
@dataclass(frozen=True, slots=True)
class StepWords:
    """The words of one step. ``options`` are empty where the guess is a number, whose slider ``label`` names.

    ``asked`` is the title of the figure beside the question, '' where there is none, and ``chart`` of the one beside what is so.
    ``note`` is for a speaker, and no part of the page.
    """

    title: str
    question: str
    label: str
    options: Mapping[str, str]
    asked: str
    chart: str
    reveal: str
    keep: str
    note: str

    @property
    def numbers(self) -> frozenset[str]:
        """The names of the numbers that are said."""
        said = (self.title, self.question, self.label, *self.options.values(), self.asked, self.chart, self.reveal, self.keep)
        said += (self.note,)
        return frozenset().union(*map(numbers_in, said))


@final
@dataclass(frozen=True, slots=True)
class LessonWords:
    """The words of a lesson, its steps by their names, in order."""

    title: str
    about: str
    steps: Mapping[str, StepWords]
    to_try: str


def numbers_in(text: str) -> frozenset[str]:
    """The names of the numbers that a text says."""
    return frozenset(_NUMBER.findall(text))


def filled(text: str, numbers: Mapping[str, str]) -> str:
    """With the computed numbers in their places."""
    return _NUMBER.sub(lambda found: numbers[found[1]], text)


def read(text: str) -> LessonWords:
    """The words in a lesson's file; ValueError, in a sentence, where something lacks."""
    head, sections = _split(text, "## ")
    title, _, about = head.strip().partition("\n")
    if not title.startswith("# "):
        raise ValueError("expected “# Title” in the first line")
    if TRY not in sections:
        raise ValueError("expected “## Try” and what to try on Explore under it")
    steps = {key: _step(key, body) for key, body in sections.items() if key != TRY}
    named = {key.partition(":")[0]: words for key, words in steps.items()}
    if not steps or len(named) < len(steps):
        raise ValueError("expected a step or more, each with a name of its own")
    return LessonWords(title[2:].strip(), about.strip(), named, sections[TRY].strip())


def _step(key: str, body: str) -> StepWords:
    name, colon, title = key.partition(":")
    if not colon or not name.isidentifier() or not title.strip():
        raise ValueError(f"expected “## name: Title” above a step, got “## {key}”")
    question, parts = _split(body, "### ")
    asked = parts.pop(_ASKED, "").strip()
    if tuple(parts) != _PARTS or not all(part.strip() for part in (question, *parts.values())):
        raise ValueError(f"expected a question and “### {'”, “### '.join(_PARTS)}” with words in the step “{name}”")
    guess, chart, reveal, keep, note = (part.strip() for part in parts.values())
    options = dict(_OPTION.findall(guess))
    return StepWords(title.strip(), question.strip(), "" if options else guess, options, asked, chart, reveal, keep, note)


def _split(text: str, mark: str) -> tuple[str, dict[str, str]]:
    """What stands before the first heading of a level, and what stands under each."""
    head, *rest = re.split(rf"^{mark}", text, flags=re.MULTILINE)
    pairs = [part.partition("\n")[::2] for part in rest]
    if len({title.strip() for title, _ in pairs}) < len(pairs):
        raise ValueError("expected each heading once")
    return head, {title.strip(): body for title, body in pairs}
