"""Fifty equally likely private answers as dots, and how many of them are too far off (a quantile dotplot)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.plots.responses import published_in
from dpcore.plots.style import BLUE, GREEN, GREY, VERMILION, figure, line

if TYPE_CHECKING:
    import plotly.graph_objects as go

DOTS = 50
_COLUMNS = 27  # of dots, from the lowest to the highest
_SIZE, _HIGH = 9, 10.0  # pixels of a dot; dots that a column has room for, at least
_FURTHEST = 2.0  # times the furthest dot, up to which a line is drawn


def of_noise(law: NoiseLaw) -> FloatArray:
    """How far off each dot is, (50,): h_i for even i, −h_i for odd ones, with P(|noise| <= h_i) = (i − ½)/50.

    They are quantiles of the noise at levels that are 1/50 apart (mathematics, section 16.6).
    """
    half = np.array([law.half_width((i - 0.5) / DOTS) for i in range(1, DOTS + 1)])
    return half * np.where(np.arange(1, DOTS + 1) % 2, -1.0, 1.0)


def of_places(offsets: FloatArray, chances: FloatArray) -> FloatArray:
    """The same of a choice among places: in the order of how far off they are, those that hold the levels (i − ½)/50."""
    order = np.argsort(np.abs(offsets), kind="stable")
    levels = (np.arange(DOTS) + 0.5) / DOTS
    held = np.searchsorted(np.cumsum(chances[order]), levels)
    return np.asarray(offsets[order[np.minimum(held, len(order) - 1)]], dtype=np.float64)


def beyond(offsets: FloatArray, off: float) -> int:
    """How many dots are further off than that: 50·P(|response − answer| > off), rounded (mathematics, section 16.6)."""
    return int(np.count_nonzero(np.abs(offsets) > off))


def fifty_dots(raw: float, offsets: FloatArray, *, off: float, raw_name: str = "without noise", unit: str = "") -> go.Figure:
    """Dots around an answer, stacked, with a line on either side at ``off``; those beyond are of another colour and shape."""
    noise = np.sort(offsets)
    reach = float(np.abs(noise).max())
    x, y = stacked(noise, reach, off)
    wrong = np.abs(noise) > off
    top, edge = max(_HIGH, float(y.max()) + 1), min(off, _FURTHEST * reach)
    traces = [
        _marks(f"{DOTS} equally likely answers", raw + x[~wrong], y[~wrong], BLUE, "circle"),
        _marks(f"wrong beyond ± {digits(off)}: {int(wrong.sum())} of {DOTS}", raw + x[wrong], y[wrong], VERMILION, "diamond"),
        line(raw_name, np.array([raw, raw]), np.array([0.0, top]), GREEN, line={"dash": "dot"}),
    ]
    if off <= _FURTHEST * reach:
        traces.append(_lines(raw, off, top))
    half = 1.06 * max(reach, edge) or 1.0
    return figure(
        traces,
        x={"title": {"text": published_in(unit)}, "nticks": 6, "range": [raw - half, raw + half]},
        y={"range": [0, top], "showticklabels": False, "showgrid": False},
    )


def _lines(raw: float, off: float, top: float) -> dict[str, Any]:
    ends = np.array([raw - off, raw - off, np.nan, raw + off, raw + off])
    style = {"dash": "dash", "width": 1.5}
    return line("", ends, np.array([0, top, np.nan, 0, top]), GREY, line=style, showlegend=False, hoverinfo="skip")


def stacked(noise: FloatArray, reach: float, off: float) -> tuple[FloatArray, FloatArray]:
    """(x, y) of each dot, from noise in order: the middle of its column, and how high it lies there.

    No column straddles ``off`` or −off, so that each dot is on the side of the line that its own distance is on.
    """
    width, inside = 2 * reach / _COLUMNS or 1.0, min(off, reach)
    many = max(1.0, np.floor(2 * inside / width + 1e-9))
    narrow = 2 * inside / many  # no narrower than the others, unless the lines are nearer to each other than that
    within = np.clip(np.floor((noise + inside) / (narrow or 1.0)), 0, many - 1)
    outside = np.floor(np.maximum(np.abs(noise) - inside, 0) / width)
    beyond_it = np.sign(noise) * (inside + (outside + 0.5) * width)
    x = np.where(np.abs(noise) > off, beyond_it, (within + 0.5) * narrow - inside)
    return x, np.asarray(np.arange(len(noise)) - np.searchsorted(x, x) + 0.5, dtype=np.float64)


def _marks(name: str, x: FloatArray, y: FloatArray, colour: str, symbol: str) -> dict[str, Any]:
    """Dots of one kind; where there is none, its name stays in the legend."""
    marker = {"color": colour, "symbol": symbol, "size": _SIZE}
    some = {"x": x, "y": y} if len(x) else {"x": [None], "y": [None]}
    return {"type": "scatter", "mode": "markers", "name": name, "marker": marker, "hoverinfo": "skip"} | some
