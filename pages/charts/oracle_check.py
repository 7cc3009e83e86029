"""A table beside a made-up one: a column's values, or two columns against each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from pages.charts.drawn import BLUE, VERMILION, Drawn, axis, bar, figure, line, scatter
from pages.experiment.oracle_compared import OracleCheck, Sides, evenly, shares

TABLE, MADE_UP = "the table", "made up by the oracle"
_BINS, _MOST_NAMES, _MOST_DOTS = 30, 15, 500
_TAIL = 0.005  # of either side's values, drawn in the outermost bins


def column_beside(sides: Sides) -> Drawn:
    """Shares of the records by value: bars of the table, and of the made-up one a line; categories have two bars each."""
    if not len(sides.table) or not len(sides.made_up):
        return figure([], x={"visible": False}, y={"visible": False})
    return _categories(sides) if sides.categorical else _numbers(sides)


def _numbers(sides: Sides) -> Drawn:
    edges = bins(sides)
    real, made = (np.histogram(np.clip(side, edges[0], edges[-1]), edges)[0] / len(side) for side in (sides.table, sides.made_up))
    middle = (edges[1:] + edges[:-1]) / 2
    told = "%{x:.4g}: %{y:.1%}<extra>"
    half, step = {"color": BLUE, "opacity": 0.45}, {"shape": "hvh"}
    traces = [
        bar(TABLE, middle, real, half, width=np.diff(edges), hovertemplate=f"{told}the table</extra>"),
        line(MADE_UP, middle, made, VERMILION, dash="dash", line=step, hovertemplate=f"{told}made up</extra>"),
    ]
    return figure(traces, x=axis(sides.column.words, exponentformat="power"), y=_shares(), bargap=0)


def bins(sides: Sides) -> FloatArray:
    """Edges of thirty bins that hold all but half a per cent at each end of either side; what is further lies in the last."""
    ends = [np.quantile(side, [_TAIL, 1 - _TAIL]) for side in (sides.table, sides.made_up)]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)


def _categories(sides: Sides) -> Drawn:
    names, real, made = shares(sides)
    few = [sides.column.shown(name) for name in names[:_MOST_NAMES]]
    looks = ((TABLE, real, BLUE, ""), (MADE_UP, made, VERMILION, "/"))
    traces = [bar(name, few, some[:_MOST_NAMES], {"color": hue, "pattern": {"shape": of}}) for name, some, hue, of in looks]
    return figure(traces, x={"type": "category", "automargin": True}, y=_shares(), barmode="group")


def _shares() -> dict[str, Any]:
    return axis("share of rows", rangemode="tozero", tickformat="~%")


def pair_beside(check: OracleCheck, one: Column, other: Column) -> Drawn:
    """Up to 500 records of each side as dots, the table's left and made-up ones right, on the same axes."""
    sides = (("x", TABLE, check.table, BLUE, "circle"), ("x2", MADE_UP, check.made_up, VERMILION, "diamond-open"))
    traces = []
    for own, name, side, colour, symbol in sides:
        x, y = (evenly(side[column.name], _MOST_DOTS) for column in (one, other))
        traces.append(scatter(name, x, y, {"color": colour, "symbol": symbol, "size": 5, "opacity": 0.7}, xaxis=own))
    return figure(
        traces,
        x=axis(one.words, nticks=4, exponentformat="power", domain=[0, 0.48]),
        y=axis(other.words, exponentformat="power"),
        xaxis2=axis(one.words, nticks=4, exponentformat="power", domain=[0.52, 1], matches="x", zeroline=False),
    )
