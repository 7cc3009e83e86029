"""A number of rows, or an upper bound, that is chosen without a look at the table: tried, asked for, paid for, and taken up."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from dpcore import Laplace, targets
from dpcore.base.counted import counted
from dpcore.base.types import settles
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.ledger.accounting import Standing
from dpcore.workbench.persons import Persons
from dpcore.workbench.scenario import Scenario
from pages.components import private_choice
from pages.session import contents, ledger, loaded, state
from pages.session import link as links
from tests.pages.test_people import _explored as confidential
from tests.pages.visit import (
    CHARTS,
    charts,
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
    visit,
)

TRIAL = SimpleNamespace(
    __name__="trial", TITLE="Trial", ORDER=99, show=lambda: private_choice.show(state.scenario(), state.table())
)


@pytest.fixture(autouse=True)
def _page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sections alone on a page, whatever page shows them."""
    known = contents.pages()
    monkeypatch.setattr(contents, "pages", lambda: (*known, TRIAL))


def asked(target: str = "Sum", **numbers: Any) -> Any:
    """The sections for a question about the public visits, with these numbers in their controls."""
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", target))
    return given(go(app, "trial"), **numbers)


def given(app: Any, **numbers: Any) -> Any:
    for key, value in numbers.items():
        app.number_input(key=f"choose_{key}").set_value(value)
    return sound(app.run())


def released(app: Any, what: str = "rows") -> Any:
    """The choice, asked for and made."""
    return press(press(app, f"choose_{what}_ask"), "release")


def ticket(app: Any) -> str:
    return str(book(app).entries[-1].ticket)


def book(app: Any) -> Any:
    return ledger._book(app.session_state["tab"])


def chosen(app: Any) -> Any:
    return book(app).entries[-1].release.response


def again(shown: Scenario) -> Scenario:
    """What a new session reads of the link."""
    read, said = links.from_query(links.to_query(shown), state.catalog(), state.example())
    assert not said
    return read


def test_a_choice_is_tried_on_made_up_people_with_its_numbers() -> None:
    app = asked()
    said = text(app)
    assert "We tried it on 2,000 made-up people from the oracle, not on your table" in said
    assert "times as large as with the best on average**, and at most" in said
    assert "The penalty is 10." in said
    assert "Choice and answer together cost ε = 1.1." in said
    assert said.count("*simulated table: may be shown*") == 2
    assert set(charts(app)) == {"choose_rows_chart", "choose_bound_chart"}
    before = charts(app)["choose_rows_chart"]["data"][1]["y"]
    given(app, rows_penalty=60.0, rows_epsilon=0.5)
    assert "The penalty is 60." in text(app)
    assert "cost ε = 1.5." in text(app)
    assert charts(app)["choose_rows_chart"]["data"][1]["y"] != before


def test_people_of_a_public_table_that_are_drawn_again_are_called_so() -> None:
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))
    settled(pick(app, "oracle", "TableRecords"))
    said = text(go(app, "trial"))
    assert "We tried it on 2,000 people of this public table, drawn again" in said
    assert "made-up" not in said
    assert "*public table, simulated noise: may be shown*" in said


def test_a_confidential_tables_people_are_nowhere() -> None:
    app = go(settled(pick(confidential(stated=70), "target", "Sum")), "trial")
    assert "70 made-up people" in text(app)
    assert "62" not in text(app)
    assert {len(trace["x"]) for trace in charts(app)["choose_rows_chart"]["data"]} == {1, 58, 174}


BAD: tuple[tuple[dict[str, Any], str], ...] = (
    ({"rows_penalty": -1.0}, "must be from 0 to 1,000,000,000, but -1 was given."),
    ({"rows_penalty": None, "rows_most": 1}, "must be a whole number of at least 2, but 1 was given."),
    ({"rows_most": 10_001}, "must be at most 10,000, but 10,001 was given."),
    ({"rows_most": 100, "rows_epsilon": 0.0}, "ε must be"),
    ({"rows_epsilon": 30.0}, "ε must be"),
    ({"rows_epsilon": None, "bound_penalty": -2.0}, "must be from 0 to 1,000,000,000, but -2 was given."),
)


def test_bad_numbers_are_refused_in_sentences() -> None:
    app = asked()
    for numbers, sentence in BAD:
        given(app, **numbers)
        (error,) = (element.value for element in app.error)
        assert sentence in error
        assert len({button.key for button in app.button} & {"choose_rows_ask", "choose_bound_ask"}) == 1
    given(app, bound_penalty=None)
    assert not app.error


