"""A lesson as a program; or a sentence where there is none."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.workbench.example import NAME
from dpcore.workbench.lessons import tables
from dpcore.workbench.lessons.step import Found
from pages.learn.found import Lesson
from pages.learn.words import filled
from pages.reports.code.cells import Program
from pages.reports.code.of_lesson import Told, of_lesson
from pages.state.programs import or_why

_FAILED = "There is no code of this lesson, because one of its steps could not be computed."


def of_the_lesson(lesson: Lesson, found: Callable[[str], Found | None]) -> Program | str:
    """A lesson; ``found`` says what is found at a step, None where that fails."""
    steps = []
    for name, words in lesson.words.steps.items():
        here = found(name)
        if here is None:
            return _FAILED
        said = {part: filled(getattr(words, part), here.numbers) for part in ("title", "question", "chart", "reveal", "keep")}
        steps.append(Told(**said, find=getattr(lesson.steps[name].find, "__name__", ""), numbers=here.numbers))
    brought = tuple(tables.table(name) for name in dict.fromkeys((NAME, *lesson.tables)))
    file = f"pages/lessons/{lesson.name}.py"
    title, about = lesson.words.title, lesson.words.about
    return or_why(lambda: of_lesson(title, about, tuple(steps), module=file, text=lesson.text, tables=brought))
