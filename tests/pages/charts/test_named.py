"""Names of lines where they run: each at its own line and crossed by nothing, and in the legend where there is no room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.old.charts.drawn import BLUE, GREEN, figure, line
from pages.old.charts.laid_out import in_large_type
from pages.old.charts.lessons import curves
from pages.old.charts.named import Room, named
from pages.old.charts.sampler import BAND, sensitivity_cdf
from pages.old.experiment.lessons.example import Example

AT = np.linspace(0, 10, 200)
PHONE, WALL = Room(344, 304, 13), Room(1150, 440, 16)


def _on(room: Room, chart: go.Figure) -> tuple[go.Figure, int]:
    return named(in_large_type(chart, type_size=room.type_size) if room is WALL else chart, room)


def _beside(chart: go.Figure) -> go.Figure:
    return _on(PHONE, chart)[0]


def _size(chart: go.Figure, room: Room, times: float = 1.0) -> np.ndarray[Any, Any]:
    """Of the plot in pixels, worked out anew from the margins: ``times`` as wide as its room."""
    edges = chart.layout.margin
    return np.array([times * room.width - edges.l - edges.r, room.height - edges.t - edges.b])


def _pixels(chart: go.Figure, size: Any, x: Any, y: Any) -> Any:
    (left, right), (low, high) = chart.layout.xaxis.range, chart.layout.yaxis.range
    shares = (np.asarray(x, float) - left) / (right - left), (np.asarray(y, float) - low) / (high - low)
    return np.stack(shares, axis=-1) * size


def _box(chart: go.Figure, size: Any, note: Any) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of a note's text, whose letters are half as wide as high."""
    across, up = _pixels(chart, size, note.x, note.y)
    if note.xref == "x domain":
        across = note.x * size[0]
    wide = 0.5 * note.font.size * len(note.text)
    left = across - wide * {"left": 0, "center": 0.5, "right": 1}[note.xanchor]
    return left, up - note.font.size / 2, left + wide, up + note.font.size / 2


def _path(chart: go.Figure, size: Any, trace: Any) -> Any:
    x, y = (np.asarray(trace[axis], float) for axis in "xy")
    x, y = (np.log10(at) if chart.layout[f"{axis}axis"].type == "log" else at for axis, at in (("x", x), ("y", y)))
    points = _pixels(chart, size, x, y)
    if "lines" not in (trace.mode or "lines") or len(points) < 2:
        return points
    fine = np.linspace(0, len(points) - 1, 30 * len(points))
    return np.stack([np.interp(fine, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], axis=-1)


def _drawn(chart: go.Figure) -> list[Any]:
    return [trace for trace in chart.data if trace.x[0] is not None]


def _refuse_crossings(chart: go.Figure, room: Room, times: float = 1.0, traces: list[Any] | None = None) -> None:
    """No line and no dot goes through a name, no name through another, and none out of the plot."""
    size = _size(chart, room, times)
    boxes = [_box(chart, size, note) for note in chart.layout.annotations if note.yref == "y"]
    for trace in _drawn(chart) if traces is None else traces:
        x, y = _path(chart, size, trace).T
        for left, bottom, right, top in boxes:
            assert not np.any((left < x) & (x < right) & (bottom < y) & (y < top)), trace.name
    for number, (left, bottom, right, top) in enumerate(boxes):
        assert min(left, bottom) >= -1e-9
        assert right <= size[0] + 1e-9
        assert top <= size[1] + 1e-9
        for other in boxes[:number]:
            assert right < other[0] or other[2] < left or top < other[1] or other[3] < bottom


def _names(chart: go.Figure) -> list[str]:
    return [note.text for note in chart.layout.annotations]


def _legend(chart: go.Figure) -> list[str]:
    """What is in the legend that a window has which is not narrow."""
    return [one.name for one in chart.data if one.showlegend is not False and one.legend != "legend2" and one.name]


def _three(slope: float) -> go.Figure:
    lines = (("falls", AT, 10 - AT), ("another", AT, 40 + slope * AT), ("upright", np.full(2, 4.0), np.array([0.0, 40.0])))
    return curves(lines, dots=(("a dot", np.array([8.0]), np.array([20.0])),), x="", y="")


def _rising(count: int) -> go.Figure:
    return figure([line(f"line {i}", AT, np.sin(AT) + i, BLUE) for i in range(count)], x={}, y={})


FIGURES: dict[str, Callable[[], go.Figure]] = {
    "cdf": lambda: sensitivity_cdf(Example().sample(), true=Example().true_cdf, true_name="true CDF", unit="years"),
    "five": lambda: _rising(5),
}


IN_THE_LEGEND = {"cdf": [BAND]}  # of a wall


@pytest.mark.parametrize("name", FIGURES)
def test_on_a_wall_each_line_and_each_single_dot_has_its_name_at_itself_and_nothing_runs_through_one(name: str) -> None:
    found, count = _on(WALL, FIGURES[name]())
    size = _size(found, WALL)
    notes = found.layout.annotations[len(found.layout.annotations) - count :]
    assert _legend(found) == IN_THE_LEGEND.get(name, [])
    called = [trace for trace in _drawn(found) if trace.legend == "legend2"]
    assert [note.text for note in notes] == [trace.name for trace in called]
    assert len(called) + len(_legend(found)) == sum(trace.showlegend is not False for trace in found.data)
    areas = [trace for trace in found.data if trace.line.width == 0]
    for note, trace in zip(notes, called, strict=True):
        others = [_apart(found, size, note, other) for other in _drawn(found) if other is not trace and other not in areas]
        assert _apart(found, size, note, trace) < min(1.5 * WALL.type_size, *others)
    for times in (1.0, 1.4):
        _refuse_crossings(found, WALL, times, [trace for trace in _drawn(found) if trace not in areas])


def _apart(chart: go.Figure, size: Any, note: Any, trace: Any) -> float:
    """How far a name is from a line."""
    left, bottom, right, top = _box(chart, size, note)
    x, y = _path(chart, size, trace).T
    across, up = np.maximum(left - x, x - right), np.maximum(bottom - y, y - top)
    return float(np.hypot(np.maximum(across, 0), np.maximum(up, 0)).min())


@pytest.mark.parametrize("slope", [-3.0, 0.4])
def test_on_a_phone_each_line_and_each_single_dot_has_its_name_beside_it(slope: float) -> None:
    chart = _beside(_three(slope))
    assert _names(chart) == ["falls", "another", "upright", "a dot"]
    assert not _legend(chart)
    assert chart.layout.margin.t < 20
    for times in (1.0, 1.5, 2.5):  # of a phone, and of wider windows
        _refuse_crossings(chart, PHONE, times)


def test_what_only_the_legend_says_stays_in_it_above() -> None:
    style = {"type": "scatter", "x": [None], "y": [None]}
    unproved = style | {"mode": "lines", "name": "no proved worst case", "line": {"width": 2}}
    sign = style | {"mode": "markers", "name": "over 9", "marker": {"symbol": "circle-open"}}
    for room in (PHONE, WALL):
        found, count = _on(room, figure([line("one", AT, AT, GREEN), unproved, sign], x={}, y={}))
        assert count == 1
        assert _legend(found) == ["no proved worst case", "over 9"]
        assert found.layout.legend.y == 1
        assert found.layout.margin.t > 2 * room.type_size
