"""The charts of people by their traces: each shows its data, and its description has the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.errors import InvalidValueError
from pages.old.charts import people
from pages.old.charts.drawn import MOST_POINTS
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM
from pages.old.experiment.contributions.cap import Cap
from pages.old.experiment.contributions.parts import Dropped, RowsAPerson
from pages.old.experiment.contributions.predict import split
from tests.pages.charts.people import made

LOST = Dropped(rows=0.34, people=0.2, value=0.4)


def _traces(figure: Any) -> dict[str, Any]:
    for trace in figure.data:
        assert len(trace.x) <= MOST_POINTS
        assert trace.type == "heatmap" or len(trace.x) == len(trace.y)
    return {trace.name: trace for trace in figure.data if trace.showlegend is not False}


def _people(numbers: list[int]) -> RowsAPerson:
    return RowsAPerson(*np.unique(np.array(numbers), return_counts=True))


def test_each_number_of_rows_has_a_bar_where_there_are_few_and_the_line_stands_right_of_s() -> None:
    drawn, described = people.rows_a_person(_people([1, 1, 1, 2, 5]), Cap(2), LOST)
    traces = _traces(drawn)
    assert list(traces) == ["people", "their rows", "s = 2"]
    assert list(traces["people"].y) == pytest.approx([0.6, 0.2, 0, 0, 0.2])
    assert list(traces["their rows"].y) == pytest.approx([0.3, 0.2, 0, 0, 0.5])
    assert [each[0] for each in traces["people"].customdata] == ["1", "2", "3", "4", "5"]
    assert list(traces["s = 2"].x) == [1.5, 1.5]
    assert described == (
        "Rows a person: 5 people with at most 5 rows, half of them with at most 1. Keeping s = 2 of each person's rows drops "
        "34 % of the rows and 40 % of the value, and 20 % of the people lose some of theirs."
    )


@pytest.mark.parametrize("asked", [COUNT, SUM, MEAN], ids=lambda asked: asked.name)
@pytest.mark.parametrize("groups", [1, 3])
def test_the_parts_of_an_error_make_the_total(asked: Any, groups: int) -> None:
    of_caps = [row[0] for row in made.predicted(made.rows(asked=asked, groups=groups), asked, made.BY_SALT).table]
    parts = split(of_caps)
    assert parts.total == pytest.approx(np.sqrt(parts.bias**2 + parts.salts**2 + parts.noise**2))
    if groups == 1:
        errors = [each.errors for each in of_caps]
        assert parts.dropped == pytest.approx([abs(each.dropped[0]) for each in errors])
        assert parts.bias == pytest.approx(
            [abs((each.clipped_low + each.clipped_high + each.dropped + each.from_noise)[0]) for each in errors]
        )


def test_the_error_is_drawn_with_its_parts_its_least_and_the_chosen_s() -> None:
    of_caps = [row[0] for row in made.predicted(made.rows()).table]
    parts = split(of_caps)
    least = int(np.argmin(parts.total))
    assert 0 < least < len(of_caps) - 1
    drawn, described = people.error_by_cap(of_caps, 4, unit="minutes")
    traces = _traces(drawn)
    low = f"least at s = {made.CAPS[least]}"
    assert list(traces) == ["total", "noise", "left out by the cap", "clipped high", "clipped low", low, "s = 4"]
    assert list(traces["total"].y) == pytest.approx(parts.total)
    assert list(traces["noise"].y) == pytest.approx(parts.noise)
    shown = parts.dropped >= parts.total.min() / 100
    assert list(np.isnan(np.array(traces["left out by the cap"].y, dtype=float))) == list(~shown)
    assert (list(traces[low].x), list(traces[low].y)) == ([made.CAPS[least]], [pytest.approx(parts.total[least])])
    assert (list(traces["s = 4"].x), list(traces["s = 4"].y)) == ([4], [pytest.approx(parts.total[2])])
    assert drawn.layout.yaxis.title.text == "error (minutes)"
    assert (
        f"{parts.total[least]:.3g} minutes. At s = 4 it is {parts.total[2]:.3g} minutes: noise {parts.noise[2]:.3g}" in described
    )


def test_what_was_not_predicted_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="chosen s"):
        people.error_by_cap([row[0] for row in made.predicted(made.rows()).table], 5)
    with pytest.raises(InvalidValueError, match="at least one"):
        people.error_by_cap((), 1)
