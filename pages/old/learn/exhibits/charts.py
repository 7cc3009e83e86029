"""What a stored figure shows: charts with named series, and tables of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.checks import finite, named
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from pages.old.charts.drawn import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, figure, line, scatter, shown, thinned

if TYPE_CHECKING:
    import plotly.graph_objects as go


ROLES = (  # whose a series is, so that one role has one look on every chart
    "formula",  # stated in the paper's text as a formula, and drawn from it
    "dkw",  # ours at the paper's operating points
    "rank",  # ours at the operating points of RANK
    "tolerance",
    "worst case",  # proved, by this project
    "paper's worst case",  # proved, by the paper
    "no privacy",
    "true",  # a distribution that is known exactly
    "other",
)
DRAWN = ("line", "steps", "points")
Cell = str | float


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis measures, in which unit ("" without one), and whether it is logarithmic."""

    label: str
    unit: str = ""
    log: bool = False

    def __post_init__(self) -> None:
        named("label", self.label)
        if not isinstance(self.unit, str) or not isinstance(self.log, bool):
            raise InvalidValueError("axis", "a unit in words, and whether it is logarithmic", (self.unit, self.log))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """One line, or one set of points: ``x`` and ``y`` (p,), finite, in the units of the chart's axes.

    ``low`` and ``high`` (p,) are around ``y`` where a spread was measured, else None both; the chart's ``spread`` says what
    they mean. ``role`` is one of ``ROLES``, ``drawn`` one of ``DRAWN``.
    """

    name: str
    role: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    drawn: str = "line"

    def __post_init__(self) -> None:
        named("name", self.name)
        _one_of("role", self.role, ROLES)
        _one_of("drawn", self.drawn, DRAWN)
        x = _column("x", self.x)
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", _column("y", self.y, len(x)))
        if (self.low is None) != (self.high is None):
            raise InvalidValueError("low and high", "both given, or neither", (self.low, self.high))
        for name in ("low", "high"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _column(name, getattr(self, name), len(x)))


@final
@dataclass(frozen=True, kw_only=True)
class Chart:
    """One panel: its axes and at least one series, each of a name of its own."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    spread: str = ""

    def __post_init__(self) -> None:
        named("title", self.title)
        names = [one.name for one in self.series]
        if not names or len(set(names)) < len(names):
            raise InvalidValueError("series", "at least one, of different names", names)
        if not isinstance(self.spread, str) or (not self.spread and any(one.low is not None for one in self.series)):
            raise InvalidValueError("spread", "words for what low and high are", self.spread)
        for axis, values in ((self.x, "x"), (self.y, "y")):
            if axis.log and any((getattr(one, values) <= 0).any() for one in self.series):
                raise InvalidValueError(values, "above 0 on a logarithmic axis", self.title)

    def called(self, name: str) -> Series:
        """The series of this name; InvalidValueError where there is none."""
        found = [one for one in self.series if one.name == name]
        if not found:
            raise InvalidValueError("name", f"one of {', '.join(one.name for one in self.series)}", name)
        return found[0]


@final
@dataclass(frozen=True, kw_only=True)
class StoredTable:
    """A table: a title, names of columns, and rows of texts and finite numbers, as many in each as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)

    def __post_init__(self) -> None:
        named("title", self.title)
        for column in self.columns:
            named("column", column)
        if not self.columns or not self.rows or any(len(row) != len(self.columns) for row in self.rows):
            raise InvalidValueError("rows", f"at least one, of {len(self.columns)} cells each", self.title)
        for cell in (cell for row in self.rows for cell in row):
            if not isinstance(cell, str):
                finite("cell", cell)


def _column(name: str, value: object, length: int | None = None) -> FloatArray:
    array = np.array(value, dtype=np.float64) if _holds_stored_table(value) else np.empty(0)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all() or len(array) != (length or len(array)):
        raise InvalidValueError(name, "finite numbers, as many as x has", value)
    array.flags.writeable = False
    return array


