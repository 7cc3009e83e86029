"""Parts of an exhibit: what is none is refused where it is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.errors import InvalidValueError
from pages.old.learn.exhibits.charts import Axis, Chart, Series, StoredTable
from pages.old.learn.exhibits.exhibit import Check, Made
from tests.pages.learn.exhibits.exhibits import CHART, LINE, exhibit

GOOD: dict[str, Any] = {"name": "a", "role": "rank", "x": [1, 2], "y": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"x": [1.0]}, "y"),
        ({"y": [1.0, np.nan]}, "y"),
        ({"y": [1.0, np.inf]}, "y"),
        ({"y": [True, False]}, "y"),
        ({"y": ["1", "2"]}, "y"),
        ({"x": [], "y": []}, "x"),
        ({"x": [[1.0, 2.0]]}, "x"),
        ({"y": None}, "y"),
        ({"low": [0.0, 0.0]}, "low and high"),
        ({"low": [0.0], "high": [1.0]}, "low"),
        ({"role": "ours"}, "role"),
        ({"drawn": "bars"}, "drawn"),
        ({"name": ""}, "name"),
    ],
)
def test_a_series_is_of_finite_numbers_as_many_of_each(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Series(**GOOD | changes)
    assert caught.value.name == name


BELOW = Series(name="a", role="rank", x=np.array([-1.0]), y=np.array([0.0]))
CHARTS: dict[str, dict[str, Any]] = {
    "no series": {"series": ()},
    "one name twice": {"series": (LINE, LINE)},
    "a spread that is not explained": {"spread": ""},
    "no title": {"title": ""},
    "0 on a log axis": {"x": Axis("m"), "y": Axis("Δ̂", log=True), "series": (BELOW,)},
    "below 0 on a log axis": {"series": (BELOW,)},
}


@pytest.mark.parametrize("case", CHARTS)
def test_a_chart_can_be_drawn(case: str) -> None:
    given = {name: getattr(CHART, name) for name in ("title", "x", "y", "series", "spread")}
    with pytest.raises(InvalidValueError):
        Chart(**given | CHARTS[case])


@pytest.mark.parametrize("rows", [(), (("a",),), (("a", float("nan")),), (("a", None),), (("a", True),)], ids=repr)
def test_a_table_has_rows_of_as_many_texts_and_numbers_as_it_has_columns(rows: Any) -> None:
    with pytest.raises(InvalidValueError):
        StoredTable(title="t", columns=("a", "b"), rows=rows)


@pytest.mark.parametrize(
    ("measured", "least", "most", "holds"),
    [(1.0, 1.0, None, True), (0.99, 1.0, None, False), (1.0, None, 1.0, True), (1.01, 1.0, 1.0, False), (2.0, 1.0, 3.0, True)],
)
def test_a_check_holds_between_its_limits_and_on_them(measured: float, least: Any, most: Any, holds: bool) -> None:
    assert Check("it", measured, least, most).holds is holds


@pytest.mark.parametrize("limits", [(None, None), (2.0, 1.0), (float("inf"), None)], ids=repr)
def test_a_check_has_limits(limits: Any) -> None:
    with pytest.raises(InvalidValueError):
        Check("it", 1.0, *limits)


@pytest.mark.parametrize("given", [(-1, 1.0, {"a": "1"}), (1, -1.0, {"a": "1"}), (1, 1.0, {}), (1, 1.0, {"a": ""})], ids=repr)
def test_how_it_was_made_is_said(given: Any) -> None:
    with pytest.raises(InvalidValueError):
        Made(*given)


@pytest.mark.parametrize(
    "changes",
    [
        {"place": 0},
        {"checks": ()},
        {"charts": (), "tables": ()},
        {"paper": ()},
        {"agrees": ("",)},
        {"no_curve": None},
        {"live_note": ""},
    ],
    ids=repr,
)
def test_an_exhibit_has_all_its_parts(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        exhibit(**changes)
