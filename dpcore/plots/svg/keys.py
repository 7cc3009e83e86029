"""The sign of a trace in the legend."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.plots.svg.bars import hatching
from dpcore.plots.svg.looks import fill, line_look
from dpcore.plots.svg.paths import number
from dpcore.plots.svg.symbols import Mark, marks
from dpcore.plots.svg.values import each, numbers, several

_FROM, _TO, _MIDDLE = 5.0, 35.0, 20.0  # pixels, along a sign
_LEAST, _MOST, _BOX = 2.0, 16.0, 12.0  # of a mark, and of a bar
_AREA = 6.0


def key(trace: dict[str, Any], x: float, y: float) -> str:
    """From x on, around y."""
    opacity = trace.get("opacity")
    inside = _bar(trace, x, y) if trace.get("type") == "bar" else _area(trace, x, y) + _line(trace, x, y) + _mark(trace, x, y)
    return inside if opacity is None else f'<g opacity="{number(opacity)}">{inside}</g>'


def _bar(trace: dict[str, Any], x: float, y: float) -> str:
    marker = trace.get("marker") or {}
    first = marker | {"color": each(marker.get("color"), 1)[0]}
    left, top = x + _MIDDLE - _BOX / 2, y - _BOX / 2
    if (first.get("pattern") or {}).get("shape"):
        return hatching([(left, top, _BOX, _BOX)], first)
    return f'<path d="M{number(left)} {number(top)}h{number(_BOX)}v{number(_BOX)}h-{number(_BOX)}z"{fill(first)}/>'


def _area(trace: dict[str, Any], x: float, y: float) -> str:
    if trace.get("fill") in (None, "none"):
        return ""
    look = fill({"color": trace["fillcolor"]}) if trace.get("fillcolor") else fill(trace.get("line") or {}, 0.5)
    box = f"M{number(x + _FROM)} {number(y - _AREA / 2)}h{number(_TO - _FROM)}v{number(_AREA)}h-{number(_TO - _FROM)}z"
    return f'<path d="{box}"{look}/>'


def _line(trace: dict[str, Any], x: float, y: float) -> str:
    lines = trace.get("type") == "contour" or "lines" in trace.get("mode", "lines")
    look = line_look(trace.get("line") or {}) if lines else ""
    return look and f'<path d="M{number(x + _FROM)} {number(y)}h{number(_TO - _FROM)}"{look}/>'


def _mark(trace: dict[str, Any], x: float, y: float) -> str:
    if trace.get("type") == "contour" or "markers" not in trace.get("mode", "lines"):
        return ""
    marker = dict(trace.get("marker") or {})
    size = marker.get("size", 6)
    mean = float(np.mean(numbers(size))) if several(size) else float(size)
    marker |= {name: each(marker[name], 1)[0] for name in ("color", "symbol", "opacity") if name in marker}
    one = Mark.of(marker | {"size": min(max(mean, _LEAST), _MOST)})
    return marks(np.array([x + _MIDDLE]), np.array([y]), one)
