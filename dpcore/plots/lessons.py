"""Figures of lessons: named lines and dots, and the place where somebody guessed that a number lies."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from dpcore.plots.drawn import Drawn
from dpcore.plots.style import BLUE, GREEN, ORANGE, PURPLE, VERMILION, figure, line, thinned

_LOOKS = ((BLUE, "solid"), (VERMILION, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
_SHAPES = ("circle", "diamond", "square", "triangle-up")
Named = tuple[str, FloatArray, FloatArray]


def curves(
    lines: tuple[Named, ...], *, x: str, y: str, dots: tuple[Named, ...] = (), likelihood: bool = False
) -> go.Figure:  # fmt: skip
    """Lines and dots by their names, each with a look of its own; ``likelihood``: y is a density, whose numbers say nothing."""
    traces = [
        line(name, at, high, colour, line={"dash": dash}) for (name, at, high), (colour, dash) in zip(lines, _LOOKS, strict=False)
    ]
    looks = tuple(zip(_LOOKS, _SHAPES, strict=True))[len(lines) :]
    traces += [_dots(one, colour, shape) for one, ((colour, _), shape) in zip(dots, looks, strict=False)]
    axis: dict[str, Any] = {"title": {"text": y}, "rangemode": "tozero"} | ({"showticklabels": False} if likelihood else {})
    return figure(traces, x={"title": {"text": x}, "nticks": 6, "exponentformat": "power"}, y=axis, showlegend=True)


def _dots(one: Named, colour: str, shape: str) -> dict[str, Any]:
    name, at, high = one
    keep = thinned(len(at))
    marker = {"color": colour, "size": 7, "symbol": shape}
    return {"type": "scatter", "mode": "markers", "name": name, "x": at[keep], "y": high[keep], "marker": marker}


def guessed(chart: go.Figure, value: float, axis: Literal["x", "y"]) -> go.Figure:
    """The same figure with a line where somebody guessed that a number on this axis lies, within what the axis shows."""
    ready = chart.ready() if isinstance(chart, Drawn) else dict(chart.to_plotly_json())
    other = "y" if axis == "x" else "x"
    ends = {axis: np.full(2, value), other: np.array(_extent(ready, other))}
    style = {"color": ORANGE, "width": 3, "dash": "longdashdot"}
    mark = {"type": "scatter", "mode": "lines", "name": "your guess", "line": style} | ends
    layout = dict(ready["layout"])
    shown = layout[f"{axis}axis"].get("range")
    if shown is not None and not shown[0] <= value <= shown[1]:
        layout[f"{axis}axis"] = layout[f"{axis}axis"] | {"range": [min(shown[0], value), max(shown[1], 1.03 * value)]}
    return Drawn({"data": [*ready["data"], mark], "layout": layout})


def _extent(ready: dict[str, Any], axis: str) -> tuple[float, float]:
    """From the least to the most that an axis shows."""
    if (shown := ready["layout"][f"{axis}axis"].get("range")) is not None:
        return float(shown[0]), min(float(shown[1]), 1.0) if axis == "y" else float(shown[1])
    values = np.concatenate([np.asarray(trace[axis], dtype=np.float64) for trace in ready["data"]])
    return min(0.0, float(values.min())), float(values.max())
