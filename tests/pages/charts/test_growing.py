"""The figure of draws that still arrive, by its traces: what they name, where they lie, and that they stay small."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from dpcore.base.types import FloatArray
from dpcore.guarantees.every_gamma import order_interval
from dpcore.guarantees.operating_points import OperatingPoint
from pages.old.charts.drawn import MOST_POINTS
from pages.old.charts.sampler import growing_cdf, interval_words

POINT = OperatingPoint.for_both(40_000, 0.05)


def _traces(distances: FloatArray, **more: Any) -> tuple[Any, Any, Any, Any]:
    """The band of Δ̂, the draws and the line of k/m; and the layout. All of it is what a browser can read."""
    before = distances.copy()
    figure = growing_cdf(distances, POINT, **more)
    assert (distances == before).all()
    data = json.loads(figure.to_json())["data"]
    assert len(data) == 3
    band, draws, level = figure.data
    for trace in (band, draws, level):
        assert 0 < len(trace.x) == len(trace.y) <= MOST_POINTS
        assert np.isfinite(np.array(trace.x, dtype=float)).all()
        assert np.isfinite(np.array(trace.y, dtype=float)).all()
    low, right = figure.layout.xaxis.range
    assert low == 0 < right < math.inf
    assert list(level.x) == [0, right]
    assert list(level.y) == [POINT.k / POINT.m] * 2
    assert max(band.x) <= right
    return band, draws, level, figure.layout


@pytest.mark.parametrize("arrived", [30, 73, 74, 5_000, 39_999])
def test_it_shows_what_arrived_and_where_its_quantile_lies(arrived: int) -> None:
    distances = np.random.default_rng(arrived).exponential(size=arrived)
    band, draws, _, layout = _traces(distances, unit="years")
    assert draws.name == f"{arrived:,} of 40,000 trials"
    assert "(years)" in layout.xaxis.title.text
    x, y = np.array(draws.x), np.array(draws.y)
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    assert (x[0], y[0]) == (0, 0)
    assert y[-1] == 1
    tops = slice(2, -1, 2)  # after each step
    assert np.allclose(y[tops], [(distances <= at).mean() for at in x[tops]])
    low, high = order_interval(distances, POINT)
    assert min(band.x) == low
    assert max(band.x) == min(high, layout.xaxis.range[1])
    assert band.name == interval_words(low, high)
    assert ("or more" in band.name) == (arrived < 73)  # 0.95^72 > 0.025 >= 0.95^73


def test_before_the_first_draw_it_is_an_empty_figure() -> None:
    band, draws, _, layout = _traces(np.empty(0))
    assert draws.name == "0 of 40,000 trials"
    assert list(draws.y) == [0, 0]
    assert band.name == "Δ̂: not known yet"
    assert (min(band.x), max(band.x)) == tuple(layout.xaxis.range)  # it can be anywhere


@pytest.mark.parametrize("arrived", [1, 400])
def test_draws_that_all_failed_are_no_step_and_no_number(arrived: int) -> None:
    band, draws, _, _ = _traces(np.full(arrived, np.inf))
    assert draws.name == f"{arrived} of 40,000 trials"
    assert set(draws.y) == {0}
    assert band.name == ("Δ̂: not known yet" if arrived == 1 else "Δ̂: ∞, too many trials fail")


def test_draws_of_which_some_failed_end_below_one() -> None:
    distances = np.concatenate([np.linspace(0.5, 1, 380), np.full(20, np.inf)])
    band, draws, _, layout = _traces(distances)
    assert max(draws.y) == 0.95
    assert "or more" in band.name
    assert max(band.x) == layout.xaxis.range[1]