def test_a_question_without_bounds_has_no_bound_to_choose_and_one_about_rows_nothing() -> None:
    assert "Choose the upper bound" not in text(asked("Count"))
    assert "Choose" not in text(go(visit(), "trial"))


def test_a_question_whose_error_is_not_predicted_can_be_asked_all_the_same() -> None:
    app = pick(settled(pick(visit(), "table", "visits")), "target", "QuantileScores")  # its trials may go on
    go(app, "trial")
    assert "What it would do is not shown here." in text(app)
    assert "a count, a sum, a mean or a share" in text(app)
    press(app, "choose_rows_ask")
    assert settles(scenario(app).target) == "s"


def test_the_receipt_says_what_follows_before_anything_is_spent_and_the_ledger_adds_up() -> None:
    app = asked()
    question = scenario(app)
    press(app, "choose_rows_ask")
    choice = scenario(app)
    target: Any = choice.target
    assert (target.question, target.release_epsilon, choice.epsilon, choice.delta) == (question.target.question, 1.0, 0.1, None)
    assert "how many rows of a person should count, at most 1,000" in text(app)
    assert "hold **pure DP, ε = 0.1**" in text(app)
    (info,) = (element.value for element in app.info)
    assert "is an answer about this table" in info
    assert "“chosen after a response”" in info
    assert not book(app).entries
    press(app, "release")
    assert not app.info
    s = chosen(app)
    assert not app.button(key=f"take_up_{ticket(app)}").disabled
    press(app, f"take_up_{ticket(app)}")
    assert app.button(key=f"take_up_{ticket(app)}").disabled
    assert scenario(app) == question.with_(target=targets.Capped(target.question, "person", s))
    rows = counted(f"{s:,}", " rows")
    assert f"at most {rows} a person" in text(app)
    assert app.radio(key="way").value.startswith("worst case")
    press(app, "release")
    assert "Together: pure DP, ε = 1.1." in text(app)
    line = book(app).entries[-1].line
    assert (line.guarantee, line.standing) == (PureDP(1.0), Standing.PROVED)


def test_what_is_sampled_after_a_choice_has_no_guarantee() -> None:
    app = released(go(settled(pick(confidential(stated=70), "target", "Sum")), "trial"))
    press(app, f"take_up_{ticket(app)}")
    assert "would have no guarantee" not in text(app)
    sound(app.radio(key="way").set_value(app.radio(key="way").options[0]).run())
    assert "**This answer would have no guarantee.** It is asked after an earlier answer about this table" in text(app)


def test_a_bound_is_chosen_after_s_and_taken_up_with_it() -> None:
    app = released(asked())
    s = chosen(app)
    press(app, f"take_up_bound_{ticket(app)}")
    target: Any = scenario(app).target
    assert (settles(target), target.rows, target.highest, target.penalty) == ("the upper bound", s, 240.0, s / 0.1)
    assert scenario(app).epsilon == 0.1
    press(app, "release")
    bound = chosen(app)
    press(app, f"take_up_{ticket(app)}")
    taken: Any = scenario(app)
    assert taken.target == targets.Capped(targets.On(targets.Sum((0.0, bound)), ("minutes",)), "person", s)
    assert (taken.epsilon, taken.mechanism) == (1.0, Laplace())
    assert again(taken) == taken
    press(app, "release")
    assert "Together: pure DP, ε = 1.2." in text(app)


def test_a_bound_alone_is_asked_for_with_the_cap_of_the_question() -> None:
    app = opened(settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum")), "options")
    settled(sound(app.number_input(key="opt_cap").set_value(7).run()))
    press(go(app, "trial"), "choose_bound_ask")
    target: Any = scenario(app).target
    assert target == targets.BoundScores(target.question, "person", 240.0, 7, release_epsilon=1.0, penalty=7 / 0.1)


def test_what_was_before_is_given_back_and_where_it_is_lost_the_epsilon_is_kept() -> None:
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))
    slide(app, "epsilon", 2.0)
    opened(app, "options")
    settled(sound(app.selectbox(key="opt_mechanism").set_value("Gaussian").run()))
    question = scenario(app)
    released(go(app, "trial"))
    s, key, choice = chosen(app), f"take_up_{ticket(app)}", scenario(app)
    press(app, key)
    kept: Any = question.target
    assert scenario(app) == question.with_(target=targets.Capped(kept.question, "person", s))
    for forgotten in ("question_before_choice", "way_by_hand"):
        del app.session_state[forgotten]
    app.session_state["scenario"] = choice
    press(sound(app.run()), key)
    assert (scenario(app).epsilon, scenario(app).mechanism, scenario(app).delta) == (2.0, Laplace(), None)
    assert app.radio(key="way").value.startswith("worst case")


