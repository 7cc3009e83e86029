"""Stored charts of the papers' figures: the series of each facet, with their names at the ends of the lines."""

from __future__ import annotations

import math
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Exhibit, Series
from data.exhibits.exhibit import Chart as Stored
from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Chart, axis, log_axis, transparent, with_unit

INK = "#31333F"
SIZE, HEIGHT = 14, 400  # pixels of the type and of a chart on the page
LARGE, TALL, WIDE = 20, 520, 1_150  # the same in a presentation, and its width
_ORANGE = "#B37B00"  # the orange of Okabe and Ito, darker for a contrast of 3:1 on white
_SYMBOLS = {"circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲", "triangle-down": "▼", "x": "✖"}
_LOOKS = {  # colour, line and marker of each role, as on Explore
    "rank": (BLUE, "solid", "circle"),
    "dkw": (PURPLE, "dash", "square"),
    "tolerance": (VERMILION, "dot", "diamond"),
    "worst case": (VERMILION, "longdash", "triangle-up"),
    "paper's worst case": (_ORANGE, "longdashdot", "triangle-down"),
    "no privacy": (GREEN, "dot", "diamond"),
    "true": (GREEN, "solid", "diamond"),
    "formula": (GREY, "dash", "x"),
    "diffpriv": (_ORANGE, "longdash", "triangle-down"),
    "permute-and-flip": (VERMILION, "dot", "triangle-up"),
    "rows": (GREY, "solid", "circle"),
    "first": (BLUE, "solid", "circle"),
    "second": (VERMILION, "dash", "square"),
    "third": (GREEN, "dot", "diamond"),
    "other": (_ORANGE, "dashdot", "triangle-up"),
}
_AGAIN = ("longdash", "x")  # line and marker of a second series of a role
_THOUSANDS = 4  # exponent of ten from which ticks are powers
_MARKED = 30  # points of a line that has a marker at each
_CHARACTERS = 17  # of a line of a name
_NARROW = 335  # pixels of a chart on a phone
_LETTER, _LINE = 0.56, 1.3  # width of a letter and height of a line of text, in sizes of the type


def exhibit_chart(
    stored: Stored, facet: str = "", *, ink: str = INK, size: int = SIZE, height: int = HEIGHT, width: int = _NARROW
) -> Chart:
    """Return one facet of a stored chart. All facets of a chart have the same axes.

    Args:
        stored: The stored chart.
        facet: The facet; "" for a chart without facets.
        ink: Colour of the type.
        size: Size of the type in pixels.
        height: Height in pixels.
        width: Least width in pixels, for the lines of the title.
    """
    font = {"size": size, "color": ink}
    head, top = _title(stored, facet, font, width)
    series = stored.in_facet(facet)
    looks = _looks(series)
    by_legend = all(one.drawn == "points" for one in series)
    longest = 0 if by_legend else max(len(line) for one in stored.series for line in _lines(one.name))
    # Pixels around the plot: the axis on its left, names on its right, and the axis below it.
    left, right, under = 5.6 * size, size * (_LETTER * longest + 2) + 12, 3.8 * size
    plot = height - top - under
    across = _range([one.x for one in stored.series], stored.x)
    up = _range([part for one in stored.series for part in (one.y, one.low, one.high) if part is not None], stored.y)
    layout: dict[str, Any] = {
        "height": height,
        "title": {"text": ""},
        "annotations": [head | {"xshift": -left, "yshift": 6}],
        "showlegend": by_legend and len(series) > 1,
        "legend": {"orientation": "h", "y": -under / plot, "font": font},
        "margin": {"l": left, "r": right, "t": top, "b": under},
        "xaxis": _axis(stored.x, across, font),
        "yaxis": _axis(stored.y, up, font),
    }
    if len(series) > 1 and not by_legend:
        beside = {"xref": "paper", "yref": "paper", "x": 1, "xshift": 4, "xanchor": "left", "yanchor": "middle", "align": "left"}
        names = _at_ends(series, looks, stored.y, up, size / plot)
        layout["annotations"] += [beside | {"showarrow": False, "font": font, "y": at, "text": text} for at, text in names]
    traces = [trace for one, look in zip(series, looks, strict=True) for trace in _traces(one, look)]
    said = [f"{stored.title}{', ' * bool(facet)}{facet}: {stored.y.label} against {stored.x.label}."]
    for one in series:
        ends = [f"{figure(float(one.y[at]))} at {figure(float(one.x[at]))}" for at in (0, -1)]
        said.append(f"{one.name}: {ends[0]}, {ends[1]}.")
    return Chart(stored.title, traces, layout, " ".join(said))


def presented(exhibit: Exhibit, ink: str = INK) -> list[Chart]:
    """Return every facet of every chart of an exhibit in large type.

    Args:
        exhibit: The exhibit.
        ink: Colour of the type.
    """
    panels = [(chart, facet) for chart in exhibit.charts for facet in chart.facets]
    return [exhibit_chart(chart, facet, ink=ink, size=LARGE, height=TALL, width=WIDE) for chart, facet in panels]


