"""The sensitivity of the target: empirical and true CDF, the order statistic, and the unprotected tail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.figures.theme import BLUE, GREEN, GREY, VERMILION, Chart, axis, line, transparent, with_unit

_NOTE = {"showarrow": False, "xanchor": "right", "font": {"size": 10}}
MOST_STEPS = 700  # a browser draws these in a frame of 16 ms


def staircase(ordered: FloatArray, right: float, most: int = MOST_STEPS) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of the empirical CDF as a line with ``shape: "hv"``.

    Args:
        ordered: The distances in ascending order, shape (m,). Infinite ones are beyond the right edge.
        right: Right end of the chart.
        most: Largest number of steps. If there are more, every m/most-th one is drawn at its true height.

    Returns:
        x and y, from (0, 0) to (right, the share of finite distances).
    """
    finite = int(np.searchsorted(ordered, np.inf))
    count = min(most, finite)
    places = np.array([place * (finite - 1) // max(count - 1, 1) for place in range(count)], dtype=np.int64)
    heights = np.searchsorted(ordered, ordered[places], side="right") / len(ordered)
    last = finite / len(ordered)
    return np.concatenate([[0.0], ordered[places], [right]]), np.concatenate([[0.0], heights, [last]])


def sensitivity_chart(
    distances: FloatArray,
    m: int,
    sensitivity: float,
    *,
    what: str = "answer",
    unit: str = "",
    true_cdf: Callable[[FloatArray], FloatArray] | None = None,
    true_name: str = "true CDF",
    worst_case: float | None = None,
    protects_all: bool = False,
) -> Chart:
    """Return the empirical and the true CDF of the distances (Figure 1 of Rubinstein and Aldà 2017).

    Args:
        distances: All sampled distances in the order of their draws, shape (M,). They determine the axis, so it is the same for
            all m.
        m: Number of distances in the CDF: the first m.
        sensitivity: Δ̂, the k-th smallest of these; infinite if too many pairs failed.
        what: Name of the target.
        unit: Unit of the distances.
        true_cdf: The CDF to compare with.
        true_name: Name of this CDF: the true CDF, or a large reference sample.
        worst_case: The proved global sensitivity.
        protects_all: Whether the noise is not sampled, so changes beyond Δ̂ are protected too.
    """
    largest = float(distances[np.isfinite(distances)].max(initial=0.0))
    end = 1.05 * largest or 1.0
    x, y = staircase(np.sort(distances[:m]), end)
    at = min(sensitivity, end)
    traces = [
        line(
            "beyond Δ̂" if protects_all else "not protected",
            [at, at, end, end],
            [0, 1, 1, 0],
            VERMILION,
            fill="toself",
            hoverinfo="skip",
        )
        | {"fillcolor": transparent(VERMILION, 0.14), "line": {"width": 0}},
        line("empirical", x, y, BLUE) | {"line": {"color": BLUE, "shape": "hv"}},
    ]
    if true_cdf is not None:
        grid = np.linspace(0, end, 200)
        traces.append(line(true_name, grid, true_cdf(grid), GREEN, dash="dash"))
    notes: list[dict[str, Any]] = []
    traces.append(line("Δ̂", [at, at], [0, 1], VERMILION, hovertemplate="Δ̂ = %{x:.4g}<extra></extra>"))
    if worst_case is not None and worst_case <= end:
        traces.append(line("worst case", [worst_case] * 2, [0, 1], GREY, dash="longdash", showlegend=False))
        notes.append({"x": worst_case, "y": 0.45, "text": f"worst case {figure(worst_case)}", "textangle": -90} | _NOTE)
    moves: list[dict[str, Any]] = [
        {"trace": 0, "rule": "beyond", "end": end},
        {"trace": 1, "rule": "staircase", "end": end},
        {"trace": 3 if true_cdf is not None else 2, "rule": "vertical", "end": end},
    ]
    shares = np.array([0.5, 0.8, 0.9, 0.95, 0.99, 1.0])
    reached = np.sort(distances[:m])[np.ceil(shares * m).astype(int) - 1]
    rows = [
        {"share of pairs": f"{share:.0%}", "moves the answer by at most": figure(float(g))}
        for share, g in zip(shares, reached, strict=True)
    ]
    protected = "protected too" if protects_all else "not protected"
    beside = f" Beside it: {true_name}." if true_cdf is not None else ""
    alt = (
        f"Empirical CDF of {m:,} sampled distances, up to {figure(largest)}. Δ̂ = {figure(sensitivity)}: pairs beyond it are "
        f"{protected}.{beside}"
    )
    layout = {
        "xaxis": axis(with_unit("how far one changed row moves it", unit), range=[0, end], exponentformat="power"),
        "yaxis": axis("share of pairs", range=[0, 1.02]),
        "annotations": notes,
    }
    return Chart(f"How sensitive is the {what}?", traces, layout, alt, rows, moves)
