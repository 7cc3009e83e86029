"""Names of lines beside them: where there is room, and crossed by nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.plots.beside import named_beside
from dpcore.plots.lessons import curves, rows
from dpcore.plots.sampler import BAND, sensitivity_cdf
from dpcore.plots.style import figure

AT = np.linspace(0, 10, 200)
WIDE, HIGH = 270, 200  # of a phone's plot, in pixels
LETTER = 6.5


def _box(note: Any) -> tuple[float, float, float, float]:
    wide = LETTER * len(note.text) / WIDE
    left = note.x - wide * {"left": 0, "center": 0.5, "right": 1}[note.xanchor]
    return left, left + wide, note.y - 6.5 / HIGH, note.y + 6.5 / HIGH


def _refuse_crossings(chart: go.Figure) -> None:
    """No line and no dot goes through a name, and no name through another."""
    ranges = {axis: chart.layout[f"{axis}axis"].range for axis in "xy"}
    boxes = [_box(note) for note in chart.layout.annotations]
    for left, right, low, high in boxes:
        assert left >= -1e-9
        assert right <= 1 + 1e-9
        for trace in chart.data:
            x, y = ((np.asarray(trace[axis], float) - ranges[axis][0]) / np.ptp(ranges[axis]) for axis in "xy")
            fine = np.linspace(0, len(x) - 1, 20 * len(x))
            x, y = (np.interp(fine, np.arange(len(x)), values) for values in (x, y))
            assert not np.any((x > left) & (x < right) & (y > low) & (y < high)), trace.name
    for number, (left, right, low, high) in enumerate(boxes):
        for other in boxes[:number]:
            assert right < other[0] or other[1] < left or high < other[2] or other[3] < low


def _names(chart: go.Figure) -> list[str]:
    return [note.text for note in chart.layout.annotations]


@pytest.mark.parametrize("slope", [-3.0, 0.0, 0.4, 3.0])
def test_each_line_and_each_single_dot_has_its_name_beside_it(slope: float) -> None:
    lines = (("falls", AT, 10 - AT), ("another", AT, 40 + slope * AT), ("upright", np.full(2, 4.0), np.array([0.0, 40.0])))
    chart = named_beside(curves(lines, dots=(("a dot", np.array([8.0]), np.array([20.0])),), x="", y=""))
    assert _names(chart) == ["falls", "another", "upright", "a dot"]
    assert not any(trace.showlegend for trace in chart.data)
    assert chart.layout.margin.t < 20
    _refuse_crossings(chart)


def test_a_name_is_nearer_to_its_line_than_to_another() -> None:
    chart = named_beside(curves((("low", AT, AT), ("high", AT, AT + 10)), x="", y=""))
    for note, line in zip(chart.layout.annotations, chart.data, strict=True):
        x, y = (
            np.asarray(end, float) / np.max(chart.layout[f"{axis}axis"].range) for end, axis in ((line.x, "x"), (line.y, "y"))
        )
        left, right, low, high = _box(note)
        apart = np.hypot(np.clip(np.maximum(left - x, x - right), 0, None), np.clip(np.maximum(low - y, y - high), 0, None))
        assert apart.min() < 0.08, note.text


def test_a_name_without_room_stays_in_the_legend_and_so_does_a_cloud() -> None:
    rng = np.random.default_rng(1)
    everywhere = ("everywhere", rng.uniform(0, 10, 900), rng.uniform(0, 10, 900))
    chart = named_beside(curves((("crowded", AT, np.full(200, 5.0)),), dots=(everywhere,), x="", y=""))
    assert not chart.layout.annotations
    assert all(trace.showlegend is not False for trace in chart.data)
    assert chart.layout.margin.t > 20


def test_a_long_name_stays_in_the_legend_too() -> None:
    assert not named_beside(curves((("a name " * 9, AT, AT),), x="", y="")).layout.annotations


def test_a_figure_of_explore_keeps_its_band_in_the_legend() -> None:
    at = OperatingPoint.for_both(199, 0.05)
    sample = sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=50, at=at, seed=1)
    chart = named_beside(sensitivity_cdf(sample, true=lambda at: 1 - np.exp(-50 * at), true_name="true CDF"))
    assert BAND not in _names(chart)
    assert [trace.name for trace in chart.data if trace.showlegend is not False] == [BAND]
    _refuse_crossings(go.Figure([trace for trace in chart.data if not trace.fill and trace.line.width], chart.layout))


def test_notes_that_were_there_stay_and_the_ranges_are_fixed() -> None:
    note = {"text": "here", "x": 0.1, "y": 0.9, "xref": "x domain", "yref": "y domain", "showarrow": False}
    line = {"type": "scatter", "mode": "lines", "name": "line", "x": AT, "y": AT}
    chart = named_beside(figure([line], x={}, y={"range": [0, 20]}, annotations=[note]))
    assert _names(chart) == ["here", "line"]
    assert (tuple(chart.layout.xaxis.range), tuple(chart.layout.yaxis.range)) == ((0, 10), (0, 20))


@pytest.mark.parametrize("mark", [0.1, 2.0, 4.0])
def test_no_name_stands_on_one_that_was_there(mark: float) -> None:
    several = (("the one name of a row", AT[::40]), ("another name of a row", AT[::40]))
    chart = named_beside(rows(several, (mark,), x="moves"))
    low, high = chart.layout.yaxis.range
    for note in chart.layout.annotations[:2]:
        note.update(y=(note.y - low) / (high - low), yref="y domain")
    assert len(chart.layout.annotations) == 3
    _refuse_crossings(go.Figure([], chart.layout))
