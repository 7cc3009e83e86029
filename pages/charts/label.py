"""What is published and under which promise, as one picture of 600 × 900, like the label on food."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

from pages.charts.svg import Theme, drawn
from pages.charts.told import CERTAIN, COIN
from pages.wording.from_outside import one_line

WIDTH, HEIGHT = 600, 900
TITLE = "Privacy facts"
COIN_END, CERTAIN_END = f"a coin: {COIN}", f"always right: {CERTAIN}"  # the ends of the ruler


@final
class Look(Enum):
    """How words look: as most do, larger, in the colour of what warns, or both."""

    PLAIN = ""
    LEAD = "lead"
    CARE = "care"
    LOUD = "loud"


@final
@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. ``most``: how many lines it may take; it ends in dots where that is too few. 0 for what is never shortened,
    as every word of ours: only what comes from outside may be as long as it likes."""

    said: str
    look: Look = Look.PLAIN
    most: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "said", one_line(self.said))


@final
@dataclass(frozen=True, slots=True)
class Part:
    """What stands between two lines, under its title. ``right``: how many times in 100 a guesser is right at most, which a ruler
    shows below the first words. ``heavy``: whether the line above it is."""

    title: str
    words: tuple[Words, ...]
    right: int | None = None
    heavy: bool = False


@final
@dataclass(frozen=True, slots=True)
class Label:
    """``about``: of what it is, under the title. ``across``: what is said across all of it, where it is of nothing real."""

    about: str
    parts: tuple[Part, ...]
    across: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """All of its words, in their order."""
        inside = (one for part in self.parts for one in (part.title, *(words.said for words in part.words)))
        return tuple(filter(None, (TITLE, self.about, self.across, *inside)))

    @property
    def alt(self) -> str:
        """The same as a description."""
        return " ".join(said if said.endswith((".", "?", "!", ":")) else f"{said}." for said in self.said)


def picture(label: Label) -> str:
    """The label as SVG, in type of 14 pixels and more, on a light ground, as what is printed; NotDrawnError where its own words
    need more room than there is."""
    request = {"title": TITLE, "about": label.about, "across": label.across, "parts": [_part(one) for one in label.parts]}
    return drawn(request | {"alt": label.alt, "width": WIDTH, "height": HEIGHT}, Theme.LIGHT)


def _part(part: Part) -> dict[str, object]:
    words = [{"said": one.said, "look": one.look.value, "most": one.most} for one in part.words]
    ruler = None if part.right is None else {"right": part.right, "ends": [COIN_END, CERTAIN_END]}
    return {"title": part.title, "words": words, "ruler": ruler, "heavy": part.heavy}
