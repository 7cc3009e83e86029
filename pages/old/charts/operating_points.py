"""What it costs to know: Figures 2 and 3 of Rubinstein & Aldà (2017), by bound."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.words import at_most
from dpcore.guarantees.wrong_oracle import by_pinsker, gamma_elsewhere
from pages.old.charts import moving
from pages.old.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, axis, decades, figure, line, scatter

GAMMAS = tuple(float(f"{g:.3g}") for g in np.geomspace(0.001, 0.5, 19))
LOOKS = {
    Bound.DKW: (PURPLE, "dash"),
    Bound.RANK: (BLUE, "solid"),
    Bound.TOLERANCE: (VERMILION, "dot"),
    Bound.TIME_UNIFORM: (GREY, "longdashdot"),
}
NAMES = {
    Bound.DKW: "DKW: the paper's",
    Bound.RANK: "rank: on average",
    Bound.TOLERANCE: "tolerance: this run",
    Bound.TIME_UNIFORM: "time-uniform: stop early",
}
"""Of bounds in a legend, with what they promise."""
ACROSS, UP = "share of changes not protected, γ", "least number of trials, m"
HOLLOW, _CHOICE = "circle-open", {"color": GREEN, "size": 13, "symbol": "diamond"}
SHOWN_CONFIDENCE = 0.95  # where a bound has one and the choice has none


def shown_bounds(chosen: Bound) -> tuple[Bound, ...]:
    """The curves of a figure, in order: TIME_UNIFORM, which is for draws that are stopped on the way, where it is chosen."""
    return tuple(bound for bound in Bound if bound is not Bound.TIME_UNIFORM or bound is chosen)


def confidence_for(bound: Bound, chosen: float | None = None) -> float | None:
    """The choice's own confidence or the one that is shown; None for a bound that has none."""
    return (chosen or SHOWN_CONFIDENCE) if bound.has_confidence else None


def operating_points(point: OperatingPoint, *, most_m: int | None = None) -> Drawn:
    """Figure 2: the least m for each γ under each bound, and this choice. The markers can be clicked.

    Points of more than ``most_m`` trials, which a page does not offer, are hollow, and the legend and the hover say why.
    """
    bounds = shown_bounds(point.bound)
    sizes = {bound: least_m(bound, confidence_for(bound, point.confidence)) for bound in bounds}
    traces = [_least(bound, sizes[bound], most_m) for bound in bounds]
    reached, needed = moving.at_most(1, moving.named("k", point.k)), moving.named("needs", 0)
    name = moving.where(reached, moving.words_of("this choice"), moving.words_of("takes ", moving.whole(needed), " trials"))
    at = (
        moving.joined(moving.named("gamma", point.gamma)),
        moving.joined(moving.where(reached, moving.named("m", point.m), needed)),
    )
    traces.append(scatter(name, *at, _CHOICE, **_told("", "this choice")))
    if most_m is not None and any(m > most_m for least in sizes.values() for m in least):
        marker = {"color": GREY, "size": 7, "symbol": HOLLOW}
        traces.append(scatter(f"over {most_m:,} trials", [None], [None], marker))
    y = decades(UP, exponentformat="power")
    return figure(traces, x=decades(ACROSS, tickformat="~g"), y=y, clickmode="event+select")


def _least(bound: Bound, sizes: tuple[int, ...], most_m: int | None) -> dict[str, Any]:
    """The curve of a bound; what is too large is hollow."""
    colour, dash = LOOKS[bound]
    over = [most_m is not None and m > most_m for m in sizes]
    symbols, large = [HOLLOW if one else "circle" for one in over], [7 if one else 5 for one in over]
    why = [f"<br>more than {most_m:,} trials: not offered here" if one else "" for one in over]
    drawn = line(
        NAMES[bound], GAMMAS, sizes, colour, dash=dash, customdata=why, meta="pick", **_told("%{customdata}", NAMES[bound])
    )
    marks = {"mode": "lines+markers", "marker": {"color": colour, "size": large, "symbol": symbols, "opacity": 1}}
    return drawn | marks | {"x": GAMMAS, "y": sizes}  # whole numbers, as a click tells them


def _told(more: str, name: str) -> dict[str, Any]:
    """What is said of a point, which keeps its look where another is picked."""
    return {"unselected": {"marker": {"opacity": 1}}, "hovertemplate": f"γ = %{{x}}<br>m = %{{y:,}}{more}<extra>{name}</extra>"}


def orders(point: OperatingPoint) -> Drawn:
    """Figure 3: the least k, as a share of m, for each γ at this m under each bound, and this choice."""
    traces: list[dict[str, Any]] = []
    for bound in shown_bounds(point.bound):
        colour, dash = LOOKS[bound]
        gammas, shares = _orders(bound, point.m, confidence_for(bound, point.confidence))
        traces.append(line(NAMES[bound], gammas, shares, colour, dash=dash))
    traces.append(scatter("this choice", [point.gamma], [point.k / point.m], _CHOICE))
    y = axis(f"order of Δ̂ among m = {counted(point.m, ' trials')}, k/m")
    return figure(traces, x=decades(ACROSS, tickformat="~g"), y=y)


@lru_cache(maxsize=256)
def least_m(bound: Bound, confidence: float | None) -> tuple[int, ...]:
    """The least m for each of GAMMAS."""
    return tuple(OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m for gamma in GAMMAS)


def _orders(bound: Bound, m: int, confidence: float | None) -> tuple[FloatArray, FloatArray]:
    gammas, shares = [], []
    for gamma in GAMMAS:
        try:
            k = OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence).k
        except DpcoreError:  # out of reach at this m: the curve starts further right
            continue
        gammas.append(gamma)
        shares.append(k / m)
    return np.array(gammas), np.array(shares)


# What γ becomes where the world is unlike the oracle.


_POINTS = 80


def wrong_oracle(gamma: float, decide: int, *, tau: float, least: float, most: float) -> Drawn:
    """γ′ against τ from ``least`` to ``most``, beside Proposition 8's own form, where ``decide`` records decide; τ is marked."""
    taus = np.geomspace(least, most, _POINTS)
    sharper = np.array([gamma_elsewhere(gamma, decide * one) for one in taus])
    pinsker = np.array([by_pinsker(gamma, decide * one) for one in taus])
    chosen = gamma_elsewhere(gamma, decide * tau)
    return figure(
        [
            line("not protected, at most", taus, sharper, BLUE),
            line("Proposition 8", taus, pinsker, VERMILION, dash="longdash"),
            line(f"γ = {gamma:g}", taus[[0, -1]], gamma, GREEN, dash="dash"),
            scatter(f"τ = {tau:g}: {at_most(chosen)}", [tau], [chosen], _CHOICE | {"color": PURPLE, "size": 12}),
        ],
        x=decades("τ: how unlike the oracle a row is", exponentformat="power"),
        y=axis("share of changes", range=[0, 1.02], tickformat="~%"),
    )