@pytest.mark.parametrize("what", ["rows", "bound"])
def test_a_choice_survives_a_link_and_its_json_is_entered_again(what: str, downloads: list[str]) -> None:
    app = press(asked(), f"choose_{what}_ask")
    choice = scenario(app)
    assert again(choice) == choice
    assert Scenario.from_json(json.loads(json.dumps(choice.to_json()))) == choice
    press(app, "release")
    said = json.loads(downloads[-1])
    assert list(said["response"].values()) == [chosen(app)]
    assert said["adjacency"] == "replace one user"
    found = loaded.read(downloads[-1].encode())
    assert (found.guarantee, found.adjacency) == (PureDP(0.1), Adjacency.REPLACE_ONE_USER)


def test_explore_asks_for_the_choice_of_another_question_and_leads_back() -> None:
    app = settled(visit(**links.to_query(scenario(press(asked(), "choose_rows_ask")))))
    assert "How many rows of a person should count, for this question: Sum of" in text(app)
    assert len(charts(app)) == CHARTS
    assert "rows of the one without noise" in text(app)
    assert "ranks" not in text(app)
    settled(pick(app, "target", "KnownMean"))
    opened(app, "asking")
    settled(sound(app.selectbox(key="ask_by").set_value("clinic").run()))
    opened(app, "options")
    settled(sound(app.number_input(key="opt_penalty").set_value(25.0).run()))
    target: Any = scenario(app).target
    assert (settles(target), target.penalty, type(target.target)) == ("s", 25.0, targets.KnownMean)
    assert target.by.column == "clinic"
    assert not notices(app)
    settled(sound(app.number_input(key="opt_penalty").set_value(-25.0).run()))
    assert "from 0 to 1,000,000,000" in notices(app)
    press(app, "opt_question_itself")
    found: Any = scenario(app).target
    assert (found.question, found.rows, scenario(app).epsilon) == (target.question, 1, 1.0)
    settled(sound(app.number_input(key="opt_groups_each").set_value(2).run()))
    assert "for a cap over all groups together" in text(go(app, "trial"))


def test_a_bound_for_a_question_without_any_is_refused_in_a_sentence() -> None:
    app = settled(go(press(asked(), "choose_bound_ask"), ""))
    before = scenario(app)
    pick(app, "target", "Count")
    assert "has bounds" in notices(app)
    assert scenario(app) == before
    settled(pick(app, "target", "KnownMean"))
    other: Any = scenario(app).target
    press(opened(app, "options"), "opt_question_itself")
    assert scenario(app).target == targets.Capped(other.question, "person")
    settled(pick(app, "target", "Count"))
    assert not notices(app)


def test_a_budget_refuses_a_choice_and_a_plan_holds_one() -> None:
    app = press(asked(), "choose_rows_ask")
    choice = scenario(app)
    press(app, "plan_add")
    settled(pick(go(app, ""), "table", "loan_defaults"))
    settled(pick(app, "table", "visits"))
    press(go(app, "release"), "plan_show_0")
    assert scenario(app) == choice
    book(app).budgets[state.catalog()["visits"].digest] = PureDP(0.05)
    sound(app.run())
    assert "This needs ε = 0.1; 0.05 is left" in notices(app)
    assert app.button(key="release").disabled


@pytest.mark.parametrize("stated", [None, 70])
def test_a_confidential_tables_choice_is_taken_up_too(stated: int | None) -> None:
    app = released(go(settled(pick(confidential(stated=stated), "target", "Sum")), "trial"))
    assert "One person is protected" in text(app)
    assert "62 people" not in everything(app) or stated is None
    press(app, f"take_up_{ticket(app)}")
    target: Any = scenario(app).target
    assert (target.rows, scenario(app).epsilon) == (chosen(app), 1.0)
    press(app, "release")
    assert "ε = 1.1" in text(app)


def test_a_choice_of_a_table_that_is_gone_or_declared_anew_is_not_taken_up() -> None:
    app = released(go(settled(pick(confidential(), "target", "Sum")), "trial"))
    before, key = scenario(app), f"take_up_{ticket(app)}"
    uploads = app.session_state["uploads"]
    app.session_state["scenario"], app.session_state["uploads"] = state.example(), {}
    press(app, key)
    assert "The table of this answer is not here" in notices(app)
    assert scenario(app) == state.example()
    (name,) = uploads
    app.session_state["uploads"] = {name: replace(uploads[name], persons=Persons("who", 500))}
    press(app, key)
    assert "This answer protects another unit than the table now does" in notices(app)
    app.session_state["uploads"] = uploads
    press(app, key)
    assert (scenario(app).table, notices(app)) == (before.table, "")
