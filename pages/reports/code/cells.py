"""The parts of a program: words, lines of Python, and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Words:
    """Markdown of ours with a ``{}`` for each text from outside, such as a column's name: these are shown as they are."""

    text: str
    outside: tuple[str, ...] = ()

    def filled(self, said: tuple[str, ...]) -> str:
        """With these in the places of the texts from outside."""
        parts = self.text.split("{}")
        assert len(parts) == len(said) + 1, "a place for each text from outside"
        return "".join(part + text for part, text in zip(parts, (*said, ""), strict=True))


@final
@dataclass(frozen=True, slots=True)
class Lines:
    """Python. Texts from outside are in it as literals alone, by ``repr``."""

    code: str


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """Python that gives the name ``chart`` to one, of plotly's description of it; and what it shows, in a sentence."""

    code: str
    alt: str


Cell = Words | Lines | Figure


@final
@dataclass(frozen=True, slots=True)
class Program:
    """``title``: of what it makes anew. ``needs``: what is to be installed beside dpcore, as names of its extras.

    ``beside``: the name of a file that it reads where it does not hold all records itself, and what writes its content.
    ``imports``: of code that is not ours, a line each.
    """

    title: str
    cells: tuple[Cell, ...]
    needs: tuple[str, ...] = ()
    beside: tuple[str, Callable[[], str]] | None = None
    imports: tuple[str, ...] = ()


def words(text: str, *outside: str) -> Words:
    """Words with texts from outside."""
    return Words(text, outside)
