"""A list of questions on Release: added, solved, refused in sentences, pressed once, and taken away in a link."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from dpcore import Bound, OperatingPoint, targets
from dpcore.base.facts import facts
from pages.experiment import scenario
from pages.experiment.listed.question_list import QuestionList
from pages.state import press as press_of_list
from pages.state import released_line, state
from tests.pages.visit import (
    QUESTION,
    ask,
    asked_as,
    confidential,
    declare,
    everything,
    go,
    link,
    near,
    notices,
    only,
    press,
    question,
    sound,
    take_out,
    text,
    upload,
    use,
    visit,
)

SHARED: dict[str, Any] = {
    "oracle": {"kind": "TableRecords"},
    "m": 199,
    "gamma": 0.05,
    "bound": "RANK",
    "confidence": None,
    "seed": 1,
}
LAPLACE: dict[str, Any] = {"mechanism": {"kind": "Laplace"}, "epsilon": 0.5}


def _mean(column: str, low: float, high: float, **more: Any) -> dict[str, Any]:
    """The mean of a column as a question of a link."""
    target = {"kind": "On", "target": {"kind": "KnownMean", "bounds": [low, high]}, "columns": [column]}
    return {"target": target, **LAPLACE, **more}


def _begun(**values: object) -> Any:
    """Two means and a histogram of diabetes, as a list."""
    app = press(link("release", table="diabetes", columns=["bmi"], **values), "list_begin")
    return asked_as(ask(ask(app, "Mean of Age"), "Share where Sex"), 2, "kind", "Histogram")


def _list(app: Any) -> QuestionList:
    made: QuestionList = next(iter(app.session_state["lists"].values()))
    return made


def _kinds(app: Any) -> list[str]:
    asked: list[Any] = [one.target for one in _list(app).questions]
    return [type(one.target).__name__ for one in asked]


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records") if "charge" in line]


@pytest.mark.slow
def test_each_question_has_its_share_of_epsilon_and_all_share_one_gamma(downloads: list[str]) -> None:
    app = _begun()
    assert _kinds(app) == ["KnownMean", "KnownMean", "Histogram"]
    assert (_list(app).total, _list(app).shares) == (1.0, (0.334, 0.333, 0.333))
    assert "share ε = 1: each has its own share and its own noise" in text(app)
    lines = _list(app).lines(state.catalog()["diabetes"])
    assert math.fsum(line.gamma for line in lines) <= 0.05
    assert [line.point.bound for line in lines] == [Bound.RANK] * 3
    assert all(line.m >= OperatingPoint.for_gamma(line.gamma).m for line in lines)
    press(app, "release_list")
    assert [line["ε"] for line in _lines(app)] == ["0.334", "0.333", "0.333"]
    assert "Together: random DP, ε = 1, γ = 0.05" in text(app)
    assert "**Question 2: Mean of Age in" in text(app)
    assert json.loads(downloads[-1])["number_in_list"] is not None


@pytest.mark.slow
def test_more_epsilon_for_one_question_leaves_less_for_the_others() -> None:
    app = ask(_begun(), "Median of Age")
    assert _list(app).total == 1.0
    mean, ranks = near(app, 0), near(app, 3)
    sound(question(app, 3).number_input(key="listed_epsilon_3").set_value(0.7).run())
    assert (_list(app).shares[3], _list(app).total) == (0.7, 1.0)
    assert near(app, 3) < ranks
    assert near(app, 0) > mean
    sound(app.number_input(key="exact_list_epsilon").set_value(2.0).run())
    assert (_list(app).total, _list(app).shares[3]) == (2.0, 1.4)
    before = _list(app)
    sound(app.number_input(key="exact_list_epsilon").set_value(0.01).run())
    assert "The total ε must be at least 0.04, so that each of its lines gets 0.01, but 0.01 was given." in notices(app)
    assert _list(app) == before


@pytest.mark.slow
def test_all_noise_is_sized_before_any_question_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked later cannot follow from an answer: draws come first, whatever they say."""
    app, order = _begun(), []
    drawn, answered = released_line.draw, released_line.respond
    monkeypatch.setattr(press_of_list, "draw", lambda ready: order.append("draw") or drawn(ready))
    monkeypatch.setattr(press_of_list, "respond", lambda book, ready: order.append("answer") or answered(book, ready))
    press(app, "release_list")
    assert order == ["draw"] * 3 + ["answer"] * 3


