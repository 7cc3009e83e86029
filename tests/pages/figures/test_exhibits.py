"""Charts of the gallery: few lines in a plot, distinct looks, and names that do not overlap."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from plotly.graph_objects import Figure

from data.exhibits.exhibit import Axis, Chart, Series, gallery
from pages.figures.exhibits import HEIGHT, SIZE, exhibit_chart

PANELS = [(one.name, chart, facet) for one in gallery().values() for chart in one.charts for facet in chart.facets]
IDS = [f"{name} {chart.title} {facet}" for name, chart, facet in PANELS]


def _names(layout: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the names beside the lines."""
    return [note for note in layout["annotations"] if note.get("yanchor") == "middle"]


@pytest.mark.parametrize(("name", "chart", "facet"), PANELS, ids=IDS)
def test_panel_has_at_most_six_distinct_lines(name: str, chart: Chart, facet: str) -> None:
    made = exhibit_chart(chart, facet).figure()
    Figure(made)
    series = [trace for trace in made["data"] if trace.get("name")]
    lines = [trace for trace in series if trace["mode"] != "markers"]
    assert len(lines) <= 6
    looks = {(trace["marker"]["color"], trace["marker"]["symbol"], trace.get("line", {}).get("dash")) for trace in series}
    assert len(looks) == len(series)
    assert len(_names(made["layout"])) == (len(series) if lines and len(series) > 1 else 0)
    assert made["layout"]["showlegend"] is (not lines and len(series) > 1)
    for axis in ("xaxis", "yaxis"):
        assert made["layout"][axis]["title"]["text"]
        assert made["layout"][axis]["tickfont"]["size"] >= 14


@pytest.mark.parametrize(("name", "chart", "facet"), PANELS, ids=IDS)
def test_names_beside_lines_do_not_overlap(name: str, chart: Chart, facet: str) -> None:
    layout = exhibit_chart(chart, facet).figure()["layout"]
    plot = HEIGHT - layout["margin"]["t"] - layout["margin"]["b"]
    notes = sorted(_names(layout), key=lambda note: note["y"])
    halves = [(note["text"].count("<br>") + 1) * SIZE * 1.2 / 2 for note in notes]
    for (low, below), (high, above) in pairwise(zip(notes, halves, strict=True)):
        assert (high["y"] - low["y"]) * plot >= below + above
    assert all(0 <= note["y"] <= 1 for note in notes)


@pytest.mark.parametrize(("name", "chart", "facet"), PANELS, ids=IDS)
def test_facets_share_their_axes(name: str, chart: Chart, facet: str) -> None:
    first, made = (exhibit_chart(chart, one).layout for one in (chart.facets[0], facet))
    assert [made[axis]["range"] for axis in ("xaxis", "yaxis")] == [first[axis]["range"] for axis in ("xaxis", "yaxis")]


def test_texts_are_escaped() -> None:
    values = np.array([1.0, 2.0])
    series = tuple(Series(name=name, role="rank", x=values, y=values, facets=("<i>",)) for name in ("<b>a", "c"))
    stored = Chart(title="<u>t", x=Axis("<s>x"), y=Axis("y"), series=series, guarantee="<em>g")
    made = exhibit_chart(stored, "<i>").figure()
    assert not [tag for tag in ("<b>a", "<i>", "<u>", "<s>", "<em>") if tag in str(made)]
