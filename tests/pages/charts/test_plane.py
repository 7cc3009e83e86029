"""Where a trace runs in the plane of its figure."""

from __future__ import annotations

import numpy as np

from pages.charts.drawn import BLUE, figure, line
from pages.charts.named import plane_of


def test_a_line_runs_straight_in_pixels_and_leaves_out_what_lies_beyond_and_what_is_no_number() -> None:
    at, up = np.array([1.0, 100.0, 1e9, np.nan, 0.0]), np.array([0.0, 5.0, 9.0, 1.0, 1.0])
    chart = figure([line("a", at, up, BLUE)], x={"type": "log", "range": [0, 4]}, y={"range": [0, 10]})
    plane = plane_of(chart)
    assert plane is not None
    points = plane.run(chart.ready()["data"][0], np.array([400.0, 100.0]))
    assert np.hypot(*(points - [0, 0]).T).min() < 1e-9
    assert np.hypot(*(points - [100, 25]).T).min() < 2  # half-way up to (100, 5), at ten
    assert points.max() <= 401
    assert np.hypot(*np.diff(points, axis=0).T).max() <= 3.1


def test_a_line_of_steps_runs_through_their_corners() -> None:
    chart = figure([line("steps", (0, 10), (0, 4), BLUE, line={"shape": "hv"})], x={}, y={"range": [0, 10]})
    plane = plane_of(chart)
    assert plane is not None
    points = plane.run(chart.ready()["data"][0], np.array([300.0, 100.0]))
    assert np.hypot(*(points - [300, 0]).T).min() < 3
    assert np.hypot(*(points - [150, 20]).T).min() > 15
