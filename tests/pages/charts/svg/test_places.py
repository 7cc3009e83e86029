"""A point is where its axis says: each place is computed here by hand, from the plot's 400 by 200 pixels at (60, 50)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pages.old.charts.drawn import Drawn
from tests.pages.charts.svg.drawn_figures import TAG, made, parsed, paths, points

BLUE = "#0072B2"
LINE = {"mode": "lines", "name": "a", "line": {"color": BLUE, "width": 2}}
NEAR = pytest.approx


def _line(x: Any, y: Any, **more: Any) -> dict[str, Any]:
    return LINE | {"x": np.array(x, dtype=float), "y": np.array(y, dtype=float)} | more


def _only(one: Drawn, **attributes: str) -> list[tuple[float, float]]:
    (d,) = paths(one, stroke=BLUE, **attributes)
    return points(d)


def _near(found: list[tuple[float, float]], expected: list[tuple[float, float]]) -> None:
    assert np.array(found) == NEAR(np.array(expected), abs=0.011)


def test_linear_axes() -> None:
    found = _only(made([_line([-2, 0, 8], [5, 10, 30])], {"range": [-2, 8]}, {"range": [5, 30]}))
    _near(found, [(60, 250), (60 + 0.2 * 400, 250 - 0.2 * 200), (460, 50)])


def test_logarithmic_axes_show_exponents_and_nothing_at_zero() -> None:
    found = _only(
        made([_line([1, 0, 10, 50], [0.01, 1, 0.1, 1])], {"type": "log", "range": [0, 2]}, {"type": "log", "range": [-2, 0]})
    )
    _near(found, [(60, 250), (260, 150), (60 + 200 * math.log10(50), 50)])
    (d,) = paths(made([_line([1, 2, 0, 4, 5], [1, 1, 1, 1, 1])], {"type": "log"}), stroke=BLUE)
    assert d.count("M") == 2


def test_bars_stand_beside_one_another_and_on_zero() -> None:
    bar = {"type": "bar", "x": ["p", "q"]}
    traces = [
        bar | {"name": name, "y": y, "marker": {"color": colour}}
        for name, y, colour in (("a", [2, 4], BLUE), ("b", [1, -1], "#D55E00"))
    ]
    one = made(traces, {"type": "category"}, {"range": [-1, 4]}, barmode="group")
    (first,), (second,) = paths(one, fill=BLUE), paths(one, fill="#D55E00")
    # of two places on -0.5 to 1.5 each is 200 pixels wide; two bars share 0.8 of it, 80 each; 40 pixels are 1
    _near(points(first), [(80, 250 - 40 - 80), (280, 250 - 40 - 160)])
    _near(points(second), [(160, 250 - 40 - 40), (360, 250 - 40)])
    assert first.startswith("M80 130h80v80h-80z")


def test_steps_and_gaps() -> None:
    one = made([_line([0, 1, 2], [0, 1, 2], line={"color": BLUE, "shape": "hv"})], {"range": [0, 2]}, {"range": [0, 2]})
    _near(_only(one), [(60, 250), (260, 250), (260, 150), (460, 150), (460, 50)])
    gap = made([_line([0, 1, np.nan, 1, 2], [0, 0, np.nan, 1, np.inf])], {"range": [0, 2]}, {"range": [0, 2]})
    (d,) = paths(gap, stroke=BLUE)
    assert [len(points("M" + part)) for part in d.split("M")[1:]] == [2, 1]


def test_whiskers_reach_from_their_number() -> None:
    error = {"type": "data", "array": [1.0], "color": "#123456", "thickness": 1}
    one = made([{"mode": "markers", "name": "a", "x": [1], "y": [2], "error_y": error}], {"range": [0, 2]}, {"range": [0, 4]})
    (d,) = paths(one, stroke="#123456")
    assert d == "M256 100h8m-4 0V200m-4 0h8"


def test_notes_and_shapes_stand_on_axes_on_plots_and_on_the_picture() -> None:
    notes = [
        {"text": "of data", "x": 1, "y": 3, "showarrow": False, "xanchor": "center", "yanchor": "middle"},
        {"text": "of the plot", "x": 0.25, "y": 0.5, "xref": "x domain", "yref": "y domain", "xanchor": "center"},
        {"text": "above", "x": 0.5, "y": 1, "xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 20},
        {"text": "not in view", "x": 3, "y": 1, "showarrow": False},
    ]
    shape = {"type": "rect", "x0": 1, "x1": 9, "y0": 0, "y1": 0.5, "yref": "paper", "fillcolor": "#00ff00", "line": {"width": 0}}
    notes = [{"showarrow": False} | note for note in notes]
    one = made([_line([0, 2], [0, 4])], {"range": [0, 2]}, {"range": [0, 4]}, annotations=notes, shapes=[shape])
    at = {text.text: (float(text.attrib["x"]), float(text.attrib["y"])) for text in parsed(one).iter(f"{TAG}text")}
    assert at["of data"] == NEAR((260, 100 + 0.35 * 12), abs=0.6)
    assert at["of the plot"] == NEAR((160, 150 + 0.35 * 12), abs=0.6)
    assert at["above"][0] == 260
    assert at["above"][1] < 50 - 20
    assert "not in view" not in at
    assert paths(one, fill="#00ff00") == ["M260 150H460V250H260z"]
