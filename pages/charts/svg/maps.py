"""Maps: cells whose colours are numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from pages.charts.drawn import SCALES
from pages.charts.svg import text as texts
from pages.charts.svg.axis import Axis
from pages.charts.svg.values import NotDrawnError, box, number, numbers, one_of, unpacked

# Colours between two ends, as numbers are between theirs.


_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_DARK, _OF_DARK, _OF_LIGHT = 128.0, "#ffffff", "#444444"


@final
@dataclass(frozen=True, eq=False)
class ColourScale:
    """``stops`` (s,) from 0 to 1 with the red, green and blue of each, (s, 3)."""

    stops: FloatArray
    colours: FloatArray

    @classmethod
    def of(cls, given: Any) -> ColourScale:
        """By its name, or by its stops."""
        pairs: Any = one_of(SCALES, given, "colorscale") if isinstance(given, str) else given
        if not pairs:
            raise NotDrawnError("colorscale", given)
        return cls(np.array([float(at) for at, _ in pairs]), np.array([_rgb(colour) for _, colour in pairs]))

    def at(self, shares: FloatArray) -> NDArray[np.int64]:
        """Red, green and blue of each of any shape, in a further axis."""
        found = [np.interp(np.clip(shares, 0, 1), self.stops, part) for part in self.colours.T]
        return np.asarray(np.rint(np.stack(found, axis=-1)), dtype=np.int64)


def _rgb(colour: str) -> tuple[float, float, float]:
    if not _HEX.match(colour):
        raise NotDrawnError("a colour of a colorscale", colour)
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def named(rgb: Any) -> str:
    """A colour as an attribute has it."""
    red, green, blue = (int(part) for part in rgb)
    return f"#{red:02x}{green:02x}{blue:02x}"


def read_on(rgb: Any) -> str:
    """The colour of a text on this ground, as plotly chooses it."""
    red, green, blue = (float(part) for part in rgb)
    return _OF_DARK if (299 * red + 587 * green + 114 * blue) / 1000 < _DARK else _OF_LIGHT


Trace = dict[str, Any]
_LEVELS = 255  # of colours
_ONLY_TEXT = re.compile(r"%\{text\}\Z")


def edges(centres: FloatArray) -> FloatArray:
    """Where cells end that have these middles, (n + 1,)."""
    if len(centres) == 1:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    between = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[centres[0] - (between[0] - centres[0])], between, [centres[-1] + (centres[-1] - between[-1])]])


def ends(trace: Trace) -> tuple[float, float]:
    """The numbers of both ends of the colours."""
    heights = numbers(trace["z"], "z")
    known = heights[np.isfinite(heights)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low = low if trace.get("zmin") is None else float(trace["zmin"])
    high = high if trace.get("zmax") is None else float(trace["zmax"])
    return low, high


def shares(trace: Trace) -> FloatArray:
    """Where each cell's number is between both ends, (up, across)."""
    low, high = ends(trace)
    heights = numbers(trace["z"], "z")
    return np.asarray((heights - low) / (high - low) if high > low else np.where(np.isfinite(heights), 0.5, np.nan))


def cells(trace: Trace, x: Axis, y: Axis) -> str:
    """Every cell, and what stands in it. Cells of one colour that touch in a row are one."""
    across, up = (axis.at(edges(axis.counted(trace[axis.letter]))) for axis in (x, y))
    of_cells = shares(trace)
    if of_cells.shape != (len(up) - 1, len(across) - 1):
        raise NotDrawnError("heatmap.z", of_cells.shape)
    gaps = float(trace.get("xgap") or 0) / 2, float(trace.get("ygap") or 0) / 2
    levels = np.where(np.isfinite(of_cells), np.rint(np.clip(of_cells, 0, 1) * _LEVELS), -1).astype(np.int64)
    palette = ColourScale.of(trace.get("colorscale") or "Cividis").at(np.arange(_LEVELS + 1) / _LEVELS)
    of_level: dict[int, list[str]] = {}
    for row in range(len(levels)):
        for level, first, last in _alike(levels[row], apart=gaps[0] > 0):
            sides = float(across[first]), float(across[last + 1]), float(up[row]), float(up[row + 1])
            of_level.setdefault(level, []).append(_cell(sides, gaps))
    drawn = "".join(f'<path d="{"".join(d)}" fill="{named(palette[level])}"/>' for level, d in of_level.items() if level >= 0)
    return f'<g shape-rendering="crispEdges">{drawn}</g>' + _texts(trace, across, up, palette[levels])


