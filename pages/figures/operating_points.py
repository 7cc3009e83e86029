"""The operating points: how many sampled pairs each bound needs for a γ (Table 1 and Figure 2 of Rubinstein and Aldà 2017)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import plotly.graph_objects as go

from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, figure, line, log_axis, markers

GAMMAS = tuple(float(f"{gamma:.3g}") for gamma in np.geomspace(0.001, 0.5, 31))
NAMES = {Bound.RANK: "rank", Bound.DKW: "DKW", Bound.TOLERANCE: "tolerance", Bound.TIME_UNIFORM: "time-uniform"}
_LOOKS = {
    Bound.RANK: (BLUE, "solid"),
    Bound.DKW: (PURPLE, "dash"),
    Bound.TOLERANCE: (VERMILION, "dot"),
    Bound.TIME_UNIFORM: (GREY, "longdashdot"),
}
USUAL_CONFIDENCE = 0.95


@lru_cache(maxsize=64)
def least_pairs(bound: Bound, confidence: float | None) -> tuple[int, ...]:
    """Return the least m that certifies each of ``GAMMAS`` under a bound."""
    return tuple(OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m for gamma in GAMMAS)


def confidence_for(bound: Bound, chosen: float | None) -> float | None:
    """Return the confidence that a bound is shown with: the chosen one, 95% if there is none, None for bounds without one."""
    return (chosen or USUAL_CONFIDENCE) if bound.has_confidence else None


def operating_points_figure(m: int, gamma: float, *, confidence: float | None = None) -> go.Figure:
    """Return the least m for each γ under each bound, with this (γ, m).

    Args:
        m: Number of sampled pairs.
        gamma: Share of pairs that may be missed.
        confidence: Of the bounds that have one; 0.95 by default.
    """
    traces = []
    for bound in Bound:
        colour, dash = _LOOKS[bound]
        pairs = least_pairs(bound, confidence_for(bound, confidence))
        traces.append(line(NAMES[bound], GAMMAS, pairs, colour, dash=dash, hovertemplate="γ = %{x}<br>m = %{y:,}"))
    chosen = {"color": GREEN, "size": 12, "symbol": "diamond"}
    traces.append(markers("this point", [gamma], [m], GREEN, marker=chosen, hovertemplate="γ = %{x}<br>m = %{y:,}"))
    return figure(
        traces,
        x=log_axis("γ, share that is not protected"),
        y=log_axis("m, sampled pairs", exponentformat="power") | {"tickformat": ""},
        clickmode="event+select",
    )
