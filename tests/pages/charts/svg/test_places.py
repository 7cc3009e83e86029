"""A point is where its axis says: each place is computed here by hand, from the plot's 400 by 200 pixels at (60, 50)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pages.charts.drawn import Drawn
from tests.pages.charts.svg.drawing import run
from tests.pages.charts.svg.drawn_figures import TAG, made, parsed, paths, points, texts

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


def test_an_axis_from_the_right_and_one_from_above() -> None:
    found = _only(made([_line([0, 1, 4], [0, 3, 4])], {"range": [4, 0]}, {"range": [4, 0]}))
    _near(found, [(460, 50), (360, 50 + 150), (60, 250)])


def test_logarithmic_axes_show_exponents_and_nothing_at_zero() -> None:
    found = _only(
        made([_line([1, 0, 10, 50], [0.01, 1, 0.1, 1])], {"type": "log", "range": [0, 2]}, {"type": "log", "range": [-2, 0]})
    )
    _near(found, [(60, 250), (260, 150), (60 + 200 * math.log10(50), 50)])
    (d,) = paths(made([_line([1, 2, 0, 4, 5], [1, 1, 1, 1, 1])], {"type": "log"}), stroke=BLUE)
    assert d.count("M") == 2


def test_domains_and_a_second_axis() -> None:
    one = made(
        [_line([0, 1], [0, 1]), _line([0, 1], [0, 1], line={"color": "#D55E00"}, yaxis="y2")],
        {"range": [0, 1], "anchor": "y2"},
        {"range": [0, 1], "domain": [0.6, 1.0]},
        yaxis2={"range": [0, 1], "domain": [0.0, 0.4]},
    )
    _near(_only(one), [(60, 250 - 120), (460, 50)])
    (below,) = paths(one, stroke="#D55E00")
    _near(points(below), [(60, 250), (460, 250 - 80)])
    parts = [part.attrib for part in parsed(one).iter(f"{TAG}svg")][1:]
    assert [(part["x"], part["y"], part["width"], part["height"]) for part in parts] == [
        ("60", "50", "400", "80"),
        ("60", "170", "400", "80"),
    ]


def test_an_axis_over_another_has_its_own_numbers_at_the_same_place() -> None:
    over = {"overlaying": "x", "side": "top", "range": [0, 200], "tickvals": [50], "ticktext": ["fifty"]}
    one = made(
        [_line([0, 1], [0, 1]), _line([50, 100], [0, 1], xaxis="x2", line={"color": "#D55E00"})], {"range": [0, 2]}, xaxis2=over
    )
    assert points(paths(one, stroke="#D55E00")[0])[0][0] == NEAR(60 + 100)
    (text,) = [text for text in parsed(one).iter(f"{TAG}text") if text.text == "fifty"]
    assert (float(text.attrib["x"]), text.attrib["text-anchor"]) == (160, "middle")
    assert float(text.attrib["y"]) < 50


def test_categories_stand_in_the_order_of_the_traces() -> None:
    marks = {"mode": "markers", "name": "a", "marker": {"color": BLUE, "size": 10, "symbol": "line-ew-open"}}
    one = made([marks | {"x": ["b", "a", "c"], "y": [1, 2, 3]}], {"type": "category", "range": [-0.5, 2.5]}, {"range": [1, 3]})
    (d,) = paths(one, stroke=BLUE)
    third = 400 / 3
    starts = [(60 + (i + 0.5) * third, 250 - 100 * i) for i in range(3)]
    assert [float(part.split("m-")[0].split()[0]) for part in d.split("M")[1:]] == NEAR([x for x, _ in starts], abs=0.011)
    assert [float(part.split("m-")[0].split()[1]) for part in d.split("M")[1:]] == NEAR([y for _, y in starts], abs=0.011)
    assert [text for text in texts(one) if text in "abc"] == ["b", "a", "c"]


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


def test_cells_of_a_map_reach_half_way_to_their_neighbours() -> None:
    trace = {
        "type": "heatmap",
        "x": [0, 1, 3],
        "y": [0, 1],
        "z": [[0, 1, 1], [1, 0, 0.5]],
        "colorscale": [[0, "#000000"], [1, "#ffffff"]],
    }
    one = made([trace | {"showscale": False}])
    # cells from -0.5 to 0.5, 2 and 4 are 400 pixels: 4.5 of the axis
    unit = 400 / 4.5
    black, white = paths(one, fill="#000000")[0], paths(one, fill="#ffffff")[0]
    _near([points("M" + part)[0] for part in black.split("M")[1:]], [(60, 150), (60 + unit, 50)])
    _near([points("M" + part)[0] for part in white.split("M")[1:]], [(60 + unit, 150), (60, 50)])
    assert float(white.split("h")[1].split("v")[0]) == NEAR(3.5 * unit, abs=0.011)  # two of one colour that touch are one
    assert len(paths(one, fill="#808080")) == 1


def test_lines_of_equal_height_run_where_the_height_is() -> None:
    grid = np.linspace(0, 2, 21)
    trace = {"type": "contour", "x": grid, "y": grid, "z": np.add.outer(grid**2, grid**2), "showscale": False, "ncontours": 5}
    trace |= {"contours": {"coloring": "lines"}, "line": {"color": BLUE}, "colorscale": [[0, BLUE], [1, BLUE]]}
    drawn = paths(made([trace], {"range": [0, 2]}, {"range": [0, 2]}), stroke=BLUE.lower())
    heights = []
    for d in drawn:
        assert d.count("M") == 1  # one line, not many segments
        x, y = np.array(points(d)).T
        squares = ((x - 60) / 200) ** 2 + ((250 - y) / 100) ** 2
        assert np.ptp(squares) < 0.02
        heights.append(float(squares.mean()))
    assert heights == NEAR([2, 4, 6], abs=0.02)


def test_a_saddle_is_cut_as_its_middle_says() -> None:
    ends = np.array([0.0, 1.0])
    for corner, level in ((1.0, 0.4), (1.0, 0.6)):
        body = "const found = known.crossings(...given.of); return [found, known.chained(found).length];"
        found, lines = run(body, of=[ends.tolist(), ends.tolist(), [[corner, 0.0], [0.0, corner]], level])
        assert lines == 2
        for one, other in found:  # at the level 0.4 the middle, 0.5, belongs to the high corners: lines cut off the low ones
            middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
            near_low = abs(middle[0] - middle[1]) > 0.5
            assert near_low == (level < 0.5)


def test_steps_and_gaps() -> None:
    one = made([_line([0, 1, 2], [0, 1, 2], line={"color": BLUE, "shape": "hv"})], {"range": [0, 2]}, {"range": [0, 2]})
    _near(_only(one), [(60, 250), (260, 250), (260, 150), (460, 150), (460, 50)])
    gap = made([_line([0, 1, np.nan, 1, 2], [0, 0, np.nan, 1, np.inf])], {"range": [0, 2]}, {"range": [0, 2]})
    (d,) = paths(gap, stroke=BLUE)
    assert [len(points("M" + part)) for part in d.split("M")[1:]] == [2, 1]


def test_a_line_that_leaves_far_beyond_keeps_its_slope() -> None:
    found = _only(made([_line([-1e9, 1e9], [-1e9, 1e9])], {"range": [0, 2]}, {"range": [-1, 1]}))
    assert np.abs(found).max() <= 1e5 + 1
    for x, y in found:  # through (1, 1), which is at (260, 50); 200 pixels across are 100 up
        assert y - 50 == NEAR(-0.5 * (x - 260), abs=0.02)


def test_an_area_lies_between_two_lines() -> None:
    edge = {"width": 0}
    one = made(
        [
            _line([0, 1, 2], [2, 2, 2], line=edge),
            _line([0, 1, 2], [0, 1, 0], line=edge, fill="tonexty", fillcolor="rgba(1,2,3,0.5)"),
        ],
        {"range": [0, 2]},
        {"range": [0, 2]},
    )
    (d,) = paths(one, fill="#010203", fill_opacity=".5")
    _near(points(d.removesuffix("z")), [(60, 250), (260, 150), (460, 250), (460, 50), (260, 50), (60, 50)])


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