def _title(stored: Stored, facet: str, font: dict[str, Any], width: int) -> tuple[dict[str, Any], float]:
    """Return title, facet and guarantee in several lines, as a note above the plot, and their height in pixels."""
    size = font["size"]
    lines = wrap(stored.title, round(width / (0.6 * (size + 2)))) + ([facet] if facet else [])
    small = wrap(stored.guarantee, round(width / (0.52 * (size - 1))))
    text = f"<b>{'<br>'.join(escape(line, quote=False) for line in lines)}</b>"
    if small:
        text += f"<br><span style='font-size:{size - 1}px'>{'<br>'.join(escape(line, quote=False) for line in small)}</span>"
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom", "align": "left"}
    height = _LINE * ((size + 2) * len(lines) + size * len(small))
    return {"text": text, "showarrow": False, "font": font | {"size": size + 2}} | place, height + 16


def _looks(series: list[Series]) -> list[tuple[str, str, str]]:
    """Return colour, line and marker of each series; a second one of a role has another line and marker."""
    roles = [one.role for one in series]
    return [(_LOOKS[role][0], *_AGAIN) if role in roles[:place] else _LOOKS[role] for place, role in enumerate(roles)]


def _traces(one: Series, look: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Return the band of a series, if it has one, and its line or points."""
    colour, dash, symbol = look
    name, is_line = escape(one.name, quote=False), one.drawn != "points"
    hover = f"{name}<br>%{{x:.3g}}: %{{y:.3g}}<extra></extra>"
    size = 4 if one.role == "rows" else 8 if is_line else 10
    marker = {"color": transparent(colour, 0.5) if one.role == "rows" else colour, "size": size, "symbol": symbol}
    main = {"type": "scatter", "mode": "markers", "name": name, "x": one.x, "y": one.y, "marker": marker, "hovertemplate": hover}
    if is_line:
        main["mode"] = "lines+markers" if len(one.x) <= _MARKED else "lines"
        main["line"] = {"color": colour, "dash": dash, "width": 2.5, "shape": "hv" if one.drawn == "steps" else "linear"}
    if one.low is None or one.high is None:
        return [main]
    around = {"x": np.concatenate([one.x, one.x[::-1]]), "y": np.concatenate([one.low, one.high[::-1]])}
    band = {"fill": "toself", "fillcolor": transparent(colour, 0.25), "line": {"width": 0}, "hoverinfo": "skip"}
    return [{"type": "scatter", "mode": "lines", "showlegend": False} | around | band, main]


def _range(values: list[FloatArray], its: Axis) -> tuple[float, float]:
    """Return the ends of an axis, a little wider than the values; exponents of ten if it is logarithmic."""
    on_axis = np.log10(np.concatenate(values)) if its.log else np.concatenate(values)
    low, high = float(on_axis.min()), float(on_axis.max())
    room = 0.04 * (high - low) or 0.5
    return low - room, high + room


def _axis(its: Axis, ends: tuple[float, float], font: dict[str, Any]) -> dict[str, Any]:
    title = with_unit(its.label, its.unit)
    made = log_axis(title, 10 ** ends[0], 10 ** ends[1]) if its.log else axis(title, range=list(ends), nticks=7)
    if its.log and ends[1] > _THOUSANDS:
        made |= {"tickformat": "", "exponentformat": "power"}
    if its.names:
        made |= {"tickvals": list(range(1, len(its.names) + 1)), "ticktext": list(its.names), "tickangle": 0}
    made["title"] |= {"font": font, "standoff": 12}
    return made | {"tickfont": font}


def _lines(name: str) -> list[str]:
    return wrap(escape(name, quote=False), _CHARACTERS)


def _at_ends(
    series: list[Series], looks: list[tuple[str, str, str]], its: Axis, ends: tuple[float, float], line: float
) -> list[tuple[float, str]]:
    """Return names with their heights as shares of the plot: beside the right ends of the lines, without overlap.

    Args:
        series: Series of a facet.
        looks: Their looks.
        its: The vertical axis.
        ends: Its ends.
        line: Size of the type as a share of the height of the plot.
    """
    entries = []
    for one, (colour, _, symbol) in zip(series, looks, strict=True):
        end, lines = float(one.y[np.argmax(one.x)]), _lines(one.name)
        share = ((math.log10(end) if its.log else end) - ends[0]) / (ends[1] - ends[0])
        text = f"<span style='color:{colour}'>{_SYMBOLS[symbol]}</span> {'<br>'.join(lines)}"
        entries.append((share, len(lines) * _LINE * line, text))
    entries.sort(key=lambda entry: entry[0])
    heights: list[float] = []
    floor, ceiling = 0.0, 1.0
    for share, room, _ in entries:  # upwards, each above the one before
        heights.append(max(share, floor + room / 2))
        floor = heights[-1] + room / 2
    for place in reversed(range(len(entries))):  # and downwards from the top of the plot
        room = entries[place][1]
        heights[place] = min(heights[place], ceiling - room / 2)
        ceiling = heights[place] - room / 2
    return [(at, text) for at, (*_, text) in zip(heights, entries, strict=True)]
