"""The chart of a released answer, with a whisker for each number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.facts import facts
from pages.old.charts import answers
from pages.old.charts.answers.grouped import released
from pages.old.charts.drawn import BLUE, Drawn
from pages.old.charts.drawn import figure as figure_of


def released_answer(response: Any, kind: KindOfAnswer, near: tuple[float, ...], within: Within = None) -> Drawn | None:
    """A released answer as its kind draws it; several numbers of a kind that is read as bars or dots, with a whisker each; a
    single number on a line. ``near``: how close 95 in 100 are to each number; () where that is not known. ``within``: nine in
    ten, for kinds that draw that themselves."""
    parts: Any = kind
    names = tuple(name for name, _ in kind.parts(response))
    if len(near) != len(names) or facts(kind).values is None:
        return answers.published(response, kind, within)
    if len(names) == 1:
        if not math.isfinite(near[0]):
            return None  # nothing can be told of it
        return one_number(float(parts.values(response)[0]), near[0], kind.unit)
    return released(names, parts.values(response), near, from_zero=bool(facts(kind).from_zero), unit=kind.unit)


def one_number(value: float, near: float, unit: str) -> Drawn:
    """A private answer as a dot on a line, with a whisker that 95 in 100 lie within."""
    ends = np.array([value - near, value + near])
    room = 0.5 * near or abs(value) or 1.0
    end = {"symbol": "line-ns-open", "size": 12, "color": BLUE, "line": {"width": 2}}
    common = {"type": "scatter", "mode": "lines+markers"}
    traces: list[dict[str, Any]] = [
        common | {"name": "95 in 100 lie within", "x": ends, "y": [0, 0], "line": {"color": BLUE}, "marker": end},
        common | {"name": "private answer", "x": [value], "y": [0], "mode": "markers", "marker": {"color": BLUE, "size": 10}},
    ]
    x = {"range": [float(ends[0] - room), float(ends[1] + room)], "nticks": 6}
    x |= {"title": {"text": unit, "standoff": 12}} if unit else {}
    margin = {"l": 12, "r": 12, "t": 30, "b": 48 if unit else 24}
    return figure_of(traces, x=x, y={"visible": False, "range": [-1, 1]}, margin=margin)
