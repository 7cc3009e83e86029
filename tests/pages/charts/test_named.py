"""Names of lines where they run: each at its own line and crossed by nothing, and in the legend where there is no room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from pages import charts
from pages.charts.drawn import BLUE, GREEN, figure, line
from pages.charts.laid_out import in_large_type
from pages.charts.lessons import curves, rows
from pages.charts.named import Room, named
from pages.charts.sampler import BAND, sensitivity_cdf
from pages.experiment import preview
from pages.state import state
from tests.yardstick import in_loops

AT = np.linspace(0, 10, 200)
PHONE, WALL = Room(344, 304, 13), Room(1150, 440, 16)
LOOPS = 4.0  # that naming a figure may take as long as


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
    if trace.line.shape == "hv":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
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


def _cdf() -> go.Figure:
    scenario = state.example()
    oracle = scenario.resolved_oracle(None)
    reference = preview.reference(scenario, oracle, 1e-6)
    sample = preview.exploration(scenario, oracle).at(scenario.point)
    return charts.sensitivity_cdf(sample, true=reference.cdf, true_name="true CDF")


def _exponential() -> go.Figure:
    at = OperatingPoint.for_both(199, 0.05)
    sample = sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=50, at=at, seed=1)
    return sensitivity_cdf(sample, true=lambda at: 1 - np.exp(-50 * at), true_name="true CDF")


def _rising(count: int) -> go.Figure:
    return figure([line(f"line {i}", AT, np.sin(AT) + i, BLUE) for i in range(count)], x={}, y={})


def _steps() -> go.Figure:
    at = np.arange(6.0)
    steps = [line(f"steps {i}", at, 1.0 + i + at % 2, BLUE, line={"shape": "hv"}) for i in (0, 3)]
    return figure(steps, x={}, y={"rangemode": "tozero"})


def _logarithmic() -> go.Figure:
    lines = [line(f"power {i}", AT[1:], AT[1:] ** i, BLUE) for i in (-1, 1, 2)]
    return figure(lines, x={"type": "log"}, y={"type": "log"})


FIGURES: dict[str, Callable[[], go.Figure]] = {
    "cdf": _cdf,
    "exponential": _exponential,
    "points": lambda: charts.operating_points(state.example().point, most_m=100_000),
    "five": lambda: _rising(5),
    "steps": _steps,
    "logarithmic": _logarithmic,
}


IN_THE_LEGEND = {"cdf": [BAND], "exponential": [BAND], "points": ["this choice", "over 100,000 trials"]}  # of a wall


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


@pytest.mark.parametrize("slope", [-3.0, 0.0, 0.4, 3.0])
def test_on_a_phone_each_line_and_each_single_dot_has_its_name_beside_it(slope: float) -> None:
    chart = _beside(_three(slope))
    assert _names(chart) == ["falls", "another", "upright", "a dot"]
    assert not _legend(chart)
    assert chart.layout.margin.t < 20
    for times in (1.0, 1.5, 2.5):  # of a phone, and of wider windows
        _refuse_crossings(chart, PHONE, times)


@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
def test_a_name_is_nearer_to_its_line_than_to_another(room: Room) -> None:
    chart, _ = _on(room, curves((("low", AT, AT), ("high", AT, AT + 10)), x="", y=""))
    size = _size(chart, room)
    for note, own, other in zip(chart.layout.annotations, chart.data, reversed(chart.data), strict=True):
        assert _apart(chart, size, note, own) < min(1.5 * room.type_size, _apart(chart, size, note, other))


def test_a_name_that_could_only_stand_beyond_another_line_is_in_the_legend() -> None:
    levels = [line(name, AT, high, BLUE) for name, high in (("low", 46), ("middle", 50), ("high", 54))]
    chart = _beside(figure(levels, x={}, y={"range": [0, 100]}))
    assert _names(chart) == ["low", "high"]
    assert _legend(chart) == ["middle"]


@pytest.mark.parametrize("times", [1.0, 2.5])
def test_a_name_stays_at_its_line_where_there_is_more_room(times: float) -> None:
    upright = ("upright", np.full(2, 4.0), np.array([0.0, 40.0]))
    chart = _beside(curves((upright, ("along", np.array([0.0, 10.0]), np.full(2, 20.0))), x="", y=""))
    note = next(note for note in chart.layout.annotations if note.text == "upright")
    assert _apart(chart, _size(chart, PHONE, times), note, chart.data[0]) < times * 0.6 * PHONE.type_size


@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
def test_a_name_stands_rather_at_the_right_end(room: Room) -> None:
    chart, _ = _on(room, curves((("level", AT, np.full(200, 5.0)),), x="", y=""))
    assert _box(chart, (size := _size(chart, room)), chart.layout.annotations[0])[2] > 0.9 * size[0]


def test_a_name_without_room_stays_in_the_legend_and_so_does_a_cloud() -> None:
    rng = np.random.default_rng(1)
    everywhere = ("everywhere", rng.uniform(0, 10, 900), rng.uniform(0, 10, 900))
    chart = _beside(curves((("crowded", AT, np.full(200, 5.0)),), dots=(everywhere,), x="", y=""))
    assert not chart.layout.annotations
    assert _legend(chart) == ["crowded", "everywhere"]
    assert chart.layout.margin.t > 20


@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
def test_a_name_without_room_leaves_the_others_at_their_lines(room: Room) -> None:
    long = "a name " * (30 if room is WALL else 9)
    chart, count = _on(room, curves(((long, AT, AT), ("short", AT, 10 - AT)), x="", y=""))
    assert count == 1
    assert _names(chart) == ["short"]
    assert _legend(chart) == [long]
    assert chart.layout.legend.y == 1
    assert chart.layout.margin.t > 2 * room.type_size
    _refuse_crossings(chart, room)


@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
def test_the_legend_has_all_where_lines_leave_no_room(room: Room) -> None:
    chart, count = _on(room, _rising(60))
    assert count == 0
    assert len(_legend(chart)) == 60
    assert not chart.layout.annotations


def test_a_chart_of_bars_keeps_its_legend() -> None:
    bars = figure([{"type": "bar", "name": "a", "x": ["p", "q"], "y": [1, 2]}], x={}, y={})
    for room in (PHONE, WALL):
        found, count = _on(room, bars)
        assert count == 0
        assert _legend(found) == ["a"]


def test_a_figure_of_explore_keeps_its_band_in_the_legend_of_a_small_chart() -> None:
    chart = _beside(_exponential())
    assert BAND not in _names(chart)
    assert _legend(chart) == [BAND]
    traces = [trace for trace in chart.data if not trace.fill and trace.line.width]
    for times in (1.0, 2.0):
        _refuse_crossings(chart, PHONE, times, traces)


def test_a_window_that_is_too_narrow_for_names_has_all_of_them_in_a_second_legend() -> None:
    found, count = _on(WALL, _rising(5))
    assert [trace.legend for trace in found.data] == ["legend2"] * count
    assert (found.layout.legend2.x, found.layout.legend2.y) == (1, 0.14)


def test_a_single_name_that_is_left_to_the_legend_is_asked_for_where_others_are_in_a_second_one() -> None:
    found, count = _on(WALL, FIGURES["exponential"]())
    assert _legend(found) == [BAND]
    assert count == len([trace for trace in found.data if trace.legend == "legend2"]) > 0
    assert found.layout.showlegend is True


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


def test_notes_that_were_there_stay_and_the_ranges_are_fixed() -> None:
    note = {"text": "here", "x": 0.1, "y": 0.9, "xref": "x domain", "yref": "y domain", "showarrow": False}
    chart = _beside(figure([line("line", AT, AT, BLUE)], x={}, y={"range": [0, 20]}, annotations=[note]))
    assert _names(chart) == ["here", "line"]
    assert (tuple(chart.layout.xaxis.range), tuple(chart.layout.yaxis.range)) == ((0, 10), (0, 20))


@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
@pytest.mark.parametrize("mark", [0.1, 2.0, 4.0])
def test_no_name_stands_on_one_that_was_there(mark: float, room: Room) -> None:
    several = (("the one name of a row", AT[::40]), ("another name of a row", AT[::40]))
    chart, count = _on(room, rows(several, (mark,), x="moves"))
    assert count == 1
    assert len(chart.layout.annotations) == 3
    _refuse_crossings(chart, room, traces=[])


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("room", [PHONE, WALL], ids=["phone", "wall"])
def test_naming_takes_about_a_fiftieth_of_a_second(room: Room, name: str) -> None:
    made = FIGURES[name]()
    made.ready()
    assert in_loops(lambda: _on(room, made)) < LOOPS
