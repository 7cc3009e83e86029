"""Labels where lines run: each at its own line, clear of all others; and the legend where there is no room."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import plots
from dpcore.plots.labels_at_lines import widened
from dpcore.plots.style import BLUE, GREEN, figure, line
from dpcore.workbench import preview
from pages.session import state

WIDTH, HEIGHT, TYPE = 1150, 400, 16


def _cdf() -> go.Figure:
    scenario = state.example()
    oracle = scenario.resolved_oracle(None)
    reference = preview.reference(scenario.target, oracle, scenario.norm, scenario.n)
    return plots.sensitivity_cdf(
        preview.exploration(scenario, oracle).at(scenario.point), true=reference.cdf, true_name="true CDF"
    )


def _rising(count: int) -> go.Figure:
    x = np.linspace(0, 10, 200)
    return figure([line(f"line {i}", x, np.sin(x) + i, BLUE) for i in range(count)], x={}, y={})


FIGURES = {
    "cdf": _cdf,
    "points": lambda: plots.operating_points(state.example().point, most_m=100_000),
    "five": lambda: _rising(5),
}


def _pixels(found: go.Figure, axis: str, values: Any) -> Any:
    """Values of an axis in pixels from the lower left, worked out anew from the margins and the range."""
    layout = found.ready()["layout"]
    margin, (low, high) = layout["margin"], layout[f"{axis}axis"]["range"]
    size = WIDTH - margin["l"] - margin["r"] if axis == "x" else HEIGHT - margin["t"] - margin["b"]
    return (np.asarray(values, dtype=float) - low) / (high - low) * size


def _box(found: go.Figure, label: dict[str, Any]) -> tuple[float, float, float, float]:
    across = label["ax"] if label["showarrow"] else label["xshift"]
    up = -label["ay"] if label["showarrow"] else label["yshift"]
    x, y = float(_pixels(found, "x", label["x"])) + across, float(_pixels(found, "y", label["y"])) + up
    half = 0.5 * 0.5 * TYPE * len(label["text"].partition("</span>")[2])  # letters are half as wide as high
    return x - half, y - TYPE / 2, x + half, y + TYPE / 2


def _path(found: go.Figure, trace: dict[str, Any]) -> Any:
    layout = found.ready()["layout"]
    columns = []
    for axis in "xy":
        values = np.asarray(trace[axis], dtype=float)
        columns.append(_pixels(found, axis, np.log10(values) if layout[f"{axis}axis"].get("type") == "log" else values))
    points = np.column_stack(columns)
    if "lines" not in trace.get("mode", "lines"):
        return points
    return np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(points)])


@pytest.mark.parametrize("name", FIGURES)
def test_each_line_is_labelled_at_itself_and_nothing_runs_through_a_label(name: str) -> None:
    found, labelled = widened(FIGURES[name](), width=WIDTH, height=HEIGHT, type_size=TYPE)
    assert labelled
    drawn = [trace for trace in found.ready()["data"] if trace["x"][0] is not None]
    labels = [label for label in found.ready()["layout"]["annotations"] if "xref" not in label]
    named = [trace for trace in drawn if trace.get("showlegend") is not False]
    assert [label["text"].partition("</span> ")[2] for label in labels] == [trace["name"] for trace in named]
    boxes = [_box(found, label) for label in labels]
    for label, trace in zip(labels, named, strict=True):
        at = np.array([_pixels(found, "x", label["x"]), _pixels(found, "y", label["y"])])
        assert np.hypot(*(_path(found, trace) - at).T).min() < 3
    for trace in drawn:
        x, y = _path(found, trace).T
        for left, bottom, right, top in boxes:
            assert not np.any((left < x) & (x < right) & (bottom < y) & (y < top)), trace["name"]
    for one, (left, bottom, right, top) in enumerate(boxes):
        assert min(left, bottom) > -2
        for other in boxes[:one]:
            assert not (left < other[2] and other[0] < right and bottom < other[3] and other[1] < top)


def test_the_legend_stays_where_lines_leave_no_room_and_where_bars_are_drawn() -> None:
    many, labelled = widened(_rising(60), width=WIDTH, height=HEIGHT, type_size=TYPE)
    assert not labelled
    assert "annotations" not in many.ready()["layout"]
    bars = figure([{"type": "bar", "name": "a", "x": ["p", "q"], "y": [1, 2]}], x={}, y={})
    assert not widened(bars, width=WIDTH, height=HEIGHT, type_size=TYPE)[1]


def test_what_is_named_and_not_drawn_goes_and_a_sign_is_explained() -> None:
    unproved = {
        "type": "scatter",
        "mode": "lines",
        "name": "no proved worst case",
        "x": [None],
        "y": [None],
        "line": {"width": 2},
    }
    sign = {"type": "scatter", "mode": "markers", "name": "over 9", "x": [None], "y": [None], "marker": {"symbol": "circle-open"}}
    x = np.linspace(0, 1, 20)
    found, labelled = widened(
        figure([line("one", x, x, GREEN), unproved, sign], x={}, y={}), width=WIDTH, height=HEIGHT, type_size=TYPE
    )
    assert labelled
    assert "no proved worst case" not in found.to_json()
    assert [label["text"] for label in found.ready()["layout"]["annotations"]][1:] == ["○ over 9"]


def test_type_is_as_large_as_asked_and_the_figure_that_was_given_is_left_as_it_was() -> None:
    given = _cdf()
    before = given.to_json()
    found, _ = widened(given, width=WIDTH, height=HEIGHT, type_size=20)
    layout = found.ready()["layout"]
    sizes = [
        layout["font"]["size"],
        layout["legend"]["font"]["size"],
        *(label["font"]["size"] for label in layout["annotations"]),
    ]
    sizes += [layout[axis][part]["size"] for axis in ("xaxis", "yaxis") for part in ("tickfont",)]
    assert min(sizes) == 20
    assert given.to_json() == before
