"""A median by selection in the app: it is picked, promised, released and shared as any other answer."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.exponential import Exponential
from dpcore.targets import LetterCounts, QuantileScores
from pages.experiment.error_curve import ErrorCurve, error_curve
from pages.experiment.headlines.base import Headline
from pages.state import view
from tests.pages.prose import refuse_code
from tests.pages.visit import (
    answered,
    charts,
    declare,
    everything,
    go,
    link,
    pick,
    press,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
    within,
)
from tests.yardstick import least, loop

_LINK: dict[str, Any] = {
    "table": "diabetes",
    "columns": ["bmi"],
    "target": {"kind": "QuantileScores", "q": 0.5, "bounds": [15.0, 45.0]},
    "mechanism": {"kind": "Exponential", "candidates": None, "norm": "RANGE", "selection": "permute-and-flip"},
    "norm": "RANGE",
}


def _picked() -> Any:
    return pick(pick(visit(), "table", "diabetes"), "target", "QuantileScores")


def test_its_headline_says_how_far_in_the_columns_unit_and_in_ranks() -> None:
    app = _picked()
    shown = scenario(app)
    assert isinstance(shown.target, QuantileScores)
    assert shown.mechanism == Exponential(None, selection="permute-and-flip")
    said = re.search(r"Median of [^:]+: 95 times in 100 answers lie within ± ([\d.]+).* and ± ([\d.]+) ranks", text(app))
    assert said, text(app)[:600]
    assert 0 < float(said[1]) < 5
    assert 1 <= float(said[2]) < 30
    assert "**Pure DP, ε = 1**, is differential privacy itself" in text(app)
    assert "the scores moved against one another by at most Δ̂ = 2." in text(app)
    refuse_code(" ".join(answered(app)).replace("**", ""))


def test_its_charts_are_a_density_on_the_scale_and_an_error_in_the_columns_unit() -> None:
    app = sound(within(_picked(), "readers").button_group(key="readers").set_value("Density").run())
    figure = charts(app)["responses"]
    first, marked = figure["data"][0], figure["data"][-1]
    assert first["type"] == "scatter"
    assert marked["line"]["dash"] == "dot"
    assert figure["layout"]["xaxis"]["title"]["text"].startswith("what may be published")
    app = sound(within(app, "readers").button_group(key="readers").set_value("Error").run())
    assert "mean distance from the one without noise (years)" in charts(app)["responses"]["layout"]["yaxis"]["title"]["text"]


def test_the_curve_of_its_errors_takes_no_longer_than_a_dozen_loops_at_the_least_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    clocked = list[float]()

    def timed(headline: Headline) -> ErrorCurve:
        start = time.thread_time()
        curve = error_curve(headline)
        clocked.append(time.thread_time() - start)
        return curve

    monkeypatch.setattr(view, "error_curve", timed)
    app = sound(within(_picked(), "readers").button_group(key="readers").set_value("Error").run())
    for epsilon in (0.02, 0.01):
        app.session_state["epsilon"] = epsilon
        sound(app.run())
    assert len(clocked) == 1  # kept while only ε moves
    assert min(clocked) < 12 * least(loop)


def test_it_is_released_as_one_place_with_its_unit(downloads: list[str]) -> None:
    app = go(link(**_LINK), "release")
    assert "One of 10,001 candidates is chosen by permute-and-flip" in text(app)
    app = press(app, "release")
    said = json.loads(downloads[-1])
    assert (said["guarantee"], said["parameters"]["epsilon"]) == (type(PureDP(1.0)).__name__, 1.0)
    ((label, value),) = said["response"].items()
    assert label.startswith("Median of ")
    assert 20 < value < 32
    assert f"**{value:,.6g} kg/m²**" in text(app)
    assert "sized to the worst case, 2." in text(app)  # of scores, which have no unit
    assert said["settings"]["mechanism"]["candidates"] is None
    assert len(downloads[-1]) < 8_000


def test_its_link_is_short_and_opens_the_same(downloads: list[str]) -> None:
    app = link(**_LINK)
    assert "In the link" not in everything(app)
    assert scenario(app).target == QuantileScores(0.5, (15.0, 45.0))
    assert len(json.dumps(scenario(app).to_json())) < 1_000


def test_letters_after_it_name_their_candidates_again() -> None:
    app = pick(_picked(), "table", "scientists")
    assert scenario(app).target == LetterCounts()
    assert scenario(app).mechanism == Exponential(LetterCounts().candidates, selection="permute-and-flip")


def test_values_that_are_missing_do_not_pull_it_to_the_middle(downloads: list[str]) -> None:
    costs = "".join(f"{'' if i % 2 else 100 + i % 7}\n" for i in range(400))
    app = use(declare(upload(visit(), "stays.csv", f"cost\n{costs}".encode()), "cost", 0, 2000))
    app = go(pick(app, "target", "QuantileScores"), "release")
    assert "Only the known values of cost counted." in text(app)
    press(app, "release")
    ((_, value),) = json.loads(downloads[-1])["response"].items()
    assert 90 < value < 120  # filled, half of the values would be 1,000


def test_it_stands_before_the_quantile_with_added_noise() -> None:
    kinds = list(pick(visit(), "table", "diabetes").selectbox(key="pick_target").options)
    assert kinds.index("Median and quantiles") < kinds.index("Quantile")
