"""Somebody's own file: a classifier and a regression from numbers and categories, between two classes that are words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.targets import MeanDirection, SufficientStatistics
from pages.experiment.scenario import Scenario
from tests.pages.visit import (
    declare,
    details,
    everything,
    go,
    headline,
    opened,
    pick,
    released,
    scenario,
    settled,
    slide,
    sound,
    text,
    upload,
    use,
    visit,
)

RECORDS = 300


def _stays(kind: str) -> Any:
    """Age and ward tell well who came back; one record in forty has no ward."""
    rng = np.random.default_rng(5)
    age, ward = rng.integers(18, 81, RECORDS), rng.choice(["Surgery", "Medicine", "Children"], RECORDS)
    back = np.where(age + 30 * (ward == "Surgery") + rng.normal(0, 8, RECORDS) > 55, "yes, back", "no")
    ward[::40] = ""
    rows = [f'{a},{w},"{i}"' for a, w, i in zip(age, ward, back, strict=True)]
    app = upload(slide(visit(), "m", 19), "stays.csv", "\n".join(["age,ward,outcome", *rows]).encode(), kind=kind)
    declare(app, "age", 18, 80, constant="50")
    declare(
        app,
        "ward",
        type="category",
        categories="Medicine; Surgery; Children",
        constant="other",
    )
    declare(app, "outcome", type="category", categories="no; yes, back", constant="no")
    return use(app)


@pytest.mark.parametrize("kind", ["Public", "Confidential"])
def test_a_classifier_from_a_number_and_categories_is_explored_and_released(kind: str) -> None:
    app = settled(pick(_stays(kind), "target", "MeanDirection"))
    shown: Scenario = scenario(app)
    assert shown.columns == ("age", "ward", "outcome")
    assert shown.target == MeanDirection(((18.0, 80.0), (0.0, 3.0)), categories=(0, 4))
    assert shown.n == RECORDS
    assert ("simulated table" in headline(app)) == (kind == "Confidential")
    app = details(go(app, "release"))
    assert "In two steps: Laplace noise on the direction, with ε = 0.5; then the threshold" in text(app)
    assert "is chosen by permute-and-flip, with ε = 0.5. Both together cost ε = 1" in text(app)
    neither = "its row was left out" if kind == "Public" else "its row counted nowhere"
    assert f"Where outcome was neither no nor yes, back, {neither}" in text(app)
    assert "ward of 4 categories" in text(app)
    app = released(app)
    for name in ("age", "ward = Surgery", "ward = Children", "ward = other", "bias"):
        assert name in everything(app)
    assert "ward = Medicine" not in everything(app)


def test_a_regression_takes_categories_too() -> None:
    app = settled(pick(_stays("Public"), "target", "SufficientStatistics"))
    app = opened(app, "options")
    settled(sound(app.button_group(key="opt_features").set_value(["ward"]).run()))
    shown: Scenario = scenario(app)
    assert shown.columns == ("ward", "age")
    assert shown.target == SufficientStatistics(((0.0, 3.0),), (18.0, 80.0), categories=(4,))
    assert "no private answer" not in headline(app)


def test_a_single_class_a_constant_feature_and_few_records_still_have_an_answer() -> None:
    rows = "\n".join(["x,y,label", *["3,1,a"] * 4])
    app = upload(slide(visit(), "m", 19), "one.csv", rows.encode(), kind="Public")
    declare(app, "x", 0, 10)
    declare(app, "y", 0, 2)
    app = use(declare(app, "label", type="category", categories="a; b", constant="a"))
    app = settled(pick(app, "target", "MeanDirection"))
    assert "no private answer" not in headline(app)


def test_a_label_of_three_categories_has_no_classifier() -> None:
    rows = "\n".join(["x,label", *[f"{i % 7},{'abc'[i % 3]}" for i in range(40)]])
    app = upload(slide(visit(), "m", 19), "three.csv", rows.encode(), kind="Public")
    declare(app, "x", 0, 10)
    app = use(declare(app, "label", type="category", categories="a; b; c", constant="a"))
    assert not any("Classifier: means" in option for option in app.selectbox(key="pick_target").options)
