"""Private answers beside the exact one: one function for each kind of answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from pages.figures.theme import BLUE, GREEN, GREY, VERMILION, axis, figure, line, markers, transparent, with_unit

PRIVATE, EXACT = "private", "exact"
_MOST_NAMES = 30  # bars whose names can be read below them


def dots_figure(
    exact: float, answers: FloatArray, *, name: str = "answer", unit: str = "", width: float | None = None
) -> go.Figure:
    """Return a dot plot of equally likely private answers (a quantile dot plot, Kay et al. 2016).

    Args:
        exact: The answer without noise.
        answers: Equally likely private answers, shape (k,), such as 50 quantiles of the noise.
        name: What is answered.
        unit: Its unit.
        width: Half of the axis, so that it keeps its range while a slider moves. By default all answers fit.
    """
    reach = width or 1.1 * float(np.abs(answers - exact).max(initial=0.0)) or 1.0
    bins = np.linspace(-reach, reach, 26)
    columns = np.clip(np.digitize(answers - exact, bins) - 1, 0, len(bins) - 2)
    heights = np.empty(len(answers))
    for column in np.unique(columns):
        inside = np.flatnonzero(columns == column)
        heights[inside] = np.arange(len(inside)) + 0.5
    middles = exact + (bins[:-1] + bins[1:])[columns] / 2
    hover = {"customdata": answers, "hovertemplate": "%{customdata:.4g}<extra></extra>"}
    marker = {"color": BLUE, "size": 10}
    traces = [
        markers(f"{len(answers)} equally likely private answers", middles, heights, BLUE, marker=marker, **hover),
        line(EXACT, [exact, exact], [0, max(6.0, heights.max(initial=0.0) + 1)], GREEN, dash="dash"),
    ]
    up = axis("", showticklabels=False, rangemode="tozero", showgrid=False)
    return figure(traces, x=axis(with_unit(name, unit), range=[exact - reach, exact + reach]), y=up)


def bars_figure(
    labels: Sequence[str], exact: FloatArray, private: FloatArray, margin: FloatArray, *, unit: str = ""
) -> go.Figure:
    """Return bars of several numbers: exact ones, one private version, and the margins of error.

    Args:
        labels: A name for each number.
        exact: The numbers without noise, shape (d,).
        private: One private version of them, shape (d,).
        margin: Half-width of the interval that holds 95% of the private versions of each number, shape (d,).
        unit: The unit of the numbers.
    """
    bounds = {"type": "data", "array": margin, "color": GREY, "thickness": 1.5, "width": 3}
    traces = [
        {"type": "bar", "name": EXACT, "x": labels, "y": exact, "marker": {"color": transparent(GREEN, 0.75)}, "error_y": bounds},
        {"type": "bar", "name": PRIVATE, "x": labels, "y": private, "marker": {"color": BLUE}},
    ]
    across = axis("", type="category", showticklabels=len(labels) <= _MOST_NAMES, automargin=True)
    return figure(traces, x=across, y=axis(with_unit("answer", unit)), barmode="group", bargap=0.2)


def curve_figure(
    x: FloatArray,
    exact: FloatArray,
    private: FloatArray,
    *,
    points: tuple[FloatArray, FloatArray] | None = None,
    names: tuple[str, str] = ("x", "y"),
    y_range: tuple[float, float] | None = None,
) -> go.Figure:
    """Return a curve with several private versions.

    Args:
        x: Where the curves are evaluated, shape (p,).
        exact: The curve without noise, shape (p,).
        private: Private versions, shape (v, p).
        points: The records (x, y) that the curve is fitted to, of a public or simulated table.
        names: Titles of the axes.
        y_range: The vertical range, so that it stays while a slider moves.
    """
    traces = [] if points is None else [markers("records", *points, GREY, marker={"color": transparent(GREY, 0.5), "size": 5})]
    for place, one in enumerate(private):
        traces.append(line(PRIVATE, x, one, BLUE, opacity=0.45, showlegend=place == 0, legendgroup=PRIVATE))
    traces.append(line(EXACT, x, exact, GREEN, dash="dash"))
    up = axis(names[1]) if y_range is None else axis(names[1], range=list(y_range))
    return figure(traces, x=axis(names[0]), y=up)


def boundary_figure(
    points: FloatArray,
    classes: FloatArray,
    exact: FloatArray,
    private: FloatArray,
    *,
    names: tuple[str, str],
    class_names: tuple[str, str] = ("0", "1"),
    ranges: tuple[tuple[float, float], tuple[float, float]],
) -> go.Figure:
    """Return the boundary between two classes, w·x + b = 0, with several private versions.

    Args:
        points: Two features of the records that are shown, shape (n, 2).
        classes: Their classes, 0 or 1, shape (n,).
        exact: (w1, w2, b) without noise; the other features are at the middle of their bounds.
        private: Private versions, shape (v, 3).
        names: Names of the two features.
        class_names: Names of the classes.
        ranges: Bounds of the two features.
    """
    traces = []
    for number, (colour, symbol) in enumerate(((VERMILION, "circle"), (BLUE, "x"))):
        inside = classes == number
        marker = {"color": transparent(colour, 0.6), "size": 6, "symbol": symbol}
        traces.append(markers(class_names[number], points[inside, 0], points[inside, 1], colour, marker=marker))
    for place, one in enumerate(private):
        across, up = boundary(one, ranges)
        traces.append(line(PRIVATE, across, up, GREY, opacity=0.6, showlegend=place == 0, legendgroup=PRIVATE))
    traces.append(line(EXACT, *boundary(exact, ranges), GREEN))
    (left, right), (low, high) = ranges
    return figure(traces, x=axis(names[0], range=[left, right]), y=axis(names[1], range=[low, high]))


def boundary(weights: FloatArray, ranges: tuple[tuple[float, float], tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the two ends of w1·x + w2·y + b = 0, along the axis that it is less steep to; nothing without weights."""
    (left, right), (low, high) = ranges
    first, second, bias = (float(one) for one in weights)
    if abs(second) * (high - low) >= abs(first) * (right - left) and second != 0:
        return [left, right], [-(bias + first * one) / second for one in (left, right)]
    if first != 0:
        return [-(bias + second * one) / first for one in (low, high)], [low, high]
    return [], []


