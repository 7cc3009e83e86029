"""The lessons, in their order."""

from __future__ import annotations

from pages.lessons import basics, by_hand, limits, many, no_oracle, sampling
from pages.lessons.lesson import Lesson

LESSONS: tuple[Lesson, ...] = (
    by_hand.COIN,
    basics.NEIGHBOURS,
    basics.NOISE,
    basics.SENSITIVITY,
    basics.WORST_CASE,
    by_hand.BINS,
    sampling.READING_THE_CDF,
    sampling.NINETEEN_PAIRS,
    many.ONE_PERSON,
    many.MANY_QUESTIONS,
    limits.VOID,
    limits.WHO_IS_NOT_PROTECTED,
    no_oracle.NO_ORACLE,
)


def lesson_named(name: str) -> Lesson | None:
    """Return the lesson with this name, or None."""
    return next((lesson for lesson in LESSONS if lesson.name == name), None)
