"""Numbers at axes: what plotly.js 3 was seen to write, and how far it was seen to let an axis reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.charts.encoded import plain
from tests.pages.charts.svg.drawing import axes, called, lines_of
from tests.pages.charts.svg.drawn_figures import HIGH, WIDE, made

CASES: list[tuple[dict[str, Any], str, tuple[float, float], str]] = [
    ({"nticks": 6}, "linear", (0, 1), "0 0.2 0.4 0.6 0.8 1"),
    ({"nticks": 6}, "linear", (-0.3, 0.71), "−0.2 0 0.2 0.4 0.6"),
    ({}, "linear", (0, 10), "0 2 4 6 8 10"),
    ({"nticks": 6}, "linear", (0, 52_000), "0 10k 20k 30k 40k 50k"),
    ({"nticks": 6, "exponentformat": "power"}, "linear", (0, 52_000), "0 1×10^4 2×10^4 3×10^4 4×10^4 5×10^4"),
    ({"nticks": 6, "exponentformat": "none", "separatethousands": True}, "linear", (0, 5_200), "0 1,000 2,000 3,000 4,000 5,000"),
    ({"nticks": 4}, "linear", (0, 4e-6), "0 2μ 4μ"),
    ({"nticks": 4, "tickformat": "~%"}, "linear", (0, 0.6), "0% 20% 40% 60%"),
    ({"dtick": 1, "exponentformat": "power"}, "log", (-2, 3), "10^−2 10^−1 1 10 10^2 10^3"),
    ({"dtick": 1, "tickformat": "~g"}, "log", (-2, 1.3), "0.01 0.1 1 10"),
    ({"nticks": 6}, "log", (0.3, 1.4), "2 3 4 5 6 7 8 9 10 2"),
    ({"nticks": 6}, "log", (0.1, 0.6), "1.5 2 2.5 3 3.5"),
    ({"tickvals": [5, 20, 500_000]}, "log", (0, 6), "5 20 500k"),
    ({"tickvals": [0, 2], "ticktext": ["a", "b"], "tickmode": "array"}, "linear", (-1, 1), "a"),
    ({"dtick": 2}, "linear", (4, -4), "−4 −2 0 2 4"),
]


@pytest.mark.parametrize(("axis", "kind", "shown", "expected"), CASES, ids=str)
def test_what_an_axis_says(axis: dict[str, Any], kind: str, shown: tuple[float, float], expected: str) -> None:
    found = called("ticks", axis | {"letter": "x"}, kind, shown, 400, ())
    said = ["".join(("^" if run["raised"] else "") + run["letters"] for run in lines_of(tick["text"])[0]) for tick in found]
    assert said == expected.split()


def test_names_of_categories_are_left_out_where_they_have_no_room() -> None:
    names = [f"n{i}" for i in range(40)]
    found = [tick["text"] for tick in called("ticks", {"letter": "x"}, "category", (-0.5, 39.5), 406, names)]
    assert found == names[::2]
    assert len(called("ticks", {"letter": "x"}, "category", (-0.5, 39.5), 800, names)) == 40


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (0.25, "~%", "25%"),
        (0.123456789, "~%", "12.345679%"),
        (1234567.8, ",.0f", "1,234,568"),
        (-1234.5, ",.1f", "−1,234.5"),
        (1e-7, "~g", "1e−7"),
        (0.000123, "~g", "0.000123"),
        (1234567, "~g", "1.23457e+6"),
        (100, "~g", "100"),
        (2500, ",.3~g", "2.5e+3"),
        (250, ",.3~g", "250"),
        (12345, ",.3~g", "1.23e+4"),
        (0.5, ".2f", "0.50"),
        (0, "~g", "0"),
        (-0.0001, ".1f", "0.0"),
    ],
)
def test_formats(value: float, wanted: str, expected: str) -> None:
    assert called("byD3", value, wanted) == expected


def _shown(*traces: dict[str, Any], x: dict[str, Any] | None = None, y: dict[str, Any] | None = None) -> list[float]:
    found = axes(plain(made(list(traces), x, y).ready()), WIDE, HIGH)
    return [*found["x"]["shown"], *found["y"]["shown"]]


def test_how_far_an_axis_reaches() -> None:
    """A line takes all the width, and leaves a twentieth above and below; a mark needs its own pixels besides."""
    at = {"x": np.array([0.0, 4.0]), "y": np.array([2.0, 6.0]), "line": {"color": "#000000"}}
    room = 4 / 0.9 * 0.05
    assert _shown(at | {"mode": "lines"}) == pytest.approx([0, 4, 2 - room, 6 + room])
    assert _shown(at | {"mode": "lines"}, y={"rangemode": "tozero"})[2:] == pytest.approx([0, 6 / 0.95])
    across, up = (0.05 * 400 + 16 / 1.6) * 4 / (400 - 60), (0.05 * 200 + 16 / 1.6) * 4 / (200 - 40)
    marked = at | {"mode": "markers", "marker": {"size": 16}}
    assert _shown(marked) == pytest.approx([-across, 4 + across, 2 - up, 6 + up])


def test_how_far_bars_and_single_values_reach() -> None:
    bar = {"type": "bar", "x": [1.0, 2.0, 4.0], "y": [3.0, 1.0, 2.0], "name": "a"}
    assert _shown(bar) == pytest.approx([0.5, 4.5, 0, 3 / 0.95])
    one = {"mode": "lines", "x": [3.0, 3.0], "y": [0.0, 0.0]}
    assert _shown(one) == [2, 4, -1, 1]
    assert _shown(one, y={"rangemode": "tozero"})[2:] == [0, 1]
    assert _shown({"mode": "lines", "x": [None], "y": [None]}) == [-1, 6, -1, 4]