def matrix_figure(labels: Sequence[str], exact: FloatArray, private: FloatArray) -> go.Figure:
    """Return two matrices side by side, exact and private, in one colour scale around 0.

    Args:
        labels: Names of rows and columns.
        exact: Without noise, shape (d, d).
        private: One private version, shape (d, d).
    """
    most = float(max(np.abs(exact).max(initial=0.0), np.abs(private).max(initial=0.0))) or 1.0
    shared = {
        "type": "heatmap",
        "x": labels,
        "y": labels,
        "colorscale": "RdBu",
        "zmin": -most,
        "zmax": most,
        "texttemplate": "%{z:.2g}",
    }
    traces = [
        shared | {"z": exact, "name": EXACT, "showscale": False},
        shared | {"z": private, "name": PRIVATE, "xaxis": "x2", "yaxis": "y2"},
    ]
    titles = [
        {"text": name, "x": place, "y": 1.02, "xref": "paper", "yref": "paper", "showarrow": False, "yanchor": "bottom"}
        for name, place in ((EXACT, 0.22), (PRIVATE, 0.78))
    ]
    plain = {"showgrid": False, "automargin": True}
    return figure(
        traces,
        x=axis("", domain=[0, 0.46], **plain),
        y=axis("", autorange="reversed", **plain),
        xaxis2=axis("", domain=[0.54, 1], anchor="y2", **plain),
        yaxis2=axis("", autorange="reversed", showticklabels=False, anchor="x2", **plain),
        annotations=titles,
    )


def choice_figure(candidates: Sequence[str], probabilities: FloatArray, best: Sequence[int]) -> go.Figure:
    """Return how likely each candidate is chosen; the best ones have another colour.

    Args:
        candidates: Their names.
        probabilities: P(candidate), shape (c,).
        best: Places of the candidates with the largest score.
    """
    colours = [GREEN if place in set(best) else BLUE for place in range(len(candidates))]
    bars = {
        "type": "bar",
        "x": candidates,
        "y": probabilities,
        "marker": {"color": colours},
        "hovertemplate": "%{x}: %{y:.1%}<extra></extra>",
    }
    across = axis("", type="category", showticklabels=len(candidates) <= _MOST_NAMES, automargin=True)
    return figure([bars], x=across, y=axis("how likely it is chosen", tickformat="~%", rangemode="tozero"), showlegend=False)
