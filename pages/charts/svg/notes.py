"""Texts and shapes at places of a figure: with lines that lead there, and in shares of a plot or of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, final

import numpy as np

from pages.charts.svg.picture import Picture
from pages.charts.svg.text import ANCHORS, LINE, MIDDLE, font_size, height, width, write
from pages.charts.svg.values import NotDrawnError, number, one_of, opacity_of, paint, stroke_of

# A line of words above or below a figure, inside the picture: it travels with it.


_AROUND = 8.0  # pixels beside it
_RISE_OF_A_BAND = 1.0  # heights of the type from the top of a line to where it stands


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
        return write("<br>".join(self.lines), _AROUND, top + _AROUND / 2 + _RISE_OF_A_BAND * self.size, self.size, bold=True)


Span = tuple[float, float]
_BORDER = 2.0  # pixels around a note
_SHIFTS = {"left": _BORDER, "center": 0.0, "right": -_BORDER}
_STANDS = {"top": 0.0, "middle": 0.5, "bottom": 1.0}


@final
@dataclass(frozen=True, slots=True)
class Notes:
    """Those of a picture."""

    picture: Picture

    def _at(self, value: Any, ref: str, letter: str) -> float:
        """A place in pixels: on an axis as it counts, in shares of one, or of all plots."""
        if ref == "paper":
            margins = self.picture.margins
            begin, end = margins.across if letter == "x" else margins.up
            return begin + float(value) * (end - begin)
        name, _, of_domain = ref.partition(" ")
        if name not in self.picture.axes or of_domain not in ("", "domain"):
            raise NotDrawnError(f"{letter}ref", ref)
        axis = self.picture.axes[name]
        if of_domain:
            return axis.pixels[0] + float(value) * (axis.pixels[1] - axis.pixels[0])
        counted = axis.counted([value]) if axis.kind == "category" else np.array([float(value)])
        return float(axis.at(counted)[0])

    def note(self, given: dict[str, Any]) -> str:
        """A text, with a line to what it is about where it has one."""
        if any(self._beyond(given, letter) for letter in "xy"):
            return ""
        font = given.get("font") or {}
        size, text = font_size(font, self.picture.type_size), given.get("text") or ""
        x, y = (self._at(given[letter], given.get(f"{letter}ref", letter), letter) for letter in "xy")
        x, y = x + float(given.get("xshift") or 0), y - float(given.get("yshift") or 0)
        line = ""
        if given.get("showarrow") is not False:
            line, x, y = self._led(given, x, y)
        anchor, stands = self._anchors(given, x)
        high = height(text, size)
        top = y - high * stands + {0.0: _BORDER, 0.5: 0.0, 1.0: -_BORDER}[stands]
        first = top + LINE * size / 2 + MIDDLE * size
        colour = str(font.get("color") or "")
        bold = float(font.get("weight") or 400) >= 600
        return line + write(
            text, x + _SHIFTS[anchor], first, size, anchor=ANCHORS[anchor], bold=bold, colour=colour and paint("", colour)[2:-1]
        )

    def _beyond(self, given: dict[str, Any], letter: str) -> bool:
        """Whether it belongs to a place that its axis does not show."""
        axis = self.picture.axes.get(str(given.get(f"{letter}ref", letter)))
        if axis is None or axis.kind == "category":
            return False
        return not min(axis.shown) <= float(given[letter]) <= max(axis.shown)

    def _anchors(self, given: dict[str, Any], x: float) -> tuple[str, float]:
        """Which of its sides stands at its place; where it says nothing, the one that is nearer, as plotly has it."""
        anchor, stands = given.get("xanchor") or "auto", given.get("yanchor") or "auto"
        if anchor == "auto":
            anchor = self._nearer(given, "x", ("left", "center", "right"))
        if stands == "auto":
            stands = self._nearer(given, "y", ("bottom", "middle", "top"))
        one_of(ANCHORS, anchor, "annotation.xanchor")
        return anchor, one_of(_STANDS, stands, "annotation.yanchor")

    def _nearer(self, given: dict[str, Any], letter: str, sides: tuple[str, str, str]) -> str:
        ref = str(given.get(f"{letter}ref", letter))
        if given.get("showarrow") is not False or (ref != "paper" and not ref.endswith("domain")):
            return sides[1]
        share = float(given[letter])
        return sides[0] if share < 1 / 3 else sides[2] if share > 2 / 3 else sides[1]

    def _led(self, given: dict[str, Any], x: float, y: float) -> tuple[str, float, float]:
        """The line, without a head, to what a note is about; and where its text stands, at the other end."""
        if given.get("arrowhead") != 0:
            raise NotDrawnError("annotation.arrowhead", given.get("arrowhead"))
        across, up = (self._at(given.get(f"a{letter}"), str(given.get(f"a{letter}ref")), letter) for letter in "xy")
        look = stroke_of({"color": given.get("arrowcolor") or "#7F7F7F", "width": float(given.get("arrowwidth") or 1)})
        return f'<path d="M{number(across)} {number(up)}L{number(x)} {number(y)}"{look}/>', across, up

    def shape(self, given: dict[str, Any]) -> str:
        """A rectangle, as far as it lies within the plots."""
        x = sorted(self._at(given[name], given.get("xref", "x"), "x") for name in ("x0", "x1"))
        y = sorted(self._at(given[name], given.get("yref", "y"), "y") for name in ("y0", "y1"))
        if given.get("type") != "rect":
            raise NotDrawnError("shape.type", given.get("type"))
        margins = self.picture.margins
        left, right = np.clip(x, min(margins.across), max(margins.across))
        top, bottom = np.clip(y, min(margins.up), max(margins.up))
        d = f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
        inside = paint("fill", given.get("fillcolor") or "transparent", opacity_of(given))
        around = stroke_of(given.get("line") or {}).replace(' fill="none"', "")
        return f'<path d="{d}"{inside}{around}/>'
