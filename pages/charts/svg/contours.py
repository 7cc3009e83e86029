"""Lines of equal height over a grid (marching squares)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.svg.axis import Axis
from pages.charts.svg.maps import ColourScale, named
from pages.charts.svg.ticks import automatic
from pages.charts.svg.values import NotDrawnError, numbers, path, stroke_of

Point = tuple[float, float]
_MANY = 15
_EXACT = 6  # decimals of a pixel, to which both cells at a side find the same point


def levels(low: float, high: float, many: int) -> list[float]:
    """Round heights between both, about so many."""
    if not high > low:
        return []
    step = automatic((low, high), "linear", (high - low) / many).size
    found = [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [one for one in found if low < one < high]


def contours(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """Lines alone, in the colours of the scale."""
    if (trace.get("contours") or {}).get("coloring") != "lines":
        raise NotDrawnError("contours.coloring", (trace.get("contours") or {}).get("coloring"))
    across, up, heights = x.place(trace["x"]), y.place(trace["y"]), numbers(trace["z"], "z")
    known = heights[np.isfinite(heights)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    scale, look, drawn = ColourScale.of(trace.get("colorscale") or "Cividis"), trace.get("line") or {}, []
    for level in levels(low, high, int(trace.get("ncontours") or _MANY)):
        colour = named(scale.at(np.array((level - low) / (high - low))))
        d = "".join(path(line[:, 0], line[:, 1]) for line in chained(crossings(across, up, heights, level)))
        drawn.append(f'<path d="{d}"{stroke_of({"width": 1.5} | look | {"color": colour})}/>' if d else "")
    return "".join(drawn)


def crossings(across: FloatArray, up: FloatArray, heights: FloatArray, level: float) -> list[tuple[Point, Point]]:
    """Where a height cuts through the cells of a grid: from one of a cell's sides to another."""
    above = heights > level
    found = []
    mixed = above[:-1, :-1].astype(np.int8) + above[1:, :-1] + above[:-1, 1:] + above[1:, 1:]
    whole = np.isfinite(heights[:-1, :-1] + heights[1:, :-1] + heights[:-1, 1:] + heights[1:, 1:])
    for j, i in np.argwhere((mixed > 0) & (mixed < 4) & whole).tolist():
        corners = [(j, i), (j, i + 1), (j + 1, i + 1), (j + 1, i)]
        cut = [
            _cut(one, other, across, up, heights, level)
            for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)
            if above[one] != above[other]
        ]
        if len(cut) == 4 and (np.mean([heights[corner] for corner in corners]) > level) != above[corners[0]]:
            cut = [*cut[1:], cut[0]]  # of a saddle the middle tells which corners belong together
        found += [(cut[k], cut[k + 1]) for k in range(0, len(cut), 2) if cut[k] != cut[k + 1]]
    return found


def _cut(
    one: tuple[int, int], other: tuple[int, int], across: FloatArray, up: FloatArray, heights: FloatArray, level: float
) -> Point:
    """Along a side, as if the height rose evenly. The same from both cells that share it."""
    one, other = sorted((one, other))
    share = (level - heights[one]) / (heights[other] - heights[one])
    x = across[one[1]] + share * (across[other[1]] - across[one[1]])
    y = up[one[0]] + share * (up[other[0]] - up[one[0]])
    return round(float(x), _EXACT), round(float(y), _EXACT)


def chained(segments: list[tuple[Point, Point]]) -> list[FloatArray]:
    """Segments that share an end as lines, each as long as it goes on."""
    at: dict[Point, list[int]] = {}
    for i, ends in enumerate(segments):
        for end in ends:
            at.setdefault(end, []).append(i)
    left, lines = set(range(len(segments))), []
    loose = [i for i, ends in enumerate(segments) if any(len(at[end]) == 1 for end in ends)]
    for start in [*loose, *range(len(segments))]:
        if start in left:
            lines.append(_followed(start, segments, at, left))
    return lines


def _followed(start: int, segments: list[tuple[Point, Point]], at: dict[Point, list[int]], left: set[int]) -> FloatArray:
    left.discard(start)
    first, last = segments[start]
    if len(at[first]) > 1 and len(at[last]) == 1:
        first, last = last, first
    line = [first, last]
    while (onward := next((i for i in at[line[-1]] if i in left), None)) is not None:
        left.discard(onward)
        one, other = segments[onward]
        line.append(other if one == line[-1] else one)
    return np.array(line)
