"""Figures of lessons: dots in their rows, and a guess that stays in view."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from pages.old.charts.lessons import curves, guessed, rows
from pages.old.charts.sampler import sensitivity_cdf

AT = np.linspace(0, 2, 11)


@pytest.mark.parametrize("axis", ["x", "y"])
def test_a_guess_is_a_line_across_the_figure(axis: str) -> None:
    chart = guessed(curves((("one", AT, 3 * AT),), x="", y=""), 1.5, axis)
    mark, other = chart.data[-1], "y" if axis == "x" else "x"
    assert (mark.name, list(mark[axis])) == ("your guess", [1.5, 1.5])
    assert list(mark[other]) == pytest.approx([0, 6.6 if axis == "x" else 2])


def test_a_guess_beyond_what_is_shown_stays_in_view() -> None:
    at = OperatingPoint.for_gamma(0.05)
    sample = sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=50, at=at, seed=1)
    before = sensitivity_cdf(sample)
    far = 3 * before.layout.xaxis.range[1]
    after = guessed(sensitivity_cdf(sample), far, "x")
    assert after.layout.xaxis.range[1] > far
    assert guessed(sensitivity_cdf(sample), far / 6, "x").layout.xaxis.range == before.layout.xaxis.range
    assert list(after.data[-1].y) == list(before.layout.yaxis.range)


def test_dots_in_rows_stay_in_theirs_with_a_name_and_a_line_each() -> None:
    moves = np.linspace(0, 1, 40)
    chart = rows((("few", moves), ("many", 2 * moves)), (0.9,), x="moves")
    clouds = [trace for trace in chart.data if trace.mode == "markers"]
    (mark,) = (trace for trace in chart.data if trace.mode == "lines")
    assert (mark.name, set(mark.x)) == ("Δ̂ = 0.9", {0.9})
    assert min(clouds[0].y) > max(clouds[1].y)
    assert min(mark.y) <= min(clouds[1].y) <= max(clouds[0].y) <= max(mark.y), "one Δ̂ of all rows"
    assert [note.text for note in chart.layout.annotations] == ["few", "many"]
    assert not rows((("few", moves),), (), x="").layout.annotations
