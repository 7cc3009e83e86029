"""The error of each s with each bound of the values as a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from pages.old.charts import drawn
from pages.old.charts.drawn import (
    CIVIDIS,
    SILENT,
    VERMILION,
    Drawn,
    figure,
    gapped,
    in_unit,
    line,
    scatter,
    with_unit,
)
from pages.old.experiment.contributions.predict import NEAR, Prediction, Predictions

# The outline of some cells of a grid.


Segment = tuple[float, float, float, float]
"""From (x, y) to (x, y), in cells."""


def outline(cells: NDArray[np.bool_]) -> tuple[Segment, ...]:
    """The lines between cells (across, up) that are True and all else, each as long as it goes straight on.

    Cell (i, j) reaches from i − ½ to i + ½ and from j − ½ to j + ½.
    """
    upright = [(place, first, place, last) for place, first, last in _edges(cells)]
    level = [(first, place, last, place) for place, first, last in _edges(cells.T)]
    return (*upright, *level)


def _edges(cells: NDArray[np.bool_]) -> Iterator[tuple[float, float, float]]:
    """Of lines across the first axis: where, from where, and to where."""
    differs = np.diff(np.pad(cells, ((1, 1), (0, 0))).astype(np.int8), axis=0) != 0
    for place, along in enumerate(differs):
        turns = np.flatnonzero(np.diff(np.pad(along, 1).astype(np.int8)))
        for first, last in turns.reshape(-1, 2):
            yield place - 0.5, float(first) - 0.5, float(last) - 0.5


MOST_CELLS = 160  # whose outline has at most 1,000 points, whichever of them it goes round
_MOST_NAMES = 7  # on an axis of a narrow chart


def bounds_and_caps(
    predictions: Predictions, chosen: tuple[int, int], *, unit: str = "", near: float = NEAR
) -> tuple[Drawn, str]:
    """``chosen``: the places of its cap and of its bounds in ``predictions.table``.

    Colours are of the logarithm. An outline goes round every cell whose total is within a share ``near`` of the least one.
    InvalidValueError for more than 160 cells, and for a place that is none of them.
    """
    totals = predictions.totals
    if totals.size > MOST_CELLS:
        raise InvalidValueError("configurations", f"at most {MOST_CELLS:,}", totals.size)
    if not all(0 <= place < size for place, size in zip(chosen, totals.shape, strict=True)):
        raise InvalidValueError("chosen", f"places below {totals.shape}", chosen)
    best = tuple(int(place) for place in np.unravel_index(int(np.argmin(totals)), totals.shape))
    close, first = predictions.near_best(near), predictions.table[0]
    traces = [
        _map(predictions, totals, unit),
        *_outlined(close, f"within {percent(near)} of the least"),
        _mark("least", best, "circle-open"),
        _mark("chosen", chosen, "x"),
    ]
    alike = len({each.bounds[0] for each in first}) == 1
    values = with_unit("upper bound of a value" if alike else "bounds of a value", unit)
    return figure(
        traces,
        x=_axis("rows kept of each person, s", [f"{row[0].cap.size:,}" for row in predictions.table]),
        y=_axis(values, [digits(each.bounds[1]) if alike else _range(each) for each in first]),
        margin={} if alike else {"l": 92},
    ), _map_in_words(predictions, chosen, close, unit, near)


def _map(predictions: Predictions, totals: FloatArray, unit: str) -> dict[str, Any]:
    least = float(totals[totals > 0].min()) if totals.any() else 1.0
    ticks = np.geomspace(least, max(float(totals.max()), least), 4)
    columns = zip(*predictions.table, strict=True)
    hover = [[[f"{each.cap.size:,}", _range(each), digits(each.errors.total)] for each in column] for column in columns]
    told = "s = %{customdata[0]}, values from %{customdata[1]}<br>error %{customdata[2]}"
    rows, columns_of = map(np.arange, totals.shape)
    beside: dict[str, Any] = {"title": {"text": "error"}, "thickness": 12, "xpad": 4, "tickvals": np.log10(ticks)}
    beside["ticktext"] = [digits(float(f"{tick:.2g}")) for tick in ticks]
    told = f"{told} {unit}".rstrip() + "<extra></extra>"
    heights = np.log10(np.maximum(totals.T, least, order="C"))
    return drawn.heatmap("error", rows, columns_of, heights, CIVIDIS, customdata=hover, hovertemplate=told, colorbar=beside)


def _range(one: Prediction) -> str:
    return f"{digits(one.bounds[0])} to {digits(one.bounds[1])}"


def _mark(name: str, cell: tuple[int, ...], symbol: str) -> dict[str, Any]:
    """Vermilion in white is seen on every colour of the map."""
    edge = {"color": "white", "width": 1.5} if symbol == "x" else {"color": VERMILION, "width": 3}
    style = {"color": VERMILION, "size": 13, "symbol": symbol, "line": edge}
    return scatter(name, np.array([cell[0]]), np.array([cell[1]]), style, hoverinfo="skip")


def _outlined(close: NDArray[np.bool_], name: str) -> list[dict[str, Any]]:
    """Vermilion on white is seen on every colour of the map."""
    segments = np.array(outline(close))
    x, y = (gapped(segments[:, i], segments[:, i + 2]) for i in (0, 1))
    return [line("", x, y, "white", width=5, **SILENT), line(name, x, y, VERMILION, width=2.5, hoverinfo="skip")]


def _axis(title: str, names: Sequence[str]) -> dict[str, Any]:
    return drawn.axis(title, size=13, range=[-0.5, len(names) - 0.5]) | drawn.names_along(names, _MOST_NAMES)


def _map_in_words(predictions: Predictions, chosen: tuple[int, int], close: NDArray[np.bool_], unit: str, near: float) -> str:
    def told(one: Prediction) -> str:
        return f"s = {one.cap.size:,} with values from {_range(one)}: {in_unit(one.errors.total, unit)}"

    row, column = chosen
    caps = [predictions.table[i][0].cap.size for i in np.flatnonzero(close.any(axis=1))]
    span = f"s from {min(caps):,} to {max(caps):,}" if min(caps) < max(caps) else f"s = {min(caps):,}"
    return (
        f"Map of the expected error over {close.size:,} pairs of s and bounds. The least is at {told(predictions.best)}. "
        f"Within {percent(near)} of it: {close.sum():,}, with {span}. Chosen is {told(predictions.table[row][column])}."
    )
