"""Maps: cells whose colours are numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.plots.svg import text as texts
from dpcore.plots.svg.axis import Axis
from dpcore.plots.svg.colour_scales import ColourScale, named, read_on
from dpcore.plots.svg.paths import number
from dpcore.plots.svg.refused import NotDrawnError
from dpcore.plots.svg.values import numbers, unpacked

Trace = dict[str, Any]
_LEVELS = 255  # of colours
_MIDDLE = 0.35  # of the type, from the middle of a letter to where it stands
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
    w, h = max(0.0, abs(right - left) - 2 * xgap), max(0.0, abs(bottom - top) - 2 * ygap)
    return f"M{number(a)} {number(b)}h{number(w)}v{number(h)}h-{number(w)}z"


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
            written.append(texts.write(one, x, y + _MIDDLE * size, size, anchor="middle", colour=colour))
    return "".join(written)
