"""Where a trace runs in the plane of its figure."""

from __future__ import annotations

import numpy as np

from pages.charts.drawn import BLUE, line
from pages.charts.named import Plane


def test_a_line_of_steps_runs_through_their_corners() -> None:
    at, up = np.array([0.0, 10.0]), np.array([0.0, 4.0])
    traces = [line("steps", at, up, BLUE, line={"shape": "hv"})]
    plane = Plane.of(traces, {"xaxis": {}, "yaxis": {"range": [0, 10]}})
    assert plane is not None
    points = plane.run(traces[0], (300, 100))
    assert np.hypot(*(points - np.array([300, 0])).T).min() < 3
    assert np.hypot(*(points - np.array([150, 20])).T).min() > 15
