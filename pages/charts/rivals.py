"""How far off the ways to make one answer private are, along ε: those that leave nobody out, and beside them sampled noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.drawn import BLUE, GREY, ORANGE, PURPLE, SKY, VERMILION, Drawn, figure, in_unit, line
from pages.charts.errors import error_axes, error_range
from pages.experiment.rivals import BLOCKS, SAMPLED, SMOOTH, WORST, Rivals, Way

_LOOKS = {  # colour, line style and mark of each way
    SAMPLED: (BLUE, "solid", "circle"),
    WORST: (VERMILION, "longdash", "square"),
    BLOCKS: (ORANGE, "dashdot", "triangle-up"),
    SMOOTH: (SKY, "dash", "x"),
}
WITHOUT = "blocks, no noise"
_ERROR = "root mean square error"


def rivals(found: Rivals, ways: Sequence[Way], unit: str) -> tuple[tuple[Drawn, str], tuple[Drawn, str]]:
    """Two charts with the same axes, and their descriptions: the ways that promise DP itself, and sampled noise alone."""
    without = np.where(found.apart > 0, found.apart, np.nan)  # a logarithmic axis has no 0
    known = np.concatenate([without, *(way.errors for way in ways)])
    bottom, top = error_range(known, (-1.0, 0.0))
    axes = error_axes(_ERROR, unit, bottom, top)
    axes["x"]["range"] = [float(np.log10(found.epsilons[at])) + more for at, more in ((0, -0.05), (-1, 0.05))]
    epsilon = float(found.epsilons[found.here])
    here = line(f"ε = {epsilon:.3g}", epsilon, np.array([10**bottom, 10**top]), PURPLE, dash="dot", width=1)
    sampled, proper = [way for way in ways if way.name == SAMPLED], [way for way in ways if way.name != SAMPLED]
    reference = [line(WITHOUT, found.epsilons, without, GREY, dash="dot")] if np.isfinite(without).any() else []
    first, second = (
        figure([*(_line(way, found.epsilons) for way in some), *more, dict(here)], x=dict(axes["x"]), y=dict(axes["y"]))
        for some, more in ((proper, reference), (sampled, []))
    )
    return (first, _in_words(proper, epsilon, unit)), (second, _in_words(sampled, epsilon, unit))


def _in_words(ways: list[Way], epsilon: float, unit: str) -> str:
    each = ", ".join(f"{way.name} {in_unit(way.error, unit)}" for way in ways)
    return f"Root mean square error against ε. At ε = {epsilon:.3g}: {each}."


def _line(way: Way, epsilons: FloatArray) -> dict[str, Any]:
    colour, dash, symbol = _LOOKS[way.name]
    marks = {"mode": "lines+markers", "marker": {"color": colour, "size": 7, "symbol": symbol}}
    return line(way.name, epsilons, way.errors, colour, dash=dash) | marks
