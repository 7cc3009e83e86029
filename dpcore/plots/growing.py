"""Draws that are still arriving: their CDF as it grows, and where Δ̂ will about lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.order_interval import order_interval
from dpcore.guarantees.words import figure as digits
from dpcore.plots.steps import right_edge, staircase
from dpcore.plots.style import BLUE, GREEN, VERMILION, figure, line

if TYPE_CHECKING:
    import plotly.graph_objects as go

CONFIDENCE = 0.95


def growing_cdf(distances: FloatArray, point: OperatingPoint, *, unit: str = "") -> go.Figure:
    """The empirical CDF of what arrived of m draws, with a 95 % interval for Δ̂, the k-th smallest of all m.

    For looking: the interval holds at one look, and of many looks some misses Δ̂ more often (``order_interval``). The draws
    that arrive first are not like the others, and a number that was looked at calibrates nothing.
    """
    ordered = np.sort(distances)
    finite = ordered[np.isfinite(ordered)]
    right = right_edge(float(finite[-1]) if len(finite) else 0.0)
    low, high = order_interval(distances, point, confidence=CONFIDENCE)
    grid, steps = staircase(ordered, right)
    ends = [min(low, right), min(high, right)]
    traces: list[dict[str, Any]] = [
        line(
            interval_words(low, high),
            np.array([ends[0], ends[0], ends[1], ends[1]]),
            np.array([0.0, 1.0, 1.0, 0.0]),
            BLUE,
            line={"width": 0},
            fill="toself",
            fillcolor="rgba(0,114,178,0.18)",
            hoverinfo="skip",
        ),
        line(f"{len(ordered):,} of {counted(point.m, ' trials')}", grid, steps, VERMILION, line={"dash": "dot"}),
        line("k/m", np.array([0.0, right]), np.full(2, point.k / point.m), GREEN, line={"dash": "dash"}),
    ]
    title = "how far the answer moves" + (f" ({unit})" if unit else "")
    return figure(
        traces,
        x={"title": {"text": title}, "range": [0, right], "exponentformat": "power", "nticks": 6},
        y={"title": {"text": "share of changes"}, "range": [0, 1.02]},
    )


def interval_words(low: float, high: float) -> str:
    """Δ̂'s interval for people. It holds at one look that was fixed beforehand."""
    if np.isfinite(high):
        return f"Δ̂, 95 % at one look: {digits(low)} to {digits(high)}"
    if np.isinf(low):
        return "Δ̂: ∞, too many trials fail"
    return f"Δ̂, 95 % at one look: {digits(low)} or more" if low > 0 else "Δ̂: not known yet"
