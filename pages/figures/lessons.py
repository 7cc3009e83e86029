"""Charts of lessons: few lines in large type, and the guess as a line. A chart has the same axes before and after its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.guarantees.descriptions import figure
from pages.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Chart, axis, line, markers

_LOOKS = ((BLUE, "solid", "circle"), (VERMILION, "dash", "diamond"), (GREEN, "dot", "square"), (GREY, "dashdot", "triangle-up"))
_GUESS = PURPLE  # no other trace has this colour
_MARGIN = {"l": 62, "r": 16, "t": 8, "b": 48}
_GOLDEN = 0.6180339887  # spreads points evenly over the height of a row
_AXES = {"x": ("xaxis", {}), "y": ("yaxis", {}), "ruler": ("xaxis2", {"xaxis": "x2", "yaxis": "y2"})}
PERCENT_RIGHT = (50.0, 102.0)  # range of the axis of right guesses; 50% is chance
Points = tuple[str, Any, Any]  # name, x and y


def curves(
    lines: Sequence[Points],
    *,
    x: str,
    y: str,
    alt: str,
    dots: Sequence[Points] = (),
    density: bool = False,
    y_range: tuple[float, float] | None = None,
) -> Chart:
    """Return a chart of lines and points, each with its own look.

    Args:
        lines: The lines.
        x: Title of the horizontal axis.
        y: Title of the vertical axis.
        alt: Description for people who cannot see the chart.
        dots: The points.
        density: Whether y is a density, whose numbers have no meaning for the reader.
        y_range: Range of the vertical axis; from 0 to the largest value by default.
    """
    colors = iter(_LOOKS)
    traces = [
        line(name, at, high, color, dash=dash) | {"line": {"color": color, "dash": dash, "width": 3}}
        for (name, at, high), (color, dash, _) in zip(lines, colors, strict=False)
    ]
    traces += [
        markers(name, at, high, color) | {"marker": {"color": color, "symbol": symbol, "size": 7 if len(at) > 3 else 13}}
        for (name, at, high), (color, _, symbol) in zip(dots, colors, strict=False)
    ]
    far = [np.concatenate([np.asarray(points[place], dtype=float) for points in (*lines, *dots)]) for place in (1, 2)]
    width = float(far[0].max() - far[0].min()) or 1.0
    layout = {
        "xaxis": axis(x, range=[float(far[0].min()) - 0.02 * width, float(far[0].max()) + 0.02 * width]),
        "yaxis": axis(y, range=y_range or (0.0, 1.06 * float(far[1].max())), showticklabels=not density),
    }
    return Chart("", traces, layout, alt)


def right_guesses(lines: Sequence[Points], *, x: str, alt: str, dots: Sequence[Points] = ()) -> Chart:
    """Return a chart of the share of right guesses, in percent.

    Args:
        lines: The lines.
        x: Title of the horizontal axis.
        alt: Description for people who cannot see the chart.
        dots: The points.
    """
    return curves(lines, dots=dots, x=x, y="right guesses (%)", y_range=PERCENT_RIGHT, alt=alt)


def dot_rows(rows: Sequence[tuple[str, Any]], marks: Sequence[float] = (), *, x: str, alt: str) -> Chart:
    """Return rows of points. The height of a point in its row has no meaning.

    Args:
        rows: Name and values of each row.
        marks: Δ̂ of each row, or of all rows.
        x: Title of the horizontal axis.
        alt: Description for people who cannot see the chart.
    """
    lows = [1.3 * place for place in reversed(range(len(rows)))]
    traces = []
    for low, (name, values), (color, _, symbol) in zip(lows, rows, _LOOKS, strict=False):
        heights = low + np.arange(len(values)) * _GOLDEN % 1
        traces.append(
            markers(name, values, heights, color, showlegend=False) | {"marker": {"color": color, "symbol": symbol, "size": 7}}
        )
    for place, mark in enumerate(marks):
        low, high = (lows[place], lows[place] + 1) if len(marks) == len(rows) else (lows[-1], lows[0] + 1)
        look = {"line": {"color": GREEN, "dash": "dash", "width": 3}}
        traces.append(line(f"Δ̂ = {figure(mark)}", [mark, mark], [low, high], GREEN) | look)
    largest = max(float(np.max(values)) for _, values in rows)
    names = {"tickvals": [low + 0.5 for low in lows], "ticktext": [name if len(rows) > 1 else "" for name, _ in rows]}
    y = axis("", range=[-0.1, lows[0] + 1.1], showgrid=False, automargin=True) | names
    return Chart("", traces, {"xaxis": axis(x, range=[-0.02 * largest, 1.05 * largest]), "yaxis": y}, alt)


def before(whole: Chart, *kept: str, alt: str, at: tuple[str, float] | None = None) -> Chart:
    """Return a chart without its answer.

    Args:
        whole: The chart with its answer.
        *kept: Names of the traces to keep.
        alt: Description for people who cannot see the chart.
        at: Name and position of a vertical line to add.
    """
    traces = [trace for trace in whole.traces if trace["name"] in kept]
    if at is not None:
        traces.append(_across(at[0], at[1], "x", whole) | {"line": {"color": GREY, "dash": "dash", "width": 2}})
    return replace(whole, traces=traces, alt=alt)


def with_ruler(chart: Chart, title: str, truth: float | None = None, *, ends: tuple[float, float] = (50.0, 100.0)) -> Chart:
    """Return a chart with a ruler below it, for a guess that is a percentage.

    Args:
        chart: The chart.
        title: Title of the ruler.
        truth: The answer; None before it is revealed.
        ends: Ends of the ruler.
    """
    room = (ends[1] - ends[0]) / 50
    layout = chart.layout | {
        "yaxis": chart.layout["yaxis"] | {"domain": [0.42, 1]},
        "xaxis2": axis(title, anchor="y2", range=[ends[0] - room, ends[1] + room], showgrid=False),
        "yaxis2": {"domain": [0, 0.1], "range": [0, 1], "anchor": "x2", "visible": False},
    }
    ruler = line("", ends, [0.5, 0.5], GREY, showlegend=False, hoverinfo="skip", **_AXES["ruler"][1])
    traces = [*chart.traces, ruler | {"line": {"color": GREY, "width": 4}}]
    if truth is not None:
        marker = {"marker": {"color": GREEN, "size": 16, "symbol": "diamond"}}
        traces.append(markers("the answer", [truth], [0.5], GREEN, **_AXES["ruler"][1]) | marker)
    return replace(chart, traces=traces, layout=layout)


def with_guess(chart: Chart, on: str, guess: float | None, low: float, high: float) -> Chart:
    """Return a chart whose axis shows every possible guess, with the guess as a line.

    Args:
        chart: The chart.
        on: Axis of the guess: x, y, or the ruler.
        guess: The guess; None for no line.
        low: Least possible guess.
        high: Largest possible guess.
    """
    name, on_axis = _AXES[on]
    (first, last), room = chart.layout[name]["range"], 0.02 * (high - low)
    ends = {"range": [min(first, low - (room if on == "x" else 0)), max(last, high + room)]}
    wide = replace(chart, layout=chart.layout | {name: chart.layout[name] | ends})
    if guess is None:
        return wide
    look = {"line": {"color": _GUESS, "width": 5}}
    return replace(wide, traces=[*chart.traces, _across("your guess", guess, on, wide) | look | on_axis])


def _across(name: str, at: float, on: str, chart: Chart) -> dict[str, Any]:
    """Return a line across the chart, or across the ruler."""
    if on == "y":
        return line(name, chart.layout["xaxis"]["range"], [at, at], GREY)
    return line(name, [at, at], [0, 1] if on == "ruler" else chart.layout["yaxis"]["range"], GREY)


def large(chart: Chart, size: int, height: int) -> dict[str, Any]:
    """Return the plotly figure of a lesson's chart in large type, without a title.

    Args:
        chart: The chart.
        size: Size of the type in pixels.
        height: Height in pixels.
    """
    made = chart.figure(size=size, height=height)
    layout = made["layout"]
    for name in [name for name in layout if "axis" in name[1:]]:
        layout[name] |= {
            "tickfont": {"size": size},
            "automargin": True,
            "nticks": 6,
            "exponentformat": "none",
            "separatethousands": True,
        }
        layout[name] |= {"title": layout[name]["title"] | {"font": {"size": size}}} if "title" in layout[name] else {}
    del layout["title"]
    made["layout"] = layout | {"margin": _MARGIN, "legend": layout["legend"] | {"font": {"size": size}}, "showlegend": True}
    return made
