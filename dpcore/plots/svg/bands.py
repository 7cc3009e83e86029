"""A line of words above or below a figure, inside the picture: it travels with it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import final

from dpcore.plots.svg.text import LINE, width, write

_AROUND = 8.0  # pixels beside it
_RISE = 1.0  # heights of the type from the top of a line to where it stands


@final
@dataclass(frozen=True, slots=True)
class Band:
    """Bold words in as many lines as they need."""

    lines: tuple[str, ...]
    size: float

    @classmethod
    def of(cls, words: str, size: float, wide: float) -> Band:
        """In a picture so wide. The words are text, and have no tags."""
        lines: list[str] = []
        for word in escape(words, quote=False).split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and width(f"<b>{longer}</b>", size) <= wide - 2 * _AROUND:
                lines[-1] = longer
            else:
                lines.append(word)
        return cls(tuple(lines), size)

    @property
    def high(self) -> float:
        """In pixels; 0 without words."""
        return LINE * self.size * len(self.lines) + _AROUND if self.lines else 0.0

    def write(self, top: float) -> str:
        """From this height down."""
        return write("<br>".join(self.lines), _AROUND, top + _AROUND / 2 + _RISE * self.size, self.size, bold=True)
