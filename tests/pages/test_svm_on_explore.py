"""The linear SVM on Explore: its table, columns, oracles, boundary, error, link, and what a confidential table gives away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.base.norms import L2
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.oracles import Bernoulli, Product, TwoClasses, Uniform
from dpcore.targets import LinearSVM, Mean, MeanDirection
from pages.experiment.scenario import Scenario
from pages.state.link import to_query
from tests.pages.visit import (
    CHARTS,
    charts,
    declare,
    everything,
    go,
    link,
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
    within,
)

_UNIT = ((0.0, 1.0), (0.0, 1.0))
_PAIR = {"kind": "TwoClasses", "dims": 1, "x_bounds": [[0, 120]]}


def _shown(app: Any) -> Any:
    """With its three charts: the draws may have ended between the page and the look at them."""
    settled(app)
    return app if "responses" in charts(app) else sound(app.run())


def _two(**changes: Any) -> Any:
    """The table of two classes with 19 pairs."""
    values = {
        "table": "two_classes",
        "columns": ["x1", "x2", "label"],
        "m": 19,
        "target": {"kind": "LinearSVM", "x_bounds": _UNIT},
        "oracle": {"kind": "TwoClasses", "x_bounds": _UNIT},
    }
    return _shown(link(**(values | changes)))


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
def test_the_error_against_epsilon_is_a_share_and_falls_to_the_non_private_one() -> None:
    app = _two()
    sound(within(app, "readers").button_group(key="readers").set_value("Error").run())
    shown = charts(app)["responses"]
    traces = {trace["name"]: trace for trace in shown["data"]}
    assert shown["layout"]["yaxis"]["title"]["text"] == "share of fitted rows misclassified"
    assert "no privacy: 0.001" in traces
    assert traces["sampled"]["y"][0] > 0.3
    assert traces["sampled"]["y"][-1] == pytest.approx(0.001, abs=2e-4)
    assert min(traces["worst case"]["y"]) > 0.05
    before = text(app)
    slide(app, "epsilon", 0.1)
    assert "misclassifies about" in text(app) != before


@pytest.mark.slow
def test_numbers_proof_and_options_open_and_the_cost_is_taken() -> None:
    app = opened(_two(), "numbers", "proof", "options")
    assert any({"x1", "x2", "bias"} == set(table.value.get("of", ())) for table in app.table)
    assert "duality gap" in text(app)
    _shown(sound(app.number_input(key="opt_C").set_value(30.0).run()))
    assert scenario(app).target == LinearSVM(_UNIT, C=30.0)
    opened(app, "options")
    sound(app.number_input(key="opt_C").set_value(-1.0).run())
    assert "above 0" in notices(app)
    opened(app, "options")
    _shown(sound(app.selectbox(key="opt_mechanism").set_value("Gaussian").run()))
    assert (scenario(app).mechanism, scenario(app).norm) == (Gaussian(), L2)
    assert {"cdf", "points", "responses"} < set(charts(app))  # those of the proof besides


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
def test_ten_features_are_taken() -> None:
    app = _shown(pick(pick(visit(v="1", m="19"), "table", "breast_cancer"), "target", "LinearSVM"))
    assert scenario(app).columns == ("mean_radius", "mean_texture", "benign")
    assert {"Benign 0", "Benign 1"} < set(_names(app))
    opened(app, "options")
    features = app.button_group(key="opt_features").options
    assert len(features) == 10
    everything_but_label = [column for column in _columns(app) if column != "benign"]
    _shown(sound(app.button_group(key="opt_features").set_value(everything_but_label).run()))
    assert scenario(app).columns == (*everything_but_label, "benign")
    assert len(charts(app)["responses"]["data"][0]["x"]) == 11
    _shown(pick(app, "oracle", "TableRecords"))
    assert charts(app).keys() >= CHARTS


def _columns(app: Any) -> list[str]:
    from pages.state.state import catalog

    return [column.name for column in catalog()[scenario(app).table].columns]


@pytest.mark.slow
def test_the_label_can_be_another_column_of_two_categories() -> None:
    app = upload(slide(visit(), "m", 19), "two.csv", b"a,b,c\n" + b"0,1,0.5\n1,0,0.7\n1,1,0.1\n0,0,0.3\n" * 10, kind="Public")
    _shown(pick(use(declare(app, "c", 0, 1)), "target", "LinearSVM"))
    assert scenario(app).columns == ("b", "c", "a")
    opened(app, "options")
    _shown(sound(app.selectbox(key="opt_label").set_value("b").run()))
    assert scenario(app).columns == ("c", "b")
    assert scenario(app).target == LinearSVM(((0.0, 1.0),))


@pytest.mark.slow
def test_a_link_restores_the_view() -> None:
    app = _two(target={"kind": "LinearSVM", "x_bounds": _UNIT, "C": 12.5}, epsilon=2.0)
    assert not notices(app)
    query = to_query(scenario(app))
    again: Scenario = scenario(_shown(visit(**query)))
    assert again == scenario(app)
    features = _two(
        columns=["x2", "label"], target={"kind": "LinearSVM", "x_bounds": [[0, 1]]}, oracle={"kind": "TwoClasses", "dims": 1}
    )
    assert not notices(features)
    assert scenario(features).columns == ("x2", "label")


@pytest.mark.parametrize(
    "changes",
    [
        {"target": {"kind": "LinearSVM", "x_bounds": [[0, 1]]}},
        {"columns": ["x1", "x2"]},
        {"oracle": {"kind": "TwoClasses", "dims": 5}},
    ],
    ids=str,
)
def test_a_link_whose_parts_do_not_fit_is_a_sentence(changes: dict[str, Any]) -> None:
    app = _two(**changes)
    assert "does not fit" in notices(app)
    assert charts(app).keys() >= CHARTS


@pytest.mark.slow
def test_a_link_may_bring_another_label_and_options_offer_the_right_one() -> None:
    app = _two(
        table="diabetes", columns=["age", "progression"], target={"kind": "LinearSVM", "x_bounds": [[0, 120]]}, oracle=_PAIR
    )
    assert scenario(app).columns == ("age", "progression")
    opened(app, "options")
    _shown(sound(app.selectbox(key="opt_label").set_value("sex").run()))
    assert scenario(app).columns == ("age", "sex")
    bare = _two(table="diabetes", columns=["age", "sex"], target={"kind": "LinearSVM", "x_bounds": [[0, 9]]}, oracle=_PAIR)
    _shown(sound(opened(bare, "options").button_group(key="opt_features").set_value(["age", "bmi"]).run()))
    assert scenario(bare).target == LinearSVM(((0.0, 120.0), (10.0, 70.0)))


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
