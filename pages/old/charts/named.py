"""Names of lines where they run, in place of a legend that is looked up; the legend keeps those that find no room.

What only the legend says stays in it, above: a sign, or that something is not proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.old.charts.drawn import Drawn, note
from pages.old.charts.laid_out import axis_above, title_above
from pages.old.charts.places_of_names import KEEPS, Place, boxes, placed

# The plane that a figure of lines and dots is drawn in: what its axes show, and where in it a trace runs.


_ABOVE, _BELOW, _BESIDE = 0.1, 0.05, 0.02  # room beyond the data, in shares of their range; beside them where there are dots
_STEP, _MOST = 3.0, 20_000  # pixels between two points along a line, and the most points
Trace = dict[str, Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """What both axes show, from ``low`` to ``high`` of x and y, as plotly counts: of a ``logarithmic`` one exponents of ten."""

    low: FloatArray
    high: FloatArray
    logarithmic: tuple[bool, ...]

    def pixels(self, points: FloatArray, size: FloatArray) -> FloatArray:
        """Points (n, 2) as pixels from the lower left of a plane of this size."""
        return np.asarray((points - self.low) / (self.high - self.low) * size)

    def run(self, trace: Trace, size: FloatArray) -> FloatArray:
        """Points of a trace that lie inside, (n, 2) in pixels: along a line a few pixels apart."""
        x, y = (_exponents(trace[axis], log) for axis, log in zip("xy", self.logarithmic, strict=True))
        if (trace.get("line") or {}).get("shape") == "hv":
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        with np.errstate(invalid="ignore", over="ignore"):
            at = self.pixels(np.column_stack([x, y]), size)
        at = at[np.all(np.isfinite(at), axis=1)]
        if "lines" in trace.get("mode", "lines") and len(at) > 1:
            far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(at, axis=0).T))])
            along = np.linspace(0, far[-1], int(np.clip(far[-1] / _STEP, 2, _MOST)))
            at = np.column_stack([np.interp(along, far, at[:, axis]) for axis in (0, 1)])
        return np.asarray(at[np.all((at >= -1) & (at <= size + 1), axis=1)])


def plane_of(figure: Drawn) -> Plane | None:
    """What the axes of a figure show; None where it has something else than lines and dots, on the first axes, at numbers."""
    ready = figure.ready()
    drawn, axes = [trace for trace in ready["data"] if not _empty(trace)], [ready["layout"][f"{axis}axis"] for axis in "xy"]
    if not drawn or not all(map(_in_numbers, drawn)):
        return None
    low, high = np.array([_range(drawn, letter, axis) for letter, axis in zip("xy", axes, strict=True)]).T
    return Plane(low, high, tuple(axis.get("type") == "log" for axis in axes)) if (low < high).all() else None


def _in_numbers(trace: Trace) -> bool:
    first = trace.get("type") == "scatter" and trace.get("xaxis", "x") == "x" and trace.get("yaxis", "y") == "y"
    return first and all(np.asarray(trace[axis]).dtype.kind in "fiu" for axis in "xy")


def _range(data: list[Trace], letter: str, axis: dict[str, Any]) -> tuple[float, float]:
    """The axis's own range, or as far as the data reach, with some room."""
    if (given := axis.get("range")) is not None:
        return float(given[0]), float(given[1])
    every = np.concatenate([_exponents(trace[letter], axis.get("type") == "log") for trace in data])
    every = every[np.isfinite(every)]
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 0.0)
    below, above = _BELOW, _ABOVE
    if letter == "x":
        below = above = _BESIDE * any("markers" in trace.get("mode", "lines") for trace in data)
    elif axis.get("rangemode") == "tozero" and low >= 0 and axis.get("type") != "log":
        low, below = 0.0, 0.0
    return low - below * (high - low), high + above * (high - low)


def _exponents(values: Any, logarithmic: bool) -> FloatArray:
    found: FloatArray = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(found) if logarithmic else found


# Names of lines in it.


_ITEM, _ROW = 3.5, 1.6  # a sign and its space in a legend, and a row of it, in heights of the type


@final
@dataclass(frozen=True, slots=True)
class Room:
    """The least room that a chart gets: ``width`` and ``height`` in pixels, its margins in them, and the type of its names."""

    width: int
    height: int
    type_size: int


def named(figure: Drawn, room: Room) -> tuple[Drawn, int]:
    """The same figure with a name at each line that has room for it, and how many names these are: its last annotations.

    Nothing that is drawn runs through a name, in this room and in any larger one: the ranges of both axes are fixed for that.
    Areas and clouds of dots keep the legend, and so does a figure of something else. Where a figure has a second legend, that
    is of the names at lines.
    """
    ready, plane = figure.ready(), plane_of(figure)
    if plane is None or ready["layout"].get("showlegend") is False:
        return Drawn({"data": list(ready["data"]), "layout": ready["layout"]}), 0
    found, names = _Naming(ready["data"], ready["layout"], plane, room).figure()
    return Drawn(found), names


