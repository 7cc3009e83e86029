"""Two answers of one response compared on Release: a number with an interval of the noise, and no charge."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pages.ledger.entry import Entry
from tests.pages.visit import go, link, opened, press, sound, text

_AGES = {"kind": "Histogram", "edges": [15.0, 20.0, 25.0, 30.0, 45.0]}
_HISTOGRAM = {"table": "diabetes", "columns": ["bmi"], "target": _AGES}


def _ticket(downloads: list[str]) -> str:
    return str(json.loads(downloads[-1])["release"])


def _charges(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records") if "ε" in line]


def test_a_comparison_has_an_interval_of_the_noise_and_charges_nothing(
    downloads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = press(go(link(**_HISTOGRAM), "release"), "release")
    ticket, charged = _ticket(downloads), _charges(app)
    opened(app, f"compare_{ticket}")
    said = text(app)
    number = r"(-?[\d.e-]+)"
    found = re.search(
        rf"\*\*15–20 − 20–25 = {number}\*\*\. Interval of the noise: from {number} to {number}\. In 95 of 100 ", said
    )
    assert found, said
    value, low, high = map(float, found.groups())
    assert low < value < high
    assert "it is no interval for the population" in said
    assert "nothing is asked of the table, and nothing is charged. The guarantee of this answer covers it too." in said
    assert "This is about Histogram of Body mass index, in Diabetes." in said
    sound(app.segmented_control(key=f"compare_how_{ticket}").set_value("Ratio, A ÷ B").run())
    assert "**15–20 ÷ 20–25 = " in text(app)
    sound(app.selectbox(key=f"compare_b_{ticket}").set_value(0).run())
    assert "A and B are the same answer" in text(app)
    assert _charges(app) == charged
    monkeypatch.setattr(Entry, "covered", False)
    sound(app.selectbox(key=f"compare_b_{ticket}").set_value(2).run())
    assert "nothing is charged. What is said below of this answer holds of it too." in text(app)
