"""A released answer of several numbers is a table with units, and a mean of each group has its own reach."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, PureDP, targets
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import Ratio
from pages.ledger.entry import reach_of
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
    near = "±, 95%, each by itself"
    assert list(rows[0]) == ["of", "private answer (share of all rows)", near]
    released = json.loads(downloads[-1])["response"]
    for row, share in zip(rows, released.values(), strict=True):
        shown = float(row["private answer (share of all rows)"].split(",")[0])
        assert share != shown == pytest.approx(share, abs=0.01 * float(row[near].removeprefix("± ")))
    assert " · " not in text(app)
    assert "The numbers are shares of all rows." in text(app)


def test_the_reach_of_means_by_group_is_one_a_group() -> None:
    target = ByGroup(targets.Mean((0.0, 10.0)).of_known_values(), ("A", "B"))
    proof: Any = target.global_sensitivity(LaplaceMechanism().norm, 9)
    calibrated: Any = LaplaceMechanism().calibrate(proof, PureDP(1.0))
    answer = Grouped(Ratio(("Mean",), "€", (0.0, 10.0)), ("A", "B"))
    reaches = reach_of(calibrated.law, answer, np.array([0.0, 900.0, 0.0, 40.0]))
    assert isinstance(reaches, tuple)
    assert 0 < 10 * reaches[0] < reaches[1] < math.inf
    assert reach_of(calibrated.law, answer, np.array([0.0, 900.0, 5.0, 4.0]))[1] == math.inf
    counts = Grouped(targets.Count(interval=(0, 5)).answer(()), ("A", "B"))
    assert reach_of(calibrated.law, counts, None) == calibrated.law.half_width(0.95)
