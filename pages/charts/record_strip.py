"""The records of a column as dots, and below them the track of the one that is dragged: where it is not protected."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts import Described, moving
from pages.charts.drawn import BLUE, GREY, VERMILION, axis, figure, line, scatter, thinned
from pages.charts.moving import Moving
from pages.experiment.dragged import Dragged

MOST_DOTS = 500
TRACK = -0.16  # of the dots' height, where the track lies
_COLUMNS, _TALLEST = 120, 12  # of dots, and how many at least fill the height
NOT_PROTECTED, OTHERS, OWN = "not protected", "other rows", "where it was"
_MARGIN = {"l": 14, "r": 14, "t": 28, "b": 44}


def record_strip(found: Dragged, covered: Moving, at: int | None = None) -> Described:
    """``covered``: the distance that the noise is sized to; NaN where every change is protected. ``at``: the place where the
    record is drawn; None where something over the figure shows it."""
    x, y = dots(found)
    ends = [float(found.places[0]), float(found.places[-1])]
    out = moving.call("further", _beyond(found, covered.value), found.places, found.distances, covered)
    track = np.full(len(found.places), TRACK)
    silent: dict[str, Any] = {"hoverinfo": "skip"}
    traces = [
        scatter(OTHERS, x, y, {"color": BLUE, "size": 4, "opacity": 0.7}, **silent),
        line("", np.array(ends), TRACK, GREY, width=2, showlegend=False, **silent),
        line(NOT_PROTECTED, out, track, VERMILION, width=9, **silent),
        scatter(OWN, found.places[[found.home]], [TRACK], {"color": GREY, "symbol": "circle-open", "size": 13}, **silent),
    ]
    if at is not None:
        big = {"color": BLUE, "size": 18}
        traces.append(scatter("the row", found.places[[at]], [TRACK], big, hoverinfo="skip", showlegend=False))
    x_axis = axis(found.column.words, range=ends, exponentformat="power")
    y_axis = {"visible": False, "range": [2 * TRACK, 1.05]}
    return figure(traces, x=x_axis, y=y_axis, margin=_MARGIN), _said(found)


def _said(found: Dragged) -> str:
    column = found.column.label or found.column.name
    return f"The values of {column} of other rows as dots, and a track along which one row is moved."


def _beyond(found: Dragged, covered: float) -> FloatArray:
    """Where the answer moves further than that, and NaN elsewhere: as ``further`` of ``drawing/functions.js`` has it."""
    return np.where(found.distances > covered, found.places, np.nan)


def dots(found: Dragged) -> tuple[FloatArray, FloatArray]:
    """At most 500 of the other records, every so many-th in order, in columns: the middle of its column, and how high each
    stands, from 0 to 1."""
    wide = (found.places[-1] - found.places[0]) / _COLUMNS or 1.0
    values = found.others[thinned(len(found.others), MOST_DOTS)] if len(found.others) else found.others
    columns = np.floor((values - found.places[0]) / wide)
    height = heights(columns)
    return found.places[0] + wide * (columns + 0.5), (height + 0.5) / max(_TALLEST, int(height.max(initial=0)) + 1)


def heights(columns: FloatArray) -> FloatArray:
    """How many dots each of these lies above, from the column that it is in: the earlier ones of that column."""
    order = np.argsort(columns, kind="stable")
    found = np.empty(len(columns))
    found[order] = np.arange(len(columns)) - np.searchsorted(columns[order], columns[order])
    return found