def _alike(row: Any, *, apart: bool) -> list[tuple[int, int, int]]:
    """(level, first, last) of cells that are drawn as one."""
    breaks = np.arange(1, len(row)) if apart else np.flatnonzero(np.diff(row)) + 1
    first = np.concatenate([[0], breaks])
    last = np.concatenate([breaks, [len(row)]]) - 1
    return [(int(row[a]), int(a), int(b)) for a, b in zip(first, last, strict=True)]


def _cell(sides: tuple[float, float, float, float], gaps: tuple[float, float]) -> str:
    (left, right, bottom, top), (xgap, ygap) = sides, gaps
    a, b = min(left, right) + xgap, min(bottom, top) + ygap
    return box(a, b, max(0.0, abs(right - left) - 2 * xgap), max(0.0, abs(bottom - top) - 2 * ygap))


def _texts(trace: Trace, across: FloatArray, up: FloatArray, grounds: Any) -> str:
    template = trace.get("texttemplate")
    if not template:
        return ""
    if not _ONLY_TEXT.match(template):
        raise NotDrawnError("heatmap.texttemplate", template)
    size = texts.font_size(trace.get("textfont"), trace["type_size"])
    said, written = unpacked(trace["text"]), []
    for row, of_row in enumerate(said):
        for column, one in enumerate(of_row):
            x, y = (across[column] + across[column + 1]) / 2, (up[row] + up[row + 1]) / 2
            colour = read_on(grounds[row][column])
            written.append(texts.write(one, x, y + texts.MIDDLE * size, size, anchor="middle", colour=colour))
    return "".join(written)


# The bar beside a map that tells what number a colour is.


_THICK, _PAD, _AWAY = 30.0, 10.0, 4.0
_STRIPES, _BESIDE = 64, 0.02  # of the plot's width between it and the bar
_TITLE_ROOM = 2.2  # heights of its type


@final
@dataclass(frozen=True, slots=True)
class ColourBar:
    """The bar of a trace that has one."""

    trace: Trace
    type_size: float

    @classmethod
    def of(cls, data: list[Trace], type_size: float) -> ColourBar | None:
        """That of the first map that does not leave it out."""
        maps = [trace for trace in data if trace.get("type") == "heatmap" and trace.get("showscale") is not False]
        return cls(maps[0], type_size) if maps else None

    @property
    def given(self) -> dict[str, Any]:
        """What the trace says of it."""
        return dict(self.trace.get("colorbar") or {})

    def room(self, wide: float) -> float:
        """Pixels right of a plot so wide."""
        axis = self._axis((100.0, 0.0))
        longest = max((texts.width(tick.text, self.type_size) for tick in axis.ticks()), default=0.0)
        title = texts.width(self._title, self.type_size)
        thick, pad = (float(self.given.get(name, default)) for name, default in (("thickness", _THICK), ("xpad", _PAD)))
        return _BESIDE * wide + pad + max(thick + _AWAY + longest, title) + _AWAY

    @property
    def _title(self) -> str:
        return str((self.given.get("title") or {}).get("text") or "")

    def _axis(self, pixels: tuple[float, float]) -> Axis:
        low, high = ends(self.trace)
        given = {name: value for name, value in self.given.items() if name in ("tickvals", "ticktext", "nticks")}
        return Axis("y", given, "linear", (), (low, high) if high > low else (low - 0.5, high + 0.5), pixels)

    def write(self, right: float, top: float, plot: tuple[float, float]) -> str:
        """Beside a plot of this width and height, whose upper right corner is given."""
        thick, pad = (float(self.given.get(name, default)) for name, default in (("thickness", _THICK), ("xpad", _PAD)))
        x, size = right + _BESIDE * plot[0] + pad, self.type_size
        head = _TITLE_ROOM * size if self._title else 0.0
        low, high = top + plot[1] - pad, top + pad + head
        step = (low - high) / _STRIPES
        colours = ColourScale.of(self.trace.get("colorscale") or "Cividis").at((np.arange(_STRIPES) + 0.5) / _STRIPES)
        stripes = "".join(
            f'<path d="M{number(x)} {number(low - i * step)}h{number(thick)}v-{number(step + 0.5 * (i < _STRIPES - 1))}'
            f'h-{number(thick)}z" fill="{named(colour)}"/>'
            for i, colour in enumerate(colours)
        )
        axis = self._axis((low, high))
        said = "".join(
            texts.write(tick.text, x + thick + _AWAY, y + texts.MIDDLE * size, size) for tick, y in axis.placed_ticks()
        )
        title = texts.write(self._title, x, high - size, size) if self._title else ""
        outline = f"M{number(x)} {number(high)}h{number(thick)}V{number(low)}h-{number(thick)}z"
        around = f'<path d="{outline}" fill="none" stroke="#444444"/>'
        return f'<g shape-rendering="crispEdges">{stripes}</g>{around}{said}{title}'
