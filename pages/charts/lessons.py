"""Figures of lessons: named lines and dots, and the place where somebody guessed that a number lies."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.charts.drawn import BLUE, GREEN, ORANGE, PURPLE, VERMILION, Drawn, axis, figure, line, note, scatter, shown, thinned
from pages.charts.named import plane_of

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


def guessed(chart: Drawn, value: float, on: Literal["x", "y"]) -> Drawn:
    """The same figure of lines and dots with a line where somebody guessed that a number on this axis lies, within what it shows.

    A figure of anything else stays as it is.
    """
    ready, plane = chart.ready(), plane_of(chart)
    if plane is None:
        return chart
    (least, most), across = np.array([plane.low, plane.high]).T[:: 1 if on == "x" else -1]
    x, y = (value, across) if on == "x" else (across, value)
    layout = dict(ready["layout"])
    if not least <= value <= most:
        layout[f"{on}axis"] = layout[f"{on}axis"] | {"range": [float(min(least, value)), float(max(most, 1.03 * value))]}
    mark = line("your guess", x, y, ORANGE, dash="longdashdot", width=3)
    return Drawn({"data": [*ready["data"], mark], "layout": layout})
