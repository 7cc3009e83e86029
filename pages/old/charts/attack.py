"""What an attack found beside what is promised, on a ruler from a coin's 50 times in 100 to certainty."""

from __future__ import annotations

import numpy as np

from pages.old.charts.drawn import GREY, INK, VERMILION, Drawn, axis, figure, line, note, scatter
from pages.old.charts.told import CERTAIN, COIN

_LEFT = 45.0  # an interval around a coin's 50 reaches below it
_HEIGHT, _MARGIN = 120, {"l": 8, "r": 12, "t": 4, "b": 52}  # pixels
_TICKS = ["coin, 50", "60", "70", "80", "90", "100"]


def attacked(found: float, interval: tuple[float, float], promised: float | None, says: str) -> tuple[Drawn, str]:
    """What was found in which interval, and what is promised, None without a promise, all in 100; and a description. ``says``:
    both in words."""
    level = np.zeros(2)
    traces = [
        line("", np.array([COIN, CERTAIN], dtype=float), level, GREY, width=1, hoverinfo="skip", showlegend=False),
        line("", np.array(interval), level, VERMILION, width=7, hoverinfo="skip", showlegend=False),
        scatter("found", np.array([found]), level[:1], {"color": VERMILION, "symbol": "square", "size": 11}),
    ]
    if promised is not None:
        tick = {"symbol": "line-ns-open", "size": 22, "color": INK, "line": {"width": 2}}
        traces.append(scatter("promised", np.array([promised]), level[:1], tick, hoverinfo="skip"))
    x = axis("times in 100 that the guesser is right", range=[_LEFT, CERTAIN + 1], tickmode="array", showgrid=False)
    x |= {"tickvals": np.arange(COIN, CERTAIN + 1, 10, dtype=float), "ticktext": _TICKS}
    said = note(says, CERTAIN, 0.4, xref="x", yref="y", xanchor="right", yanchor="bottom")
    y = {"visible": False, "range": [-1.0, 1.0]}
    drawn = figure(traces, x=x, y=y, annotations=[said], showlegend=False, margin=_MARGIN, height=_HEIGHT)
    return drawn, f"How often a guesser tells which of two tables an answer was made of, from 50, a coin, to 100: {says}."
