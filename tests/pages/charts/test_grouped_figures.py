"""A number for each group by its traces: bars or dots, and whiskers where they belong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.answers.grouped import Grouped
from dpcore.answers.numbers import Numbers
from dpcore.answers.ratio import Ratio
from pages.old.charts.answers import published
from pages.old.charts.drawn import MOST_POINTS
from pages.old.charts.groups import MOST_DRAWN


def _traces(figure: Any) -> dict[str, Any]:
    assert all(len(trace.x) <= MOST_POINTS for trace in figure.data)
    return {trace.name: trace for trace in figure.data}


def _ends(trace: Any) -> Any:
    """Lower and upper end of each whisker, (numbers, 2); they are parted by gaps."""
    ends = np.array(trace.y, dtype=float).reshape(-1, 3)
    assert np.isnan(ends[:, 2]).all()
    return ends[:, :2]


@pytest.mark.parametrize("names", [("<b>bold</b>", "a"), ("<a href='x'>y</a>" * 3, "b"), ("%{y}", "&amp;")], ids=repr)
def test_names_from_outside_are_shown_as_they_are(names: tuple[str, ...]) -> None:
    drawn = published(np.array([1.0, 2.0]), Grouped(Numbers(("n",)), names))
    assert drawn is not None
    told = [*drawn.layout.xaxis.ticktext, *(row[0] for row in drawn.data[0].customdata)]
    assert not any("<" in text for text in told)


def test_a_release_is_drawn_with_its_whiskers_where_these_are_known() -> None:
    answer = Grouped(Numbers(("n",), "rows", amount=True), ("x", "y"))
    response = np.array([3.0, 8.0])
    one: Any = published(response, answer, 2.0)
    assert _ends(_traces(one)["95 in 100 lie within"]).tolist() == [[1, 5], [6, 10]]
    each: Any = published(response, answer, (1.0, 3.0))
    assert _ends(_traces(each)["95 in 100 lie within"]).tolist() == [[2, 4], [5, 11]]
    assert each.data[0].name == "private answer"
    none: Any = published(response, answer)
    assert [trace.type for trace in none.data] == ["bar"]
    assert list(none.data[0].y) == [3.0, 8.0]
    assert none.layout.yaxis.title.text == "answer (rows)"


def test_of_more_numbers_than_can_be_seen_the_first_are_drawn() -> None:
    answer = Grouped(Numbers(("n",)), tuple(f"g{i}" for i in range(400)))
    drawn: Any = published(np.arange(400.0), answer)
    assert len(drawn.data[0].x) == MOST_DRAWN


def test_a_group_of_which_nothing_can_be_told_is_not_drawn_and_leaves_the_scale_to_the_others() -> None:
    answer = Grouped(Ratio(("Mean",), "€", (0.0, 1_000.0)), ("A", "B", "C"))
    drawn: Any = published(np.array([0.0, 9.0, 5.0, 1.0, -0.5, 8.0]), answer, (20.0, np.inf, 30.0))
    traces = _traces(drawn)
    assert np.isnan(np.asarray(traces["private answer"].y)).tolist() == [False, True, False]
    assert np.isfinite(_ends(traces["95 in 100 lie within"])).all(axis=1).tolist() == [True, False, True]
    assert drawn.layout.yaxis.range == pytest.approx((434.6875, 524.0625))  # from 468.75 - 30 to 500 + 20, and a twentieth
    none: Any = published(np.zeros(6), answer, (np.inf,) * 3)
    assert none.layout.yaxis.range == (0, 1)