def _empty(trace: Trace) -> bool:
    return trace.get("type") == "scatter" and all(value is None for value in trace["x"])


def _edge(trace: Trace) -> bool:
    """Whether it is that of an area, and no line is drawn: a name may stand over it."""
    return (trace.get("line") or {}).get("width") == 0


def _letters(trace: Trace) -> int:
    """Of its name in a legend."""
    return len(unescape(trace.get("name") or "")) if trace.get("showlegend") is not False else 0


@final
@dataclass(frozen=True, slots=True)
class _Naming:
    """The naming of one figure."""

    data: list[Trace]
    layout: dict[str, Any]
    plane: Plane
    room: Room

    def figure(self) -> tuple[dict[str, Any], int]:
        """The legend above has as many rows as those names need that find no place below it."""
        places: list[Place | None]
        rows, needed = -1, self._rows([trace for i, trace in enumerate(self.data) if not self._nameable(i)])
        while needed > rows:
            rows, places = needed, self._places(needed)
            needed = self._rows([trace for trace, place in zip(self.data, places, strict=True) if place is None])
        elsewhere: Trace = {"legend": "legend2"} if "legend2" in self.layout else {"showlegend": False}
        both = list(zip(self.data, places, strict=True))
        notes = [self._note(trace["name"], place, rows) for trace, place in both if place is not None]
        data = [trace if place is None else trace | elsewhere for trace, place in both]
        return {"data": data, "layout": self._layout(notes, rows)}, len(notes)

    def _top(self, rows: int) -> int:
        size = self.room.type_size
        return size + 3 + title_above(self.layout) + axis_above(self.layout, size) + round(_ROW * size * rows)

    def _size(self, rows: int) -> FloatArray:
        """Of the plot, in pixels, below so many rows of a legend."""
        edges = self.layout["margin"]
        high = self.room.height - self._top(rows) - edges["b"]
        return np.array([self.room.width - edges["l"] - edges["r"], max(1, high)], dtype=np.float64)

    def _places(self, rows: int) -> list[Place | None]:
        size = self._size(rows)
        lines = [
            (
                np.empty((0, 2)) if _empty(trace) or _edge(trace) else self.plane.run(trace, size),
                _letters(trace) * self._nameable(i),
            )
            for i, trace in enumerate(self.data)
        ]
        there = [self._there(one, size) for one in self.layout.get("annotations", ())]
        return placed(lines, there, size, self.room.type_size)

    def _nameable(self, i: int) -> bool:
        """A line, or a single dot."""
        trace = self.data[i]
        alone = "lines" in trace.get("mode", "lines") or len(trace["x"]) == 1
        return alone and _letters(trace) > 0 and not _empty(trace) and not _edge(trace)

    def _there(self, there: dict[str, Any], size: FloatArray) -> FloatArray:
        """The box of a note that the figure has."""
        given = np.array([there["x"], there["y"]], dtype=np.float64)
        on_axis = [there.get(f"{axis}ref", axis) == axis for axis in "xy"]
        at = np.where(on_axis, self.plane.pixels(given, size), given * size)
        at += np.array([there.get("xshift", 0), there.get("yshift", 0)])
        side = np.array([KEEPS.get(there.get("xanchor", "center"), 0.0)])
        return boxes(at[None], side, len(unescape(there["text"])), self.room.type_size).ravel()

    def _rows(self, traces: list[Trace]) -> int:
        """Of a legend with the names of these: each as wide as the longest, or all in one row."""
        wide = [0.5 * letters + _ITEM for letters in map(_letters, traces) if letters]
        across = self._size(0)[0] / self.room.type_size
        return min(1, len(wide)) if sum(wide) <= across else -(-len(wide) // max(1, int(across / max(wide))))

    def _note(self, name: str, place: Place, rows: int) -> dict[str, Any]:
        """With its side that stays at its place, so that it stays clear where it is drawn smaller beside more room."""
        x, y = self.plane.low + place.end / self._size(rows) * (self.plane.high - self.plane.low)
        stays = {"xref": "x", "yref": "y", "xanchor": place.keeps, "yanchor": "middle"}
        return stays | note(name, float(x), float(y), size=self.room.type_size)

    def _layout(self, notes: list[dict[str, Any]], rows: int) -> dict[str, Any]:
        above = 1 + axis_above(self.layout, self.room.type_size) / self._size(rows)[1]
        (left, low), (right, high) = self.plane.low.tolist(), self.plane.high.tolist()
        changed: dict[str, dict[str, Any]] = {
            "margin": {"t": self._top(rows)},
            "xaxis": {"range": [left, right]},
            "yaxis": {"range": [low, high]},
            "legend": {"y": float(above)},
        }
        layout = self.layout | {name: self.layout[name] | one for name, one in changed.items()}
        asked = {"showlegend": True} if "legend2" in layout else {}  # plotly hides one with a single name that is not asked for
        return layout | asked | ({"annotations": [*self.layout.get("annotations", ()), *notes]} if notes else {})
