"""The names of what is drawn, above it, in as many rows as they need: laid out as plotly lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pages.charts.svg.bars import hatching
from pages.charts.svg.symbols import Mark, marks
from pages.charts.svg.text import font_size, height, width, write
from pages.charts.svg.values import as_opaque, box, colour, count, each, fill, number, numbers, one_of, several, stroke_of

# The sign of a trace in the legend.


_FROM, _TO, _MIDDLE = 5.0, 35.0, 20.0  # pixels, along a sign
_LEAST_MARK, _MOST, _BOX = 2.0, 16.0, 12.0  # of a mark, and of a bar
_AREA = 6.0


def key(trace: dict[str, Any], x: float, y: float) -> str:
    """From x on, around y."""
    inside = _bar(trace, x, y) if trace.get("type") == "bar" else _area(trace, x, y) + _line(trace, x, y) + _mark(trace, x, y)
    return as_opaque(trace, inside)


def _bar(trace: dict[str, Any], x: float, y: float) -> str:
    marker = trace.get("marker") or {}
    first = marker | {"color": each(marker.get("color"), 1)[0]}
    left, top = x + _MIDDLE - _BOX / 2, y - _BOX / 2
    if (first.get("pattern") or {}).get("shape"):
        return hatching([(left, top, _BOX, _BOX)], first)
    return f'<path d="{box(left, top, _BOX, _BOX)}"{fill(first)}/>'


def _area(trace: dict[str, Any], x: float, y: float) -> str:
    if trace.get("fill") in (None, "none"):
        return ""
    look = fill({"color": trace["fillcolor"]}) if trace.get("fillcolor") else fill(trace.get("line") or {}, 0.5)
    return f'<path d="{box(x + _FROM, y - _AREA / 2, _TO - _FROM, _AREA)}"{look}/>'


def _line(trace: dict[str, Any], x: float, y: float) -> str:
    lines = trace.get("type") == "contour" or "lines" in trace.get("mode", "lines")
    look = stroke_of(trace.get("line") or {}) if lines else ""
    return look and f'<path d="M{number(x + _FROM)} {number(y)}h{number(_TO - _FROM)}"{look}/>'


def _mark(trace: dict[str, Any], x: float, y: float) -> str:
    if trace.get("type") == "contour" or "markers" not in trace.get("mode", "lines"):
        return ""
    marker = dict(trace.get("marker") or {})
    size = marker.get("size", 6)
    mean = float(np.mean(numbers(size))) if several(size) else float(size)
    marker |= {name: each(marker[name], 1)[0] for name in ("color", "symbol", "opacity") if name in marker}
    one = Mark.of(marker | {"size": min(max(mean, _LEAST_MARK), _MOST)})
    return marks(np.array([x + _MIDDLE]), np.array([y]), one)


Trace = dict[str, Any]
_KEY, _GAP = 40.0, 5.0  # pixels of a sign with its space, and between entries
_LEAST, _ROOM = 16.0, 3.0  # the height of an entry at least, and around it
_IN_ORDER = 1_000
_BEGINS = {"left": 0.0, "center": 0.5, "right": 1.0}
_STANDS = {"bottom": 1.0, "middle": 0.5, "top": 0.0}


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A trace's name at its place, from the upper left of the legend."""

    trace: Trace
    x: float
    y: float
    high: float


