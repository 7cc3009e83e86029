"""Several questions about one table: listed before the first answer, or with what still holds after it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore import targets
from dpcore.base.declared import CONSTANT, KNOWN
from tests.pages.visit import declare, edit, go, link, only, pick, press, slide, sound, text, upload, use, visit

_QUANTILE = {"kind": "Quantile", "q": 0.5, "bounds": [0, 20]}


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records")]


def _way(app: Any, place: int) -> Any:
    way = app.radio(key="way")
    return sound(way.set_value(way.options[place]).run())


def _planned_medians() -> Any:
    """A mean and a median of the example, both planned; the receipt shows the median."""
    app = press(visit("release"), "plan_add")
    pick(go(app, ""), "target", "Quantile")
    return press(go(app, "release"), "plan_add")


def test_what_is_planned_before_the_first_answer_keeps_its_guarantee_and_adds_up() -> None:
    app = _planned_medians()
    assert "Mean of Time to default" in text(app)
    assert "Quantile 0.5 of Time to default" in text(app)
    press(app, "release")
    assert "Together: random DP, ε = 1, γ = 0.1" in text(app)
    press(app, "plan_show_0")
    assert "This release is of your plan" in text(app)
    press(app, "release")
    assert [line["charge"] for line in _lines(app)] == ["release", "release"]
    assert "Together: random DP, ε = 2, γ = 0.1" in text(app)
    assert text(app).count("private answer: may be published") == 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("gamma", 0.1), ("m", 999)])
def test_another_point_than_the_planned_one_has_no_guarantee(name: str, value: float) -> None:
    app = press(_planned_medians(), "release")
    press(app, "plan_show_1")
    press(app, "another")
    slide(go(app, ""), name, value)
    go(app, "release")
    assert "would have no guarantee" in text(app)
    assert "would hold had it been chosen without the earlier answers" in text(app)


def test_a_plan_is_fixed_by_the_first_answer_and_may_be_changed_before() -> None:
    app = _planned_medians()
    press(app, "plan_remove_0")
    assert "Mean of Time to default" not in text(app)
    press(app, "release")
    assert not [button for button in app.button if str(button.key).startswith(("plan_add", "plan_remove"))]
    assert "the plan is fixed" in text(app)


def test_a_plan_beyond_the_budget_is_refused_with_the_number_that_runs_out() -> None:
    app = visit("release")
    for symbol, value in (("ε", 5.0), ("γ", 0.08)):
        sound(next(box for box in app.number_input if box.label.endswith(f"total {symbol}")).set_value(value).run())
    press(app, "plan_add")
    press(app, "plan_add")
    assert "This needs γ = 0.05; 0.03 is left of the budget's 0.08" in text(app)
    assert len([button for button in app.button if str(button.key).startswith("plan_remove")]) == 1


def test_a_tight_total_is_offered_for_a_plan_alone() -> None:
    worst = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    _way(worst, 1)
    for _ in range(2):
        press(worst, "plan_add")
    press(worst, "release")
    assert not [box for box in worst.number_input if box.key == "tight_delta"]  # one line alone is as tight as it gets
    press(press(worst, "another"), "release")
    sound(worst.number_input(key="tight_delta").set_value(1e-6).run())
    assert "for the whole plan" in text(worst) or "nothing is gained" in text(worst)
    press(press(worst, "another"), "release")  # a third, which was not planned
    assert not [box for box in worst.number_input if box.key == "tight_delta"]


def test_a_response_without_a_guarantee_says_so_everywhere(downloads: list[str]) -> None:
    app = press(visit("release"), "release")
    pick(go(app, ""), "target", "Quantile")
    go(app, "release")
    assert "This answer would have no guarantee" in text(app)
    press(app, "release")
    said = json.loads(downloads[-2])  # the newest stands first on the page
    assert (said["guarantee"], said["parameters"]) == ("none", None)
    assert said["standing"] == "chosen after an answer: no guarantee"
    assert said["had_it_been_chosen_without_the_earlier_answers"]["gamma"] == 0.05
    assert "would hold had it been chosen without the earlier answers" in said["in_words"]
    assert "no guarantee: asked after an earlier answer" in text(app)
    assert _lines(app)[-1]["γ"] == "(0.05)"
    assert "no guarantee, not even one of its own" in text(app)


def test_a_budget_admits_no_answer_without_a_guarantee() -> None:
    app = press(visit("release"), "release")
    pick(go(app, ""), "target", "Quantile")
    go(app, "release")
    for symbol, value in (("ε", 50.0), ("γ", 0.9)):
        sound(next(box for box in app.number_input if box.label.endswith(f"total {symbol}")).set_value(value).run())
    assert app.button(key="release").disabled
    assert "no budget can hold it" in text(app)


def test_the_larger_gamma_is_said_before_the_press_and_after(downloads: list[str]) -> None:
    app = press(press(link("release", epsilon=0.5), "release"), "another")
    assert "γ is 0.133 here, and not 0.05" in text(app)
    press(app, "release")
    assert "γ = 0.133" in text(app)  # exp(0.5)·0.05 + 0.05 = 0.1324…, rounded up
    said = json.loads(downloads[-2])  # the newest stands first on the page
    assert said["parameters"]["gamma"] == 0.133
    assert said["standing"] == "chosen after an answer, at a larger γ"
    assert said["had_it_been_chosen_without_the_earlier_answers"]["gamma"] == 0.05
    assert [line["γ"] for line in _lines(app)] == ["0.05", "0.133"]


@pytest.mark.slow
def test_the_stronger_guarantee_is_preselected_where_it_is_nearly_free_and_a_choice_by_hand_stays() -> None:
    app = visit()
    pick(app, "target", "Histogram")
    go(app, "release")
    way = app.radio(key="way")
    assert way.value == way.options[1]
    assert "The worst case is preselected" in text(app)
    _way(app, 0)
    for name, value in (("epsilon", 2.0), ("gamma", 0.01), ("m", 999)):
        slide(go(app, ""), name, value)
        assert go(app, "release").radio(key="way").value == way.options[0]


def test_a_choice_by_hand_is_for_its_question_alone() -> None:
    app = visit()
    pick(app, "target", "Histogram")
    _way(go(app, "release"), 0)
    pick(go(app, ""), "target", "Proportion")
    way = go(app, "release").radio(key="way")
    assert way.value == way.options[1]


def test_the_weaker_guarantee_stays_where_it_saves_noise() -> None:
    app = link("release", target=_QUANTILE)
    way = app.radio(key="way")
    assert way.value == way.options[0]
    _way(app, 1)
    slide(go(app, ""), "gamma", 0.01)
    assert go(app, "release").radio(key="way").value == way.options[1]


def test_the_receipt_of_a_press_stays_as_it_was() -> None:
    """After it the same question would have no guarantee, and the worst case would be preselected: not before it is asked for."""
    app = press(link("release", target=_QUANTILE), "release")
    assert app.radio(key="way").value == app.radio(key="way").options[0]
    assert app.button(key="release").disabled
    assert "This answer would have no guarantee" not in text(app)
    press(app, "another")
    assert app.radio(key="way").value == app.radio(key="way").options[1]


@pytest.mark.slow
def test_a_plan_whose_columns_are_no_longer_in_use_is_said_to_need_them() -> None:
    content = b"income,age\n" + b"10,30\n20,40\n30,50\n" * 30
    app = use(declare(upload(visit(), "two.csv", content), "income", 0, 40))
    press(go(app, "release"), "plan_add")
    go(app, "your_data")
    go(use(declare(only(app, "age"), "age", 0, 120)), "release")
    press(app, "plan_show_0")
    assert "needs the column income, which is not in use now" in text(app)
    assert app.session_state["scenario"].columns == ("age",)


@pytest.mark.slow
def test_a_plan_whose_columns_were_declared_anew_is_said_not_to_fit_them() -> None:
    content = b"income,age\n" + b"10,30\n20,40\n30,50\n" * 30
    app = pick(use(declare(upload(visit(), "two.csv", content), "income", 0, 40, missing=CONSTANT)), "target", "Mean")
    press(go(app, "release"), "plan_add")
    go(app, "your_data")
    go(use(edit(app, "income", missing=KNOWN)), "release")
    press(app, "plan_show_0")
    assert "does not fit the columns as they are declared now" in text(app)
    assert isinstance(app.session_state["scenario"].target, targets.KnownMean)
