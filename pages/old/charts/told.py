"""How often the best guesser is right, on a ruler from a coin's 50 times in 100 to certainty."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.old.charts import moving
from pages.old.charts.drawn import BLUE, GREY, Drawn, figure, line, note, scatter
from pages.old.charts.moving import Moving

COIN, CERTAIN = 50, 100
_ENDS = np.array([COIN, CERTAIN], dtype=np.float64)
_LEVEL = np.zeros(2)
_MARGIN = {"l": 0, "r": 10, "t": 0, "b": 24}  # it begins at the left edge, as what stands above it does
_BELOW: dict[str, Any] = {"xref": "x", "yref": "y", "yanchor": "top"}


def ruler(right: float | Moving, said: str | Moving) -> tuple[Drawn, Moving]:
    """``right``: so many times in 100; a description. ``said``: what the mark stands for, as *over 99*."""
    filled = line("", moving.joined(COIN, right), _LEVEL, BLUE, width=6)
    mark = scatter("", moving.joined(right), _LEVEL[:1], {"color": BLUE, "symbol": "diamond", "size": 18})
    ends = [note("coin, 50", COIN, -1, xanchor="left", **_BELOW), note("certain, 100", CERTAIN, -1, xanchor="right", **_BELOW)]
    x, y = {"visible": False, "range": [COIN, CERTAIN]}, {"visible": False, "range": [-1, 1]}
    traces = [line("", _ENDS, _LEVEL, GREY, width=2), filled, mark]
    drawn = figure(traces, x=x, y=y, showlegend=False, margin=_MARGIN, annotations=ends)
    return drawn, moving.words_of("A ruler from 50, a coin, to 100, certain. The mark stands at ", said, ".")
