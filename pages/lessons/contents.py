"""The lessons, in their order."""

from __future__ import annotations

from pages.lessons import (
    bins,
    coin,
    many_questions,
    neighbours,
    nineteen_pairs,
    no_oracle,
    noise,
    one_person,
    reading_the_cdf,
    sensitivity,
    void,
    who_is_not_protected,
    worst_case,
)
from pages.lessons.lesson import Lesson

LESSONS: tuple[Lesson, ...] = (
    coin.LESSON,
    neighbours.LESSON,
    noise.LESSON,
    sensitivity.LESSON,
    worst_case.LESSON,
    bins.LESSON,
    reading_the_cdf.LESSON,
    nineteen_pairs.LESSON,
    one_person.LESSON,
    many_questions.LESSON,
    void.LESSON,
    who_is_not_protected.LESSON,
    no_oracle.LESSON,
)


def lesson_named(name: str) -> Lesson | None:
    """Return the lesson with this name, or None."""
    return next((lesson for lesson in LESSONS if lesson.name == name), None)
