"""What an oracle is, as a figure: the table on the left, one that the oracle made up on the right, on the same axes.

The row that a trial changed is hollow where it was, and filled where it is now.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from pages.old.charts.drawn import (
    BLUE,
    GREY,
    SILENT,
    VERMILION,
    Drawn,
    axis,
    bar,
    figure,
    line,
    names_along,
    note,
    scatter,
    shown,
)
from pages.old.experiment.made_up_table import MadeUpTable, evenly

MOST_ROWS, MOST_NAMES = 150, 8  # of either side that are drawn as dots, and categories that are drawn as bars
NOT_LOOKED_AT = "your table is<br>not looked at"
_LEFT, _RIGHT = [0.0, 0.47], [0.53, 1.0]
_BOX = [0.0, 0.4]  # beside an axis with numbers
_COLUMNS, _TALLEST = 48, 12  # of dots, and how many at least fill the height
_TAIL = 0.005  # of either side's values, drawn in the outermost columns
_ABOVE = 0.05  # of the tallest bar, how far over its bar a mark stands
_ON_THE_RIGHT: dict[str, Any] = {"xaxis": "x2", "yaxis": "y2"}
_ROWS: dict[str, Any] = {"size": 5, "opacity": 0.8}
_MARGIN = {"l": 14, "r": 14, "t": 60, "b": 44}
Parts = tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]
"""Traces of both sides, and an axis across and one up, which both have."""


def made_up_beside(found: MadeUpTable, titles: tuple[str, str]) -> Drawn:
    """``titles`` stand above the two sides."""
    draw = _bars if found.columns[0].categories is not None else _dots if len(found.columns) == 1 else _plane
    traces, across, up = draw(found)
    own = [trace for trace in traces if "xaxis" not in trace]
    seen = [trace for trace in traces if "xaxis" in trace] + (_closed_box() if found.table is None else own)
    hidden = {"visible": False, "range": [0, 1]}
    numbered = "visible" not in up
    left, left_up = (hidden, hidden) if found.table is None else (across, up)
    texts = [
        note(title, at[0], 1.0, xref="paper", yref="paper", xanchor="left", yanchor="bottom", align="left")
        for title, at in _over(titles)
    ]
    if found.table is None:
        texts.append(note(NOT_LOOKED_AT, 0.5, 0.3, xref="x", yref="y", yanchor="top"))
    return figure(
        seen,
        x=left | {"domain": _BOX if numbered and found.table is None else _LEFT},
        y=dict(left_up),
        xaxis2=_again(across) | {"domain": _RIGHT, "anchor": "y2"},
        yaxis2=_again(up) | {"anchor": "x2"} | ({} if found.table is None else {"title": {"text": ""}, "showticklabels": False}),
        annotations=texts,
        showlegend=False,
        margin=_MARGIN | ({"l": 62} if numbered and found.table is not None else {}),
    )


def _again(given: dict[str, Any]) -> dict[str, Any]:
    """The same axis for the right side, with a title of its own: a figure sets each as it is shown."""
    return given | {"zeroline": False} | ({"title": dict(given["title"])} if "title" in given else {})


def _over(titles: tuple[str, str]) -> list[tuple[str, list[float]]]:
    return list(zip(titles, (_LEFT, _RIGHT), strict=True))


def _changed(before: tuple[Any, Any], after: tuple[Any, Any]) -> list[dict[str, Any]]:
    """The two places of what the trial changed."""
    hollow = {"color": VERMILION, "symbol": "circle-open", "size": 12, "line": {"width": 2.5}}
    filled = {"color": VERMILION, "symbol": "circle", "size": 12}
    both = (("was", *before, hollow), ("is", *after, filled))
    return [scatter(name, x, y, looks, **_ON_THE_RIGHT) for name, x, y, looks in both]


def _dots(found: MadeUpTable) -> Parts:
    """The values of one column of numbers, stacked."""
    rows = [np.sort(side[0]) for side in (found.table or (np.empty(0),), found.rest)]
    low, high = _ends([*rows, found.before[0], found.after[0]])
    wide = (high - low) / _COLUMNS

    def columns(values: Database) -> FloatArray:
        return np.clip(np.floor((values - low) / wide), 0, _COLUMNS - 1)

    table, rest = (columns(evenly(side, MOST_ROWS)) for side in rows)
    made_up = np.concatenate([rest, columns(found.before[0]), columns(found.after[0])])
    own, up = heights(table), heights(made_up)
    tallest = max(_TALLEST, int(own.max(initial=0)) + 1, int(up.max(initial=0)) + 1)
    x, y = low + wide * (made_up + 0.5), (up + 0.5) / tallest
    start, end = len(rest), len(rest) + len(found.before[0])
    traces = [
        scatter("", low + wide * (table + 0.5), (own + 0.5) / tallest, {"color": BLUE} | _ROWS, **SILENT),
        scatter("", x[:start], y[:start], {"color": GREY} | _ROWS, **SILENT, **_ON_THE_RIGHT),
        *_changed((x[start:end], y[start:end]), (x[end:], y[end:])),
    ]
    across = axis(found.columns[0].words, range=_roomy(low, high), nticks=4, exponentformat="power")
    return traces, across, {"visible": False, "range": [0, 1.08]}


def _ends(sides: list[Database]) -> tuple[float, float]:
    """Of the axis: nearly all of either side, and all that changed."""
    ends = [np.quantile(side, [_TAIL, 1 - _TAIL] if len(side) > 1 / _TAIL else [0, 1]) for side in sides if len(side)]
    low, high = (min(end[0] for end in ends), max(end[1] for end in ends)) if ends else (0.0, 1.0)
    return float(low), float(high) if high > low else float(low) + 1


def _plane(found: MadeUpTable) -> Parts:
    """Two columns of numbers against each other."""
    own, rest = ([evenly(one, MOST_ROWS) for one in side] for side in (found.table or (np.empty(0),) * 2, found.rest))
    traces = [
        scatter("", own[0], own[1], {"color": BLUE} | _ROWS, **SILENT),
        scatter("", rest[0], rest[1], {"color": GREY} | _ROWS, **SILENT, **_ON_THE_RIGHT),
        *_changed((found.before[0], found.before[1]), (found.after[0], found.after[1])),
    ]
    ranges = [_roomy(*_ends([side[i] for side in (own, rest, found.before, found.after)])) for i in range(2)]
    looks: dict[str, Any] = {"nticks": 4, "exponentformat": "power"}
    x, y = (axis(column.words, range=ends, **looks) for column, ends in zip(found.columns, ranges, strict=True))
    return traces, x, y


def _roomy(low: float, high: float) -> list[float]:
    return [low - 0.04 * (high - low), high + 0.04 * (high - low)]


def _bars(found: MadeUpTable) -> Parts:
    """The shares of the commonest categories, those that the trial changed among them."""
    made_up = np.concatenate([found.rest[0], found.after[0]])
    sides = [made_up] if found.table is None else [found.table[0], made_up]
    names, (*shares, _) = _shares([*sides, found.before[0]])  # what the row was can be nowhere else
    changed = {value: place for place, value in enumerate(names) if value in (*found.before[0], *found.after[0])}
    rare = sum(place >= MOST_NAMES for place in changed.values())
    keep = sorted({*range(min(len(names), max(0, MOST_NAMES - rare))), *changed.values()})
    places, heights_of = np.arange(len(keep), dtype=np.float64), [share[keep] for share in shares]
    top = max((float(share.max(initial=0)) for share in heights_of), default=0) or 1.0

    def marks(values: Database) -> tuple[FloatArray, FloatArray]:
        at = [keep.index(changed[value]) for value in values.tolist()]
        return places[at], heights_of[-1][at] + _ABOVE * top

    traces = [bar("", places, heights_of[0], {"color": BLUE, "opacity": 0.45}, **SILENT)]
    traces += [bar("", places, heights_of[-1], {"color": GREY, "opacity": 0.6}, **SILENT, **_ON_THE_RIGHT)]
    traces += _changed(marks(found.before[0]), marks(found.after[0]))
    labels = [_short(found.columns[0], names[place]) for place in keep]
    across = axis(found.columns[0].words, range=[-0.6, len(keep) - 0.4]) | names_along(labels, 4)
    return traces, across, {"visible": False, "range": [0, (1 + 3 * _ABOVE) * top]}


def _short(column: Column, value: Any) -> str:
    said = column.shown(value)
    return str(shown(said if len(said) <= 10 else f"{said[:9]}…"))


def _shares(sides: list[Database]) -> tuple[list[Any], list[FloatArray]]:
    """The categories, the commonest of the first side first, and the share of each on each side."""
    known = np.unique(np.concatenate(sides))
    counts = [np.bincount(np.searchsorted(known, side), minlength=len(known)) / max(len(side), 1) for side in sides]
    order = np.argsort(-counts[0], kind="stable")
    return known[order].tolist(), [count[order] for count in counts]


def _closed_box() -> list[dict[str, Any]]:
    """A box with a lock on it, from 0 to 1 on the axes of the left."""
    turn = np.linspace(0, np.pi, 25)
    body = {"fill": "toself", "fillcolor": GREY, **SILENT}
    return [
        line("", np.array([0.0, 1, 1, 0, 0]), np.array([0.0, 0, 1, 1, 0]), GREY, **SILENT),
        line("", [0.44, 0.56, 0.56, 0.44, 0.44], [0.4, 0.4, 0.62, 0.62, 0.4], GREY, **body),
        line("", 0.5 + 0.035 * np.cos(turn), 0.62 + 0.16 * np.sin(turn), GREY, width=4, **SILENT),
    ]


def heights(columns: FloatArray) -> FloatArray:
    """How many dots each of these lies above, from the column that it is in: the earlier ones of that column."""
    order = np.argsort(columns, kind="stable")
    found = np.empty(len(columns))
    found[order] = np.arange(len(columns)) - np.searchsorted(columns[order], columns[order])
    return found
