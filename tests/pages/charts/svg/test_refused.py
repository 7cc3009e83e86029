"""What the writer does not know is an error that names it: no figure is drawn wrongly in silence."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from dpcore.errors import DpcoreError
from pages.old.charts.drawn import figure
from pages.old.charts.svg import NotDrawnError, drawn_or_said, svg

SCALE = [[0, "#000000"], [1, "#ffffff"]]
TRACE = {"type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1]}
BAR = {"type": "bar", "x": [0, 1], "y": [0, 1]}
MAP = {"type": "heatmap", "x": [0, 1], "y": [0, 1], "z": [[0, 1], [1, 0]], "colorscale": SCALE, "showscale": False}
LINES = {
    "type": "contour",
    "x": [0, 1],
    "y": [0, 1],
    "z": [[0, 1], [1, 0]],
    "contours": {"coloring": "lines"},
    "colorscale": SCALE,
    "showscale": False,
}
NOTE = {"text": "a", "x": 0, "y": 0, "showarrow": False}


class _Given:
    """A ready dict that no plotly has checked."""

    def __init__(self, traces: list[dict[str, Any]], layout: dict[str, Any]) -> None:
        self._ready = copy.deepcopy({"data": traces, "layout": layout})

    def ready(self) -> dict[str, Any]:
        return self._ready


WRONG: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    ([{"type": "pie", "x": [1]}], {}, "the type of a trace"),
    ([TRACE | {"stackgroup": "a"}], {}, "scatter.stackgroup"),
    ([TRACE | {"line": {"smoothing": 1}}], {}, "scatter.line.smoothing"),
    ([TRACE | {"line": {"shape": "spline"}}], {}, "scatter.line.shape"),
    ([TRACE | {"line": {"dash": "dotty"}}], {}, "scatter.line.dash"),
    ([TRACE | {"fill": "tonextx"}], {}, "scatter.fill"),
    ([TRACE | {"mode": "lines+bars"}], {}, "scatter.mode"),
    ([TRACE | {"mode": "markers", "marker": {"symbol": "star"}}], {}, "scatter.marker.symbol"),
    ([TRACE | {"mode": "text", "text": "a", "textposition": "left"}], {}, "scatter.textposition"),
    ([TRACE | {"error_y": {"type": "percent", "array": [1, 1]}}], {}, "scatter.error_y.type"),
    ([TRACE | {"x": ["2020-01-01", "x"]}], {"xaxis": {"type": "linear"}}, "values of a linear axis"),
    ([TRACE | {"x": range(20_001), "y": range(20_001)}], {}, "the number of points of a trace"),
    ([TRACE | {"x": "abc", "y": "abc"}], {}, "a value of the figure"),
    ([BAR | {"orientation": "h"}], {}, "bar.orientation"),
    ([BAR | {"marker": {"color": "#000000", "pattern": {"shape": "x"}}}], {}, "bar.marker.pattern.shape"),
    ([BAR], {"barmode": "stack"}, "layout.barmode"),
    ([MAP | {"texttemplate": "%{z}", "text": [["a"]]}], {}, "heatmap.texttemplate"),
    ([MAP | {"colorscale": "Rainbow"}], {}, "heatmap.colorscale"),
    ([MAP | {"z": [[0, 1]]}], {}, "heatmap.z"),
    ([LINES | {"contours": {"coloring": "fill"}}], {}, "contour.contours.coloring"),
    *(
        ([TRACE | {"line": {"color": colour}}], {}, "scatter.line.color")
        for colour in ('red" onload="x', "url(#a)", "#12", "rgba(1,2)", "var(--x)")
    ),
    ([TRACE], {"polar": {}}, "layout.polar"),
    ([TRACE], {"xaxis": {"rangebreaks": [1]}}, "layout.xaxis.rangebreaks"),
    ([TRACE], {"yaxis12": {"minor": {}}}, "layout.yaxis12.minor"),
    ([TRACE], {"xaxis": {"type": "date"}}, "layout.xaxis.type"),
    ([TRACE], {"xaxis": {"tickformat": "%Y"}}, "layout.xaxis.tickformat"),
    ([TRACE], {"xaxis": {"rangemode": "nonnegative"}}, "layout.xaxis.rangemode"),
    ([TRACE], {"xaxis": {"autorange": "min"}}, "layout.xaxis.autorange"),
    ([TRACE], {"yaxis": {"side": "right"}}, "layout.yaxis.side"),
    ([TRACE], {"xaxis": {"ticks": "inside"}}, "layout.xaxis.ticks"),
    ([TRACE], {"xaxis": {"anchor": "free"}}, "layout.xaxis.anchor"),
    ([TRACE], {"xaxis": {"range": [0, 1e9], "dtick": 1}}, "dtick"),
    ([TRACE, TRACE], {"legend": {"xanchor": "auto"}}, "layout.legend.xanchor"),
    ([TRACE], {"title": {"text": "a", "y": 0.5}}, "layout.title.y"),
    ([TRACE], {"title": "a"}, "layout.title"),
    ([TRACE | {"stackgroup": []}], {}, "scatter.stackgroup"),
    ([TRACE | {"marker": {"color": ["#000000", "url(#a)"]}}], {}, "scatter.marker.color"),
    ([MAP | {"colorscale": [[0, "#000000"], [1, "white"]]}], {}, "heatmap.colorscale"),
    ([MAP | {"z": [["a", 1], [1, 0]]}], {}, "z"),
    ([{"type": "scatter", "mode": "lines", "y": [0, 1]}], {}, "scatter.x"),
    ([TRACE], {"xaxis": {"range": 5}}, "a value of the figure"),
    ([TRACE], {"scattermode": "violin"}, "layout.scattermode"),
    ([TRACE], {"annotations": [NOTE | {"textangle": 3}]}, "layout.annotations.textangle"),
    ([TRACE], {"annotations": [NOTE | {"xref": "x9"}]}, "xref"),
    ([TRACE], {"annotations": [NOTE | {"showarrow": True}]}, "layout.annotations.showarrow"),
    ([TRACE], {"annotations": [NOTE | {"xanchor": "far"}]}, "layout.annotations.xanchor"),
    ([TRACE], {"shapes": [{"type": "circle", "x0": 0, "x1": 1, "y0": 0, "y1": 1}]}, "layout.shapes.type"),
]


@pytest.mark.parametrize(("traces", "layout", "what"), WRONG, ids=[what for *_, what in WRONG])
def test_what_is_not_drawn_is_an_error(traces: list[dict[str, Any]], layout: dict[str, Any], what: str) -> None:
    with pytest.raises(NotDrawnError) as caught:
        svg(_Given(traces, layout), alt="a")
    assert caught.value.what == what
    assert f"got {what} = " in str(caught.value)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), DpcoreError)


@pytest.mark.parametrize("trace", [TRACE, BAR, MAP, LINES], ids=["scatter", "bar", "heatmap", "contour"])
def test_what_a_mouse_needs_and_what_is_not_given_is_no_error(trace: dict[str, Any]) -> None:
    more = {"hovertemplate": "a", "customdata": [[1]], "hoverinfo": "skip", "opacity": None, "text": None}
    layout = {"hovermode": "closest", "clickmode": "event", "template": {"data": {"pie": []}}, "annotations": [NOTE]}
    assert svg(_Given([trace | more], layout), alt="a").startswith("<svg ")


def test_in_a_report_a_sentence_stands_in_the_place_of_what_is_not_drawn(caplog: pytest.LogCaptureFixture) -> None:
    made = drawn_or_said([(_Given([TRACE | {"stackgroup": "a"}], {}), "a", "")], width=400, height=200, title="Its title")
    said = "".join(fromstring(made).itertext())
    assert "Its title" in said
    assert "This chart is not shown here: " in said
    assert "scatter.stackgroup" in caplog.text


EDGES: dict[str, Any] = {
    "no trace": [],
    "no points": [TRACE | {"x": [], "y": []}] * 2,
    "nothing finite": [TRACE | {"x": [np.nan, 1], "y": [0, np.inf]}, TRACE | {"y": [np.nan, np.nan]}],
    "the largest floats": [TRACE | {"x": [-1.7e308, 1.7e308], "y": [-1.7e308, 1.7e308]}],
    "the smallest floats": [TRACE | {"x": [0, 5e-324], "y": [0, 5e-324]}],
    "one value": [TRACE | {"x": [7, 7], "y": [7, 7]}],
    "256 categories": [BAR | {"x": [f"<img src=x onerror=alert({i})>" for i in range(256)], "y": [1e300] * 256}],
    "no cell": [MAP | {"z": [[np.nan, np.nan], [np.nan, np.nan]], "showscale": True}],
    "no height": [LINES | {"z": [[np.inf, 1], [1, np.nan]]}],
}


@pytest.mark.parametrize("kind", ["linear", "log"])
@pytest.mark.parametrize("name", EDGES)
def test_values_at_the_edge_make_a_picture_without_what_is_no_number(name: str, kind: str) -> None:
    axis = {} if name == "256 categories" else {"type": kind}
    traces = [
        {key: np.array(one) if key in "xyz" and name != "256 categories" else one for key, one in trace.items()}
        for trace in EDGES[name]
    ]
    text = svg(figure(traces, x=dict(axis), y=dict(axis)), alt="a")
    assert fromstring(text).tag.endswith("svg")
    assert "NaN" not in text
    assert "Infinity" not in text