@pytest.mark.slow
def test_after_a_press_of_which_one_line_failed_the_receipt_speaks_of_the_answers_that_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = ask(_begun(), "Median of Age")
    assert "You may publish the answers together with each guarantee." in text(app)
    made = scenario.sample_sensitivity

    def fails_of_scores(target: Any, *given: Any, **named: Any) -> Any:
        if "QuantileScores" in repr(target):
            raise RuntimeError
        return made(target, *given, **named)

    monkeypatch.setattr(scenario, "sample_sensitivity", fails_of_scores)
    press(app, "release_list")
    assert [line["γ"] for line in _lines(app)] == ["0.0125"] * 4  # what was drawn is charged
    assert "the trials failed before the table was asked" in "".join(error.value for error in app.error)
    assert "You may publish the answers together with each guarantee." in text(app)


@pytest.mark.slow
def test_a_list_beyond_the_budget_is_refused_as_a_whole_and_nothing_is_drawn_or_lost() -> None:
    app = ask(_begun(), "Median of Age")
    for symbol, value in (("ε", 0.8), ("γ", 0.2)):
        sound(next(box for box in app.number_input if box.label.endswith(f"total {symbol}")).set_value(value).run())
    assert "This needs ε = 1; 0.8 is left" in text(app)
    assert app.button(key="release_list").disabled
    assert _lines(app) == []
    assert len(_list(app).questions) == 4
    sound(app.number_input(key="exact_list_epsilon").set_value(0.8).run())
    assert len(_lines(press(app, "release_list"))) == 4


@pytest.mark.slow
def test_the_worst_case_gives_pure_dp_for_all() -> None:
    app = _begun()
    before = near(app, 0)
    way = app.radio(key="list_way")
    sound(way.set_value(way.options[1]).run())
    assert near(app, 0) > before
    assert "Together: pure DP, ε = 1" in text(press(app, "release_list"))


@pytest.mark.slow
@pytest.mark.parametrize("pressed", [False, True], ids=["before", "after"])
def test_where_nothing_is_sampled_no_sentence_of_list_and_receipt_speaks_of_gamma_and_else_they_do(pressed: bool) -> None:
    app = _begun()
    way = app.radio(key="list_way")
    said = text(press(app, "release_list") if pressed else app)
    assert "The 3 that are sized by trials also share γ = 0.05 equally." in said
    app = _begun()
    sound(app.radio(key="list_way").set_value(way.options[1]).run())
    said = text(press(app, "release_list") if pressed else app)
    assert "These 3 questions share ε = 1: each has its own share and its own noise." in said
    assert not [line for line in said.split("\n") if "γ" in line or "random dp" in line.lower()]


@pytest.mark.parametrize("worst", [False, True], ids=["sampled", "worst case"])
def test_a_receipt_of_one_question_speaks_of_gamma_only_where_it_is_sampled(worst: bool) -> None:
    app = link("release", table="diabetes", columns=["bmi"])
    way = app.radio(key="way")
    sound(way.set_value(way.options[worst]).run())
    for said in (text(app), text(press(app, "release"))):
        assert bool([line for line in said.split("\n") if "γ" in line]) is not worst


@pytest.mark.parametrize("worst", [False, True], ids=["sampled", "worst case"])
def test_a_list_begins_with_the_way_of_the_receipt_before_it(worst: bool) -> None:
    app = link("release", table="diabetes", columns=["bmi"])
    way = app.radio(key="way")
    app = press(sound(way.set_value(way.options[worst]).run()), "list_begin")
    assert _list(app).worst_case is worst
    assert app.radio(key="list_way").value == way.options[worst]


@pytest.mark.slow
def test_equal_questions_and_a_twenty_first_are_refused_in_a_sentence() -> None:
    app = _begun()
    ask(app, "Mean of Age")
    assert "question 4" in notices(app).lower()
    assert "question 2" in notices(app)
    assert len(_list(app).questions) == 3
    many = [
        {"target": {"kind": "On", "target": {"kind": "Sum", "bounds": [0, 100 + i]}, "columns": ["bmi"]}, **LAPLACE}
        for i in range(25)
    ]
    full = link("release", table="diabetes", columns=["bmi"], list={"questions": many, **SHARED})
    assert "25 questions, and there is room for 20" in notices(full)
    assert len(_list(full).questions) == 20
    assert "this one is full" in text(full)


@pytest.mark.slow
def test_questions_are_moved_edited_and_taken_out_with_a_way_back() -> None:
    app = press(press(_begun(), "listed_edit_0"), "listed_down_0")
    assert _kinds(app) == ["KnownMean", "KnownMean", "Histogram"]
    assert "**1. Mean of Age**" in text(app)
    take_out(app, 2)
    assert _kinds(app) == ["KnownMean", "KnownMean"]
    press(app, "undo_button")
    assert _kinds(app) == ["KnownMean", "KnownMean", "Histogram"]
    go(press(press(app, "listed_edit_2"), "edit_2_explore"), "")
    assert "You edit question 3 of your list" in text(app)
    sound(app.selectbox(key="pick_target").set_value("Proportion").run())
    press(app, "list_back")
    assert _kinds(app) == ["KnownMean", "KnownMean", "Proportion"]
    assert "This is question 3 of your list of 3" in text(app)


