"""Several scenarios on one pair of axes: their sensitivity CDFs with each Δ̂, what each would publish, how far off each is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.words import figure as digits
from pages.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, figure, line
from pages.charts.errors import error_axes, error_range
from pages.charts.responses import HOW_LIKELY, published_in
from pages.charts.sampler import furthest, moved, right_edge, staircase

_FAR_APART = 20.0  # times the narrowest CDF: beyond that a linear axis would show a line along its edge
_NARROW = 8.0  # times the narrowest density that an axis reaches: a wider one is cut off
_CURVE, _FALL, _PEAK = ("bottom right", "top left"), ("top right", "bottom left"), ("middle right", "middle left")
_LONGEST = 44  # characters of a legend's entry
_MARGIN = {"l": 62, "r": 24, "t": 36, "b": 48}


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
class Errors:
    """The expected error of one scenario at each ε, and at its own."""

    name: str
    says: str
    epsilons: FloatArray
    errors: FloatArray
    epsilon: float
    chosen: float


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Density:
    """How likely the private answers of one scenario are."""

    name: str
    says: str
    at: FloatArray
    likely: FloatArray


def cdfs(shown: list[Moves], *, unit: str = "") -> Drawn:
    """The empirical CDF of each, and a mark at each Δ̂, at the height k/m where it inverts its CDF. Equal ones are one line.

    Where one reaches more than twenty times as far as another, the axis is logarithmic, and distances of 0 lie left of it.
    """
    right = right_edge(max(one.most for one in shown))
    farthest = [one.most for one in shown if one.most > 0]
    far = bool(farthest) and max(farthest) > _FAR_APART * min(farthest)
    traces = [_steps(_names(group), group[0].ordered, _look(group), right, far) for group in _alike(shown)]
    finite = [one for one in shown if np.isfinite(one.value)]
    traces += _marks([(one.name, one.value, one.point.k / one.point.m) for one in finite], _CURVE)
    x: dict[str, Any] = {"title": {"text": moved(unit)}, "exponentformat": "power", "nticks": 6, "range": [0, right]}
    if far:
        x |= {"type": "log", "dtick": 1, "range": [float(np.log10(_least(shown))), float(np.log10(right))]}
    return figure(traces, x=x, y={"title": {"text": "share of changes"}, "range": [0, 1.05]}, margin=_MARGIN)


def densities(shown: list[Density], *, unit: str = "") -> Drawn:
    """What each would publish, marked at its most likely answer. The axis ends where eight times the narrowest would."""
    tops = [int(np.argmax(one.likely)) for one in shown]
    least = min(float(one.at[-1] - one.at[0]) for one in shown) / 2
    lows = [max(float(one.at[0]), float(one.at[top]) - _NARROW * least) for one, top in zip(shown, tops, strict=True)]
    highs = [min(float(one.at[-1]), float(one.at[top]) + _NARROW * least) for one, top in zip(shown, tops, strict=True)]
    traces = [
        line(_names(group), group[0].at, group[0].likely, _look(group).colour, line=_style(_look(group)))
        for group in _alike(shown)
    ]
    places = zip(shown, tops, strict=True)
    traces += _marks([(one.name, float(one.at[top]), float(one.likely[top])) for one, top in places], _PEAK)
    x = {
        "title": {"text": published_in(unit)},
        "nticks": 6,
        "range": [min(lows), max(highs)],
    }
    return figure(traces, x=x, y=HOW_LIKELY, margin=_MARGIN)


def errors_beside(shown: list[Errors], *, what: str, unit: str = "") -> Drawn:
    """How the error of each falls as ε grows, with a mark at its own ε. Equal ones are one line."""
    values = np.concatenate([np.append(one.errors, one.chosen) for one in shown])
    bottom, top = error_range(values, (-1.0, 0.0))
    traces = [
        line(_names(group), group[0].epsilons, group[0].errors, _look(group).colour, line=_style(_look(group)))
        for group in _alike(shown)
    ]
    finite = [one for one in shown if np.isfinite(one.chosen)]
    traces += _marks([(one.name, one.epsilon, max(one.chosen, 10**bottom)) for one in finite], _FALL)
    return figure(traces, **error_axes(what, unit, bottom, top), margin=_MARGIN)


def _alike(shown: list[Any]) -> list[list[Any]]:
    """Those with the same line together: one would hide another."""
    groups: list[list[Any]] = []
    for one in shown:
        same = next((group for group in groups if _same(group[0], one)), None)
        groups.append([one]) if same is None else same.append(one)
    return groups


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Moves):
        return np.array_equal(one.ordered, other.ordered)
    if isinstance(one, Density):
        return np.array_equal(one.at, other.at) and np.array_equal(one.likely, other.likely)
    return np.allclose(one.errors, other.errors, rtol=1e-6, atol=0, equal_nan=True)


def _names(group: list[Any]) -> str:
    """With what each is, where there is room for that."""
    said = ", ".join(f"{one.name}: {one.says}" if one.says else one.name for one in group)
    return said if len(said) <= _LONGEST else ", ".join(one.name for one in group)


def _look(group: list[Any]) -> Look:
    """That of the scenario shown now, else of the first."""
    return LOOKS[NOW if any(one.name == NOW for one in group) else group[0].name]


def _style(look: Look) -> dict[str, Any]:
    return {"color": look.colour, "dash": look.dash, "width": look.width}


def _steps(name: str, ordered: FloatArray, look: Look, right: float, far: bool) -> dict[str, Any]:
    grid, steps = staircase(ordered, right)
    if far:  # what lies at 0 has no place on a logarithmic axis
        grid, steps = grid[grid > 0], steps[grid > 0]
    return line(name, grid, steps, look.colour, line=_style(look))


def _marks(places: list[tuple[str, float, float]], sides: tuple[str, str]) -> list[dict[str, Any]]:
    """A mark at each place, and the name of what stands there, or of all that do: on one side and the other in turn."""
    together: dict[tuple[float, float], list[str]] = {}
    for name, x, y in places:
        together.setdefault((x, y), []).append(name)
    return [_mark(names, x, y, side) for ((x, y), names), side in zip(together.items(), cycle(sides), strict=False)]


def _mark(names: list[str], x: float, y: float, at: str) -> dict[str, Any]:
    look, said = LOOKS[NOW if NOW in names else names[0]], ", ".join(names)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": f"{said}: {digits(x)}",
        "showlegend": False,
        "x": [x],
        "y": [y],
        "marker": {"color": look.colour, "size": 11, "symbol": look.symbol},
        "text": [f"<b>{said}</b>"],
        "textposition": at,
        "cliponaxis": False,
    }


def _least(shown: list[Moves]) -> float:
    """Where a logarithmic axis begins: a tenth of the smallest Δ̂, or the smallest distance where that is more."""
    values = [one.value for one in shown if np.isfinite(one.value) and one.value > 0] or [1.0]
    positive = [float(one.ordered[one.ordered > 0][0]) for one in shown if one.most > 0]
    return max(min(values) / 10, min(positive, default=0.0)) if positive else 0.1
