"""Lines, marks, areas and texts at points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from pages.charts.svg import text as texts
from pages.charts.svg.axis import Axis
from pages.charts.svg.bars import Slots, whiskers
from pages.charts.svg.symbols import looks, marks
from pages.charts.svg.values import FAR, NotDrawnError, as_opaque, each, fill, numbers, one_of, paint, path, runs, stroke_of

Trace = dict[str, Any]
Line = tuple[FloatArray, FloatArray]
MODES = ("none", "lines", "markers", "text", "lines+markers", "lines+text", "markers+text", "lines+markers+text")
_ANCHORS = {"left": "end", "center": "middle", "right": "start"}
_BESIDE = {"left": -1.0, "center": 0.0, "right": 1.0}
_LEVELS = {"top": -1.0, "middle": 0.0, "bottom": 1.0}


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A trace in pixels: ``x`` and ``y`` of its points, the line along them, and the line of the trace before it on this plot."""

    trace: Trace
    x: FloatArray
    y: FloatArray
    line: Line
    before: Line | None

    def write(self, x: Axis, y: Axis) -> str:
        """Area, whiskers, line, marks and texts, in this order."""
        mode = mode_of(self.trace)
        drawn = self._area() + whiskers(self.trace, self.x, y)
        drawn += self._line() if "lines" in mode else ""
        inside = self._inside(x, y)
        drawn += self._marks(inside) if "markers" in mode else ""
        drawn += self._texts(inside) if "text" in mode else ""
        return as_opaque(self.trace, drawn)

    def _inside(self, x: Axis, y: Axis) -> NDArray[np.int64]:
        """Places of the points whose mark can be seen: of what is not cut off at the edge, those within."""
        room = 1e-6 if self.trace.get("cliponaxis") is False else 30.0
        near = [(at >= min(axis.pixels) - room) & (at <= max(axis.pixels) + room) for at, axis in ((self.x, x), (self.y, y))]
        return np.flatnonzero(near[0] & near[1])

    def _line(self) -> str:
        look = stroke_of(self.trace.get("line") or {})
        return f'<path d="{d}"{look}/>' if look and (d := path(*self.line)) else ""

    def _marks(self, inside: NDArray[np.int64]) -> str:
        there = np.zeros(len(self.x), dtype=np.bool_)
        there[inside] = True
        found = [(mark, at[there[at]]) for mark, at in looks(self.trace.get("marker") or {}, len(self.x))]
        return "".join(marks(self.x[at], self.y[at], mark) for mark, at in found)

    def _texts(self, inside: NDArray[np.int64]) -> str:
        said = each(self.trace.get("text") or "", len(self.x))
        size = texts.font_size(self.trace.get("textfont"), self.trace["type_size"])
        level, side = _position(self.trace.get("textposition") or "middle center")
        sizes = (self.trace.get("marker") or {}).get("size", 6) if "markers" in mode_of(self.trace) else 0
        away = (float(np.max(numbers(sizes))) / 2 / 0.8 + 1) if np.any(sizes) else 0.0
        written = []
        for i in inside.tolist():
            high = texts.height(said[i], size) - texts.LINE * size
            y = self.y[i] + level * (away + size * 0.5) + texts.MIDDLE * size + {-1.0: -high, 0.0: -high / 2, 1.0: 0.0}[level]
            x = self.x[i] + _BESIDE[side] * away
            written.append(texts.write(said[i], x, y, size, anchor=_ANCHORS[side]))
        return "".join(written)

    def _area(self) -> str:
        kind = self.trace.get("fill") or "none"
        if kind == "none":
            return ""
        look = paint("fill", given) if (given := self.trace.get("fillcolor")) else fill(self.trace.get("line") or {}, 0.5)
        d = "".join(path(a, b, closed=True) for a, b in self._outlines(kind))
        return f'<path d="{d}"{look}/>' if d else ""

    def _outlines(self, kind: str) -> list[Line]:
        parts = [(np.clip(a, -FAR, FAR), np.clip(b, -FAR, FAR)) for a, b in runs(*self.line)]
        if kind == "toself":
            return parts
        if kind != "tonexty" or self.before is None:
            raise NotDrawnError("scatter.fill", kind)
        there = np.isfinite(self.before[0]) & np.isfinite(self.before[1])
        back = [np.clip(one[there][::-1], -FAR, FAR) for one in self.before]
        here = [np.concatenate([part[i] for part in parts] or [np.empty(0)]) for i in (0, 1)]
        return [(np.concatenate([here[0], back[0]]), np.concatenate([here[1], back[1]]))]


def mode_of(trace: Trace) -> str:
    """What is drawn of it."""
    mode = trace.get("mode") or "lines"
    if mode not in MODES:
        raise NotDrawnError("scatter.mode", mode)
    return str(mode)


def _position(given: Any) -> tuple[float, str]:
    level, _, side = str(given).partition(" ")
    one_of(_ANCHORS, side, "scatter.textposition")
    return one_of(_LEVELS, level, "scatter.textposition"), side


def stepped(x: FloatArray, y: FloatArray, shape: str) -> Line:
    """The corners of a line of this shape."""
    if shape == "linear":
        return x, y
    if shape == "hv":
        return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    if shape != "hvh":
        raise NotDrawnError("line.shape", shape)
    middles = (x[1:] + x[:-1]) / 2
    return np.concatenate([x[:1], np.repeat(middles, 2), x[-1:]]), np.repeat(y, 2)


def points(traces: Sequence[Trace], x: Axis, y: Axis, layout: dict[str, Any]) -> list[Point]:
    """Traces of one plot, in pixels."""
    beside = _beside(traces, x, layout)
    made: list[Point] = []
    for trace in traces:
        places = x.counted(trace["x"])
        across, up = x.at(places + beside.get(str(trace.get("offsetgroup")), 0.0)), y.place(trace["y"])
        size = min(len(across), len(up))
        line = stepped(across[:size], up[:size], (trace.get("line") or {}).get("shape") or "linear")
        made.append(Point(trace, across[:size], up[:size], line, made[-1].line if made else None))
    return made


def _beside(traces: Sequence[Trace], x: Axis, layout: dict[str, Any]) -> dict[str, float]:
    """How far the marks of each group stand from their places, where they stand side by side."""
    mode = layout.get("scattermode", "overlay")
    if mode == "overlay":
        return {}
    if mode != "group":
        raise NotDrawnError("layout.scattermode", mode)
    groups = list(dict.fromkeys(str(trace["offsetgroup"]) for trace in traces if trace.get("offsetgroup") is not None))
    taken = Slots.of([x.counted(trace["x"]) for trace in traces], 0.2, len(groups))
    return dict(zip(groups, taken.middles, strict=True))