@pytest.mark.slow
def test_a_link_brings_the_list_back_with_its_shares() -> None:
    app = _begun()
    sound(question(app, 0).number_input(key="listed_epsilon_0").set_value(0.5).run())
    made = _list(app)
    query = dict(app.query_params)
    again = visit("release", **{name: values[0] if isinstance(values, list) else values for name, values in query.items()})
    assert _list(again) == made


def test_a_bad_question_in_a_link_costs_only_itself() -> None:
    good, strange = _mean("bmi", 10, 70), _mean("nothing", 10, 70)
    naught = _mean("age", 0, 120) | {"mechanism": {"kind": "Nobody's"}}
    whole = {"target": {"kind": "KnownMean", "bounds": [0, 120]}, "columns": ["age"], **LAPLACE}
    app = link("release", table="diabetes", columns=["bmi"], list={"questions": [strange, good, good, naught, whole], **SHARED})
    for place in (1, 3, 4, 5):
        assert f"The link's question {place} was left out" in notices(app)
    assert [one.epsilon for one in _list(app).questions] == [0.5]
    for broken in ("[", {"questions": 3}, {"questions": [good]}, {"questions": [good | {"epsilon": 0}], **SHARED}, 7):
        assert "list" in notices(link("release", table="diabetes", columns=["bmi"], list=broken))


CANARY = 31_415.926535


@pytest.mark.slow
def test_nothing_of_a_confidential_table_is_seen_before_the_press() -> None:
    """Its ± are those of simulated tables: the same for a table of other values, most of which are missing."""
    seen = []
    for seed in (1, 2):
        values = np.random.default_rng(seed).uniform(20_000, 40_000, 60)
        values[7] = CANARY
        ages = ["" if seed == 2 and i % 5 else str(30 + i % 40) for i in range(len(values))]
        content = ("income,age\n" + "\n".join(f"{value:.6f},{age}" for value, age in zip(values, ages, strict=True))).encode()
        app = confidential(content, 0, 100_000)
        use(declare(go(app, "your_data"), "age", 0, 120))
        ask(press(go(app, "release"), "list_begin"), "Mean of age")
        seen.append((near(app, 0), near(app, 1)))
        assert str(CANARY) not in everything(app)
        assert "31415" not in json.dumps(dict(app.query_params), default=str)
    assert seen[0] == seen[1]
    assert isinstance(_list(app).questions[0].target, targets.On)


@pytest.mark.slow
def test_after_an_answer_a_list_takes_the_worst_case() -> None:
    app = ask(_begun(), "Median of Age")
    press(press(app, "release_list"), "another_list")
    assert "Noise sized by trials is offered only in the first release" in text(app)
    assert _list(app).worst_case
    press(app, "release_list")
    assert [line["γ"] for line in _lines(app)] == ["0.0125"] * 4 + ["0"] * 4
    assert "Together: random DP, ε = 2, γ = 0.05" in text(app)


@pytest.mark.slow
def test_a_list_is_refused_as_a_whole_where_the_trials_of_one_line_would_take_too_long() -> None:
    made = {
        "target": {"kind": "On", "target": {"kind": "Correlation", "bounds": [[10, 70], [0, 120]]}, "columns": ["bmi", "age"]},
        **LAPLACE,
    }
    mean = _mean("bmi", 10, 70)
    app = link("release", table="diabetes", columns=["bmi"], list={"questions": [made, mean], **SHARED})
    limit = press_of_list.RELEASE_SECONDS
    try:
        press_of_list.RELEASE_SECONDS = 1e-3
        press(app, "release_list")
    finally:
        press_of_list.RELEASE_SECONDS = limit
    assert "Nothing was drawn or charged" in notices(app)
    assert _lines(app) == []
    assert not app.button(key="release_list").disabled


def test_questions_that_are_sampled_with_different_oracles_are_refused_before_the_press() -> None:
    """A curve has an oracle of its own: one γ for both would be of no pair."""
    app = press(link("release", table="sine"), "list_begin")
    ask(app, "Mean of x")
    assert "These guarantees do not add up, because the ledger speaks of another oracle." in text(app)
    assert not [button for button in app.button if button.key == "release_list" and not button.disabled]
    take_out(app, 0)
    press(app, "release_list")
    assert [line["question"] for line in _lines(app)] == ["Mean of x"]


def test_a_list_that_is_gone_when_a_question_is_added_begins_anew_with_the_stronger_guarantee() -> None:
    app = press(go(confidential(b"income\n10\n20\n30\n40\n", 0, 100), "release"), "list_begin")
    app.session_state["lists"] = {}
    assert _list(ask(app, "Median of")).worst_case


