"""Errors beside one another: of three noises at one ε, each with what it protects, and of each group beside its size."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from pages.old.charts import drawn
from pages.old.charts.drawn import BLUE, GREEN, GREY, SILENT, VERMILION, Drawn, figure, gapped, line, logarithmic, scatter, shown
from pages.old.experiment.contributions.predict import BySize, Level, split

# How far off each group's answer is, as a share of it, beside the group's size.


GOOD = 0.1  # of the answer: a line on the chart, and a number in its description
_ENDS = {"smallest": 0, "largest": -1}


def by_size(groups: BySize, labels: Sequence[str]) -> tuple[Drawn, str]:
    """A dot a group, over its number of rows; both axes are logarithmic. A group whose answer is 0 has no relative error, and no
    dot. ``labels``: of all public groups, by their places."""
    if groups.place.max(initial=-1) >= len(labels):
        raise InvalidValueError("labels", "one a group", len(labels))
    known = np.flatnonzero(np.isfinite(groups.relative) & (groups.relative > 0))
    keep = known[drawn.thinned(len(known))]
    hover = [[shown(labels[groups.place[i]]), f"{groups.people[i]:,}"] for i in keep]
    ends = np.array([groups.rows[keep].min(initial=2**24), groups.rows[keep].max(initial=1)], dtype=np.float64)
    told = "%{customdata[0]}: off by %{y:.2%}<br>%{x:,} rows of %{customdata[1]} people<extra></extra>"
    dot = {"color": BLUE, "size": 9 if len(keep) <= 50 else 5, "opacity": 0.8}
    traces = [
        scatter("one group", groups.rows[keep], groups.relative[keep], dot, customdata=hover, hovertemplate=told),
        line("as large as the answer", ends, 1.0, GREY, dash="dash", hoverinfo="skip"),
        line("a tenth of it", ends, GOOD, GREEN, dash="dot", hoverinfo="skip"),
    ]
    y = logarithmic("error ÷ answer", np.append(groups.relative[keep], [GOOD, 1.0]), "~%")
    return figure(traces, x=logarithmic("rows of the group", ends, ",.0f"), y=y), _groups_in_words(groups, known)


def _groups_in_words(groups: BySize, known: np.ndarray[Any, Any]) -> str:
    if not len(known):
        return "No group has an answer other than 0, so none has a relative error."
    relative, rows = groups.relative[known], groups.rows[known]
    good, bad = int((relative <= GOOD).sum()), int((relative >= 1).sum())
    of = [
        f"{digits(100 * float(relative[i]))} % for the {name}, of {counted(f'{rows[i]:,}', ' rows')}" for name, i in _ENDS.items()
    ]
    return (
        f"Relative error of {counted(len(known), ' groups')} by their number of rows: {' and '.join(of)}. Groups with an error "
        f"of at most {percent(GOOD)}: {good:,}. Groups with one that is as large as their answer, or larger: {bad:,}."
    )


_LETTERS = 44  # of a line of words on a narrow chart
_LINE, _MARKS, _AROUND = 17, 34, 92  # pixels: a line of words, the room of the marks, and what is around all levels


def levels(compared: Sequence[Level], *, unit: str = "") -> tuple[Drawn, str]:
    """Each level's noise and its whole error as two marks on one logarithmic axis, under a sentence on what it protects.

    They are as far apart as the cap and the bounds cost. The figure has the height that its words need. InvalidValueError for
    no level.
    """
    if not compared:
        raise InvalidValueError("levels", "at least one", tuple(compared))
    parts = split([each.prediction for each in compared])
    words = [[f"<b>{shown(each.name)}</b>", *map(shown, wrap(each.protects, _LETTERS))] for each in compared]
    room = _MARKS + _LINE * max(len(each) for each in words)
    at = -np.arange(len(compared), dtype=np.float64)
    low, high = _range(parts.noise, parts.total)
    left, above = np.full(len(compared), 10**low), at + 0.6 * _MARKS / room
    said = {"text": ["<br>".join(each) for each in words], "textposition": "top right", "textfont": {"size": 12}}
    told = "%{{x:.3g}}<extra>{}</extra>".format
    whole = {"color": VERMILION, "size": 12, "symbol": "diamond-open", "line": {"width": 3}}
    traces = [
        line("", gapped(parts.noise, parts.total), np.repeat(at, 3), VERMILION, dash="dot", **SILENT),
        scatter(
            "noise alone", parts.noise, at, {"color": BLUE, "size": 12, "symbol": "circle"}, hovertemplate=told("noise alone")
        ),
        scatter("whole error", parts.total, at, whole, hovertemplate=told("whole error")),
        {"type": "scatter", "mode": "text", "x": left, "y": above, "cliponaxis": False} | said | SILENT,
    ]
    made = figure(
        traces,
        x=logarithmic(drawn.with_unit("error", unit), 10 ** np.array([low, high])) | {"range": [low, high]},
        y={"visible": False, "range": [float(at[-1]) - 0.6 * _MARKS / room, 1 - 0.4 * _MARKS / room]},
        margin={"l": 12, "t": 40},
        height=_AROUND + room * len(compared),
    )
    return made, _levels_in_words(compared, parts.noise, parts.total, unit)


def _range(*sizes: FloatArray) -> tuple[float, float]:
    """Whole decades, so that the axis has two numbers at least."""
    known = np.concatenate(sizes)
    known = known[known > 0] if (known > 0).any() else np.ones(1)
    return float(np.floor(np.log10(known.min() / 1.05))), float(np.ceil(np.log10(known.max() * 1.05)))


def _levels_in_words(compared: Sequence[Level], noise: FloatArray, total: FloatArray, unit: str) -> str:
    said = [
        f"{each.name}: noise {drawn.in_unit(noise[i], unit)}, whole error {drawn.in_unit(total[i], unit)}."
        for i, each in enumerate(compared)
    ]
    return " ".join(["Noise and whole error at one ε.", *said])
