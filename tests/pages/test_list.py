"""A list of questions on Release: added, solved, refused in sentences, pressed once, and taken away in a link."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from dpcore import Bound, Ledger, OperatingPoint, targets
from pages import state
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Noise, TableRecords
from pages.experiment.tables import ours
from pages.exports.link import saved_list
from pages.ledger import press as press_of_list
from tests.pages.visit import (
    ask,
    asked_as,
    book,
    confidential,
    declare,
    details,
    edit,
    everything,
    go,
    link,
    near,
    notices,
    offered_noise,
    only,
    pick,
    press,
    question,
    sampled,
    sized,
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
    "noise": "SAMPLED",
}
LAPLACE: dict[str, Any] = {
    "columns": None,
    "mechanism": {"kind": "LaplaceMechanism"},
    "epsilon": 0.5,
    "delta": None,
    "oracle": None,
}


def _mean(column: str, low: float, high: float, **more: Any) -> dict[str, Any]:
    """The mean of a column as a question of a link."""
    target = {"kind": "Query", "target": {"kind": "Mean", "bounds": [low, high]}, "columns": [column]}
    return {"target": target, **LAPLACE, **more}


def _begun(**values: object) -> Any:
    """Two means and a histogram of diabetes, as a list."""
    app = link("release", table="diabetes", columns=["bmi"], **values)
    return sampled(asked_as(ask(ask(app, "Mean of Age"), "Share where Sex"), 2, "kind", "Histogram"))


def _list(app: Any) -> QuestionList:
    made: QuestionList = next(iter(app.session_state["lists"].values()))
    return made


def _kinds(app: Any) -> list[str]:
    asked: list[Any] = [one.target for one in _list(app).questions]
    return [type(one.target).__name__ for one in asked]


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records") if "charge" in line]


def test_answers_keep_order_apart_from_other_tables() -> None:
    app = _begun()
    button = app.button(key="release")
    assert button.label == "Release 3 answers (spends ε = 1, γ = 0.05)"
    weaker = "random DP, ε = 1, γ = 0.05, which is weaker than differential privacy, for a row."
    assert f"**Diabetes**: {weaker} Spent so far: nothing. No budget is set." in text(app)
    app = press(app, "release")
    said = text(app)
    assert [said.index(f"**Question {number}: ") for number in (1, 2, 3)] == sorted(
        said.index(f"**Question {number}: ") for number in (1, 2, 3)
    )
    assert app.button(key="release").label == "Released"
    assert "Spent so far: ε = 1, γ = 0.05. No budget is set." in said
    assert "**Question 1: " not in text(go(pick(go(app, ""), "table", "loan_defaults"), "release"))


def test_bar_with_unknown_releases_never_says_nothing_spent() -> None:
    app = press(_begun(), "release")
    (one,) = (each for each in book(app).accounts.values() if each.ledger.lines)
    one.closed = True
    assert "Spent so far: more than any guarantee covers." in text(app.run())
    one.closed = False
    book(app).lost = True
    assert "Spent so far: ε = 1, γ = 0.05 in this ledger, which may lack releases." in text(app.run())
    one.ledger = Ledger()
    assert "Spent so far: nothing in this ledger, which may lack releases." in text(app.run())


def test_list_shares_gamma_and_next_is_proved(
    downloads: list[str],
) -> None:
    app = _begun()
    assert _kinds(app) == ["Mean", "Mean", "Histogram"]
    assert (_list(app).total, _list(app).shares) == (1.0, (0.334, 0.333, 0.333))
    lines = _list(app).lines(state.catalog()["diabetes"])
    assert math.fsum(line.gamma for line in lines) <= 0.05
    assert [line.point.bound for line in lines] == [Bound.RANK] * 3
    assert all(line.m >= OperatingPoint.for_gamma(line.gamma).m for line in lines)
    press(app, "release")
    assert [line["ε"] for line in _lines(app)] == ["0.334", "0.333", "0.333"]
    assert "Together: random DP, ε = 1, γ = 0.05" in text(app)
    assert "**Question 2: Mean of Age in" in text(app)
    assert json.loads(downloads[-1])["number_in_list"] is not None
    press(app, "another")
    assert "Sampled noise is offered only in the first release" in text(app)
    assert not offered_noise(app), "only proved noise is left"
    press(app, "release")
    assert [line["γ"] for line in _lines(app)][3:] == ["0"] * 3
    assert "Together: random DP, ε = 2, γ = 0.05" in text(app)


def test_share_of_one_question_leaves_less_for_others() -> None:
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
    assert "The total ε must be such that each question gets from 0.01 to 100, but 0.01 was given." in notices(app)
    assert _list(app) == before


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("worst", [False, True], ids=["sampled", "worst case"])
def test_receipt_names_gamma_only_if_sampled(worst: bool, several: bool) -> None:
    app = _begun() if several else link("release", table="diabetes", columns=["bmi"])
    sized(app, Noise.WORST_CASE if worst else Noise.SAMPLED)
    for said in (text(app), text(press(app, "release"))):
        assert bool([line for line in said.split("\n") if "γ" in line or "random dp" in line.lower()]) is not worst
    assert f"Together: {'pure' if worst else 'random'} DP, ε = 1" in text(app)


def test_twenty_first_question_is_refused() -> None:
    many = [
        {"target": {"kind": "Query", "target": {"kind": "Sum", "bounds": [0, 100 + i]}, "columns": ["bmi"]}, **LAPLACE}
        for i in range(25)
    ]
    _, refused = saved_list({"questions": many, **SHARED}, ours()["diabetes"])
    assert "at most 20 in a list" in refused[0]
    full = link("release", table="diabetes", columns=["bmi"], list={"questions": many[:20], **SHARED})
    assert len(_list(full).questions) == 20
    assert "this one is full" in text(full)


def test_equal_question_is_refused_and_removal_works() -> None:
    app = ask(_begun(), "Mean of Age")
    assert "question 4" in notices(app).lower()
    assert "question 2" in notices(app)
    before = _kinds(app)
    take_out(app, 2)
    assert _kinds(app) == before[:2]


CANARY = 31_415.926535


def test_confidential_table_is_unseen_before_click() -> None:
    """Its ± are those of simulated tables: the same for a table of other values, most of which are missing."""
    seen = []
    for seed in (1, 2):
        values = np.random.default_rng(seed).uniform(20_000, 40_000, 60)
        values[7] = CANARY
        ages = ["" if seed == 2 and i % 5 else str(30 + i % 40) for i in range(len(values))]
        content = ("income,age\n" + "\n".join(f"{value:.6f},{age}" for value, age in zip(values, ages, strict=True))).encode()
        app = confidential(content, 0, 100_000)
        use(declare(go(app, "your_data"), "age", 0, 120))
        ask(go(app, "release"), "Mean of age")
        seen.append((near(app, 0), near(app, 1)))
        assert str(CANARY) not in everything(app)
        assert "31415" not in json.dumps(dict(app.query_params), default=str)
    assert seen[0] == seen[1]
    assert isinstance(_list(app).questions[0].target, targets.Query)


def test_list_with_slow_question_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press_of_list, "RELEASE_SECONDS", 1e-3)
    made = {
        "target": {"kind": "Query", "target": {"kind": "Correlation", "bounds": [[10, 70], [0, 120]]}, "columns": ["bmi", "age"]},
        **LAPLACE,
    }
    mean = _mean("bmi", 10, 70)
    app = link("release", table="diabetes", columns=["bmi"], list={"questions": [made, mean], **SHARED})
    press(app, "release")
    assert "Nothing was drawn or charged" in notices(app)
    assert _lines(app) == []
    assert not app.button(key="release").disabled


def test_sampled_questions_with_two_oracles_are_refused() -> None:
    """A curve has an oracle of its own: one γ for both would be of no pair."""
    app = sampled(ask(link("release", table="sine"), "Mean of x"))
    assert "This question has another oracle." in text(app)
    assert not [button for button in app.button if button.key == "release" and not button.disabled]
    take_out(app, 0)
    press(app, "release")
    assert [line["question"] for line in _lines(app)] == ["Mean of x"]


def test_changed_question_keeps_its_other_parts() -> None:
    """Its groups and conditions stay when its kind changes; a number of rows is of no column, and of all rows it is public."""
    app = ask(link("release", table="diabetes", columns=["bmi"]), "Mean of Glucose, by Sex")
    asked: Any = _list(app).questions[1].target
    asked_as(app, 1, "column", "age")
    press(app, "edit_1_add")
    asked_as(app, 1, "kind", "Sum")
    changed: Any = _list(app).questions[1].target
    assert (type(changed.target).__name__, changed.by, changed.columns) == ("Sum", asked.by, ("glucose",))
    assert [condition.column for condition in changed.where] == ["age"]
    asked_as(app, 1, "kind", "Count")
    assert "**2. Number of rows, where Age from" in text(app)
    assert "by Sex**" in text(app)
    assert not any(box.key == "edit_1_column_of" for box in app.selectbox)
    press(app, "unedit_1_0")
    asked_as(app, 1, "by", "")
    assert "How many rows the table has is public" in notices(app)
    counted: Any = _list(app).questions[1].target
    assert (counted.by, counted.where) == (asked.by, ())


def test_new_file_of_same_name_is_drawn_anew() -> None:
    """The ± of trials that draw the records of a public table again: of the records that it has now."""

    def uploaded(app: Any, step: int) -> Any:
        content = "x\n" + "".join(f"{50 + step * (i % 3)}\n" for i in range(200))
        return use(only(declare(upload(app, "t.csv", content.encode(), kind="Public"), "x", 0, 100), "x"))

    app = uploaded(visit(), 20)
    app.session_state["scenario"] = app.session_state["scenario"].with_(oracle=TableRecords())
    app = sampled(go(sound(app.run()), "release"))
    before = near(app, 0)
    app = go(uploaded(app, 1), "release")
    assert "rows drawn again, from 200 public rows" in text(details(app))
    assert near(app, 0) < before / 10


def test_question_about_undeclared_column_is_named() -> None:
    rows = "income,age\n" + "\n".join(f"{30_000 + i},{30 + i % 40}" for i in range(60))
    app = confidential(rows.encode(), 0, 100_000)
    use(declare(go(app, "your_data"), "age", 0, 120))
    app = ask(go(app, "release"), "Mean of age")
    refusal = "Question 2 cannot be asked of the table as it is declared now."
    assert refusal not in everything(app)
    use(edit(go(app, "your_data"), "age", used=False))
    assert refusal in everything(go(app, "release"))
