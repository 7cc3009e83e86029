"""A question under a condition, opened by its link, is shown and released like its target."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import oracles
from pages.experiment.descriptions import oracle_words
from tests.pages.visit import CHARTS, charts, details, link, scenario, settled

WHERE = [{"kind": "Filter", "column": "sex", "category": 1}, {"kind": "Filter", "column": "age", "interval": [30, 60]}]
SUM = {"kind": "Sum", "bounds": [10, 70]}
INNER: dict[str, Any] = {
    "sum": SUM,
    "mean": {"kind": "Mean", "bounds": [10, 70]},
    "median": {"kind": "QuantileScores", "q": 0.5, "bounds": [10, 70]},
    "histogram": {"kind": "Histogram", "edges": [10, 30, 70], "counts": True},
    "share": {"kind": "Proportion", "interval": [10, 30]},
}


def _link(page: str, name: str) -> Any:
    choosing = {
        "mechanism": {"kind": "ExponentialMechanism", "candidates": None, "selection": "permute-and-flip"},
    }
    asked = {"kind": "Query", "target": INNER[name], "columns": ["bmi"], "where": WHERE}
    made_up = [
        {"kind": "Normal", "mean": 26, "sd": 4},
        {"kind": "Bernoulli", "p": 0.5},
        {"kind": "Uniform", "low": 18, "high": 80},
    ]
    oracle = {"kind": "IndependentColumns", "columns": made_up, "names": ["bmi", "sex", "age"]}
    more: dict[str, Any] = choosing if name == "median" else {}
    return link(page, table="diabetes", columns=["bmi", "sex", "age"], target=asked, oracle=oracle, **more)


@pytest.mark.parametrize("name", INNER)
def test_explore_shows_it(name: str) -> None:
    app = settled(_link("", name))
    assert [warning.value for warning in app.warning] == []
    assert scenario(app).target.where[1].interval == (30, 60)
    assert charts(app).keys() >= CHARTS


def test_release_prints_what_is_asked_and_of_which_records() -> None:
    said = " ".join(text.value for text in details(settled(_link("release", "sum"))).markdown)
    assert "the sum of body mass index, between 10 and 70, where sex is 1 and age from 30 to 60" in said.replace("\\", "").lower()
    assert "fits no condition" in said


def test_an_oracle_of_named_columns_is_read_with_their_names() -> None:
    laws = (oracles.WithMissing(oracles.Normal(26, 4), 0.1), oracles.Categorical((0.5, 0.5), ("F", "M")))
    assert oracle_words(oracles.IndependentColumns(laws, ("bmi", "sex"))) == (
        "independent columns: “bmi” normal, mean 26, standard deviation 4, share missing 0.1; and “sex” categorical, "
        "shares 0.5, 0.5, categories “F”, “M”"
    )
