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
from pages.old.experiment.contributions.predict import MOST_PEOPLE, PERSON, ROW, by_size, levels, split
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


def test_the_map_has_every_total_the_best_the_chosen_and_an_outline_of_what_is_near() -> None:
    found = made.predicted(made.rows(), highs=(5.0, 10.0, 20.0, 40.0))
    drawn, described = people.bounds_and_caps(found, (1, 2), unit="minutes")
    traces = _traces(drawn)
    assert list(traces) == ["error", "within 10 % of the least", "least", "chosen"]
    assert np.allclose(10 ** np.array(traces["error"].z).T, found.totals)
    assert (list(traces["chosen"].x), list(traces["chosen"].y)) == ([1], [2])
    i, j = int(traces["least"].x[0]), int(traces["least"].y[0])
    assert found.table[i][j] is found.best
    assert list(drawn.layout.xaxis.ticktext) == [f"{s}" for s in made.CAPS]
    assert list(drawn.layout.yaxis.ticktext) == ["5", "10", "20", "40"]
    assert traces["error"].customdata[2][1][:2] == ["2", "0 to 20"]
    assert f"Within 10 % of it: {found.near_best().sum()}, with s" in described
    assert f"Chosen is s = 2 with values from 0 to 20: {found.totals[1, 2]:.3g} minutes." in described
    assert f"The least is at s = {found.best.cap.rows} with values from 0 to {found.best.bounds[1]:g}: " in described


def test_a_map_of_too_many_cells_and_what_was_not_predicted_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="chosen s"):
        people.error_by_cap([row[0] for row in made.predicted(made.rows()).table], 5)
    found = made.predicted(made.rows(), highs=np.geomspace(1, 60, 23))
    with pytest.raises(InvalidValueError, match="at most 160"):
        people.bounds_and_caps(found, (0, 0))
    with pytest.raises(InvalidValueError, match="chosen"):
        people.bounds_and_caps(made.predicted(made.rows()), (0, 1))


def test_each_group_has_a_dot_at_its_size_and_its_relative_error() -> None:
    table = made.rows(groups=4)
    groups = by_size(table, made.predicted(table).table[3][0])
    drawn, described = people.by_size(groups, ("<b>A</b>", "B", "C", "D"))
    dots = _traces(drawn)["one group"]
    assert list(dots.x) == list(groups.rows)
    assert list(dots.y) == pytest.approx(groups.relative)
    assert dots.customdata[3][0] == "&lt;b&gt;A&lt;/b&gt;"
    assert f"{100 * groups.relative[0]:.3g} % for the smallest, of {groups.rows[0]} rows" in described
    assert f"{100 * groups.relative[3]:.3g} % for the largest, of {groups.rows[3]} rows." in described
    assert f"at most 10 %: {(groups.relative <= 0.1).sum()}." in described
    with pytest.raises(InvalidValueError, match="labels"):
        people.by_size(groups, ("A", "B", "C"))


@pytest.mark.parametrize("sampled", [None, 40.0])
def test_three_noises_stand_under_what_they_protect(sampled: float | None) -> None:
    table = made.rows()
    compared = levels(table, SUM, made.BY_WEIGHT, Cap(4), (0.0, 30.0), sampled)
    drawn, described = people.levels(compared, unit="minutes")
    traces = _traces(drawn)
    names = (ROW, PERSON, MOST_PEOPLE)[: len(compared)]
    totals = [each.prediction.errors.total for each in compared]
    assert list(traces["noise alone"].x) == pytest.approx([np.sqrt(2) * each.prediction.scale for each in compared])
    assert list(traces["whole error"].x) == pytest.approx(totals)
    words = next(trace for trace in drawn.data if trace.mode == "text").text
    for name, level, text, total in zip(names, compared, words, totals, strict=True):
        assert text.replace("<br>", " ") == f"<b>{name}</b> {level.protects}"
        assert max(map(len, text.split("<br>"))) <= 44
        assert f"{name}: noise {np.sqrt(2) * level.prediction.scale:.3g} minutes, whole error {total:,.3g} minutes." in described
    low, high = drawn.layout.xaxis.range
    assert low <= np.log10(min(traces["noise alone"].x)) <= np.log10(max(totals)) <= high
    assert drawn.layout.height == 92 + 102 * len(compared)


def test_without_levels_or_caps_there_is_no_chart() -> None:
    for make in (lambda: people.levels(()), lambda: people.error_by_cap((), 1)):
        with pytest.raises(InvalidValueError, match="at least one"):
            make()
