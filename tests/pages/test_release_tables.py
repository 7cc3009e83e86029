"""A released answer of several numbers is a table with units, whose names are shown as they are; of one it is a line."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore import Laplace, PureDP, targets
from dpcore.answers.grouped import Grouped
from dpcore.answers.ratio import Ratio
from pages.state.reach import reach_of
from tests.dpcore.grouped import ByGroup
from tests.pages.visit import go, link, press, text

_HISTOGRAM = {"table": "diabetes", "columns": ["bmi"], "target": {"kind": "Histogram", "edges": [15.0, 20.0, 25.0, 30.0, 45.0]}}


def _entry(app: Any) -> list[dict[str, str]]:
    """The rows of the release's own table; the ledger has another."""
    return next(table.value.to_dict("records") for table in app.table if "of" in table.value.columns)


def test_a_histogram_is_a_table_of_shares_and_never_a_line_of_digits(downloads: list[str]) -> None:
    app = press(go(link(**_HISTOGRAM), "release"), "release")
    rows = _entry(app)
    assert [row["of"] for row in rows] == ["15–20", "20–25", "25–30", "30–45"]
    near = "±, 95 in 100, each alone"
    assert list(rows[0]) == ["of", "private answer (share of all rows)", near]
    released = json.loads(downloads[-1])["response"]
    for row, share in zip(rows, released.values(), strict=True):
        shown = float(row["private answer (share of all rows)"].split(",")[0])
        assert share != shown == pytest.approx(share, abs=0.01 * float(row[near].removeprefix("± ")))
    assert " · " not in text(app)
    assert "The numbers are shares of all rows." in text(app)


def _by_group() -> None:
    from types import SimpleNamespace

    import numpy as np

    from dpcore.answers.grouped import Grouped
    from dpcore.answers.ratio import Ratio
    from pages.release import releases

    names = ("*women*", "[men](http://x.y)", ":red[other]")
    about = SimpleNamespace(
        foretold="", answer=Grouped(Ratio(("Mean",), "€/d", (0.0, 200.0)), names), target="means", question="means", questions=()
    )
    entry: Any = SimpleNamespace(near=((1.0, 2.5, 123.4), ()), about=about, covered=True, caveats=(), line=None)
    entry.guess, entry.ranks, entry.digest = "", None, ""
    entry.reach, entry.ticket = (1.0, 2.5, 123.4), "a"
    entry.release = SimpleNamespace(response=np.array([0.0, 10.0, -5.0, 10.0, 30.0, 10.0]))
    releases._response(entry)


def test_answers_by_group_are_a_row_each_with_unit_and_its_own_reach_below_their_chart() -> None:
    app = AppTest.from_function(_by_group, default_timeout=60).run()
    assert not app.exception
    (means,) = (table.value.to_dict("records") for table in app.table)
    assert [row["of"] for row in means] == ["\\*women\\*", "\\[men\\](http:\u2060//x.y)", ":\u2060red\\[other\\]"]
    assert [row["private answer"] for row in means] == ["100.00 €/d", "50.00 €/d", "400 €/d, so 200 €/d"]
    assert [row["±, 95 in 100, each alone"] for row in means] == ["± 1.01 €/d", "± 2.51 €/d", "± 124 €/d"]
    assert len(app.get("plotly_chart")) == 1


def test_the_reach_of_means_by_group_is_one_a_group_and_none_before_a_release() -> None:
    target = ByGroup(targets.KnownMean((0.0, 10.0)), ("A", "B"))
    proof: Any = target.global_sensitivity(Laplace().norm, 9)
    calibrated: Any = Laplace().calibrate(proof, PureDP(1.0))
    answer = Grouped(Ratio(("Mean",), "€", (0.0, 10.0)), ("A", "B"))
    assert reach_of(calibrated, answer) is None
    reaches = reach_of(calibrated, answer, np.array([0.0, 900.0, 0.0, 40.0]))
    assert isinstance(reaches, tuple)
    assert 0 < 10 * reaches[0] < reaches[1] < math.inf
    assert reach_of(calibrated, answer, np.array([0.0, 900.0, 5.0, 4.0]))[1] == math.inf
    counts = Grouped(targets.Count(interval=(0, 5)).answer(()), ("A", "B"))
    assert reach_of(calibrated, counts) == calibrated.law.half_width(0.95)
