"""Figures of lessons: dots in their rows, and a guess that stays in view."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.old.charts.lessons import curves, guessed, rows
from pages.old.charts.sampler import BAND, sensitivity_cdf
from pages.old.experiment.lessons.example import Example

AT = np.linspace(0, 2, 11)


@pytest.mark.parametrize("axis", ["x", "y"])
def test_a_guess_is_a_line_across_the_figure(axis: str) -> None:
    chart = guessed(curves((("one", AT, 3 * AT),), x="", y=""), 1.5, axis)
    mark, other = chart.data[-1], "y" if axis == "x" else "x"
    assert (mark.name, list(mark[axis])) == ("your guess", [1.5, 1.5])
    assert list(mark[other]) == pytest.approx([0, 6.6 if axis == "x" else 2])


def _cdf() -> Any:
    of = Example()
    return sensitivity_cdf(of.sample(), true=of.true_cdf, true_name="true CDF", unit="years")


def test_the_cdf_of_a_lesson_has_the_draws_the_true_one_a_band_and_the_inversion_at_k() -> None:
    sample = Example().sample()
    band, lower, true, draws, inversion = _cdf().data
    assert [one.name for one in (lower, true, draws)] == [BAND, "true CDF", f"{len(sample.distances)} trials"]
    assert np.allclose(draws.y[2:-1:2], sample.cdf(np.asarray(draws.x[2:-1:2])))
    assert (np.asarray(lower.y) <= np.asarray(draws.y)).all()
    assert (np.asarray(draws.y) <= np.asarray(band.y)).all()
    value, share = sample.order_statistic, sample.point.k / len(sample.distances)
    assert (list(inversion.x), list(inversion.y)) == ([0, value, value], [share, share, 0])


def test_a_guess_beyond_what_is_shown_stays_in_view() -> None:
    before = _cdf()
    far = 3 * before.layout.xaxis.range[1]
    after = guessed(_cdf(), far, "x")
    assert after.layout.xaxis.range[1] > far
    assert guessed(_cdf(), far / 6, "x").layout.xaxis.range == before.layout.xaxis.range
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
