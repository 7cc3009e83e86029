"""A report as data: sections of paragraphs, tables and pictures, whatever they look like."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

from dpcore.errors import InvalidValueError


class Tone(Enum):
    """What a notice is."""

    GOOD = "good"
    CARE = "care"
    BAD = "bad"


class _Block:
    """Any of the parts of a section."""

    @property
    def kind(self) -> str:
        """By which the file's template knows it."""
        return type(self).__name__.lower()


@final
@dataclass(frozen=True, slots=True)
class Text(_Block):
    """A paragraph. ``lead``: the sentence that a reader is to take away; ``small``: what is for those who want to know more."""

    said: str
    lead: bool = False
    small: bool = False


@final
@dataclass(frozen=True, slots=True)
class Points(_Block):
    """Sentences of equal weight, one under the other."""

    said: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Notice(_Block):
    """A sentence that must not be overlooked."""

    said: str
    tone: Tone


@final
@dataclass(frozen=True, slots=True)
class Table(_Block):
    """Rows under their headings; the first cell of a row names it. InvalidValueError for a row of another length."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise InvalidValueError("row", f"of {len(self.head)} cells, as there are headings", len(row))


@final
@dataclass(frozen=True, slots=True)
class Picture(_Block):
    """A drawing that the library made itself, as SVG that describes itself; ``caption``: what it is of."""

    svg: str
    caption: str


@final
@dataclass(frozen=True, slots=True)
class Address(_Block):
    """A link with its words, and the address itself where it is short enough to be copied from paper."""

    words: str
    address: str

    @property
    def printed(self) -> bool:
        """Whether somebody would type it."""
        return len(self.address) <= _TYPED

    def __post_init__(self) -> None:
        if not self.address.startswith(("http://", "https://")):
            raise InvalidValueError("address", "one that begins with http:// or https://", self.address)


_TYPED = 400  # characters


Block = Text | Points | Notice | Table | Picture | Address


@final
@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading. ``inner``: sections under it, such as one for each of several answers."""

    title: str
    blocks: tuple[Block, ...]
    inner: tuple[Section, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Report:
    """``about``: what it is of, under its title. ``made``: when it was made and by which version, below all else. ``note``: what
    each of its pages says beside its title."""

    title: str
    about: str
    sections: tuple[Section, ...]
    made: str
    note: str = ""
