"""A wide chart: its type as large as is asked for, and its lines labelled where they run, instead of a legend that is looked up.

A label stands beside the point of its line that lies furthest from every other line and label. Where one of them finds no
place, or where something is drawn that is no line, the legend stays. What a legend names and nothing draws goes; a sign that
only the legend explains is explained above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any, final

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from dpcore.plots.drawn import Drawn
from dpcore.plots.style import GREY

_WIDTH = 0.56  # of a letter, in heights of the type
_CLEAR = 5.0  # pixels that stay free around a label
_AWAY = (6.0, 36.0, 80.0, 140.0)  # pixels between a label and its line
_CROSSED = 25.0  # how far off a label would rather stand than have its way cross a line
_PLACES, _NEAR = 24, 160  # points of a line that are tried, and points of each line that are kept away from
_GLYPHS = {"dash": "╍", "dot": "┅", "longdash": "╍", "dashdot": "╍"}
Box = tuple[float, float, float, float]  # left, bottom, right, top


@final
@dataclass(frozen=True)
class Label:
    """Where a label stands, and the point of its line that it is for, ``away`` pixels off."""

    point: tuple[float, float]
    box: Box
    away: float

    def meets(self, other: Label) -> bool:
        """Whether two overlap, or the way from this one to its line leads through the other."""
        one, two = self.box, other.box
        over = one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
        return over or _distance(self.way, two) < _CLEAR or _distance(other.way, one) < _CLEAR

    @property
    def way(self) -> FloatArray:
        """Points from the line to the label's edge."""
        edge = np.clip(self.point, self.box[:2], self.box[2:])
        return np.asarray(self.point) + np.linspace(0, 1, 12)[:, None] * (edge - self.point)

    def crosses(self, others: FloatArray) -> int:
        """How many points of the way lie on another line, beyond the first few pixels."""
        way = self.way[2:]
        return int(sum(_distance(others, (x, y, x, y)) < _CLEAR for x, y in way)) if self.away > _AWAY[0] else 0


