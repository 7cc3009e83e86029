"""Errors along limits of totals and along bounds: the numbers in the figures and their words."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.errors import InvalidValueError
from pages.old.charts import people
from pages.old.experiment.contributions.asked import SUM
from pages.old.experiment.contributions.cap import Cap
from pages.old.experiment.contributions.limit import Limit
from pages.old.experiment.contributions.predict import predict, split
from tests.pages.charts.people import made

LIMITS = [Limit(0.0, high) for high in (3.0, 30.0, 300.0, 3_000.0)]
PAIRS = [(0.0, 1.5), (0.0, 15.0), (0.0, 60.0)]


def _traces(drawn: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in drawn.data}


def test_the_error_is_drawn_along_limits_with_b_for_s() -> None:
    of_limits = [row[0] for row in predict(made.rows(), SUM, made.BY_WEIGHT, LIMITS, [(-5.0, 60.0)]).table]
    parts = split(of_limits)
    drawn, described = people.error_by_cap(of_limits, 300.0, unit="minutes")
    traces = _traces(drawn)
    assert list(traces["total"].x) == [limit.high for limit in LIMITS]
    assert list(traces["total"].y) == pytest.approx(parts.total)
    assert (list(traces["B = 300"].x), list(traces["B = 300"].y)) == ([300], [pytest.approx(parts.total[2])])
    assert "left out by the cap" not in traces
    assert drawn.layout.xaxis.title.text == "limit of a person's total, B (minutes)"
    assert f"At B = 300 it is {parts.total[2]:.3g} minutes: noise {parts.noise[2]:.3g}" in described
    assert "for B from 3 to 3,000 as the limit of a person's total" in described


def test_the_error_is_drawn_along_bounds_and_what_is_missing_has_its_own_name() -> None:
    of_bounds = predict(made.rows(), SUM, made.BY_WEIGHT, [Cap(4)], PAIRS).table[0]
    parts = split(of_bounds)
    drawn, described = people.error_by_bound(of_bounds, PAIRS[1], unit="minutes", of_values="minutes")
    traces = _traces(drawn)
    assert list(traces["total"].x) == [1.5, 15, 60]
    assert list(traces["total"].y) == pytest.approx(parts.total)
    assert {"missing values", "clipped high", "U = 15"} <= set(traces)
    assert "for U from 1.5 to 60 as the upper bound of a value" in described
    with pytest.raises(InvalidValueError, match="chosen bounds"):
        people.error_by_bound(of_bounds, (0.0, 7.0))
    negative = predict(made.rows(), SUM, made.BY_WEIGHT, [Cap(4)], [(-2.0, 0.0), (-5.0, 0.0)]).table[0]
    assert list(_traces(people.error_by_bound(negative, (-5.0, 0.0))[0])["total"].x) == [2, 5]
