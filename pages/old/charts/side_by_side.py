"""Several scenarios on one pair of axes: their sensitivity CDFs with each Δ̂, and how far off each is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.words import figure as digits
from pages.old.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, axis, figure, line, scatter
from pages.old.charts.errors import error_axes, error_range
from pages.old.charts.sampler import distances_to, furthest, right_edge, staircase

_FAR_APART = 20.0  # times the narrowest CDF: beyond that a linear axis would show a line along its edge
_CURVE, _FALL = ("bottom right", "top left"), ("top right", "bottom left")
_LONGEST = 44  # characters of a legend's entry
_MARGIN = {"r": 24, "t": 36}


@final
@dataclass(frozen=True)
class Look:
    """How a scenario is drawn on every chart: its line and its mark tell it apart without colour too."""

    colour: str
    dash: str
    symbol: str
    width: float = 2.0


NOW = "now"
LOOKS = {
    "A": Look(VERMILION, "dash", "square"),
    "B": Look(GREEN, "dot", "diamond"),
    "C": Look(PURPLE, "dashdot", "triangle-up"),
    "D": Look(GREY, "longdash", "x"),
    NOW: Look(BLUE, "solid", "circle", 3.0),
}


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Moves:
    """How far the answer of one scenario moved: ``ordered`` distances, and its point, whose k-th smallest is Δ̂. ``says`` in a
    few words what it is."""

    name: str
    says: str
    ordered: FloatArray
    point: OperatingPoint

    @property
    def value(self) -> float:
        """Δ̂."""
        return float(self.ordered[self.point.k - 1])

    @property
    def most(self) -> float:
        """The largest finite one; 0 where there is none."""
        return furthest(self.ordered)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """A line of one scenario, and its ``mark``: the error at each ε, and at its own."""

    name: str
    says: str
    x: FloatArray
    y: FloatArray
    mark: tuple[float, float]


def cdfs(shown: list[Moves], *, unit: str = "") -> Drawn:
    """The empirical CDF of each, and a mark at each Δ̂, at the height k/m where it inverts its CDF. Equal ones are one line.

    Where one reaches more than twenty times as far as another, the axis is logarithmic, and distances of 0 lie left of it.
    """
    right = right_edge(max(one.most for one in shown))
    farthest = [one.most for one in shown if one.most > 0]
    far = bool(farthest) and max(farthest) > _FAR_APART * min(farthest)

    def steps(one: Moves) -> tuple[FloatArray, FloatArray]:
        grid, heights = staircase(one.ordered, right)
        kept = grid > (0 if far else -1)  # what lies at 0 has no place on a logarithmic axis
        return grid[kept], heights[kept]

    finite = [one for one in shown if np.isfinite(one.value)]
    x = distances_to(right, unit)
    if far:
        x |= {"type": "log", "dtick": 1, "range": [float(np.log10(_least(shown))), float(np.log10(right))]}
    traces = [*_lines(shown, steps), *_marks([(one.name, one.value, one.point.k / one.point.m) for one in finite], _CURVE)]
    return figure(traces, x=x, y=axis("share of changes", range=[0, 1.05]), margin=_MARGIN)


def errors_beside(shown: list[Curve], *, what: str, unit: str = "") -> Drawn:
    """How the error of each falls as ε grows, with a mark at its own ε. Equal ones are one line."""
    bottom, top = error_range(np.concatenate([np.append(one.y, one.mark[1]) for one in shown]), (-1.0, 0.0))
    places = [(one.name, one.mark[0], max(one.mark[1], 10**bottom)) for one in shown if np.isfinite(one.mark[1])]
    traces = [*_lines(shown, _whole), *_marks(places, _FALL)]
    return figure(traces, **error_axes(what, unit, bottom, top), margin=_MARGIN)


def _whole(one: Curve) -> tuple[FloatArray, FloatArray]:
    return one.x, one.y


def _lines(shown: Sequence[Any], of: Callable[[Any], tuple[FloatArray, FloatArray]]) -> list[dict[str, Any]]:
    """The line of each. Equal ones are one with all their names, as one would hide another."""
    groups: list[list[Any]] = []
    for one in shown:
        same = next((group for group in groups if all(map(_same, of(group[0]), of(one)))), None)
        groups.append([one]) if same is None else same.append(one)
    looks = [_look([one.name for one in group]) for group in groups]
    return [
        line(_names(group), *of(group[0]), look.colour, dash=look.dash, width=look.width)
        for group, look in zip(groups, looks, strict=True)
    ]


def _same(one: FloatArray, other: FloatArray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-6, atol=0, equal_nan=True)


def _names(group: list[Any]) -> str:
    """With what each is, where there is room for that."""
    said = ", ".join(f"{one.name}: {one.says}" if one.says else one.name for one in group)
    return said if len(said) <= _LONGEST else ", ".join(one.name for one in group)


def _look(names: list[str]) -> Look:
    """That of the scenario shown now, else of the first."""
    return LOOKS[NOW if NOW in names else names[0]]


def _marks(places: list[tuple[str, float, float]], sides: tuple[str, str]) -> list[dict[str, Any]]:
    """A mark at each place, and the name of what stands there, or of all that do: on one side and the other in turn."""
    together: dict[tuple[float, float], list[str]] = {}
    for name, x, y in places:
        together.setdefault((x, y), []).append(name)
    return [_mark(names, x, y, side) for ((x, y), names), side in zip(together.items(), cycle(sides), strict=False)]


def _mark(names: list[str], x: float, y: float, at: str) -> dict[str, Any]:
    look, said = _look(names), ", ".join(names)
    marker = {"color": look.colour, "size": 11, "symbol": look.symbol}
    text = {"mode": "markers+text", "text": [f"<b>{said}</b>"], "textposition": at, "cliponaxis": False}
    return scatter(f"{said}: {digits(x)}", [x], [y], marker, showlegend=False) | text


def _least(shown: list[Moves]) -> float:
    """Where a logarithmic axis begins: a tenth of the smallest Δ̂, or the smallest distance where that is more."""
    values = [one.value for one in shown if np.isfinite(one.value) and one.value > 0] or [1.0]
    positive = [float(one.ordered[one.ordered > 0][0]) for one in shown if one.most > 0]
    return max(min(values) / 10, min(positive, default=0.0)) if positive else 0.1
