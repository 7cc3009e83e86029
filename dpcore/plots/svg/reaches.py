"""What each trace needs of its two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.plots.svg.axis import counted
from dpcore.plots.svg.bars import room, slots
from dpcore.plots.svg.extremes import Reach
from dpcore.plots.svg.maps import edges as ends_of_cells
from dpcore.plots.svg.scatter import mode_of
from dpcore.plots.svg.values import numbers
from dpcore.plots.svg.whiskers import lengths

Trace = dict[str, Any]
Counted = tuple[str, Sequence[str]]  # the kind of an axis, and its categories
_LEAST_MARK, _OF_MARK = 3.0, 1.6  # pixels, and how many times the room a mark is wide
Reaches = dict[str, list[Reach | None]]


def of_plot(traces: Sequence[Trace], x: Counted, y: Counted, layout: dict[str, Any]) -> Reaches:
    """Those of all traces of one plot, by x and y."""
    found: Reaches = {"x": [], "y": []}
    standing = [trace for trace in traces if trace["type"] == "bar"]
    places = [counted(trace["x"], *x) for trace in standing]
    taken = slots(standing, places, layout)
    for i, (trace, at) in enumerate(zip(standing, places, strict=True)):
        found["x"].append(Reach.of(room(trace, at, taken, i)))
        found["y"] += [Reach.of(counted(trace["y"], *y), padded=True, from_zero=True), _of_whiskers(trace, y)]
    for trace in traces:
        if trace["type"] == "scatter":
            _scatter(trace, x, y, layout, found)
        elif trace["type"] in ("heatmap", "contour"):
            for letter, axis in (("x", x), ("y", y)):
                at = counted(trace[letter], *axis)
                found[letter].append(Reach.of(ends_of_cells(at) if trace["type"] == "heatmap" else at))
    return found


def _scatter(trace: Trace, x: Counted, y: Counted, layout: dict[str, Any], found: Reaches) -> None:
    mode, area = mode_of(trace), trace.get("fill") or "none"
    pixels = 0.0
    if "markers" in mode:
        size = float(np.max(numbers((trace.get("marker") or {}).get("size", 6))))
        pixels = max(size / _OF_MARK, _LEAST_MARK)
    padded = bool(trace.get("error_y")) or (area not in ("tonexty", "tozeroy") and ("markers" in mode or "text" in mode))
    at = counted(trace["x"], *x)
    if layout.get("scattermode") == "group":
        at = np.concatenate([at - 0.5, at + 0.5])
        found["x"].append(Reach.of(at))
    else:
        found["x"].append(Reach.of(at, pixels=pixels if padded else 0.0, padded=padded))
    values = Reach.of(counted(trace["y"], *y), pixels=pixels, padded=True, from_zero=area == "tozeroy")
    found["y"] += [values, _of_whiskers(trace, y)]


def _of_whiskers(trace: Trace, y: Counted) -> Reach | None:
    values, reach = counted(trace["y"], *y), lengths(trace)
    return None if reach is None else Reach.of(np.concatenate([values - reach, values + reach]), padded=True)