def test_a_question_is_changed_where_it_stands_and_keeps_what_is_not_changed() -> None:
    """Its groups and conditions stay when its kind changes; a number of rows is of no column, and of all rows it is public."""
    app = ask(press(link("release", table="diabetes", columns=["bmi"]), "list_begin"), "Mean of Glucose, by Sex")
    asked: Any = _list(app).questions[1].target
    asked_as(app, 1, "column", "age")
    press(app, "edit_1_add")
    asked_as(app, 1, "kind", "Sum")
    changed: Any = _list(app).questions[1].target
    assert (type(changed.target).__name__, changed.by, changed.columns) == ("Sum", asked.by, ("glucose",))
    assert [condition.column for condition in changed.where] == ["age"]
    asked_as(app, 1, "kind", "KnownCount")
    assert "**2. Number of rows, where Age from" in text(app)
    assert "by Sex**" in text(app)
    assert not any(box.key == "edit_1_column_of" for box in app.selectbox)
    press(app, "unedit_1_0")
    asked_as(app, 1, "by", "")
    assert "How many rows the table has is public" in notices(app)
    counted: Any = _list(app).questions[1].target
    assert (counted.by, counted.where) == (asked.by, ())


def test_the_settings_of_a_question_are_changed_where_it_stands_and_go_with_their_column() -> None:
    app = ask(link("release", table="diabetes", columns=["bmi"]), "Share where Sex")
    assert len(_list(app).questions) == 2  # the one that is shown, and the new one
    app = press(ask(app, "Median of Age"), "listed_edit_2")
    sound(app.number_input(key="edit_2_q").set_value(0.9).run())
    assert "**3. Quantile 0.9 of Age**" in text(app)
    asked_as(app, 2, "column_of", "bmi")
    chosen: Any = _list(app).questions[2].target
    assert (chosen.target.q, chosen.columns, chosen.target.bounds) == (0.9, ("bmi",), (10.0, 70.0))
    sound(app.number_input(key="edit_2_q").set_value(3.0).run())
    assert "The list stays as it was." in notices(app)
    assert _list(app).questions[2].target == chosen


def test_the_quartiles_are_three_questions_and_one_cap_holds_for_all_of_a_list() -> None:
    app = ask(link("release", table="visits"), "Quartiles of")
    ask(app, "Number of rows, by Clinic")
    assert [facts(one.target).named for one in _list(app).questions[1:4]] == ["Quantile 0.25", "Median", "Quantile 0.75"]
    before = _list(app)
    sound(app.number_input(key="list_cap").set_value(6).run())
    assert {facts(one.target).rows for one in _list(app).questions} == {6}
    assert _list(app).total == before.total
    asked_as(press(app, "listed_edit_4"), 4, "by", "")
    asked_as(press(app, "listed_edit_0"), 0, "kind", "Sum")
    asked_as(press(app, "listed_edit_1"), 1, "kind", "KnownMean")  # a quartile, which is a line of its own, to one that joins
    assert {facts(one.target).rows for one in _list(app).questions} == {6}


def test_a_list_that_was_awaited_begins_with_its_own_question_and_the_stronger_guarantee_whatever_was_chosen_before() -> None:
    """Of a confidential table, after a receipt of a public one that says sampled; and once there was one, none is awaited."""
    app = link("release", table="diabetes", columns=["bmi"])
    way = app.radio(key="way")
    sound(way.set_value(way.options[0]).run())
    upload(app, "mine.csv", b"income\n10\n20\n30\n40\n")
    declare(app, "income", 0, 100)
    for box in app.selectbox:
        if box.label == QUESTION and box.value is None:
            sound(box.select_index(0).run())
    press(app, "ask_table")
    go(app, "release")
    assert not any(button.key == "release" for button in app.button)
    made = _list(ask(app, "Median of"))
    assert ([type(facts(one.target).stands_for).__name__ for one in made.questions], made.worst_case) == (
        ["QuantileScores"],
        True,
    )
    press(app, "list_drop")
    assert any(button.key == "release" for button in app.button)


@pytest.mark.slow
def test_another_file_under_the_same_name_is_drawn_from_anew() -> None:
    """The ± of trials that draw the records of a public table again: of the records that it has now."""

    def uploaded(app: Any, step: int) -> Any:
        content = "x\n" + "".join(f"{50 + step * (i % 3)}\n" for i in range(200))
        return use(only(declare(upload(app, "t.csv", content.encode(), kind="Public"), "x", 0, 100), "x"))

    app = uploaded(visit(), 20)
    app.query_params["oracle"] = '{"kind": "TableRecords"}'
    app = press(go(sound(app.run()), "release"), "list_begin")
    before = near(app, 0)
    app = go(uploaded(app, 1), "release")
    assert "rows drawn again, from 200 public rows" in text(app)
    assert near(app, 0) < before / 10
