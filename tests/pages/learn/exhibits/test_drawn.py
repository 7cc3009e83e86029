"""Charts of stored numbers: what their logarithmic axes can be read by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.learn.exhibits.charts import Axis, Chart, Series, exhibited


def _axis(values: list[float]) -> Any:
    at = np.array(values)
    chart = Chart(title="a chart", x=Axis("x"), y=Axis("y", log=True), series=(Series(name="one", role="rank", x=at, y=at),))
    return exhibited(chart)[0].layout.yaxis


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([8.0, 64.0], [10, 20, 50]),
        ([0.05, 0.5], [0.05, 0.1, 0.2, 0.5]),
        ([0.08, 0.6], [0.1, 0.2, 0.5]),
        ([15.0, 70.0], [20, 50]),
    ],
)
def test_an_axis_that_shows_one_power_of_ten_or_none_has_ticks_at_2_and_5_too(values: list[float], ticks: list[float]) -> None:
    axis = _axis(values)
    assert list(axis.tickvals) == pytest.approx(ticks)
    assert axis.exponentformat is None


def test_an_axis_that_shows_several_powers_of_ten_has_ticks_at_them_alone() -> None:
    axis = _axis([0.001, 0.5])
    assert (axis.dtick, axis.tickvals, axis.exponentformat) == (1, None, "power")


def test_an_axis_that_hardly_reaches_from_one_number_to_the_next_has_the_ticks_that_fit() -> None:
    axis = _axis([12.0, 18.0])
    assert (axis.dtick, axis.tickvals) == (None, None)
