"""A chart of a made-up table says so above everything else, in large type, and is the same chart otherwise."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import plotly.io
import pytest

from pages.old import charts
from pages.old.charts.drawn import Drawn
from tests.pages.experiment.test_grouped_headlines import INNER, made


def _of_each_kind() -> dict[str, Any]:
    """One chart of each kind of answer's traces: groups, densities, bars, chances, curves."""
    one = made("count", sizes=(50,)).each[0]
    figures = {f"{kind} by group": charts.answer(made(kind, simulated=True))[0] for kind in INNER}
    figures["number"] = charts.answer(one)[0]
    figures["bars"] = charts.answer(made("bins", sizes=(50,)).each[0])[0]
    figures["mean"] = charts.answer(made("mean", sizes=(50,)).each[0])[0]
    figures["another"] = Drawn(
        {"data": [{"type": "scatter", "mode": "lines", "x": np.arange(3.0), "y": np.ones(3)}], "layout": {}}
    )
    return figures


CHARTS = _of_each_kind()


@pytest.mark.parametrize("name", CHARTS)
def test_it_stands_above_the_chart_in_large_type_and_before_its_description(name: str) -> None:
    before = CHARTS[name]
    written = json.loads(plotly.io.to_json(before))
    told, description = charts.made_up(before, "What it shows.")
    title = told.layout.title
    assert title.text == charts.NOT_YOUR_DATA == "Not your data: a made-up table"
    assert title.font.size >= 18  # large type
    assert description == "Not your data: a made-up table. What it shows."
    assert json.loads(plotly.io.to_json(told))["data"] == written["data"]
    assert json.loads(plotly.io.to_json(before)) == written
