"""Lessons as data, for a file that is read without the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from pages.reports.document import Live, Module, Picture


@final
@dataclass(frozen=True, slots=True)
class Run:
    """Words of one weight."""

    said: str
    bold: bool = False


Paragraphs = tuple[tuple[Run, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A guess that is a number from ``least`` to ``most``."""

    label: str
    least: float
    most: float
    by: float


@final
@dataclass(frozen=True, slots=True)
class Options:
    """A guess that is one of several."""

    options: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class WrittenStep:
    """``asked`` stands beside the question, where there is a figure for it; behind the guess what is ``so``, with its ``figure``,
    why, and the sentence to ``keep``."""

    name: str
    title: str
    question: Paragraphs
    asked: Picture | None
    guess: Number | Options
    so: str
    why: Paragraphs
    figure: Picture
    keep: Paragraphs


@final
@dataclass(frozen=True, slots=True)
class WrittenLesson:
    """``to_try``: what to do in the app, on its page ``opens``; ``desk``: what moves here, where anything does."""

    name: str
    title: str
    about: str
    steps: tuple[WrittenStep, ...]
    opens: str
    to_try: Paragraphs
    desk: Live | None = None


@final
@dataclass(frozen=True, slots=True)
class Lessons:
    """One or more, each with its ``number`` of all. ``made``: by which version, below all else."""

    title: str
    about: str
    lessons: tuple[tuple[int, WrittenLesson], ...]
    made: str
    module: Module | None = None
