"""Figures of lessons: named lines and dots, and the place where somebody guessed that a number lies."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.plots.beside import shown_range
from dpcore.plots.drawn import Drawn
from dpcore.plots.style import BLUE, GREEN, ORANGE, PURPLE, VERMILION, figure, line, shown, thinned

_LOOKS = ((BLUE, "solid"), (VERMILION, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
_SHAPES = ("circle", "diamond", "square", "triangle-up")
_NUMBERS: dict[str, Any] = {"nticks": 6, "exponentformat": "power"}
_GOLDEN = 0.6180339887  # spreads dots over the height of a row
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
    return figure(traces, x={"title": {"text": x}} | _NUMBERS, y=axis, showlegend=True)


def _dots(one: Named, colour: str, shape: str) -> dict[str, Any]:
    name, at, high = one
    keep = thinned(len(at))
    marker = {"color": colour, "size": 7, "symbol": shape}
    return {"type": "scatter", "mode": "markers", "name": name, "x": at[keep], "y": high[keep], "marker": marker}


def rows(several: tuple[tuple[str, FloatArray, float | None], ...], *, x: str) -> go.Figure:
    """Dots in a row each, under its name; how high a dot lies in its row says nothing. A row may have a line at a number, Δ̂."""
    traces = []
    for place, ((name, at, mark), (colour, _), shape) in enumerate(zip(several, _LOOKS, _SHAPES, strict=False)):
        low = 1.25 * (len(several) - 1 - place)
        heights = np.asarray(low + np.arange(len(at)) * _GOLDEN % 1, dtype=np.float64)
        traces.append(_dots((name, at, heights), colour, shape) | {"showlegend": False})
        if mark is not None:
            ends = np.array([low, low + 1])
            traces.append(line(f"Δ̂ = {digits(mark)}", np.full(2, mark), ends, GREEN, line={"dash": "dash"}))
    names = [_of_row(name, 1.25 * (len(several) - 1 - place) + 1) for place, (name, *_) in enumerate(several)]
    y = {"range": [-0.1, 1.25 * len(several)], "showticklabels": False, "showgrid": False}
    return figure(traces, x={"title": {"text": x}} | _NUMBERS, y=y, **({"annotations": names} if len(several) > 1 else {}))


def _of_row(name: str, top: float) -> dict[str, Any]:
    return {
        "text": shown(name), "x": 1, "y": top, "xref": "x domain", "yref": "y", "xanchor": "right", "yanchor": "middle",
        "showarrow": False, "font": {"size": 13},
    }  # fmt: skip


def guessed(chart: go.Figure, value: float, axis: Literal["x", "y"]) -> go.Figure:
    """The same figure with a line where somebody guessed that a number on this axis lies, within what the axis shows."""
    ready = chart.ready() if isinstance(chart, Drawn) else dict(chart.to_plotly_json())
    other = "y" if axis == "x" else "x"
    ends = {axis: np.full(2, value), other: np.array(shown_range(ready, other))}
    style = {"color": ORANGE, "width": 3, "dash": "longdashdot"}
    mark = {"type": "scatter", "mode": "lines", "name": "your guess", "line": style} | ends
    layout = dict(ready["layout"])
    least, most = shown_range(ready, axis)
    if not least <= value <= most:
        layout[f"{axis}axis"] = layout[f"{axis}axis"] | {"range": [min(least, value), max(most, 1.03 * value)]}
    return Drawn({"data": [*ready["data"], mark], "layout": layout})
