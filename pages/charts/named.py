"""Names of lines where they run, in place of a legend that is looked up; the legend keeps those that find no room.

What only the legend says stays in it, above: a sign, or that something is not proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from typing import Any, Self, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.drawn import GREY, Drawn
from pages.charts.laid_out import axis_above, title_above
from pages.charts.moving import by_hand
from pages.charts.places_of_names import Line, Place, box_of, placed

# The plane that a figure of lines and dots is drawn in: what its axes show, and where in it a trace runs.


_ABOVE, _BELOW, _BESIDE = 0.1, 0.05, 0.02  # room beyond the data, in shares of their range; beside them where there are dots
_STEP, _MOST = 3.0, 20_000  # pixels between two points along a line, and the most points
Trace = dict[str, Any]
Range = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Plane:
    """What both axes show, as plotly counts it: of a logarithmic one the exponents of ten."""

    x: Range
    y: Range
    logarithmic: tuple[bool, bool]

    @classmethod
    def of(cls, data: list[Trace], layout: dict[str, Any]) -> Self | None:
        """That of a figure's traces. None where something is drawn that is no line and no dot, or on further axes, or where
        categories stand at an axis."""
        if not data or not all(map(_in_numbers, data)):
            return None
        logarithmic = tuple(layout[name].get("type") == "log" for name in ("xaxis", "yaxis"))
        x, y = (_range(data, layout, axis, log) for axis, log in zip("xy", logarithmic, strict=True))
        return cls(x, y, (logarithmic[0], logarithmic[1])) if x[0] < x[1] and y[0] < y[1] else None

    def run(self, trace: Trace, size: tuple[float, float]) -> FloatArray:
        """Points of a trace that lie inside, (n, 2) in pixels from the lower left of a plane of this size: along a line a few
        pixels apart."""
        x, y = (np.asarray(trace[axis], dtype=np.float64) for axis in "xy")
        mode = trace.get("mode", "lines")
        if "lines" in mode and (trace.get("line") or {}).get("shape") == "hv":
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        axes = zip((x, y), (self.x, self.y), size, self.logarithmic, strict=True)
        with np.errstate(invalid="ignore", over="ignore"):
            at = np.column_stack([(_exponents(v, log) - low) / (high - low) * pixels for v, (low, high), pixels, log in axes])
        at = at[np.all(np.isfinite(at), axis=1)]
        at = _along(at) if "lines" in mode else at
        return np.asarray(at[np.all((at >= -1) & (at <= np.array(size) + 1), axis=1)])

    def back(self, at: FloatArray, size: tuple[float, float]) -> tuple[float, float]:
        """A point in pixels, as plotly places an annotation there."""
        (left, right), (low, high) = self.x, self.y
        return left + float(at[0]) / size[0] * (right - left), low + float(at[1]) / size[1] * (high - low)


def _in_numbers(trace: Trace) -> bool:
    """Whether it is lines or dots, on the first axes, at numbers."""
    first = trace.get("type") == "scatter" and trace.get("xaxis", "x") == "x" and trace.get("yaxis", "y") == "y"
    return first and all(np.asarray(trace[axis]).dtype.kind in "fiu" for axis in "xy")


def _range(data: list[Trace], layout: dict[str, Any], axis: str, log: bool) -> Range:
    """The axis's own range, or as far as the data reach, with some room."""
    own = layout[f"{axis}axis"]
    if (given := own.get("range")) is not None:
        return float(given[0]), float(given[1])
    every = _exponents(np.concatenate([np.asarray(trace[axis], dtype=np.float64) for trace in data]), log)
    every = every[np.isfinite(every)]
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 0.0)
    if axis == "x":
        room = _BESIDE * (high - low) if any("markers" in trace.get("mode", "lines") for trace in data) else 0.0
        return low - room, high + room
    if own.get("rangemode") == "tozero" and low >= 0 and not log:
        return 0.0, high * (1 + _ABOVE)
    return low - _BELOW * (high - low), high + _ABOVE * (high - low)


def _exponents(values: FloatArray, logarithmic: bool) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if logarithmic else values


def _along(points: FloatArray) -> FloatArray:
    """Points at equal distances along a line."""
    if len(points) < 2:
        return points
    far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, far[-1], int(np.clip(far[-1] / _STEP, 2, _MOST)))
    return np.column_stack([np.interp(at, far, points[:, axis]) for axis in (0, 1)])


