"""Figures of lessons: looks of their own, and a guess that stays in view."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from pages.charts.lessons import curves, guessed, rows
from pages.charts.sampler import sensitivity_cdf

AT = np.linspace(0, 2, 11)


def test_lines_and_dots_have_looks_of_their_own() -> None:
    chart = curves((("one", AT, AT), ("other", AT, 2 * AT)), dots=(("dots", AT, AT),), x="moves", y="share")
    assert [trace.name for trace in chart.data] == ["one", "other", "dots"]
    colours = [trace.line.color for trace in chart.data[:2]] + [chart.data[2].marker.color]
    assert len(set(colours)) == 3
    assert chart.data[0].line.dash != chart.data[1].line.dash
    assert (chart.layout.xaxis.title.text, chart.layout.yaxis.title.text) == ("moves", "share")


def test_a_density_says_no_numbers() -> None:
    assert curves((("one", AT, AT),), x="", y="", likelihood=True).layout.yaxis.showticklabels is False


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


def test_a_line_of_its_own_stays_in_its_row() -> None:
    chart = rows((("few", AT), ("many", AT)), (0.5, 0.9), x="moves")
    upper, lower = (trace for trace in chart.data if trace.mode == "lines")
    assert max(lower.y) < min(upper.y)
    for mark, cloud in zip((upper, lower), chart.data, strict=False):
        assert min(mark.y) <= min(cloud.y) <= max(cloud.y) <= max(mark.y)


def test_right_guesses_are_shown_from_luck_upwards() -> None:
    assert curves((("one", AT, 50 + AT),), x="", y="", guesses=True).layout.yaxis.range[0] == 50
