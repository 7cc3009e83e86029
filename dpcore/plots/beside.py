"""Names of lines beside them, in place of a legend that is looked up, where there is room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from dpcore.plots.drawn import Drawn

_LETTER, _HEIGHT = 0.025, 0.08  # of a letter, in shares of a plot that is as small as on a phone
_GAP = 0.02
_PLACES = np.linspace(0.02, 0.98, 33)  # along a line, where its name could stand
_POINTS = 400  # along a line, at which a name could be crossed
_SIZE = 13
_FAR, _END = 0.2, 0.15  # beyond so far other lines do not matter; what a place at the right end is worth beside it
_ROOM_ABOVE = 1.1
_AT = {"left": 0.0, "center": 0.5, "right": 1.0}
Trace = dict[str, Any]
Range = tuple[float, float]


def named_beside(chart: go.Figure) -> go.Figure:
    """The same figure, in which each line and each single dot has its name beside it; the legend keeps those without room.

    A name crosses no line and no dot, in a plot of 270 by 200 pixels. The ranges of both axes are fixed, so that it stays so.
    """
    ready = chart.ready() if isinstance(chart, Drawn) else dict(chart.to_plotly_json())
    layout = dict(ready["layout"])
    x, y = (shown_range(ready, axis) for axis in ("x", "y"))
    layout |= {"xaxis": layout["xaxis"] | {"range": list(x)}, "yaxis": layout["yaxis"] | {"range": list(y)}}
    there = [_Box.of(note, x, y) for note in layout.get("annotations", ())]
    boxes = _rooms([_Drawn.of(trace, x, y) for trace in ready["data"]], there)
    data = [trace if box is None else trace | {"showlegend": False} for trace, box in zip(ready["data"], boxes, strict=True)]
    notes = [box.note(str(trace["name"])) for trace, box in zip(data, boxes, strict=True) if box is not None]
    if not any(_in_legend(trace) for trace in data):
        layout["margin"] = layout["margin"] | {"t": 16}
    if notes:
        layout["annotations"] = [*layout.get("annotations", ()), *notes]
    return Drawn({"data": data, "layout": layout})


def shown_range(ready: dict[str, Any], axis: str) -> Range:
    """From the least to the most that an axis shows: as the figure has it, else from 0 or less to what its traces have."""
    if (shown := ready["layout"][f"{axis}axis"].get("range")) is not None:
        return float(shown[0]), float(shown[1])
    values = np.concatenate([np.asarray(trace[axis], dtype=np.float64) for trace in ready["data"]])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if axis == "y":
        return min(0.0, low), high * _ROOM_ABOVE
    room = 0.02 * (high - low) if any("markers" in trace["mode"] for trace in ready["data"]) else 0.0
    return low - room, high + room


@final
@dataclass(frozen=True, slots=True)
class _Drawn:
    """Where a trace is, in shares of the plot, (n, 2), and how wide its name is; 0 for one that is not named beside."""

    points: FloatArray
    wide: float

    @classmethod
    def of(cls, trace: Trace, x: Range, y: Range) -> _Drawn:
        ends = [(np.asarray(trace[axis], dtype=np.float64) - low) / (high - low) for axis, (low, high) in (("x", x), ("y", y))]
        points = np.stack(ends, axis=-1)
        if "lines" in trace["mode"]:
            points = _along(points)
        inside = points[np.all((points >= -1e-9) & (points <= 1 + 1e-9), axis=-1)]
        if trace.get("line", {}).get("width") == 0:  # the edge of an area, over which a name may stand
            return cls(np.empty((0, 2)), 0.0)
        nameable = trace.get("showlegend", True) and ("lines" in trace["mode"] or len(points) == 1)
        return cls(inside, _LETTER * len(str(trace["name"])) if nameable and len(inside) else 0.0)


@final
@dataclass(frozen=True, slots=True)
class _Box:
    """Where a name would stand, in shares of the plot. In a wider plot it is narrower, and stays at the side that ``keeps`` to
    its line."""

    left: float
    low: float
    wide: float
    keeps: str

    @classmethod
    def of(cls, note: dict[str, Any], x: Range, y: Range) -> _Box:
        """That of a note of a line, which the figure has."""
        wide, keeps = _LETTER * len(note["text"]), note.get("xanchor", "center")
        across, high = (
            note[axis] if note[f"{axis}ref"] == f"{axis} domain" else (note[axis] - low) / (most - low)
            for axis, (low, most) in (("x", x), ("y", y))
        )
        return cls(across - wide * _AT[keeps], high - _HEIGHT / 2, wide, keeps)

    def note(self, name: str) -> dict[str, Any]:
        return {
            "text": name, "x": self.left + self.wide * _AT[self.keeps], "y": self.low + _HEIGHT / 2, "xanchor": self.keeps,
            "yanchor": "middle", "xref": "x domain", "yref": "y domain", "showarrow": False, "font": {"size": _SIZE},
        }  # fmt: skip

    @property
    def inside(self) -> bool:
        return self.left >= 0 and self.left + self.wide <= 1 and self.low >= 0 and self.low + _HEIGHT <= 1

    def apart(self, points: FloatArray) -> float:
        """How far the nearest of these points is; 0 where one lies in it."""
        across = np.maximum(self.left - points[:, 0], points[:, 0] - self.left - self.wide)
        up = np.maximum(self.low - points[:, 1], points[:, 1] - self.low - _HEIGHT)
        return float(np.hypot(np.maximum(across, 0), np.maximum(up, 0)).min(initial=1.0))

    def crosses(self, other: _Box) -> bool:
        aside = self.left + self.wide < other.left or other.left + other.wide < self.left
        return not aside and abs(self.low - other.low) < _HEIGHT


def _rooms(drawn: list[_Drawn], there: list[_Box]) -> list[_Box | None]:
    """A place for each name, off the notes that are ``there``; None where there is none, or where it is not to stand there."""
    boxes: list[_Box | None] = []
    for number, one in enumerate(drawn):
        others = np.concatenate([np.empty((0, 2)), *(each.points for each in drawn[:number] + drawn[number + 1 :])])
        taken = [*there, *(box for box in boxes if box is not None)]
        boxes.append(_room(one, others, taken) if one.wide else None)
    return boxes


def _room(one: _Drawn, others: FloatArray, taken: list[_Box]) -> _Box | None:
    """The place that is furthest from all that is drawn else, rather at the right end."""
    best, most = None, -1.0
    for box, cost in _boxes(one):
        if not box.inside or any(box.crosses(other) for other in taken) or not box.apart(one.points):
            continue
        apart = box.apart(others)
        worth = min(apart, _FAR) + _END * box.left - cost
        if apart > _GAP / 2 and worth > most:
            best, most = box, worth
    return best


def _boxes(one: _Drawn) -> Iterator[tuple[_Box, float]]:
    """Above, below and on both sides of some places of a line, close to it, and not so close at a cost."""
    for across, high in one.points[np.unique((_PLACES * (len(one.points) - 1)).astype(int))].tolist():
        for gap, cost in ((_GAP, 0.0), (3 * _GAP, 0.1)):
            for low in (high + gap, high - gap - _HEIGHT, high - _HEIGHT / 2):
                yield _Box(across - one.wide / 2, low, one.wide, "center"), cost
                yield _Box(across + gap, low, one.wide, "left"), cost
                yield _Box(across - one.wide - gap, low, one.wide, "right"), cost


def _along(points: FloatArray) -> FloatArray:
    """Points of a line at equal distances along it."""
    points = points[np.isfinite(points).all(axis=-1)]
    far = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    at = np.linspace(0, far[-1], _POINTS)
    return np.stack([np.interp(at, far, points[:, axis]) for axis in (0, 1)], axis=-1)


def _in_legend(trace: Trace) -> bool:
    return bool(trace.get("showlegend", True))
