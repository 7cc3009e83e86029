"""Questions keep their order and number from a list to its cards, its report and its files."""

from __future__ import annotations

import json
import re
from typing import Any

from pages.experiment.scenario import Noise
from tests.pages.exports.released import prose
from tests.pages.test_reports import report
from tests.pages.visit import ask, go, link, pick, press, settled, sized, text


def _mixed() -> Any:
    """A mean and a median that come from Explore one after the other, and a mean that is added to them."""
    app = press(settled(link(table="diabetes", columns=["bmi"])), "to_release")
    settled(pick(go(app, ""), "target", "QuantileScores"))
    app = go(press(app, "to_release"), "release")
    return sized(ask(app, "Mean of Age"), Noise.WORST_CASE)


def test_a_mixed_list_keeps_its_order_and_numbers(downloads: list[str], files: list[tuple[str, str]]) -> None:
    app = press(_mixed(), "release")
    said = text(app)
    assert "**Question 1: Mean of" in said
    assert "**Question 3: Mean of" in said
    assert "**Question 2: " in said
    made = [json.loads(one) for one in downloads if '"number_in_list"' in one]
    assert {(one["number_in_list"], one["question"].partition(" ")[0]) for one in made} == {
        (1, "Mean"),
        (2, "Median"),
        (3, "Mean"),
    }
    page = prose(report(files, app))
    asked = re.findall(r"\b([123])\. (\S+) ", page)
    assert [number for number, _ in asked][:3] == ["1", "2", "3"]
    first, second, third = (what for _, what in asked[:3])
    assert first == third == "Mean"
    assert second != "Mean"
