"""The sensitivity of the target: empirical and true CDF, the order statistic, and what is not protected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from pages.figures.theme import BLUE, GREEN, GREY, VERMILION, axis, figure, line, transparent, with_unit

MOST_STEPS = 700  # a browser draws no more in a frame of 16 ms


def staircase(distances: FloatArray, right: float, most: int = MOST_STEPS) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of the empirical CDF as a line with ``shape: "hv"``.

    Args:
        distances: The sampled distances, shape (m,). Infinite ones are beyond the right edge.
        right: Where the chart ends.
        most: At most so many steps. Of more, every m/most-th is drawn with its true height.

    Returns:
        x and y, from (0, 0) to (right, the share of finite distances).
    """
    ordered = np.sort(distances)
    finite = ordered[np.isfinite(ordered)]
    places = np.unique(np.linspace(0, len(finite) - 1, min(most, len(finite))).astype(np.int64)) if len(finite) else []
    heights = np.searchsorted(ordered, finite[places], side="right") / len(ordered)
    last = len(finite) / len(ordered)
    return np.concatenate([[0.0], finite[places], [right]]), np.concatenate([[0.0], heights, [last]])


def sensitivity_figure(
    distances: FloatArray,
    sensitivity: float,
    *,
    unit: str = "",
    true_cdf: Callable[[FloatArray], FloatArray] | None = None,
    true_name: str = "true CDF",
    worst_case: float | None = None,
    right: float | None = None,
) -> go.Figure:
    """Return the empirical CDF of the distances beside the true one (Figure 1 of Rubinstein and Aldà 2017).

    Args:
        distances: The sampled distances, shape (m,).
        sensitivity: Δ̂, the k-th smallest distance; infinite if γ is out of reach.
        unit: The unit of the distances.
        true_cdf: The CDF to compare with.
        true_name: What that is: the true CDF, or a large reference sample.
        worst_case: The proved global sensitivity.
        right: Where the axis ends, so that it keeps its range while a slider moves. By default 5% beyond the largest distance.
    """
    largest = float(distances[np.isfinite(distances)].max(initial=0.0))
    end = right if right is not None else 1.05 * largest or 1.0
    x, y = staircase(distances, end)
    traces = [line(f"{len(distances):,} sampled pairs", x, y, VERMILION)]
    traces[0]["line"]["shape"] = "hv"
    if true_cdf is not None:
        grid = np.linspace(0, end, 200)
        traces.append(line(true_name, grid, true_cdf(grid), BLUE, dash="dash"))
    at = min(sensitivity, end)
    traces.append(line(f"Δ̂ = {sensitivity:.3g}", [at, at], [0, 1], GREEN))
    beyond = {"fill": "toself", "fillcolor": transparent(GREEN, 0.15), "hoverinfo": "skip", "showlegend": True}
    traces.append(line("not protected", [at, at, end, end], [0, 1, 1, 0], GREEN, **beyond))
    traces[-1]["line"]["width"] = 0
    if worst_case is not None and worst_case <= end:
        traces.append(line(f"worst case {worst_case:.3g}", [worst_case, worst_case], [0, 1], GREY, dash="longdash"))
    across = axis(with_unit("how far one changed row moves the target", unit), range=[0, end], exponentformat="power")
    return figure(traces, x=across, y=axis("share of pairs", range=[0, 1.02]))
