"""The charts of the page People: traces are the predictions, and descriptions and tables have their numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import targets
from dpcore.guarantees.descriptions import figure
from pages.experiment.people import Contributions, least
from pages.figures.people import BY_BOUND, BY_LIMIT, CAUSES, charts_of
from pages.figures.theme import Chart
from tests.pages.experiment.people import made

TABLE = made.rows(np.random.default_rng(5), 40, 9)


def _found(inner: Any = None, **limit: Any) -> Contributions:
    return made.contributions(TABLE, made.about(inner or targets.Sum((-5.0, 20.0)), **(limit or {"rows": 3})), epsilon=0.3)


def _traces(chart: Chart) -> dict[str, Any]:
    return {trace.get("name", ""): trace for trace in chart.traces}


def test_causes_are_bars_in_order() -> None:
    found = _found()
    (bars,) = charts_of(found)[CAUSES].traces
    parts = sorted((size for size in found.chosen.parts.values() if size > found.chosen.total / 100), reverse=True)
    assert bars["x"] == pytest.approx([found.chosen.total, *parts])
    assert bars["text"] == [figure(size) for size in bars["x"]]
    assert bars["y"][0] == "whole error"
    assert f"Expected error: {figure(found.chosen.total)}" in charts_of(found)[CAUSES].alt


@pytest.mark.parametrize(("limit", "symbol"), [({"rows": 3}, "s"), ({"totals": (-10.0, 40.0)}, "B")], ids=["rows", "totals"])
def test_chart_by_limit_has_causes_and_least(limit: dict[str, Any], symbol: str) -> None:
    found = _found(**limit)
    chart, best = charts_of(found)[BY_LIMIT], least(found.by_limit)
    traces = _traces(chart)
    assert list(traces["whole error"]["x"]) == [one.size for one in found.by_limit]
    assert list(traces["whole error"]["y"]) == [one.total for one in found.by_limit]
    noise = np.array([one.parts["noise"] for one in found.by_limit])
    shown = noise >= best.total / 100
    assert traces["noise"]["y"][shown] == pytest.approx(noise[shown])
    assert np.isnan(traces["noise"]["y"][~shown]).all(), "a logarithmic axis has no place for it"
    least_of = traces[f"least, {symbol} = {best.size:,.10g}"]
    assert (least_of["x"], least_of["y"]) == ([best.size], [best.total])
    own = traces[f"{symbol} = {found.chosen.size:,.10g}"]
    assert (own["x"], own["y"]) == ([found.chosen.size], [found.chosen.total])
    assert f"It is least at {symbol} = {best.size:,.10g}: {figure(best.total)}." in chart.alt
    assert [row[symbol] for row in chart.rows] == [f"{one.size:,.10g}" for one in found.by_limit]


def test_charts_against_bounds_follow_the_end_that_moves() -> None:
    for bounds, name in (((-5.0, 20.0), "Error against U"), ((-9.0, -1.0), "Error against L")):
        found = _found(targets.Sum(bounds))
        chart = charts_of(found)[BY_BOUND]
        assert chart.title == name
        assert list(_traces(chart)["whole error"]["x"])[-1] == max(abs(bounds[0]) if bounds[1] < 0 else 0, bounds[1])
    for inner in (targets.Count(), targets.Proportion(interval=(0.0, 9.0))):
        assert set(charts_of(_found(inner))) == {CAUSES, BY_LIMIT}
    assert BY_BOUND in charts_of(_found(targets.Mean((-5.0, 20.0))))
    assert BY_BOUND not in charts_of(_found(totals=(-9.0, 9.0)))


@pytest.mark.parametrize("values", [[0.0, 0.0], [1e100, -1e100], [1e-300, 2e-300]], ids=["nothing", "huge", "tiny"])
def test_charts_of_extreme_values_are_figures(values: list[float]) -> None:
    table = [(0, values[0], 0), (0, values[1], 0), (1, values[0], 0)]
    found = made.contributions(table, made.about(targets.Sum((-1.0, 1.0)), rows=1))
    for chart in charts_of(found).values():
        go.Figure(chart.figure("pure DP"))
        assert all(math.isfinite(end) for axis in ("xaxis", "yaxis") for end in chart.layout[axis].get("range", []))
