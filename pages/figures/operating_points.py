"""Operating points: the number of sampled pairs that each bound needs (Table 1 and Figure 2 of Rubinstein and Aldà 2017)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.errors import GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import Bound, OperatingPoint, reachable_m
from pages.figures.theme import BLUE, GREY, PURPLE, VERMILION, Chart, chosen, line, log_axis

GAMMAS = tuple(float(f"{gamma:.3g}") for gamma in np.geomspace(0.001, 0.5, 31))
FIX_GAMMA, FIX_M, FIX_BOTH = "fix γ", "fix m", "fix both"
_LOOKS = {
    Bound.RANK: (BLUE, "solid"),
    Bound.DKW: (PURPLE, "dash"),
    Bound.TOLERANCE: (VERMILION, "dot"),
    Bound.TIME_UNIFORM: (GREY, "longdashdot"),
}
USUAL_CONFIDENCE = 0.95
_MOST = 2_000_000


@lru_cache(maxsize=64)
def least_pairs(bound: Bound, confidence: float | None) -> tuple[int, ...]:
    """Return the smallest m that certifies each of ``GAMMAS``.

    Args:
        bound: Theorem that certifies γ.
        confidence: Its confidence, if it has one.
    """
    return tuple(OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m for gamma in GAMMAS)


def confidence_for(bound: Bound, stated: float | None) -> float | None:
    """Return the confidence for a bound, None if the bound has none.

    Args:
        bound: Theorem that certifies γ.
        stated: The selected confidence; 95% by default.
    """
    return (stated or USUAL_CONFIDENCE) if bound.has_confidence else None


def operating_points_chart(m: int, gamma: float, *, confidence: float | None = None) -> Chart:
    """Return the smallest m for each γ under each bound, with the selected point.

    Args:
        m: Number of sampled pairs.
        gamma: Share of pairs that may be missed.
        confidence: Confidence of the bounds that have one; 0.95 by default.
    """
    traces = []
    for bound in Bound:
        colour, dash = _LOOKS[bound]
        pairs = least_pairs(bound, confidence_for(bound, confidence))
        hover = f"{bound.words}: γ = %{{x}} needs m = %{{y:,}}<extra></extra>"
        traces.append(line(bound.words, GAMMAS, pairs, colour, dash=dash, hovertemplate=hover))
    traces.append(chosen(gamma, m, showlegend=False, hovertemplate="γ = %{x}<br>m = %{y:,}<extra></extra>"))
    return Chart(
        title="What do m and γ buy?",
        traces=traces,
        layout={
            "xaxis": log_axis("γ, unprotected share", 0.0009, 0.55),
            "yaxis": log_axis("m, sampled pairs", 1, _MOST) | {"tickformat": "", "exponentformat": "power"},
        },
        alt=f"The least number of sampled pairs for each γ under four bounds. This point: γ = {gamma:g}, m = {m:,}.",
        rows=[
            {"γ": f"{GAMMAS[place]:g}"}
            | {bound.words: f"{least_pairs(bound, confidence_for(bound, confidence))[place]:,}" for bound in Bound}
            for place in range(0, len(GAMMAS), 5)
        ],
        moves=[{"trace": len(traces) - 1, "rule": "operating point"}],
    )


def table_1(m: int, gamma: float, mode: str, *, confidence: float | None = None) -> list[dict[str, Any]]:
    """Return the rows of Table 1 of the paper: m, k, ρ and γ for each bound.

    Args:
        m: Number of sampled pairs; ignored by ``FIX_GAMMA``.
        gamma: Share of pairs that may be missed; ignored by ``FIX_M``.
        mode: ``FIX_GAMMA``, ``FIX_M`` or ``FIX_BOTH``.
        confidence: Confidence of the bounds that have one; 0.95 by default.
    """
    return [_row(bound, m, gamma, mode, confidence_for(bound, confidence)) for bound in Bound]


def _row(bound: Bound, m: int, gamma: float, mode: str, confidence: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {"bound": bound.words, "choice": {"bound": bound.name, "m": m, "gamma": gamma}}
    try:
        if mode == FIX_GAMMA:
            point = OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence)
        elif mode == FIX_M:
            point = OperatingPoint.for_sample_size(m, bound=bound, confidence=confidence)
        else:
            point = OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence)
    except GammaOutOfReachError:
        least = reachable_m(gamma, bound, confidence)
        row["choice"] = {"bound": bound.name, "m": least, "gamma": gamma}
        return row | {"m": f"needs {least:,}", "k": "–", "ρ": "–", "γ": f"{gamma:g}"}
    except InvalidValueError:  # DKW certifies nothing with one pair
        return row | {"m": f"{m:,}", "k": "–", "ρ": "–", "γ": "none"}
    sure = "–" if point.rho is None else figure(point.rho)
    row["choice"] = {"bound": bound.name, "m": point.m, "gamma": point.gamma}
    return row | {"m": f"{point.m:,}", "k": f"{point.k:,}", "ρ": sure, "γ": figure(point.gamma)}
