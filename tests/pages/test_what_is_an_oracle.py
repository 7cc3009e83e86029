"""What an oracle is, in a picture, on Explore: what it says, and where a sentence stands in its place."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts.made_up_table import NOT_LOOKED_AT
from pages.experiment import changes
from tests.pages.visit import charts, confidential, link, pick, settled, text, visit

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


def test_it_hangs_on_the_seed() -> None:
    assert json.dumps(_figure(_open())) != json.dumps(_figure(_open(link(seed=5))))


def test_a_confidential_table_is_a_closed_box() -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 90) for i in range(200)) + b"\n"
    app = _open(confidential(content, 0, 100))
    figure = json.dumps(_figure(app))
    assert NOT_LOOKED_AT in figure
    assert "public draws" in text(app)


@pytest.mark.parametrize(
    ("target", "said"),
    [("LetterCounts", "This question asks for texts"), ("Quantile", "Which row a trial changed is not drawn again here")],
)
def test_what_cannot_be_drawn_is_said(target: str, said: str) -> None:
    app = pick(visit(), "table", "scientists") if target == "LetterCounts" else visit()
    app = _open(pick(app, "target", target))
    assert said in text(app)
    assert (CHART in charts(app)) == (target == "Quantile")


def test_a_trial_that_takes_long_to_draw_again_marks_no_row() -> None:
    with patch.object(changes, "MOST_DRAWN", 0):
        app = _open(link(seed=11))
    assert "Which row a trial changed is not drawn again here" in text(app)
    assert "one changed" not in json.dumps(_figure(app))
