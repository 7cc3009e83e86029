"""A figure with everything at its place: margins, axes, plots and legends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from pages.charts.svg import axes as axis_marks
from pages.charts.svg.axis import Axis, Range, Reach, counted, kind_of, names_of, reached
from pages.charts.svg.bars import lengths, room, slots
from pages.charts.svg.legend import Legend, drawn, legends
from pages.charts.svg.maps import ColourBar
from pages.charts.svg.maps import edges as ends_of_cells
from pages.charts.svg.scatter import mode_of
from pages.charts.svg.text import font_size
from pages.charts.svg.values import count, numbers

# What each trace needs of its two axes.


Trace = dict[str, Any]
Counted = tuple[str, Sequence[str]]  # the kind of an axis, and its categories
_LEAST_MARK, _OF_MARK = 3.0, 1.6  # pixels, and how many times the room a mark is wide
Reaches = dict[str, list[Reach | None]]


def of_plot(traces: Sequence[Trace], x: Counted, y: Counted, layout: dict[str, Any]) -> Reaches:
    """Those of all traces of one plot, by x and y."""
    found: Reaches = {"x": [], "y": []}
    standing = [trace for trace in traces if trace["type"] == "bar"]
    places = [counted(trace["x"], *x) for trace in standing]
    taken = slots(standing, places, layout)
    for i, (trace, at) in enumerate(zip(standing, places, strict=True)):
        found["x"].append(Reach.of(room(trace, at, taken, i)))
        found["y"] += [Reach.of(counted(trace["y"], *y), padded=True, from_zero=True), _of_whiskers(trace, y)]
    for trace in traces:
        if trace["type"] == "scatter":
            _scatter(trace, x, y, layout, found)
        elif trace["type"] in ("heatmap", "contour"):
            for letter, axis in (("x", x), ("y", y)):
                at = counted(trace[letter], *axis)
                found[letter].append(Reach.of(ends_of_cells(at) if trace["type"] == "heatmap" else at))
    return found


def _scatter(trace: Trace, x: Counted, y: Counted, layout: dict[str, Any], found: Reaches) -> None:
    mode, pixels = mode_of(trace), 0.0
    if "markers" in mode:
        size = float(np.max(numbers((trace.get("marker") or {}).get("size", 6))))
        pixels = max(size / _OF_MARK, _LEAST_MARK)
    padded = bool(trace.get("error_y")) or (trace.get("fill") != "tonexty" and ("markers" in mode or "text" in mode))
    at = counted(trace["x"], *x)
    if layout.get("scattermode") == "group":
        at = np.concatenate([at - 0.5, at + 0.5])
        found["x"].append(Reach.of(at))
    else:
        found["x"].append(Reach.of(at, pixels=pixels if padded else 0.0, padded=padded))
    found["y"] += [Reach.of(counted(trace["y"], *y), pixels=pixels, padded=True), _of_whiskers(trace, y)]


def _of_whiskers(trace: Trace, y: Counted) -> Reach | None:
    values, reach = counted(trace["y"], *y), lengths(trace)
    return None if reach is None else Reach.of(np.concatenate([values - reach, values + reach]), padded=True)


# How much room is left around the plots.


Span = tuple[float, float]
_PLOTLY = {"l": 80.0, "r": 80.0, "t": 100.0, "b": 80.0}
_LEAST = 10.0  # pixels of a plot


@final
@dataclass(frozen=True, slots=True)
class Margins:
    """Pixels at each side of a picture so ``wide`` and ``high``."""

    wide: float
    high: float
    left: float
    right: float
    top: float
    bottom: float

    @classmethod
    def of(cls, layout: dict[str, Any], wide: float, high: float) -> Margins:
        """As a figure says."""
        given = layout.get("margin") or {}
        left, right, top, bottom = (float(given.get(side, default)) for side, default in _PLOTLY.items())
        return cls(wide, high, left, right, top, bottom)

    @property
    def across(self) -> Span:
        """Where the plots begin and end."""
        return self.left, max(self.left + _LEAST, self.wide - self.right)

    @property
    def up(self) -> Span:
        """Where they begin and end, from below."""
        low = max(_LEAST, self.high - self.bottom)
        return low, min(self.top, low - _LEAST)

    @property
    def plot(self) -> Span:
        """Their width and height together."""
        return self.across[1] - self.across[0], self.up[0] - self.up[1]


TYPE = 12.0
_MOST_NAMES = 0.5  # of the height: a picture whose names need more gets higher
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")


@final
@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn on one pair of axes."""

    x: Axis
    y: Axis
    traces: tuple[Trace, ...]


@final
@dataclass(frozen=True, slots=True)
class Picture:
    """``plots`` in the order in which they are drawn; ``axes`` by their names, x2 say."""

    layout: dict[str, Any]
    margins: Margins
    axes: dict[str, Axis]
    plots: tuple[Plot, ...]
    legends: tuple[Legend, ...]
    bar: ColourBar | None
    type_size: float

    @classmethod
    def of(cls, ready: dict[str, Any], wide: float, high: float) -> Picture:
        """Of a ready dict of ``data`` and ``layout``, on so many pixels, or on more below one another."""
        layout = ready["layout"]
        size = font_size(layout.get("font"), TYPE)
        data = [_complete(trace, i, size) for i, trace in enumerate(ready["data"])]
        there = [trace for trace in data if drawn(trace)]
        margins = Margins.of(layout, wide, high)
        bar = ColourBar.of(there, size)
        if bar is not None:
            margins = replace(margins, right=max(margins.right, bar.room(margins.plot[0])))
        found = legends(data, layout, margins.plot[0], size)
        margins = replace(margins, high=high + max(0.0, _above(found, margins) - _MOST_NAMES * high))
        margins = replace(margins, top=max(margins.top, _above(found, margins)))
        axes, margins = _settled(there, layout, margins, size)
        plots = tuple(Plot(axes[x], axes[y], tuple(traces)) for (x, y), traces in _pairs(there, layout).items())
        return cls(layout, margins, axes, plots, tuple(found), bar, size)