_GLYPHS = {"dash": "╍", "dot": "┅", "longdash": "╍", "dashdot": "╍"}
_SIGN = 3  # letters, as wide as a sign and the space after it
_ITEM, _ROW = 3.5, 1.6  # a sign and its space in a legend, and a row of it, in heights of the type
_INSIDE = {"x": 1, "y": 0.14, "xanchor": "right", "yanchor": "bottom", "orientation": "v", "bgcolor": "rgba(127,127,127,0.15)"}


@final
@dataclass(frozen=True, slots=True)
class Room:
    """The least room that a chart gets: ``width`` and ``height`` in pixels, its margins in them, and the type of its names.

    ``wide``: names have the sign of their line, and may stand off it with a line that leads there; so areas and clouds of dots
    have theirs too. They are in a second legend as well, for a window that is too narrow: hide that, or the names.
    """

    width: int
    height: int
    type_size: int
    wide: bool = False


def named(figure: Drawn, room: Room, *, follows: bool = False) -> tuple[Drawn, int]:
    """The same figure with a name at each line that has room for it, and how many names these are: its last annotations.

    Nothing that is drawn runs through a name, in this room and in any larger one: the ranges of both axes are fixed for that.
    A figure of something else than lines and dots keeps its legend. ``follows``: it is drawn under a hand. Then what moves has
    its name in the legend, and where an axis does, everything has.
    """
    ready, plane = figure.ready(), plane_of(figure)
    data = list(ready["data"])
    moves = list(figure.moves()) if follows else []
    if plane is None or any("range" in place for place, _ in moves) or ready["layout"].get("showlegend") is False:
        return Drawn({"data": data, "layout": ready["layout"]}, moves), 0
    moving = frozenset(place[1] for place, rule in moves if place[0] == "data" and by_hand(rule))
    found, names = _Naming(data, dict(ready["layout"]), plane, room, moving).figure()
    return Drawn(found, moves), names


def has_legend(figure: Drawn) -> bool:
    """As plotly has one: of two or more, or where it is asked for."""
    ready = figure.ready()
    return bool(ready["layout"].get("showlegend", len(ready["data"]) > 1))


def plane_of(figure: Drawn) -> Plane | None:
    """What the axes of a figure show; None where it has something else than lines and dots."""
    ready = figure.ready()
    return Plane.of([trace for trace in ready["data"] if not _empty(trace)], ready["layout"])


def _empty(trace: Trace) -> bool:
    return trace.get("type") == "scatter" and all(value is None for value in trace["x"])


def _in_legend(trace: Trace) -> bool:
    return bool(trace.get("showlegend") is not False and trace.get("name"))


def _edge(trace: Trace) -> bool:
    """Whether it is that of an area, and no line is drawn."""
    return (trace.get("line") or {}).get("width") == 0


