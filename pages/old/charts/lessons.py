"""Figures of lessons: named lines and dots, and the place where somebody guessed that a number lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.old.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SILENT,
    VERMILION,
    Drawn,
    axis,
    figure,
    line,
    note,
    scatter,
    shown,
    thinned,
)
from pages.old.charts.named import Plane, plane_of
from pages.old.experiment.lessons.step import Axis

_LOOKS = ((BLUE, "solid"), (VERMILION, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
_SHAPES = ("circle", "diamond", "square", "triangle-up")
_NUMBERS: dict[str, Any] = {"nticks": 6, "exponentformat": "power", "separatethousands": True}
_ROW = 1.45  # how far apart rows are, which are 1 high: their names stand between
_GOLDEN = 0.6180339887  # spreads dots over the height of a row
Named = tuple[str, FloatArray, FloatArray]


def curves(
    lines: tuple[Named, ...], *, x: str, y: str, dots: tuple[Named, ...] = (), likelihood: bool = False, guesses: bool = False
) -> Drawn:
    """Lines and dots by their names, each with a look of its own.

    ``likelihood``: y is a density, whose numbers say nothing. ``guesses``: y is right guesses in a hundred, 50 of them by luck.
    """
    looks = tuple(zip(_LOOKS, _SHAPES, strict=True))
    traces = [line(*one, colour, dash=dash) for one, ((colour, dash), _) in zip(lines, looks, strict=False)]
    traces += [_dots(one, colour, shape) for one, ((colour, _), shape) in zip(dots, looks[len(lines) :], strict=False)]
    up = axis(y, rangemode="tozero", exponentformat="none", separatethousands=True)
    up |= {"showticklabels": False} if likelihood else {}
    up |= {"range": [50, 104], "tickvals": [50, 60, 70, 80, 90, 100]} if guesses else {}
    return figure(traces, x=axis(x, **_NUMBERS), y=up, showlegend=True)


def _dots(one: Named, colour: str, shape: str) -> dict[str, Any]:
    name, at, high = one
    keep = thinned(len(at))
    return scatter(name, at[keep], high[keep], {"color": colour, "size": 7, "symbol": shape})


def rows(several: tuple[tuple[str, FloatArray], ...], marks: tuple[float, ...], *, x: str) -> Drawn:
    """Dots in a row each, under its name; how high a dot lies in it says nothing. ``marks``: Δ̂ of each row, or one of all."""
    lows = [_ROW * place for place in reversed(range(len(several)))]
    traces = []
    for low, (name, at), (colour, _), shape in zip(lows, several, _LOOKS, _SHAPES, strict=False):
        heights = np.asarray(low + np.arange(len(at)) * _GOLDEN % 1, dtype=np.float64)
        traces.append(_dots((name, at, heights), colour, shape) | {"showlegend": False})
    for place, mark in enumerate(marks):
        ends = (lows[-1] if len(marks) == 1 else lows[place], lows[place] + 1)
        traces.append(line(f"Δ̂ = {digits(mark)}", mark, ends, GREEN, dash="dash"))
    stands = {"xref": "x domain", "yref": "y", "xanchor": "left", "yanchor": "middle"}
    names = [note(shown(name), 0, low + (1 + _ROW) / 2, size=13, **stands) for low, (name, _) in zip(lows, several, strict=True)]
    y = {"range": [-0.1, lows[0] + _ROW], "showticklabels": False, "showgrid": False}
    return figure(traces, x=axis(x, **_NUMBERS), y=y, **({"annotations": names} if len(several) > 1 else {}))


def untold(whole: Drawn, *kept: str, at: tuple[str, float] | None = None, up_to: float = 0.0) -> Drawn:
    """A figure of lines and dots before its answer is told: its axes, and of its traces those of these names.

    ``at``: a name, and the number on the x axis from which a line goes up under it. ``up_to``: how far y reaches at least.
    """
    ready, plane = whole.ready(), plane_of(whole)
    assert plane is not None, "expected a figure of lines and dots"
    shows = _ends(plane)
    shows["y"][1] = max(shows["y"][1], (1 + _ROOM) * up_to)
    ranges = {f"{name}axis": ready["layout"][f"{name}axis"] | {"range": ends} for name, ends in shows.items()}
    traces = [trace for trace in ready["data"] if trace["name"] in map(shown, kept)]
    if at is not None:
        traces.append(line(shown(at[0]), np.full(2, at[1]), np.array(shows["y"]), GREY, dash="dash"))
    return Drawn({"data": traces, "layout": ready["layout"] | ranges})


def together(one: Drawn, other: Drawn) -> Drawn:
    """The traces of both, on the axes of the first."""
    return Drawn({"data": [*one.ready()["data"], *other.ready()["data"]], "layout": one.ready()["layout"]})


def _ends(plane: Plane) -> dict[str, list[float]]:
    return {name: [float(plane.low[i]), float(plane.high[i])] for i, name in enumerate("xy")}


RULER: Axis = "x2"
_CHANCES: dict[str, Any] = {"range": [49, 101], "tickvals": [50, 60, 70, 80, 90, 100]}


def ruled(chart: Drawn, title: str, truth: float | None = None, *, chances: bool = True) -> Drawn:
    """The same figure above a ruler, from 50 right guesses in a hundred to 100, or from 0 to 100.

    ``truth``: where a mark stands on it.
    """
    ready = chart.ready()
    places: dict[str, Any] = _CHANCES if chances else {"range": [-2, 102], "nticks": 6}
    bare = {"showgrid": False, "zeroline": False}
    axes = {
        "yaxis": ready["layout"]["yaxis"] | {"domain": [0.36, 1]},
        "xaxis2": axis(title, anchor="y2") | bare | places,
        "yaxis2": {
            "domain": [0, 0.09],
            "range": [0, 1],
            "anchor": "x2",
            "showticklabels": False,
            **bare,
        },
    }
    ends = np.array([50.0, 100.0]) if chances else np.array([0.0, 100.0])
    marks = [line("", ends, 0.5, GREY, width=4, **_ON_RULER, **SILENT)]
    if truth is not None:
        look = {"color": GREEN, "size": 13, "symbol": "diamond"}
        marks.append(scatter("what is so", np.array([truth]), np.array([0.5]), look, **_ON_RULER))
    return Drawn({"data": [*ready["data"], *marks], "layout": ready["layout"] | axes})


_ON_RULER = {"xaxis": "x2", "yaxis": "y2"}
_ROOM = 0.02  # beyond the least and the largest guess, in shares of what lies between


def guessed(chart: Drawn, value: float, on: Axis, within: tuple[float, float] | None = None) -> Drawn:
    """The same figure with a line where somebody guesses that a number on this axis lies.

    ``within``: what the axis shows; without it what the figure shows, and as far as the guess.
    """
    ready, pair = chart.ready(), np.full(2, value)
    layout, more = dict(ready["layout"]), dict[str, str]()
    if on == RULER:
        x, y, more = pair, np.array([0.0, 1.0]), _ON_RULER
    else:
        plane = plane_of(chart)
        ends = {name: layout[f"{name}axis"]["range"] for name in "xy"} if plane is None else _ends(plane)
        layout[f"{on}axis"] = layout[f"{on}axis"] | {"range": _reaching(ends[on], value, within)}
        across = np.array(ends["y" if on == "x" else "x"], dtype=np.float64)
        x, y = (pair, across) if on == "x" else (across, pair)
    mark = line("your guess", x, y, ORANGE, dash="longdashdot", width=3, **more)
    return Drawn({"data": [*ready["data"], mark], "layout": layout})


def _reaching(ends: list[float], value: float, within: tuple[float, float] | None) -> list[float]:
    """From the first to the last that an axis shows."""
    low, high = ends
    if within is not None:
        room = _ROOM * (within[1] - within[0])
        return [float(min(low, within[0])), float(max(high, within[1] + room))]
    return [float(min(low, value)), float(high if value <= high else 1.03 * value)]
