"""How often the best guesser is right, on a ruler from a coin's 50 times in 100 to certainty."""

from __future__ import annotations

import numpy as np

from pages.charts import moving
from pages.charts.drawn import BLUE, GREY, Drawn, figure, line, scatter
from pages.charts.moving import Moving

COIN, CERTAIN = 50, 100
_ENDS = np.array([COIN, CERTAIN], dtype=np.float64)
_LEVEL = np.zeros(2)


def ruler(right: float | Moving, said: str | Moving) -> tuple[Drawn, Moving]:
    """``right``: so many times in 100; a description. ``said``: what the mark stands for, as *over 99*."""
    filled = line("", moving.joined(COIN, right), _LEVEL, BLUE, width=6)
    mark = scatter("", moving.joined(right), _LEVEL[:1], {"color": BLUE, "symbol": "diamond", "size": 18})
    x = {"range": [COIN - 4, CERTAIN + 8], "tickvals": _ENDS, "ticktext": ["coin, 50", "certain, 100"], "showgrid": False}
    y = {"visible": False, "range": [-1, 1]}
    drawn = figure([line("", _ENDS, _LEVEL, GREY, width=2), filled, mark], x=x | {"tickangle": 0}, y=y, showlegend=False)
    return drawn, moving.words_of("A ruler from 50, a coin, to 100, certain. The mark stands at ", said, ".")