@final
@dataclass(frozen=True, slots=True)
class Legend:
    """``entries`` with the size of all of them together."""

    given: dict[str, Any]
    entries: tuple[Entry, ...]
    wide: float
    high: float
    type_size: float

    def above(self, plot_bottom: float, whole: float) -> float:
        """How many pixels above the plot the legend needs, of a picture so high whose plot ends so far from its bottom: as it
        stands at a share of the plot's own height, above its top."""
        y = float(self.given.get("y", 1.0))
        if y < 1 or self.given.get("yanchor") != "bottom":
            return 0.0
        return (self.high + (y - 1) * (whole - plot_bottom)) / y

    def write(self, left: float, top: float, plot: tuple[float, float]) -> str:
        """``plot``: the width and height of what it stands over, whose upper left corner is given."""
        x = left + float(self.given.get("x", 1.02)) * plot[0]
        x -= self.wide * one_of(_BEGINS, self.given.get("xanchor", "left"), "the xanchor of a legend")
        y = top + (1 - float(self.given.get("y", 1.0))) * plot[1]
        y -= self.high * one_of(_STANDS, self.given.get("yanchor", "top"), "the yanchor of a legend")
        ground = ""
        if (behind := self.given.get("bgcolor")) is not None:
            fill, opacity = colour(behind)
            ground = (
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(self.wide)}" height="{number(self.high)}" fill="{fill}" '
                f'fill-opacity="{number(opacity)}"/>'
            )
        return ground + "".join(self._entry(entry, x + entry.x, y + entry.y) for entry in self.entries)

    def _entry(self, entry: Entry, x: float, y: float) -> str:
        middle, size = y + entry.high / 2, self.type_size
        first = middle - height(_name(entry.trace), size) / 2 + 1.01 * size
        return key(entry.trace, x, middle) + write(_name(entry.trace), x + _KEY, first, size)


def _name(trace: Trace) -> str:
    return str(trace.get("name") or "")


def drawn(trace: Trace) -> bool:
    """Whether a trace is there at all: one without any value is not."""
    return trace.get("visible") is not False and count(trace.get("x")) > 0


def legends(data: Sequence[Trace], layout: dict[str, Any], room: float, type_size: float) -> list[Legend]:
    """Those that have an entry, for plots so many pixels wide."""
    names = dict.fromkeys(["legend", *(trace.get("legend") or "legend" for trace in data)])
    found = [_legend(name, data, layout, room, type_size) for name in names]
    return [one for one in found if one is not None]


def _legend(name: str, data: Sequence[Trace], layout: dict[str, Any], room: float, type_size: float) -> Legend | None:
    given = layout.get(name) or {}
    inside = [trace for trace in data if (trace.get("legend") or "legend") == name and drawn(trace)]
    inside = [trace for trace in inside if trace.get("type") != "heatmap"]
    named = [trace for trace in inside if trace.get("showlegend", trace.get("type") != "contour")]
    asked = any(trace.get("showlegend") is True for trace in named)
    there = layout.get("showlegend", bool(named) and (len(inside) > (name == "legend") or asked))
    if not there or not named:
        return None
    named.sort(key=lambda trace: float(trace.get("legendrank") or _IN_ORDER))
    if any(trace.get("fill") == "tonexty" for trace in inside) and not any(trace.get("legendgroup") for trace in named):
        named.reverse()  # as plotly has them where an area lies on the line before it
    size = font_size(given.get("font"), type_size)
    entries = _rows(named, given, room, size)
    wide = max(entry.x + _wide(entry.trace, given, room, size) for entry in entries)
    return Legend(given, tuple(entries), wide, max(entry.y + entry.high for entry in entries) + 2 * _GAP, size)


def _wide(trace: Trace, given: dict[str, Any], room: float, size: float) -> float:
    if given.get("entrywidthmode") == "fraction":
        return float(given["entrywidth"]) * room
    return width(_name(trace), size) + _KEY


def _high(trace: Trace, size: float) -> float:
    return max(height(_name(trace), size), _LEAST) + _ROOM


def _rows(named: Sequence[Trace], given: dict[str, Any], room: float, size: float) -> list[Entry]:
    """One after another where all have room, else in columns as wide as the widest; one after another in rows where some belong
    together. Below one another in a legend that is upright."""
    widths = [_wide(trace, given, room, size) for trace in named]
    gap = 0.0 if given.get("entrywidthmode") == "fraction" else _GAP
    flows = sum(widths) + _GAP * (len(named) - 1) < room or any(trace.get("legendgroup") for trace in named)
    across = room if given.get("orientation") == "h" else 0.0
    entries, x, y, row = list[Entry](), 0.0, _GAP, 0.0
    for trace, wide in zip(named, widths, strict=True):
        taken = wide if flows else max(widths)
        if x and x + taken > across + 1e-6:
            x, y, row = 0.0, y + row, 0.0
        high = _high(trace, size)
        entries.append(Entry(trace, x, y, high))
        x, row = x + taken + gap, max(row, high)
    return entries
