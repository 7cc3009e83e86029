"""Matrices of columns as maps with numbers, one beside another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from pages.charts.groups import shortened
from pages.charts.style import BLUE, VERMILION, figure, shown

if TYPE_CHECKING:
    import plotly.graph_objects as go


_SCALE = [[0.0, VERMILION], [0.5, "#E3E3E3"], [1.0, BLUE]]  # opaque, or plotly takes the numbers' colour for a white ground
_ACROSS, _DIGIT = 268, 5.5  # pixels of a narrow chart's maps together, and of a small letter of a number
_MOST_LETTERS = {1: 16, 2: 9}  # of a name
_LETTER = 6.5  # pixels
_GAP = 0.03
_BELOW, _SMALL = 0.36, (0.11, 0.29)  # parts of the height: what lies below the maps, and small maps there


@dataclass(frozen=True, eq=False)
class More:
    """Small maps below the first one, in the place of its names, which are the last one's: shades and hover of each."""

    name: str
    shades: FloatArray
    told: list[Any]


def matrices(
    labels: tuple[str, ...], drawn: list[tuple[str, FloatArray, NDArray[np.str_]]], hover: list[Any], more: More | None = None
) -> go.Figure:
    """A map for each of one or two: its name, shades (d, d) from −1 to 1, and what stands in its cells, (d, d).

    ``hover``: what is said of the cells of each, (d, d). Rows and columns are in the labels' order, from the top left.
    """
    size, several = len(labels), len(drawn)
    up = [0.0 if more is None else _BELOW, 1.0]
    names = shortened(labels, _MOST_LETTERS[several])
    traces, axes, titles = [], {}, []
    for place, ((name, shades, texts), told) in enumerate(zip(drawn, hover, strict=True)):
        number = "" if place == 0 else str(place + 1)
        traces.append(_map(name, shades, texts if _has_room(texts, size * several) else None, told, number))
        start, end = place / several, (place + 1) / several
        domain = [start + _GAP * (place > 0), end - _GAP * (place < several - 1)]
        titles.append(_title(name, sum(domain) / 2))
        labelled = more is None or place > 0
        axes[f"xaxis{number}"] = _across(names, domain) | {"anchor": f"y{number}", "showticklabels": labelled}
        axes[f"yaxis{number}"] = _down(names, labelled=not number) | {"anchor": f"x{number}", "domain": up}
    longest = _LETTER * max(map(len, names))
    margin = {"l": 16 + longest, "r": 8, "t": 34, "b": 16 + longest if more is None else 4}
    if more is not None:
        ends = axes["xaxis"]["domain"]
        traces += _small(more, several, ends, axes)
        titles.append(_title(more.name, sum(ends) / 2) | {"y": _SMALL[0] - 0.01, "yanchor": "top"})
    x, y = axes.pop("xaxis"), axes.pop("yaxis")
    return figure(traces, x=x, y=y, margin=margin, showlegend=False, annotations=titles, **axes)


def _small(more: More, before: int, domain: list[float], axes: dict[str, Any]) -> list[dict[str, Any]]:
    """Side by side in that part of the width, and their axes, which have no names."""
    traces, count = [], len(more.shades)
    ends = np.linspace(domain[0], domain[1] + _GAP / 2, count + 1)
    for place, (shades, told) in enumerate(zip(more.shades, more.told, strict=True)):
        number = str(before + 1 + place)
        traces.append(_map(more.name, shades, None, told, number) | {"xgap": 0, "ygap": 0})
        names = [""] * len(shades)
        across = _across(names, [float(ends[place]), float(ends[place + 1]) - _GAP / 2])
        axes[f"xaxis{number}"] = across | {"anchor": f"y{number}", "showticklabels": False}
        axes[f"yaxis{number}"] = _down(names, labelled=False) | {"anchor": f"x{number}", "domain": list(_SMALL)}
    return traces


def _map(name: str, shades: FloatArray, texts: NDArray[np.str_] | None, told: Any, number: str) -> dict[str, Any]:
    size = len(shades)
    trace = {
        "type": "heatmap",
        "name": name,
        "x": np.arange(size),
        "y": np.arange(size),
        "z": shades,
        "zmin": -1.0,
        "zmax": 1.0,
        "colorscale": _SCALE,
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "customdata": shown_all(told),
        "hovertemplate": "%{customdata}<extra></extra>",
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
    }
    if texts is not None:
        trace |= {"text": texts.tolist(), "texttemplate": "%{text}", "textfont": {"size": 12 if size < 5 else 10}}
    return trace


def _has_room(texts: NDArray[np.str_], cells: int) -> bool:
    """Whether so many cells beside one another have room for the longest number."""
    return _DIGIT * max(map(len, texts.ravel())) <= _ACROSS / cells


def shown_all(rows: Any) -> list[list[str]]:
    """Texts as they are, whatever names are in them."""
    return [[shown(text) for text in row] for row in rows]


def _title(name: str, middle: float) -> dict[str, Any]:
    """What a map is of, above it."""
    at = {"xref": "paper", "yref": "paper", "x": middle, "y": 1.0, "xanchor": "center", "yanchor": "bottom"}
    return at | {"text": shown(name), "showarrow": False, "font": {"size": 12}}


def _across(names: list[str], domain: list[float]) -> dict[str, Any]:
    """The names below, on end."""
    return {
        "domain": domain,
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": shown(names),
        "tickangle": -90,
        "showgrid": False,
        "range": [-0.5, len(names) - 0.5],
        "ticks": "",
        "tickfont": {"size": 11},
    }


def _down(names: list[str], *, labelled: bool = True) -> dict[str, Any]:
    """The names at the left, the first at the top."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": shown(names),
        "showticklabels": labelled,
        "showgrid": False,
        "range": [len(names) - 0.5, -0.5],
        "ticks": "",
        "tickfont": {"size": 11},
    }