@final
@dataclass(frozen=True)
class Plane:
    """The area that is drawn in: its size in pixels, and the axes' ranges as plotly counts them (of a logarithmic one, the
    exponents of ten)."""

    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]
    logarithmic: tuple[bool, bool]

    def pixels(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Each point inside, in pixels from the lower left; a row each."""
        axes = zip((x, y), (self.x, self.y), (self.width, self.height), self.logarithmic, strict=True)
        at = np.column_stack([_exponents(v, log) * size / (high - low) - low * size / (high - low)
                              for v, (low, high), size, log in axes])  # fmt: skip
        within = np.all(np.isfinite(at) & (at >= -1) & (at <= np.array([self.width, self.height]) + 1), axis=1)
        return np.asarray(at[within], dtype=np.float64)

    def back(self, x: float, y: float) -> tuple[float, float]:
        """A point in pixels, as plotly places an annotation there."""
        (left, right), (low, high) = self.x, self.y
        return left + x / self.width * (right - left), low + y / self.height * (high - low)


def widened(figure: go.Figure, *, width: int, height: int, type_size: int) -> tuple[go.Figure, bool]:
    """The same figure for a place of about ``width`` × ``height`` pixels, with type of ``type_size`` pixels at least; and whether
    its lines are labelled. The legend is there all the same, for whoever shows it in less width: hide it, or the labels.
    """
    ready = figure.ready() if isinstance(figure, Drawn) else dict(figure.to_plotly_json())
    data = [trace for trace in ready["data"] if not _named_only(trace) or trace["mode"] == "markers"]
    layout = _enlarged(ready["layout"], type_size)
    edges = layout["margin"]
    drawn = [trace for trace in data if not _empty(trace)]
    plane = _plane(drawn, layout, width - edges["l"] - edges["r"], height - edges["t"] - edges["b"])
    labels = None if plane is None else _labels(drawn, plane, type_size)
    if plane is None or labels is None:
        return Drawn({"data": data, "layout": layout}), False
    notes = _explained([trace for trace in data if _named_only(trace)], type_size)
    layout["annotations"] = [*layout.get("annotations", ()), *labels, *notes]
    inside = {"x": 1, "y": 0.05, "xanchor": "right", "yanchor": "bottom", "orientation": "v", "bgcolor": "rgba(127,127,127,0.15)"}
    layout["legend"] = layout["legend"] | inside
    layout["margin"] = edges | {"autoexpand": False}
    layout["xaxis"] = layout["xaxis"] | {"range": list(plane.x)}  # else plotly makes room for labels beyond the data
    layout["yaxis"] = layout["yaxis"] | {"range": list(plane.y)}
    return Drawn({"data": data, "layout": layout}), True


def _enlarged(given: dict[str, Any], size: int) -> dict[str, Any]:
    """The layout with its type of that size, and margins for it."""
    layout = dict(given)
    above = 3 * size if "xaxis2" in given else 0
    layout["margin"] = {"l": 6 * size, "r": 2 * size, "t": size + above, "b": int(4.4 * size)}
    if "annotations" in given:
        layout["annotations"] = [_as_large(label, size) for label in given["annotations"]]
    layout["font"] = {**layout.get("font", {}), "size": size}
    layout["legend"] = {**layout.get("legend", {}), "font": {"size": size}}
    for axis in (name for name in layout if name[1:].startswith("axis")):
        title, raised = layout[axis].get("title") or {}, layout[axis].get("exponentformat") == "power"
        layout[axis] = layout[axis] | {
            "tickfont": {"size": round(1.2 * size) if raised else size}, "title": {**title, "font": {"size": size}},
        }  # fmt: skip
    return layout


def _as_large(label: dict[str, Any], size: int) -> dict[str, Any]:
    """A label that the figure has, and its distance from what it belongs to, for type of that size."""
    before = (label.get("font") or {}).get("size", size)
    larger = {"font": {**(label.get("font") or {}), "size": max(size, before)}}
    return label | larger | {key: label[key] * max(1.0, size / before) for key in ("yshift", "xshift") if key in label}


def _named_only(trace: dict[str, Any]) -> bool:
    """Whether a trace is there for the legend alone."""
    return _empty(trace) and trace.get("showlegend") is not False


def _empty(trace: dict[str, Any]) -> bool:
    return trace.get("type") == "scatter" and all(value is None for value in trace["x"])


def _explained(notes: list[dict[str, Any]], size: int) -> Iterator[dict[str, Any]]:
    for row, trace in enumerate(notes):
        sign = "○" if "open" in str(trace["marker"].get("symbol")) else "●"
        yield {
            "xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom", "showarrow": False,
            "yshift": 1.3 * size * row, "font": {"size": size}, "text": f"{sign} {trace['name']}",
        }  # fmt: skip


def _exponents(values: FloatArray, logarithmic: bool) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if logarithmic else values


def _plane(data: list[dict[str, Any]], layout: dict[str, Any], width: float, height: float) -> Plane | None:
    """None where something is drawn that is no line and no point, or where categories stand at an axis."""
    if not data or any(trace.get("type") != "scatter" or not _numbers(trace) for trace in data):
        return None
    if any(trace.get("xaxis", "x") != "x" or trace.get("yaxis", "y") != "y" for trace in data):
        return None
    logarithmic = tuple(layout[name].get("type") == "log" for name in ("xaxis", "yaxis"))
    ranges = [_range(data, layout, axis, log) for axis, log in zip("xy", logarithmic, strict=True)]
    if any(found is None or not found[0] < found[1] for found in ranges):
        return None
    x, y = (found for found in ranges if found is not None)
    return Plane(width, height, x, y, (logarithmic[0], logarithmic[1]))


def _numbers(trace: dict[str, Any]) -> bool:
    return all(np.asarray(trace[axis]).dtype.kind in "fiu" for axis in "xy")


def _range(data: list[dict[str, Any]], layout: dict[str, Any], axis: str, log: bool) -> tuple[float, float] | None:
    """The axis's own range, or as far as the data reach, with plotly's margin of a twentieth."""
    given = layout[f"{axis}axis"].get("range")
    if given is not None:
        return float(given[0]), float(given[1])
    every = _exponents(np.concatenate([np.asarray(trace[axis], dtype=np.float64) for trace in data]), log)
    every = every[np.isfinite(every)]
    if not every.size:
        return None
    low, high = float(every.min()), float(every.max())
    if layout[f"{axis}axis"].get("rangemode") == "tozero":
        low = min(low, 0.0)
    edge = 0.05 * (high - low)
    floor = low == 0 and layout[f"{axis}axis"].get("rangemode") == "tozero"
    return (low if floor else low - edge), high + edge


def _labels(data: list[dict[str, Any]], plane: Plane, size: int) -> list[dict[str, Any]] | None:
    """An annotation for each line that has a name; None where one finds no place."""
    lines = [plane.pixels(*(np.asarray(trace[axis], dtype=np.float64) for axis in "xy")) for trace in data]
    drawn = [_dense(points, "lines" in trace.get("mode", "lines")) for points, trace in zip(lines, data, strict=True)]
    taken: list[Label] = []
    found = []
    for own, trace in enumerate(data):
        if trace.get("showlegend") is False or not trace.get("name") or not len(lines[own]):
            continue
        others = np.concatenate([*(points for each, points in enumerate(drawn) if each != own), np.empty((0, 2))])
        label = _best(drawn[own], others, taken, (_WIDTH * size * (len(unescape(trace["name"])) + 3), 1.3 * size), plane)
        if label is None:
            return None
        taken.append(label)
        found.append(_annotation(trace, label, plane, size))
    return found


def _dense(points: FloatArray, joined: bool) -> FloatArray:
    """Points along a line, a few pixels apart, so that no label lies across it between two of them."""
    if not joined or len(points) < 2:
        return points
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, steps[-1], _NEAR)
    return np.column_stack([np.interp(at, steps, points[:, axis]) for axis in (0, 1)])


def _best(own: FloatArray, others: FloatArray, taken: list[Label], extent: tuple[float, float], plane: Plane) -> Label | None:
    """The label's place that is near its own line, clear of all lines and labels, and cannot be taken for another line's."""
    least, best = np.inf, None
    everything = np.concatenate([own, others])
    points = own[:: max(1, len(own) // _PLACES)]
    apart = [_distance(others, (x, y, x, y)) for x, y in points]
    for at_least, label in sorted(_places(points, apart, extent), key=lambda place: place[0]):
        if at_least >= least:
            break
        left, bottom, right, top = label.box
        if left < 0 or bottom < 0 or right > plane.width or top > plane.height or any(map(label.meets, taken)):
            continue
        if _distance(everything, label.box) >= _CLEAR - 1 and (cost := at_least + _CROSSED * label.crosses(others)) < least:
            least, best = cost, label
    return best


def _places(points: FloatArray, apart: list[float], extent: tuple[float, float]) -> Iterator[tuple[float, Label]]:
    """Labels around each point, close by and further off, each with what speaks against it: less, far from other lines."""
    width, height = extent
    for (x, y), alone in zip(points, apart, strict=True):
        for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            for away in _AWAY:
                left = x - width / 2 + across * (width / 2 + away)
                bottom = y - height / 2 + up * (height / 2 + away)
                box = (float(left), float(bottom), float(left + width), float(bottom + height))
                yield away - 2 * min(alone, 30.0), Label((float(x), float(y)), box, away)


def _distance(points: FloatArray, box: Box) -> float:
    """From a box to the nearest of some points, 0 for one inside."""
    if not len(points):
        return np.inf
    left, bottom, right, top = box
    away = np.maximum(np.maximum([left, bottom] - points, points - [right, top]), 0)
    return float(np.hypot(*away.T).min())


def _annotation(trace: dict[str, Any], label: Label, plane: Plane, size: int) -> dict[str, Any]:
    style, marker = trace.get("line") or {}, trace.get("marker") or {}
    points = trace.get("mode") == "markers"
    glyph = "●" if points else "▒" if trace.get("fill") else _GLYPHS.get(style.get("dash", ""), "━")
    colour = marker.get("color") if points else style.get("color")
    colour = colour if isinstance(colour, str) else GREY
    (x, y), (left, bottom, right, top) = plane.back(*label.point), label.box
    across, up, drawn = (left + right) / 2 - label.point[0], (bottom + top) / 2 - label.point[1], label.away > _AWAY[0]
    place = {"ax": across, "ay": -up} if drawn else {"xshift": across, "yshift": up}
    return place | {
        "x": x, "y": y, "showarrow": drawn, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": GREY, "font": {"size": size},
        "text": f'<span style="color:{colour}">{glyph}</span> {trace["name"]}',
    }  # fmt: skip