@final
@dataclass(frozen=True, slots=True)
class _Naming:
    """The naming of one figure."""

    data: list[Trace]
    layout: dict[str, Any]
    plane: Plane
    room: Room
    moving: frozenset[int]

    def figure(self) -> tuple[dict[str, Any], int]:
        """The legend above has as many rows as those names need that find no place below it."""
        places: list[Place | None]
        rows, needed = -1, self._rows([trace for i, trace in enumerate(self.data) if not self._nameable(i)])
        while needed > rows:
            rows, places = needed, self._places(needed)
            needed = self._rows([trace for trace, place in zip(self.data, places, strict=True) if place is None])
        notes = [self._note(trace, place, rows) for trace, place in zip(self.data, places, strict=True) if place is not None]
        elsewhere: Trace = {"legend": "legend2"} if self.room.wide else {"showlegend": False}
        data = [trace if place is None else trace | elsewhere for trace, place in zip(self.data, places, strict=True)]
        return {"data": data, "layout": self._layout(notes, rows)}, len(notes)

    def _top(self, rows: int) -> int:
        size = self.room.type_size
        return size + 3 + title_above(self.layout) + axis_above(self.layout, size) + round(_ROW * size * rows)

    def _size(self, rows: int) -> tuple[float, float]:
        """Of the plot, in pixels, below so many rows of a legend."""
        edges = self.layout["margin"]
        return self.room.width - edges["l"] - edges["r"], max(1, self.room.height - self._top(rows) - edges["b"])

    def _places(self, rows: int) -> list[Place | None]:
        size = self._size(rows)
        there = [self._there(note, size) for note in self.layout.get("annotations", ())]
        return placed([self._line(i, size) for i in range(len(self.data))], there, size, self.room.type_size, led=self.room.wide)

    def _nameable(self, i: int) -> bool:
        """Beside a sign a name can stand for all that is drawn, without one for a line or a single dot."""
        trace = self.data[i]
        alone = "lines" in trace.get("mode", "lines") or len(trace["x"]) == 1
        there = i not in self.moving and _in_legend(trace) and not _empty(trace)
        return there and (self.room.wide or (alone and not _edge(trace)))

    def _line(self, i: int, size: tuple[float, float]) -> Line:
        """Without signs a name may stand over the edge of an area."""
        trace = self.data[i]
        if _empty(trace) or (_edge(trace) and not self.room.wide):
            return Line(np.empty((0, 2)), 0)
        letters = len(unescape(trace["name"])) + _SIGN * self.room.wide if self._nameable(i) else 0
        return Line(self.plane.run(trace, size), letters)

    def _there(self, note: dict[str, Any], size: tuple[float, float]) -> FloatArray:
        """The box of a note that the figure has."""
        at = [
            (note[axis] - low) / (high - low) * pixels if note.get(f"{axis}ref", axis) == axis else note[axis] * pixels
            for axis, (low, high), pixels in zip("xy", (self.plane.x, self.plane.y), size, strict=True)
        ]
        at = [at[0] + note.get("xshift", 0), at[1] + note.get("yshift", 0)]
        return box_of(len(unescape(note["text"])), (at[0], at[1]), note.get("xanchor", "center"), self.room.type_size)

    def _rows(self, traces: list[Trace]) -> int:
        """Of a legend with the names of these: each as wide as the longest, or all in one row."""
        left = [trace for trace in traces if _in_legend(trace)]
        letters = [0.5 * len(unescape(trace["name"])) + _ITEM for trace in left]
        across = self._size(0)[0] / self.room.type_size
        if not left or sum(letters) <= across:
            return min(1, len(left))
        return -(-len(left) // max(1, int(across / max(letters))))

    def _note(self, trace: Trace, place: Place, rows: int) -> dict[str, Any]:
        """With its side that stays at its place, so that it stays clear where it is drawn smaller beside more room."""
        size = self._size(rows)
        end, text = self.plane.back(place.end, size), str(trace["name"])
        note = {"xref": "x", "yref": "y", "xanchor": place.keeps, "yanchor": "middle", "font": {"size": self.room.type_size}}
        if self.room.wide:
            text = f"{_sign(trace)} {text}"
        if not place.led:
            return note | {"text": text, "x": end[0], "y": end[1], "showarrow": False}
        point = self.plane.back(place.point, size)
        arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": GREY, "axref": "x", "ayref": "y"}
        return note | arrow | {"text": text, "x": point[0], "y": point[1], "ax": end[0], "ay": end[1]}

    def _layout(self, notes: list[dict[str, Any]], rows: int) -> dict[str, Any]:
        layout, legend = self.layout, self.layout["legend"]
        above = 1 + axis_above(layout, self.room.type_size) / self._size(rows)[1]
        changed = {
            "margin": layout["margin"] | {"t": self._top(rows)},
            "xaxis": layout["xaxis"] | {"range": list(self.plane.x)},
            "yaxis": layout["yaxis"] | {"range": list(self.plane.y)},
            "legend": legend | {"y": above},
        }
        if self.room.wide and notes:
            changed |= {"legend2": legend | _INSIDE}
        return layout | changed | ({"annotations": [*layout.get("annotations", ()), *notes]} if notes else {})


def _sign(trace: Trace) -> str:
    """What a name stands for, in the colour of its line."""
    style, marker = trace.get("line") or {}, trace.get("marker") or {}
    dots = trace.get("mode") == "markers"
    glyph = "●" if dots else "▒" if trace.get("fill") else _GLYPHS.get(style.get("dash", ""), "━")
    colour = marker.get("color") if dots else style.get("color")
    return f'<span style="color:{colour if isinstance(colour, str) else GREY}">{glyph}</span>'