def _holds_stored_table(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu"
    return isinstance(value, (list, tuple)) and all(type(one) in (int, float) for one in value)


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidValueError(name, f"one of {', '.join(known)}", value)


# A stored chart of the gallery: the looks of a series hang on whose it is, so that one role looks the same on every chart.


_LOOKS = {  # by role: colour, and the line styles of its first, second and third series
    "formula": (GREY, ("solid", "longdash", "dot")),
    "dkw": (VERMILION, ("dash", "dot", "longdash", "dashdot")),
    "rank": (BLUE, ("solid", "dash", "dot", "dashdot")),
    "tolerance": (GREEN, ("dashdot", "dot", "dash")),
    "worst case": (PURPLE, ("longdash", "dot", "dash")),
    "paper's worst case": (ORANGE, ("longdashdot", "dot", "dash")),
    "no privacy": (GREY, ("dot", "dash", "solid")),
    "true": (GREEN, ("solid", "dash", "dot")),
    "other": (SKY, ("solid", "dash", "dot", "dashdot")),
}
_SHAPES = ("circle", "square", "diamond", "triangle-up")
_NEARLY = 1e-6  # so that a tick at the end of the data is within them
_CLEAR = "rgba(127,127,127,0.25)"


def exhibited(chart: Chart) -> tuple[go.Figure, str]:
    """The chart, and the sentence that describes it: each series by its ends."""
    used: dict[str, int] = {}
    traces = []
    for one in chart.series:
        place = used[one.role] = used.get(one.role, -1) + 1
        traces += [*_spread(one), _drawn(one, place)]
    rows = -(-len(chart.series) // 2)
    x, y = (_axis(getattr(chart, axis), np.concatenate([getattr(one, axis) for one in chart.series])) for axis in "xy")
    margin = {"l": 62, "r": 12, "t": 12 + 20 * rows, "b": 48}
    return figure(traces, x=x, y=y, margin=margin), _described(chart)


def _drawn(one: Series, place: int) -> dict[str, Any]:
    colour, dashes = _LOOKS[one.role]
    hover: dict[str, Any] = {"hovertemplate": f"{shown(one.name)}<br>%{{x:.3g}}: %{{y:.3g}}<extra></extra>"}
    if one.drawn == "points":
        keep = thinned(len(one.x))
        marker = {"color": colour, "size": 7, "symbol": _SHAPES[place % len(_SHAPES)]}
        return scatter(one.name, one.x[keep], one.y[keep], marker, **hover)
    shape = {"shape": "hv"} if one.drawn == "steps" else {}
    return line(one.name, one.x, one.y, colour, dash=dashes[place % len(dashes)], line=shape, **hover)


def _spread(one: Series) -> list[dict[str, Any]]:
    """A band behind the line; what it means stands under the chart."""
    if one.low is None or one.high is None:
        return []
    base = {"type": "scatter", "mode": "lines", "name": "", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    keep = thinned(len(one.x))
    return [
        base | {"x": one.x[keep], "y": one.low[keep]},
        base | {"x": one.x[keep], "y": one.high[keep], "fill": "tonexty", "fillcolor": _CLEAR},
    ]


def _axis(axis: Axis, values: FloatArray) -> dict[str, Any]:
    title = {"text": f"{axis.label} ({axis.unit})" if axis.unit else axis.label, "font": {"size": 13}}
    return {"title": title} | (_logarithmic(values) if axis.log else {"nticks": 6})


def _logarithmic(values: FloatArray) -> dict[str, Any]:
    """Powers of ten; where fewer than two of them are in view, twice and five times these too, and no raised exponents."""
    low, high = float(values.min()), float(values.max())
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    every = np.outer(powers, [1, 2, 5]).ravel()
    if np.sum(_within(powers, low, high)) > 1:
        return {"type": "log", "dtick": 1, "exponentformat": "power"}
    ticks = every[_within(every, low, high)].tolist()
    return {"type": "log"} | ({"tickvals": ticks} if len(ticks) > 1 else {})


def _within(ticks: FloatArray, low: float, high: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray((ticks >= low * (1 - _NEARLY)) & (ticks <= high * (1 + _NEARLY)))


def _described(chart: Chart) -> str:
    said = [
        f"{one.name}: {digits(float(one.y[0]))} at {digits(float(one.x[0]))}, {digits(float(one.y[-1]))} at "
        f"{digits(float(one.x[-1]))}."
        for one in chart.series
    ]
    return " ".join([f"{chart.title}: {chart.y.label} against {chart.x.label}.", *said])
