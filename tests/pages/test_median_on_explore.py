"""A median by selection in the app: it is picked, promised, released and shared as any other answer."""

from __future__ import annotations

import json
import re
from typing import Any

from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.targets import LetterCounts, QuantileScores
from tests.pages.visit import declare, details, go, headline, link, pick, press, scenario, text, upload, use, visit

_LINK: dict[str, Any] = {
    "table": "diabetes",
    "columns": ["bmi"],
    "target": {"kind": "QuantileScores", "q": 0.5, "bounds": [15.0, 45.0]},
    "mechanism": {"kind": "ExponentialMechanism", "candidates": None, "norm": "RANGE", "selection": "permute-and-flip"},
}


def _picked() -> Any:
    return pick(pick(visit(), "table", "diabetes"), "target", "QuantileScores")


def test_its_headline_says_how_far_in_the_columns_unit() -> None:
    app = _picked()
    shown = scenario(app)
    assert isinstance(shown.target, QuantileScores)
    assert shown.mechanism == ExponentialMechanism(None, selection="permute-and-flip")
    said = re.search(r"± ([\d.]+)", headline(app))
    assert said, headline(app)
    assert 0 < float(said[1]) < 5


def test_it_is_released_as_one_place_with_its_unit(downloads: list[str]) -> None:
    app = details(go(link(**_LINK), "release"))
    assert "One of 10,001 candidates is chosen by permute-and-flip" in text(app)
    app = press(app, "release")
    said = json.loads(downloads[-1])
    assert (said["guarantee"], said["parameters"]["epsilon"]) == (type(PureDP(1.0)).__name__, 1.0)
    ((label, value),) = said["response"].items()
    assert label.startswith("Median of ")
    assert 20 < value < 32
    assert f"**{value:,.6g} kg/m² ± " in text(app)
    assert "calibrated to the worst case, 2." in text(app)  # of scores, which have no unit
    assert said["settings"]["mechanism"]["candidates"] is None
    assert len(downloads[-1]) < 8_000


def test_letters_after_it_name_their_candidates_again() -> None:
    app = pick(_picked(), "table", "scientists")
    assert scenario(app).target == LetterCounts()
    assert scenario(app).mechanism == ExponentialMechanism(LetterCounts().candidates, selection="permute-and-flip")


def test_values_that_are_missing_do_not_pull_it_to_the_middle(downloads: list[str]) -> None:
    costs = "".join(f"{'' if i % 2 else 100 + i % 7}\n" for i in range(400))
    app = use(declare(upload(visit(), "stays.csv", f"cost\n{costs}".encode()), "cost", 0, 2000))
    app = details(go(pick(app, "target", "QuantileScores"), "release"))
    assert "Only the known values of cost counted." in text(app)
    press(app, "release")
    ((_, value),) = json.loads(downloads[-1])["response"].items()
    assert 90 < value < 120  # filled, half of the values would be 1,000
