"""A stored chart of the gallery: the looks of a series hang on whose it is, so that one role looks the same on every chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, figure, line, shown, thinned
from pages.learn.exhibits.charts import Axis, Chart, Series

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LOOKS = {  # by role: colour, and the line styles of its first, second and third series
    "formula": (GREY, ("solid", "longdash", "dot")),
    "dkw": (VERMILION, ("dash", "dot", "longdash", "dashdot")),
    "rank": (BLUE, ("solid", "dash", "dot", "dashdot")),
    "tolerance": (GREEN, ("dashdot", "dot", "dash")),
    "worst case": (PURPLE, ("longdash", "dot", "dash")),
    "paper's worst case": (ORANGE, ("longdashdot", "dot", "dash")),
    "no privacy": (GREY, ("dot", "dash", "solid")),
    "true": (GREEN, ("solid", "dash", "dot")),
    "other": (SKY, ("solid", "dash", "dot", "dashdot")),
}
_SHAPES = ("circle", "square", "diamond", "triangle-up")
_NEARLY = 1e-6  # so that a tick at the end of the data is within them
_CLEAR = "rgba(127,127,127,0.25)"


def exhibited(chart: Chart) -> tuple[go.Figure, str]:
    """The chart, and the sentence that describes it: each series by its ends."""
    used: dict[str, int] = {}
    traces = []
    for one in chart.series:
        place = used[one.role] = used.get(one.role, -1) + 1
        traces += [*_spread(one), _drawn(one, place)]
    rows = -(-len(chart.series) // 2)
    x, y = (_axis(getattr(chart, axis), np.concatenate([getattr(one, axis) for one in chart.series])) for axis in "xy")
    margin = {"l": 62, "r": 12, "t": 12 + 20 * rows, "b": 48}
    return figure(traces, x=x, y=y, margin=margin), _described(chart)


def _drawn(one: Series, place: int) -> dict[str, Any]:
    colour, dashes = _LOOKS[one.role]
    style = {"dash": dashes[place % len(dashes)]}
    hover = {"hovertemplate": f"{shown(one.name)}<br>%{{x:.3g}}: %{{y:.3g}}<extra></extra>"}
    if one.drawn == "points":
        keep = thinned(len(one.x))
        marker = {"color": colour, "size": 7, "symbol": _SHAPES[place % len(_SHAPES)]}
        return {
            "type": "scatter",
            "mode": "markers",
            "name": one.name,
            "x": one.x[keep],
            "y": one.y[keep],
            "marker": marker,
        } | hover
    shape = {"shape": "hv"} if one.drawn == "steps" else {}
    return line(one.name, one.x, one.y, colour, line=style | shape, **hover)


def _spread(one: Series) -> list[dict[str, Any]]:
    """A band behind the line; what it means stands under the chart."""
    if one.low is None or one.high is None:
        return []
    base = {"type": "scatter", "mode": "lines", "name": "", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    keep = thinned(len(one.x))
    return [
        base | {"x": one.x[keep], "y": one.low[keep]},
        base | {"x": one.x[keep], "y": one.high[keep], "fill": "tonexty", "fillcolor": _CLEAR},
    ]


def _axis(axis: Axis, values: FloatArray) -> dict[str, Any]:
    title = {"text": f"{axis.label} ({axis.unit})" if axis.unit else axis.label, "font": {"size": 13}}
    return {"title": title} | (_logarithmic(values) if axis.log else {"nticks": 6})


def _logarithmic(values: FloatArray) -> dict[str, Any]:
    """Powers of ten; where fewer than two of them are in view, twice and five times these too, and no raised exponents."""
    low, high = float(values.min()), float(values.max())
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    every = np.outer(powers, [1, 2, 5]).ravel()
    if np.sum(_within(powers, low, high)) > 1:
        return {"type": "log", "dtick": 1, "exponentformat": "power"}
    ticks = every[_within(every, low, high)].tolist()
    return {"type": "log"} | ({"tickvals": ticks} if len(ticks) > 1 else {})


def _within(ticks: FloatArray, low: float, high: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray((ticks >= low * (1 - _NEARLY)) & (ticks <= high * (1 + _NEARLY)))


def _described(chart: Chart) -> str:
    said = [
        f"{one.name}: {digits(float(one.y[0]))} at {digits(float(one.x[0]))}, {digits(float(one.y[-1]))} at "
        f"{digits(float(one.x[-1]))}."
        for one in chart.series
    ]
    return " ".join([f"{chart.title}: {chart.y.label} against {chart.x.label}.", *said])
