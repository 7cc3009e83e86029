"""Texts: the few tags that figures use, set as text and nothing else, and how wide they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from typing import Any, final
from unicodedata import combining

from pages.charts.svg.values import number

LINE = 1.3  # heights of the type from a line to the next
MIDDLE = 0.35  # of the type: from the middle of a letter down to where it stands
ANCHORS = {"left": "start", "center": "middle", "right": "end"}  # which of its sides a text begins at, by plotly's names
_TAG = re.compile(r"<(/?)(br|b|i|sup|sub|span)(?:\s+style=\"color:([#\w]+)\")?\s*/?>", re.IGNORECASE)
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SMALL = 0.7  # of the type: what is raised or lowered
_WIDTHS = {  # thousandths of the type, of common sans-serif fonts; of the widest common one
    "ijl|'.,:;!Iı· ": 320,
    'ftr()[]/\\-"*{}': 410,
    "Jcekszxyv": 595,
    "abdghnopquLFTEZ_?$0123456789–εγδτ": 640,
    "ABCDGHKNOPQRSUVXY&Δ": 740,
    "#≤≥±×÷=+<>~^": 840,
    "mwMW%@—…": 980,
}
_OF_LETTER = {letter: width / 1000 for letters, width in _WIDTHS.items() for letter in letters}
_OTHER, _BOLD, _WIDE = 0.66, 1.09, "\u2e80"  # from there on letters are as wide as they are high


@final
@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one look."""

    letters: str
    bold: bool = False
    italic: bool = False
    shift: str = ""
    colour: str = ""

    def width(self) -> float:
        """In heights of the type."""
        wide = sum(_OF_LETTER.get(letter, 1.0 if letter >= _WIDE else _OTHER) for letter in self.letters if not combining(letter))
        return wide * (_BOLD if self.bold else 1.0) * (_SMALL if self.shift else 1.0)


Lines = tuple[tuple[Run, ...], ...]


def escaped(text: str) -> str:
    """Letters that stand between tags or in an attribute; those that XML does not have are marked as missing."""
    text = _INVALID.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


@lru_cache(maxsize=1024)
def lines_of(text: str) -> Lines:
    """The lines of a text, each of runs. What is no known tag is text."""
    lines: list[list[Run]] = [[]]
    style, begin, opened = Run(""), 0, list[Run]()
    for tag in _TAG.finditer(text):
        lines[-1].append(replace(style, letters=unescape(text[begin : tag.start()])))
        begin, name = tag.end(), tag[2].lower()
        if name == "br":
            lines.append([])
        elif tag[1]:
            style = opened.pop() if opened else style
        else:
            opened.append(style)
            style = _within(style, name, tag[3] or "")
    lines[-1].append(replace(style, letters=unescape(text[begin:])))
    return tuple(tuple(run for run in line if run.letters) for line in lines)


def _within(style: Run, name: str, colour: str) -> Run:
    if name in ("sup", "sub"):
        return replace(style, shift=name)
    return replace(style, bold=style.bold or name == "b", italic=style.italic or name == "i", colour=colour or style.colour)


def font_size(font: Any, otherwise: float) -> float:
    """In pixels, of a font that a figure gives, or none."""
    return float((font or {}).get("size") or otherwise)


def width(text: Any, size: float) -> float:
    """How wide the widest of its lines is, about, in pixels."""
    return size * max(sum(run.width() for run in line) for line in lines_of(str(text)))


def height(text: Any, size: float) -> float:
    """How high all its lines are together."""
    return LINE * size * len(lines_of(str(text)))


def write(
    text: Any,
    x: float,
    y: float,
    size: float,
    *,
    anchor: str = "start",
    turned: float = 0.0,
    bold: bool = False,
    colour: str = "",
) -> str:
    """A text whose first line stands on (x, y); ``anchor`` start, middle or end, ``turned`` in degrees around there."""
    lines = lines_of(str(text))
    if not any(lines):
        return ""
    more = f' text-anchor="{anchor}"' if anchor != "start" else ""
    more += f' transform="rotate({number(turned)} {number(x)} {number(y)})"' if turned else ""
    more += ' font-weight="700"' if bold else ""
    more += f' fill="{escaped(colour)}"' if colour else ""
    inside = "".join(_line(line, x, size, first=i == 0) for i, line in enumerate(lines))
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{more}>{inside}</text>'


def _line(line: tuple[Run, ...], x: float, size: float, *, first: bool) -> str:
    inside = "".join(_run(run, size, line[i - 1].shift if i else "") for i, run in enumerate(line))
    return inside if first else f'<tspan x="{number(x)}" dy="{number(LINE * size)}">{inside or " "}</tspan>'


def _run(run: Run, size: float, before: str) -> str:
    """A raised run lifts what follows it, which is lowered again."""
    up = {"sup": -0.42, "sub": 0.2, "": 0.0}
    dy = (up[run.shift] - up[before]) * size
    more = f' dy="{number(dy)}"' if dy else ""
    more += f' font-size="{number(_SMALL * size)}"' if run.shift else ""
    more += ' font-weight="700"' if run.bold else ""
    more += ' font-style="italic"' if run.italic else ""
    more += f' fill="{escaped(run.colour)}"' if run.colour else ""
    return f"<tspan{more}>{escaped(run.letters)}</tspan>" if more else escaped(run.letters)
