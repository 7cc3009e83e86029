"""What an attack found under each noise, on rulers from a coin's 50 times in 100 to certainty, grouped by what is promised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pages.charts.drawn import BLUE, GREY, INK, PURPLE, SILENT, VERMILION, Drawn, axis, figure, line, note, scatter
from pages.charts.told import CERTAIN, COIN

DP, RANDOM_DP, PAC, NO_NOISE = "Differential privacy", "Random DP", "PAC privacy, no DP", "No noise"
_LOOKS = {DP: (BLUE, "circle"), RANDOM_DP: (VERMILION, "square"), PAC: (PURPLE, "diamond"), NO_NOISE: (GREY, "triangle-up")}
"""Groups of promises that can be compared, from the strongest to none."""
_LEFT = 45.0  # an interval around a coin's 50 reaches below it
_ROW, _HEAD, _AXIS = 42, 34, 52  # pixels
_MARGIN = {"l": 8, "r": 12, "t": 4, "b": _AXIS}


@final
@dataclass(frozen=True, slots=True)
class Ruler:
    """One way: its name, its group of promises, one of those above, what was found in how wide an interval, and what is promised,
    None without a promise; these in 100. ``says``: both in words."""

    name: str
    group: str
    found: float
    interval: tuple[float, float]
    promised: float | None
    says: str


def attacked(rulers: Sequence[Ruler]) -> tuple[Drawn, str]:
    """The rulers, one under another, those of a group under its name; and a description."""
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    down = 0.0
    for group in _LOOKS:
        of_group = [one for one in rulers if one.group == group]
        if of_group:
            down += _HEAD
            notes.append(_text(f"<b>{group}</b>", _LEFT, down, "left", 13))
        for one in of_group:
            down += _ROW
            traces += _ruler(one, -down, *_LOOKS[group])
            notes += [_text(one.name, _LEFT, down - 10, "left"), _text(one.says, CERTAIN, down - 10, "right")]
    height = down + _ROW / 2
    x = axis("times in 100 that the guesser is right", range=[_LEFT, CERTAIN + 1], tickmode="array", showgrid=False)
    x |= {"tickvals": np.arange(COIN, CERTAIN + 1, 10, dtype=float), "ticktext": ["coin, 50", "60", "70", "80", "90", "100"]}
    drawn = figure(
        traces,
        x=x,
        y={"visible": False, "range": [-height, 0.0]},
        annotations=notes,
        showlegend=False,
        margin=_MARGIN,
        height=int(height) + _AXIS,
    )
    told = "; ".join(f"{one.name}: {one.says}" for one in rulers)
    return (
        drawn,
        f"How often a guesser tells which of two tables an answer was made of, on rulers from 50, a coin, to 100. {told}.",
    )


def _ruler(one: Ruler, at: float, colour: str, symbol: str) -> list[dict[str, Any]]:
    level = np.full(2, at)
    mark = scatter(one.name, np.array([one.found]), level[:1], {"color": colour, "symbol": symbol, "size": 11})
    traces = [
        line("", np.array([COIN, CERTAIN], dtype=float), level, GREY, width=1, **SILENT),
        line("", np.array(one.interval), level, colour, width=7, **SILENT),
        mark | {"hovertemplate": f"{one.says}<extra></extra>"},
    ]
    if one.promised is not None:
        tick = {"symbol": "line-ns-open", "size": 22, "color": INK, "line": {"width": 2}}
        traces.append(scatter("promised", np.array([one.promised]), level[:1], tick, hoverinfo="skip"))
    return traces


def _text(text: str, x: float, down: float, side: str, size: int = 12) -> dict[str, Any]:
    return note(text, x, -down, size=size, xref="x", yref="y", xanchor=side, yanchor="bottom")
