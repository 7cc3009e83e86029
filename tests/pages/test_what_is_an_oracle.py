"""What an oracle is, in a picture, on Explore: what it says, and that a confidential table is not in it."""

from __future__ import annotations

import json
import re
from typing import Any

from pages.old.charts.made_up_table import NOT_LOOKED_AT
from streamlit.testing.v1 import AppTest

from tests.pages.visit import charts, confidential, settled, text, visit

CHART = "oracle_chart"


def _open(app: AppTest | None = None) -> AppTest:
    return settled(visit() if app is None else app)


def _figure(app: AppTest) -> Any:
    return charts(app)[CHART]


def test_the_table_stands_beside_one_that_the_oracle_made_up() -> None:
    app = _open()
    said = text(app)
    assert re.search(r"In one of 199 trials, [\d.]+ years \(hollow\) became [\d.]+ years \(filled\)\.", said)
    moved = re.search(r"The answer moved by ([\d.]+) years: one step of the curve below\.", said)
    assert moved
    assert 0 < float(moved[1]) < 0.0065
    assert "a made-up table:<br>500 r" in json.dumps(_figure(app))


def test_a_confidential_table_is_a_closed_box() -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 90) for i in range(200)) + b"\n"
    app = _open(confidential(content, 0, 100))
    figure = json.dumps(_figure(app))
    assert NOT_LOOKED_AT in figure
    assert "public draws" in text(app)
