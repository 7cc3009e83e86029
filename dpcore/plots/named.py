"""Names of lines where they run, in place of a legend that is looked up; the legend keeps those that find no room.

What a legend names and nothing draws goes; a sign that only the legend explains stays in it, above.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.plots.drawn import Drawn
from dpcore.plots.large_type import axis_above, title_above
from dpcore.plots.places_of_names import Line, Place, box_of, placed
from dpcore.plots.plane import Plane, Trace
from dpcore.plots.style import GREY

if TYPE_CHECKING:
    import plotly.graph_objects as go

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


def named(figure: go.Figure, room: Room) -> tuple[go.Figure, int]:
    """The same figure with a name at each line that has room for it, and how many names these are: its last annotations.

    Nothing that is drawn runs through a name, in this room and in any larger one: the ranges of both axes are fixed for that.
    A figure of something else than lines and dots keeps its legend.
    """
    ready = figure.ready() if isinstance(figure, Drawn) else dict(figure.to_plotly_json())
    data = [trace for trace in ready["data"] if not _only_named(trace) or trace["mode"] == "markers"]
    plane = plane_of(figure)
    if plane is None:
        return Drawn({"data": data, "layout": ready["layout"]}), 0
    return _Naming(data, dict(ready["layout"]), plane, room).figure()


def plane_of(figure: go.Figure) -> Plane | None:
    """What the axes of a figure show; None where it has something else than lines and dots."""
    ready = figure.ready() if isinstance(figure, Drawn) else dict(figure.to_plotly_json())
    return Plane.of([trace for trace in ready["data"] if not _empty(trace)], ready["layout"])


def _empty(trace: Trace) -> bool:
    return trace.get("type") == "scatter" and all(value is None for value in trace["x"])


def _only_named(trace: Trace) -> bool:
    """Whether a trace is there for the legend alone."""
    return _empty(trace) and _in_legend(trace)


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

    def figure(self) -> tuple[go.Figure, int]:
        """The legend above has as many rows as those names need that find no place below it."""
        places: list[Place | None]
        rows, needed = -1, self._rows([trace for trace in self.data if not self._nameable(trace)])
        while needed > rows:
            rows, places = needed, self._places(needed)
            needed = self._rows([trace for trace, place in zip(self.data, places, strict=True) if place is None])
        notes = [self._note(trace, place, rows) for trace, place in zip(self.data, places, strict=True) if place is not None]
        data = [trace if place is None else self._moved(trace) for trace, place in zip(self.data, places, strict=True)]
        return Drawn({"data": data, "layout": self._layout(notes, rows)}), len(notes)

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
        return placed([self._line(trace, size) for trace in self.data], there, size, self.room.type_size, led=self.room.wide)

    def _nameable(self, trace: Trace) -> bool:
        """Beside a sign a name can stand for all that is drawn, without one for a line or a single dot."""
        alone = "lines" in trace.get("mode", "lines") or len(trace["x"]) == 1
        return _in_legend(trace) and not _empty(trace) and (self.room.wide or (alone and not _edge(trace)))

    def _line(self, trace: Trace, size: tuple[float, float]) -> Line:
        """Without signs a name may stand over the edge of an area."""
        if _empty(trace) or (_edge(trace) and not self.room.wide):
            return Line(np.empty((0, 2)), 0)
        letters = len(unescape(trace["name"])) + _SIGN * self.room.wide if self._nameable(trace) else 0
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

    def _moved(self, trace: Trace) -> Trace:
        """A trace that has its name beside it, out of the legend."""
        return trace | ({"legend": "legend2"} if self.room.wide else {"showlegend": False})

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
