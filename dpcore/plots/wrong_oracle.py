"""What γ becomes where the world is unlike the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.guarantees.words import at_most
from dpcore.guarantees.wrong_oracle import by_pinsker, gamma_elsewhere
from dpcore.plots.style import BLUE, GREEN, PURPLE, VERMILION, figure, line

if TYPE_CHECKING:
    import plotly.graph_objects as go

_POINTS = 80


def wrong_oracle(gamma: float, decide: int, *, tau: float, least: float, most: float) -> go.Figure:
    """γ′ against τ from ``least`` to ``most``, beside Proposition 8's own form, where ``decide`` records decide; τ is marked."""
    taus = np.geomspace(least, most, _POINTS)
    sharper = np.array([gamma_elsewhere(gamma, decide * one) for one in taus])
    pinsker = np.array([by_pinsker(gamma, decide * one) for one in taus])
    chosen = gamma_elsewhere(gamma, decide * tau)
    traces: list[dict[str, Any]] = [
        line("not protected, at most", taus, sharper, BLUE),
        line("Proposition 8", taus, pinsker, VERMILION, line={"dash": "longdash"}),
        line(f"γ = {gamma:g}", taus[[0, -1]], np.full(2, gamma), GREEN, line={"dash": "dash"}),
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"τ = {tau:g}: {at_most(chosen)}",
            "x": [tau],
            "y": [chosen],
            "marker": {"color": PURPLE, "size": 12, "symbol": "diamond"},
        },
    ]
    return figure(
        traces,
        x={"title": {"text": "τ: how unlike the oracle a record is"}, "type": "log", "exponentformat": "power", "dtick": 1},
        y={"title": {"text": "share of changes"}, "range": [0, 1.02], "tickformat": "~%"},
    )
