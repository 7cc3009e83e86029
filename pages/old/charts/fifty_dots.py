"""Fifty equally likely private answers as dots, and how many of them are too far off (a quantile dotplot)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.old.charts import moving
from pages.old.charts.drawn import BLUE, GREEN, GREY, SILENT, VERMILION, Drawn, axis, figure, line, scatter
from pages.old.charts.moving import Numbers, call
from pages.old.charts.responses import ROOM, published_in

DOTS = 50
LEVELS = (np.arange(DOTS) + 0.5) / DOTS
"""How much of the noise lies nearer to 0 than each dot: h_i for even i, −h_i for odd ones, with P(|noise| <= h_i) = (i − ½)/50.
They are quantiles of the noise at levels that are 1/50 apart (mathematics, section 16.6)."""
COLUMNS = 27  # of dots, from the lowest to the highest
_SIZE, _HIGH = 9, 10.0  # pixels of a dot; dots that a column has room for, at least
_FURTHEST = 2.0  # times the furthest dot, up to which a line is drawn


def of_places(offsets: FloatArray, chances: FloatArray) -> FloatArray:
    """The same of a choice among places: in the order of how far off they are, those that hold the levels (i − ½)/50."""
    order = np.argsort(np.abs(offsets), kind="stable")
    held = np.searchsorted(np.cumsum(chances[order]), LEVELS)
    return np.asarray(offsets[order[np.minimum(held, len(order) - 1)]], dtype=np.float64)


def beyond(offsets: FloatArray, off: float) -> int:
    """How many dots are further off than that: 50·P(|response − answer| > off), rounded (mathematics, section 16.6)."""
    return int(np.count_nonzero(np.abs(offsets) > off))


def fifty_dots(raw: float, offsets: Numbers, *, off: float, raw_name: str = "without noise", unit: str = "") -> Drawn:
    """Dots around an answer, stacked, with a line on either side at ``off``; those beyond are of another colour and shape."""
    offsets = np.sort(offsets) if isinstance(offsets, np.ndarray) else offsets  # those that move rise
    reach = moving.most(offsets, 0 - offsets)
    x, y = stacked(moving.value_of(offsets), reach.value, off)
    wrong = np.abs(moving.value_of(offsets)) > off
    seen = moving.at_most(off, _FURTHEST * reach)
    top = moving.most(_HIGH, call("columns", float(y.max()), offsets, off) + 1)
    half = ROOM * moving.most(reach, moving.where(seen, off, 0))
    half = moving.where(moving.at_most(half, 0), 1, half)
    many = moving.whole(call("beyond", int(wrong.sum()), offsets, off))
    gap = moving.where(seen, 0, np.nan)
    ends = np.array([-off, -off, np.nan, off, off])
    named = moving.words_of(f"wrong beyond ± {digits(off)}: ", many, f" of {DOTS}")
    traces = [
        _marks(f"{DOTS} equally likely answers", raw, offsets, off, (x, y), 0, BLUE, "circle"),
        _marks(named, raw, offsets, off, (x, y), 1, VERMILION, "diamond"),
        line(raw_name, np.array([raw, raw]), moving.joined(0, top), GREEN, dash="dot"),
        line("", raw + ends + gap, moving.joined(0, top, np.nan, 0, top), GREY, dash="dash", width=1.5, **SILENT),
    ]
    across = axis(published_in(unit), nticks=6, range=[raw - half, raw + half])
    return figure(traces, x=across, y={"range": [0, top], "showticklabels": False, "showgrid": False})


def stacked(noise: FloatArray, reach: float, off: float) -> tuple[FloatArray, FloatArray]:
    """(x, y) of each dot, from noise in order: the middle of its column, and how high it lies there.

    No column straddles ``off`` or −off, so that each dot is on the side of the line that its own distance is on.
    """
    width, inside = 2 * reach / COLUMNS or 1.0, min(off, reach)
    many = max(1.0, np.floor(2 * inside / width + 1e-9))
    narrow = 2 * inside / many  # no narrower than the others, unless the lines are nearer to each other than that
    within = np.clip(np.floor((noise + inside) / (narrow or 1.0)), 0, many - 1)
    outside = np.floor(np.maximum(np.abs(noise) - inside, 0) / width)
    beyond_it = np.sign(noise) * (inside + (outside + 0.5) * width)
    x = np.where(np.abs(noise) > off, beyond_it, (within + 0.5) * narrow - inside)
    return x, np.asarray(np.arange(len(noise)) - np.searchsorted(x, x) + 0.5, dtype=np.float64)


def _marks(
    name: Any, raw: float, offsets: Numbers, off: float, at: tuple[FloatArray, FloatArray], side: int, colour: str, symbol: str
) -> dict[str, Any]:
    """Dots within the lines, or beyond them; the others are no number, so that the name stays in the legend."""
    there = (np.abs(moving.value_of(offsets)) > off) == bool(side)
    x, y = (np.where(there, one, np.nan) for one in at)
    marker = {"color": colour, "symbol": symbol, "size": _SIZE}
    across, up = call("stackX", x, offsets, off, side), call("stackY", y, offsets, off, side)
    return scatter(name, raw + across, up, marker, hoverinfo="skip")
