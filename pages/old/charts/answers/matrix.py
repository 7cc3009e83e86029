"""Released covariances or correlations: a map with numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.answer import Within
from dpcore.answers.matrix import Matrix
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.old.charts.drawn import BLUE, VERMILION, Drawn, figure, heatmap, shown
from pages.old.charts.groups import shortened

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
) -> Drawn:
    """A map for each of one or two: its name, shades (d, d) from −1 to 1, and what stands in its cells, (d, d).

    ``hover``: what is said of the cells of each, (d, d). Rows and columns are in the labels' order, from the top left.
    """
    several = len(drawn)
    up = [0.0 if more is None else _BELOW, 1.0]
    names = shortened(labels, _MOST_LETTERS[several])
    traces, titles = [], []
    axes: dict[str, Any] = {}
    for place, ((name, shades, texts), told) in enumerate(zip(drawn, hover, strict=True)):
        written = texts if _has_room(texts, len(labels) * several) else None
        traces.append(_map(name, shades, written, told, place))
        start, end = place / several, (place + 1) / several
        across = [start + _GAP * (place > 0), end - _GAP * (place < several - 1)]
        titles.append(_title(name, sum(across) / 2))
        axes |= _axes(names, place, across, up, below=more is None or place > 0, beside=place == 0)
    longest = _LETTER * max(map(len, names))
    margin = {"l": 16 + longest, "r": 8, "t": 34, "b": 16 + longest if more is None else 4}
    if more is not None:
        begin, end = axes["xaxis"]["domain"]
        traces += _small(more, several, np.linspace(begin, end + _GAP / 2, len(more.shades) + 1).tolist(), axes)
        titles.append(_title(more.name, (begin + end) / 2) | {"y": _SMALL[0] - 0.01, "yanchor": "top"})
    x, y = axes.pop("xaxis"), axes.pop("yaxis")
    return figure(traces, x=x, y=y, margin=margin, showlegend=False, annotations=titles, **axes)


def _small(more: More, before: int, ends: list[float], axes: dict[str, Any]) -> list[dict[str, Any]]:
    """Side by side between these ends, and their axes, which have no names."""
    traces = []
    for i, (shades, told) in enumerate(zip(more.shades, more.told, strict=True)):
        traces.append(_map(more.name, shades, None, told, before + i) | {"xgap": 0, "ygap": 0})
        across, nameless = [ends[i], ends[i + 1] - _GAP / 2], [""] * len(shades)
        axes |= _axes(nameless, before + i, across, list(_SMALL), below=False, beside=False)
    return traces


def _number(place: int) -> str:
    """Of the axes of a map."""
    return str(place + 1) if place else ""


def _map(name: str, shades: FloatArray, texts: NDArray[np.str_] | None, told: Any, place: int) -> dict[str, Any]:
    size, number = len(shades), _number(place)
    hover = {"customdata": [[shown(text) for text in row] for row in told], "hovertemplate": "%{customdata}<extra></extra>"}
    look = {"zmin": -1.0, "zmax": 1.0, "showscale": False, "xgap": 1, "ygap": 1, "xaxis": f"x{number}", "yaxis": f"y{number}"}
    trace = heatmap(name, np.arange(size), np.arange(size), shades, _SCALE, **hover, **look)
    if texts is not None:
        trace |= {"text": texts.tolist(), "texttemplate": "%{text}", "textfont": {"size": 12 if size < 5 else 10}}
    return trace


def _has_room(texts: NDArray[np.str_], cells: int) -> bool:
    """Whether so many cells beside one another have room for the longest number."""
    return _DIGIT * max(map(len, texts.ravel())) <= _ACROSS / cells


def _title(name: str, middle: float) -> dict[str, Any]:
    """What a map is of, above it."""
    at = {"xref": "paper", "yref": "paper", "x": middle, "y": 1.0, "xanchor": "center", "yanchor": "bottom"}
    return at | {"text": shown(name), "showarrow": False, "font": {"size": 12}}


def _axes(
    names: list[str], place: int, across: list[float], up: list[float], *, below: bool, beside: bool
) -> dict[str, dict[str, Any]]:
    """Of a map: the names ``below`` on end, and at its side, the first at the top."""
    number, ends = _number(place), [-0.5, len(names) - 0.5]
    both = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": shown(names)}
    both |= {"showgrid": False, "ticks": "", "tickfont": {"size": 11}}
    x = {"domain": across, "range": ends, "anchor": f"y{number}", "showticklabels": below, "tickangle": -90}
    y = {"domain": up, "range": ends[::-1], "anchor": f"x{number}", "showticklabels": beside}
    return {f"xaxis{number}": both | x, f"yaxis{number}": both | y}


def published(response: Any, answer: Matrix, within: Within = None) -> Drawn:
    """The released matrix; with a ± each where it is known how far 95 in 100 lie."""
    found = answer.of(response[None])[0]
    near = _square(np.asarray(within), answer) if isinstance(within, tuple) else None
    shades = _shades(found, float(np.abs(found).max()), answer)
    told = _cells_in_words(answer, found * answer.own, near)
    return matrices(answer.labels, [("private", shades, _texts(found * answer.own, answer))], [told])


def _shades(found: FloatArray, largest: float, matrix: Matrix) -> FloatArray:
    """Correlations as they are; covariances of scaled columns as shares of the largest."""
    return found if matrix.correlations or largest == 0 else found / largest


def _texts(own: FloatArray, matrix: Matrix) -> Any:
    """Two digits; of correlations both behind the point, and without the 0 before it, as they are printed everywhere."""
    if matrix.correlations:
        return np.vectorize(lambda value: f"{value:.2f}".replace("0.", ".").replace("1.00", "1"))(own)
    return np.vectorize(lambda value: digits(float(f"{value:.2g}")))(own)


def _square(entries: FloatArray, matrix: Matrix) -> FloatArray:
    """Entries that say something as a matrix, the others 0: (e,) -> (d, d)."""
    i, j = matrix.places
    made = np.zeros((len(matrix.labels),) * 2)
    made[i, j] = made[j, i] = entries
    return made


def _cells_in_words(matrix: Matrix, own: FloatArray, near: FloatArray | None) -> list[list[str]]:
    """Of each cell: the two columns, the entry and the ± of the noise."""
    names = matrix.labels
    return [
        [
            f"{one}{'' if one == other and not matrix.correlations else f' and {other}'}: {digits(float(own[i, j]))}"
            + ("" if near is None or not near[i, j] else f" ± {digits(float(near[i, j]))} in 9 of 10")
            for j, other in enumerate(names)
        ]
        for i, one in enumerate(names)
    ]