def _above(found: Sequence[Legend], margins: Margins) -> float:
    return max((one.above(margins.bottom, margins.high) for one in found), default=0.0)


def _complete(trace: Trace, place: int, size: float) -> Trace:
    """With its kind, a colour where it has none, and a name."""
    own = _COLOURS[place % len(_COLOURS)]
    line, marker = trace.get("line") or {}, trace.get("marker") or {}
    more: Trace = {"type": trace.get("type") or "scatter", "type_size": size}
    if more["type"] == "scatter":
        other = next((trace[letter] for letter in "xy" if trace.get(letter) is not None), ())
        more |= {letter: np.arange(count(other)) for letter in "xy" if trace.get(letter) is None}
    if trace.get("name") is None:
        more["name"] = f"trace {place}"
    if not marker.get("color"):
        more["marker"] = marker | {"color": line.get("color") or own}
    if not line.get("color"):
        colour = marker.get("color")
        more["line"] = line | {"color": colour if isinstance(colour, str) else own}
    return trace | more


def _pairs(data: Sequence[Trace], layout: dict[str, Any]) -> dict[tuple[str, str], list[Trace]]:
    """The traces of each pair of axes; what lies over another comes after it."""
    found: dict[tuple[str, str], list[Trace]] = {}
    for trace in data:
        found.setdefault((trace.get("xaxis") or "x", trace.get("yaxis") or "y"), []).append(trace)
    if not found:
        return {("x", "y"): []}
    over = {pair: any("overlaying" in _given(name, layout) for name in pair) for pair in found}
    return {pair: found[pair] for pair in sorted(found, key=lambda pair: over[pair])}


def _given(name: str, layout: dict[str, Any]) -> dict[str, Any]:
    """What the layout says of an axis."""
    return {key: value for key, value in (layout.get(f"{name[0]}axis{name[1:]}") or {}).items() if value is not None}


def _usual(name: str, pairs: dict[tuple[str, str], list[Trace]]) -> dict[str, Any]:
    """What plotly takes for an axis that says nothing: at maps it has ticks."""
    kinds = {trace["type"] for pair, traces in pairs.items() if name in pair for trace in traces}
    return {"ticks": "outside"} if kinds & {"heatmap", "contour"} else {}


def _settled(data: Sequence[Trace], layout: dict[str, Any], margins: Margins, size: float) -> tuple[dict[str, Axis], Margins]:
    """All axes, and the margins that those need whose names may take room."""
    axes = _axes(data, layout, margins)
    below = [axis_marks.needed(axis, size) for axis in axes.values() if axis.letter == "x" and axis.given.get("automargin")]
    beside = [axis_marks.needed(axis, size) for axis in axes.values() if axis.letter == "y" and axis.given.get("automargin")]
    after = [axis_marks.beyond(axis, size) for axis in axes.values() if axis.letter == "x" and axis.given.get("automargin")]
    wider = replace(
        margins, bottom=max([margins.bottom, *below]), left=max([margins.left, *beside]), right=max([margins.right, *after])
    )
    return (axes, margins) if wider == margins else (_axes(data, layout, wider), wider)


def _axes(data: Sequence[Trace], layout: dict[str, Any], margins: Margins) -> dict[str, Axis]:
    pairs = _pairs(data, layout)
    names = dict.fromkeys(name for pair in pairs for name in pair)
    values = {name: [one[name[0]] for pair, traces in pairs.items() if name in pair for one in traces] for name in names}
    given = {name: _usual(name, pairs) | _given(name, layout) for name in names}
    kinds = {name: (kind_of(given[name], values[name]), names_of(values[name])) for name in names}
    reaches: dict[str, list[Reach]] = {name: [] for name in names}
    for (x, y), traces in pairs.items():
        for letter, found in of_plot(traces, kinds[x], kinds[y], layout).items():
            reaches[x if letter == "x" else y] += [one for one in found if one is not None]
    for name in names:
        if (other := given[name].get("matches")) is not None:
            reaches[name] = reaches[other] = [*reaches[name], *(one for one in reaches[other] if one not in reaches[name])]
    made = {}
    for name in names:
        pixels = _pixels(name, given, margins)
        shown = _shown(given[name], kinds[name][0], reaches[name], abs(pixels[1] - pixels[0]), name[0])
        made[name] = Axis(name, given[name], *kinds[name], shown, pixels)
    return made


def _pixels(name: str, given: dict[str, dict[str, Any]], margins: Margins) -> Range:
    """Where an axis begins and ends: as that does which it lies over."""
    below = given[name].get("overlaying")
    low, high = given.get(below or name, given[name]).get("domain") or (0.0, 1.0)
    begin, end = margins.across if name[0] == "x" else margins.up
    return begin + float(low) * (end - begin), begin + float(high) * (end - begin)


def _shown(given: dict[str, Any], kind: str, reaches: Sequence[Reach], length: float, letter: str) -> Range:
    if (fixed := given.get("range")) is not None:
        return float(fixed[0]), float(fixed[1])
    return reached(reaches, length, letter, given.get("rangemode", "normal"), kind)
