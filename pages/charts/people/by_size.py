"""How far off each group's answer is, as a share of it, beside the group's size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from pages.charts.people.chances import logarithmic
from pages.charts.style import BLUE, GREEN, GREY, figure, line, shown, thinned
from pages.experiment.contributions.predict import BySize

if TYPE_CHECKING:
    import plotly.graph_objects as go

GOOD = 0.1  # of the answer: a line on the chart, and a number in its description
_ENDS = {"smallest": 0, "largest": -1}


def by_size(groups: BySize, labels: Sequence[str]) -> tuple[go.Figure, str]:
    """A dot a group, over its number of rows; both axes are logarithmic. A group whose answer is 0 has no relative error, and no
    dot. ``labels``: of all public groups, by their places."""
    if groups.place.max(initial=-1) >= len(labels):
        raise InvalidValueError("labels", "one a group", len(labels))
    known = np.flatnonzero(np.isfinite(groups.relative) & (groups.relative > 0))
    keep = known[thinned(len(known))]
    hover = [[shown(labels[groups.place[i]]), f"{groups.people[i]:,}"] for i in keep]
    dots: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "name": "one group",
        "x": groups.rows[keep],
        "y": groups.relative[keep],
        "marker": {"color": BLUE, "size": 9 if len(keep) <= 50 else 5, "opacity": 0.8},
        "customdata": hover,
        "hovertemplate": "%{customdata[0]}: off by %{y:.2%}<br>%{x:,} rows of %{customdata[1]} people<extra></extra>",
    }
    ends = np.array([groups.rows[keep].min(initial=2**24), groups.rows[keep].max(initial=1)], dtype=np.float64)
    traces = [
        dots,
        _level("as large as the answer", ends, 1.0, GREY, "dash"),
        _level("a tenth of it", ends, GOOD, GREEN, "dot"),
    ]
    y = logarithmic("error ÷ answer", np.append(groups.relative[keep], [GOOD, 1.0]), "~%")
    return figure(traces, x=logarithmic("rows of the group", ends, ",.0f"), y=y), _described(groups, known)


def _level(name: str, ends: FloatArray, height: float, colour: str, dash: str) -> dict[str, Any]:
    return line(name, ends, np.array([height, height]), colour, line={"dash": dash}, hoverinfo="skip")


def _described(groups: BySize, known: np.ndarray[Any, Any]) -> str:
    if not len(known):
        return "No group has an answer other than 0, so none has a relative error."
    relative, rows = groups.relative[known], groups.rows[known]
    good, bad = int((relative <= GOOD).sum()), int((relative >= 1).sum())
    of = [f"{_percent(relative[i])} for the {name}, of {counted(f'{rows[i]:,}', ' rows')}" for name, i in _ENDS.items()]
    return (
        f"Relative error of {counted(len(known), ' groups')} by their number of rows: {' and '.join(of)}. Groups with an error "
        f"of at most {percent(GOOD)}: {good:,}. Groups with one that is as large as their answer, or larger: {bad:,}."
    )


def _percent(value: float) -> str:
    """Of a share that can be many times 1."""
    return f"{digits(100 * float(value))} %"
