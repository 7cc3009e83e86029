"""The linear SVM on Explore: its table, columns, boundary, release, and what a confidential table gives away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.oracles import Bernoulli, Product, TwoClasses, Uniform
from dpcore.targets import LinearSVM, Mean, MeanDirection
from tests.pages.visit import (
    CHARTS,
    charts,
    declare,
    everything,
    go,
    notices,
    opened,
    pick,
    press,
    scenario,
    settled,
    slide,
    sound,
    text,
    upload,
    use,
    visit,
)

_UNIT = ((0.0, 1.0), (0.0, 1.0))


def _shown(app: Any) -> Any:
    """With its three charts: the draws may have ended between the page and the look at them."""
    settled(app)
    return app if "responses" in charts(app) else sound(app.run())


def _small(kind: str = "Public", records: int = 40) -> Any:
    """An upload: height 150 to 190 and weight 50 to 110 of two groups, far from what any oracle here draws."""
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=records)
    height, weight = 171.31 + 10 * group + rng.random(records), 61.37 + 30 * group + rng.random(records)
    rows = [f"{h:.4f},{w:.4f},{g}" for h, w, g in zip(height, weight, group, strict=True)]
    app = upload(slide(visit(), "m", 19), "people.csv", "\n".join(["height,weight,group", *rows]).encode(), kind=kind)
    declare(app, "height", 150, 190, missing=CONSTANT)
    declare(app, "weight", 50, 110, missing=CONSTANT)
    return _shown(pick(use(declare(app, "group", missing=CONSTANT, constant="no")), "target", "LinearSVM"))


def _names(app: Any) -> list[str]:
    return [trace["name"] for trace in charts(app)["responses"]["data"]]


@pytest.mark.slow
def test_the_table_of_two_classes_is_shown_with_a_classifier_in_two_steps_and_the_papers_experiment_is_one_pick_away() -> None:
    app = visit(v="1", m="19")
    _shown(pick(app, "table", "two_classes"))
    shown = scenario(app)
    assert (shown.target, shown.oracle) == (MeanDirection(_UNIT), TwoClasses(x_bounds=_UNIT))
    assert (shown.columns, shown.n) == (("x1", "x2", "label"), 1_000)
    assert "Class predicted from x1, x2, by mean direction: a private boundary misclassifies about" in text(app)
    assert "(without noise 0 %)" in text(app)
    assert "**Pure DP, ε = 1**, is differential privacy itself" in text(app)
    assert "Over all tables it is at most 0.002, and the noise is sized to that. That costs next to no accuracy" in text(app)
    assert _boundaries(app) == 400
    _shown(pick(app, "target", "LinearSVM"))
    assert scenario(app).target == LinearSVM(_UNIT)
    assert "a private boundary misclassifies about" in text(app)
    assert "(without noise 0.1 %)" in text(app)
    assert "**random DP" in text(app)  # under the worst case it is a coin
    assert "The worst case over all tables is 6.92" in text(app)
    assert _boundaries(app) == 400


def _boundaries(app: Any) -> int:
    """Three charts, the third with the boundaries; how many records it shows."""
    assert charts(app).keys() >= CHARTS
    names = [name.removesuffix(" (outside)") for name in _names(app)]
    assert sorted(names) == sorted(["Class 0", "Class 1", "20 more private", "worst case", "without noise", "private"])
    return sum(len(trace["x"]) for trace in charts(app)["responses"]["data"][:2])


@pytest.mark.slow
def test_features_are_picked_by_pills_and_the_cost_stays() -> None:
    """With other than two features the answer is shown as numbers: a weight a feature, and the bias."""
    app = _small()
    assert scenario(app).oracle == Product((Uniform(150, 190), Uniform(50, 110), Bernoulli(0.5)))
    opened(app, "options")
    sound(app.number_input(key="opt_C").set_value(30.0).run())
    opened(app, "options")
    _shown(sound(app.button_group(key="opt_features").set_value(["weight"]).run()))
    assert (scenario(app).columns, scenario(app).target) == (("weight", "group"), LinearSVM(((50.0, 110.0),), C=30.0))
    assert charts(app)["responses"]["layout"]["xaxis"]["ticktext"] == ["weight", "bias"]
    opened(app, "options")
    sound(app.button_group(key="opt_features").set_value([]).run())
    assert "At least one feature" in notices(app)
    assert scenario(app).columns == ("weight", "group")
    opened(app, "options")
    _shown(sound(app.button_group(key="opt_features").set_value(["weight", "height"]).run()))
    assert scenario(app).columns == ("weight", "height", "group")
    assert {"group no", "group yes"} < set(_names(app))
    pick(app, "target", "Mean")
    assert isinstance(scenario(app).target, Mean)


@pytest.mark.slow
def test_a_confidential_tables_records_are_never_shown() -> None:
    app = _small("Confidential")
    assert "on a simulated table" in text(app)
    assert any(name.startswith("simulated table") for name in _names(app))
    sent = everything(app)
    assert not any(value in sent for value in _secrets())


def _secrets() -> list[str]:
    """Heights of the confidential table as a chart holds them."""
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=40)
    return [f"{round(height, 4)}" for height in 171.31 + 10 * group + rng.random(40)]


@pytest.mark.slow
def test_a_release_at_the_worst_case_is_pure_dp() -> None:
    app = go(_small(), "release")
    sound(app.radio(key="way").set_value("worst case: differential privacy itself").run())
    press(app, "release")
    assert "group predicted from height, weight, by a linear SVM" in text(app)
    assert "Together: pure DP, ε = 1" in text(app)
    weights = next(table.value.to_dict("records") for table in app.table if "of" in table.value.columns)
    assert [row["of"] for row in weights] == ["height", "weight", "bias", "group yes"]
