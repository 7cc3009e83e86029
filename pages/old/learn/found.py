"""The lessons that there are: a module of ``pages/old/lessons/`` and a Markdown file of ``pages/old/text/lessons/`` each.

A module has ``ORDER``, ``STEPS`` (a ``Step`` by each name in the text) and ``to_try()``, the Scenario that its end opens: on
Explore, or on the page whose file ``OPENS`` names.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, final

from pages.experiment.scenario import Scenario
from pages.old.experiment.lessons.step import Choice, Step
from pages.server.page_list import PAGES

# The words of a lesson: a Markdown file, which can be edited without code.
#
#     # Title
#     What the lesson is about.
#     ## name: Title of the step
#     The question.
#     ### Guess
#     What the number is called; or the options, each a line "- name: Words".
#     ### Asked
#     The title of the figure that is guessed on.
#     ### Chart
#     The title of the figure beside what is so: its message, in a sentence.
#     ### Reveal
#     What is so.
#     ### Keep
#     One sentence.
#     ## Try
#     What to try on Explore, or on the page that the module opens.
#
# A number in braces, as in ``{moved}``, is one that the lesson's module computes.


TRY = "Try"
_PARTS = ("Guess", "Asked", "Chart", "Reveal", "Keep")
_NUMBER = re.compile(r"\{(\w+)\}")
_OPTION = re.compile(r"- (\w+): (.+)")


@final
@dataclass(frozen=True, slots=True)
class StepWords:
    """The words of one step. ``options`` are empty where the guess is a number, which ``label`` names.

    ``asked`` is the title of the figure that is guessed on, and ``chart`` of the one that shows what is so.
    """

    title: str
    question: str
    label: str
    options: Mapping[str, str]
    asked: str
    chart: str
    reveal: str
    keep: str

    @property
    def numbers(self) -> frozenset[str]:
        """The names of the numbers that are said."""
        said = (self.title, self.question, self.label, *self.options.values(), self.asked, self.chart, self.reveal, self.keep)
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
    if tuple(parts) != _PARTS or not all(part.strip() for part in (question, *parts.values())):
        raise ValueError(f"expected a question and “### {'”, “### '.join(_PARTS)}” with words in the step “{name}”")
    guess, asked, chart, reveal, keep = (part.strip() for part in parts.values())
    options = dict(_OPTION.findall(guess))
    if len(options) == 1:
        raise ValueError(f"expected two options or more in the step “{name}”, for a choice of one is none")
    return StepWords(title.strip(), question.strip(), "" if options else guess, options, asked, chart, reveal, keep)


def _split(text: str, mark: str) -> tuple[str, dict[str, str]]:
    """What stands before the first heading of a level, and what stands under each."""
    head, *rest = re.split(rf"^{mark}", text, flags=re.MULTILINE)
    pairs = [part.partition("\n")[::2] for part in rest]
    if len({title.strip() for title, _ in pairs}) < len(pairs):
        raise ValueError("expected each heading once")
    return head, {title.strip(): body for title, body in pairs}


_PAGES = Path(__file__).parents[1]
_MEND = "Mend it, or take both files of the lesson out of their folders."


@final
@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson, found under the name of its two files."""

    name: str
    order: float
    words: LessonWords
    steps: Mapping[str, Step]
    to_try: Callable[[], Scenario]
    opens: str = "explore"

    def numbers(self, step: str) -> frozenset[str]:
        """The names of the numbers that are said at a step; what is to be tried is said at the last."""
        said = self.words.steps[step].numbers
        return said | numbers_in(self.words.to_try) if step == list(self.steps)[-1] else said


def lessons() -> tuple[Lesson, ...]:
    """Those that are whole, in their order."""
    return _read(_PAGES)[0]


def findings() -> tuple[str, ...]:
    """A sentence for each lesson that was left out: what was expected of it, and what to do."""
    return _read(_PAGES)[1]


@lru_cache(maxsize=1)
def _read(folder: Path) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    modules = {file.stem for file in folder.glob("lessons/*.py") if not file.name.startswith("_")}
    texts = {file.stem for file in folder.glob("text/lessons/*.md")}
    read_all = {name: _lesson(name, folder) for name in sorted(modules | texts)}
    whole = [lesson for lesson in read_all.values() if isinstance(lesson, Lesson)]
    said = [f"The lesson {name} {why} {_MEND}" for name, why in read_all.items() if isinstance(why, str)]
    return tuple(sorted(whole, key=lambda lesson: lesson.order)), tuple(said)


def _lesson(name: str, folder: Path) -> Lesson | str:
    """The lesson, or what is wrong with its files."""
    file, text = f"pages/old/lessons/{name}.py", f"pages/old/text/lessons/{name}.md"
    for known, path in ((file, folder / "lessons" / f"{name}.py"), (text, folder / "text" / "lessons" / f"{name}.md")):
        if not path.is_file():
            return f"has no {known}."
    try:
        words = read((folder / "text" / "lessons" / f"{name}.md").read_text(encoding="utf-8"))
    except ValueError as error:
        return f"cannot be read from {text}: {error}."
    try:
        module = importlib.import_module(f"pages.old.lessons.{name}")
    except (Exception, SystemExit) as error:  # whatever somebody's file does
        return f"has a {file} that does not import: {type(error).__name__}, {' '.join(str(error).split())}."
    wrong = _lacks(module) or _unlike(module.STEPS, words)
    if wrong:
        return wrong
    return Lesson(name, float(module.ORDER), words, module.STEPS, module.to_try, getattr(module, "OPENS", "explore"))


def _lacks(module: ModuleType) -> str:
    order, steps = getattr(module, "ORDER", None), getattr(module, "STEPS", None)
    right = {
        "ORDER (a number)": isinstance(order, (int, float)) and order == order,
        "STEPS (of Step, by name)": isinstance(steps, dict) and all(isinstance(step, Step) for step in steps.values()),
        "to_try() (a function)": callable(getattr(module, "to_try", None)),
        "OPENS (a page's file)": getattr(module, "OPENS", "explore") in PAGES,
    }
    lacks = [name for name, is_there in right.items() if not is_there]
    return f"has a module without {' and '.join(lacks)}." if lacks else ""


def _unlike(steps: Mapping[str, Any], words: LessonWords) -> str:
    """Where the module and the text do not have the same steps, guessed in the same way."""
    if list(steps) != list(words.steps):
        return f"has the steps {', '.join(steps)} in its module and {', '.join(words.steps)} in its text."
    for name, step in steps.items():
        if isinstance(step.guess, Choice) != bool(words.steps[name].options):
            return f"has the step {name}, whose guess is a choice in one of its files, and a number in the other."
    return ""
