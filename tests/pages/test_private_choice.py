"""A number of rows, or an upper bound, that is chosen without a look at the table: tried, asked for, paid for, and taken up."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from dpcore import Laplace, targets
from dpcore.base.counted import counted
from dpcore.base.types import settles
from dpcore.guarantees.privacy import PureDP
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.persons import Persons
from pages.server import page_list
from pages.shared import private_choice
from pages.state import ledger, state
from pages.state import link as links
from tests.pages.test_people import explored as confidential
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

pytestmark = pytest.mark.slow

TRIAL = SimpleNamespace(
    __name__="pages.trial", TITLE="Trial", ORDER=99, show=lambda: private_choice.show(state.scenario(), state.table())
)


@pytest.fixture(autouse=True)
def _page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sections alone on a page, whatever page shows them."""
    known = page_list.pages()
    monkeypatch.setattr(page_list, "pages", lambda: (*known, TRIAL))


def asked(target: str = "Sum", **numbers: Any) -> Any:
    """The sections for a question about the public visits, with these numbers in their controls."""
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", target))
    return given(go(app, "trial"), **numbers)


def given(app: Any, **numbers: Any) -> Any:
    for key, value in numbers.items():
        of(app, key.split("_")[0])
        sound(app.number_input(key=f"choose_{key}").set_value(value).run())
    return app


def of(app: Any, what: str) -> Any:
    """With the switch at what is to be chosen: "rows" or "bound"."""
    switch = [radio for radio in app.radio if radio.key == "choose_what"]
    return sound(switch[0].set_value(f"choose_{what}").run()) if switch else app


def released(app: Any, what: str = "rows") -> Any:
    """The choice, asked for and made."""
    return press(asking(app, what), "release")


def asking(app: Any, what: str) -> Any:
    """The choice, asked for."""
    return press(of(app, what), f"choose_{what}_ask")


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
    assert "Penalty: 10 people." in said
    assert "Choice and answer together cost pure DP, ε = 1.1, if the answer's noise is sized to the worst case." in said
    assert said.count("*simulated table: may be published*") == 1
    assert set(charts(app)) == {"choose_rows_chart"}
    assert set(charts(of(app, "bound"))) == {"choose_bound_chart"}
    assert set(charts(sound(app.run()))) == {"choose_bound_chart"}
    of(app, "rows")
    before = charts(app)["choose_rows_chart"]["data"][1]["y"]
    given(app, rows_penalty=60.0, rows_epsilon=0.5)
    assert "Penalty: 60 people." in text(app)
    assert "cost pure DP, ε = 1.5, if" in text(app)
    assert charts(app)["choose_rows_chart"]["data"][1]["y"] != before


def test_what_both_cost_has_the_delta_of_the_answer() -> None:
    app = opened(settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum")), "options")
    settled(sound(app.selectbox(key="opt_mechanism").set_value("Gaussian").run()))
    assert "together cost approximate DP, ε = 1.1, δ = 1e-06, if the answer's noise" in text(go(app, "trial"))


@pytest.mark.parametrize(("epsilon", "usual"), [(0.02, "0.01, the least"), (0.2, "0.02, a tenth")])
def test_a_small_epsilon_has_a_choice_too(epsilon: float, usual: str) -> None:
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))
    app.session_state["scenario"] = scenario(app).with_(epsilon=epsilon)
    go(app, "trial")
    assert not app.error
    assert {of(app, what).number_input(key=f"choose_{what}_epsilon").placeholder for what in ("rows", "bound")} == {usual}
    asking(app, "rows")
    assert scenario(app).epsilon == float(usual.split(",")[0])


def test_people_of_a_public_table_that_are_drawn_again_are_called_so() -> None:
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))
    settled(pick(app, "oracle", "TableRecords"))
    said = text(go(app, "trial"))
    assert "We tried it on 2,000 people of this public table, drawn again" in said
    assert "made-up" not in said
    assert "*public table, simulated noise: may be published*" in said


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
        assert not {button.key for button in app.button} & {"choose_rows_ask", "choose_bound_ask"}
    given(app, bound_penalty=None)
    assert not app.error


def test_a_question_without_bounds_has_no_bound_to_choose_and_one_about_rows_nothing() -> None:
    app = asked("Count")
    assert not app.radio
    assert "This chooses how many rows of each person count." in text(app)
    assert "This chooses" not in text(go(visit(), "trial"))


def test_a_question_whose_error_is_not_predicted_can_be_asked_all_the_same() -> None:
    app = pick(settled(pick(visit(), "table", "visits")), "target", "QuantileScores")  # its trials may go on
    go(app, "trial")
    assert "The error of this kind of question is not predicted, so the choice cannot be tried out here." in text(app)
    assert "upper bound" not in text(app)
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
    assert "hold pure DP, ε = 0.1" in text(app)
    (info,) = (element.value for element in app.info)
    assert "is an answer about this table" in info
    assert "For what you ask afterwards noise is no longer sized by trials" in info
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
    assert line.guarantee == PureDP(1.0)


def test_nothing_is_sampled_after_a_choice() -> None:
    app = released(go(settled(pick(confidential(stated=70), "target", "Sum")), "trial"))
    press(app, f"take_up_{ticket(app)}")
    assert "Noise sized by trials is offered only in the first release" in text(app)
    assert not any("trials" in option for radio in app.radio for option in radio.options)


def test_a_bound_is_chosen_after_s_and_taken_up_with_it() -> None:
    app = released(asked())
    s = chosen(app)
    press(app, f"take_up_bound_{ticket(app)}")
    assert "This chooses up to which value rows count" in text(app)
    assert set(charts(app)) >= {"choose_bound_chart"}
    assert len(book(app).entries) == 1
    question: Any = scenario(app).target
    assert (question.rows, settles(question)) == (s, "")
    asking(app, "bound")
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
    asking(go(app, "trial"), "bound")
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
def test_a_choice_survives_a_link_and_its_json_says_whom_it_protects(what: str, downloads: list[str]) -> None:
    app = asking(asked(), what)
    choice = scenario(app)
    assert again(choice) == choice
    assert Scenario.from_json(json.loads(json.dumps(choice.to_json()))) == choice
    press(app, "release")
    said = json.loads(downloads[-1])
    assert list(said["response"].values()) == [chosen(app)]
    assert said["adjacency"] == "replace one user"
    assert said["parameters"] == {"epsilon": 0.1}


@pytest.mark.slow
def test_explore_asks_for_the_choice_of_another_question_and_leads_back() -> None:
    app = settled(visit(**links.to_query(scenario(press(asked(), "choose_rows_ask")))))
    assert "How many rows of a person should count, for this question: Sum of" in text(app)
    assert charts(app).keys() >= CHARTS
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
    assert (found.question, found.rows, scenario(app).epsilon) == (target.question, 3, 1.0)
    settled(sound(app.number_input(key="opt_groups_each").set_value(2).run()))
    assert "for a cap over all groups together" in text(go(app, "trial"))


@pytest.mark.slow
def test_a_bound_for_a_question_without_any_is_refused_in_a_sentence() -> None:
    app = settled(go(asking(asked(), "bound"), ""))
    before = scenario(app)
    pick(app, "target", "Count")
    assert "has bounds" in notices(app)
    assert scenario(app) == before
    settled(pick(app, "target", "KnownMean"))
    other: Any = scenario(app).target
    press(opened(app, "options"), "opt_question_itself")
    assert scenario(app).target == targets.Capped(other.question, "person", 3)
    settled(pick(app, "target", "Count"))
    assert not notices(app)


def test_a_budget_refuses_a_choice() -> None:
    app = press(asked(), "choose_rows_ask")
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


def test_a_choice_is_not_taken_up_for_another_file_of_the_same_name() -> None:
    app = released(go(settled(pick(confidential(), "target", "Sum")), "trial"))
    shown, key = scenario(app), f"take_up_{ticket(app)}"
    (name,) = uploads = app.session_state["uploads"]
    app.session_state["uploads"] = {name: replace(uploads[name], digest="of another file")}
    for button in (key, f"take_up_bound_{ticket(app)}"):
        press(app, button)
        assert "The table of this answer is not here under its old name" in notices(app)
        assert scenario(app) == shown


def test_a_choice_made_on_a_public_tables_records_is_taken_up_once_it_is_confidential() -> None:
    app = settled(pick(confidential(kind="Public"), "target", "Sum"))
    settled(pick(app, "oracle", "TableRecords"))
    released(go(app, "trial"))
    key = f"take_up_{ticket(app)}"
    (name,) = uploads = app.session_state["uploads"]
    app.session_state["uploads"] = {name: replace(uploads[name], public=False)}
    app.session_state["scenario"] = state.example()
    press(sound(app.run()), key)
    assert not isinstance(scenario(app).oracle, TableRecords)
    assert "its own rows are no oracle. The oracle is now people with several rows" in notices(app)
    taken: Any = scenario(app).target
    assert taken.rows == chosen(app)
    press(app, "release")
    assert len(book(app).entries) == 2


@pytest.mark.parametrize(("bounds", "sign"), [((-50.0, -1.0), "All values are negative"), ((-50.0, 0.0), "No value is above 0")])
def test_values_below_zero_have_no_upper_bound_to_choose(bounds: tuple[float, float], sign: str) -> None:
    app = settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))
    shown: Any = scenario(app)
    question = replace(shown.target.question, target=targets.Sum(bounds))
    app.session_state["scenario"] = shown.with_(target=replace(shown.target, question=question))
    go(app, "trial")
    assert f"{sign}, so there is no upper bound to choose." in text(app)
    assert not app.error
    released(app)
    assert f"take_up_bound_{ticket(app)}" not in {button.key for button in app.button}


def test_a_likeliest_value_that_is_not_likely_is_no_advice() -> None:
    app = asked(rows_epsilon=0.01)
    assert re.search(
        r"No value is likely: even the likeliest, \S+, comes up in \d+ of 100 tries. Best for these made-up people would be \d+.",
        text(app),
    )
    assert "** is chosen most often" not in text(app)
    assert "is chosen most often**, in" in text(given(app, rows_epsilon=10.0))


def test_a_bound_that_the_penalty_and_chance_outweigh_is_warned_of() -> None:
    app = of(asked(), "bound")
    assert "hardly sees the values" not in text(app)
    shown: Any = scenario(app)
    app.session_state["scenario"] = shown.with_(target=replace(shown.target, rows=250))
    sound(app.run())
    assert "**This choice hardly sees the values.** Penalty and chance weigh as much as 45," in notices(app)
    given(app, bound_epsilon=2.0)
    assert "hardly sees the values" not in text(app)


def test_receipt_and_response_name_a_choice_alike() -> None:
    app = press(asked(), "choose_rows_ask")
    assert "One person can change the scores by at most 2 (proved), which sizes the noise." in text(app)
    assert "is chosen by permute-and-flip" in text(app)
    press(app, "release")
    assert "It was chosen by permute-and-flip, with noise of scale 20, sized to the worst case, 2." in text(app)
    assert "exponential mechanism" not in text(app)


def test_a_choice_over_groups_is_a_cap_over_all_of_them() -> None:
    app = asked()
    settled(sound(opened(go(app, ""), "asking").selectbox(key="ask_by").set_value("clinic").run()))
    settled(sound(opened(app, "options").number_input(key="opt_groups_each").set_value(2).run()))
    go(app, "trial")
    assert app.button(key="choose_rows_ask").label.startswith("Choose s, over all groups, on")
    released(app)
    rows = counted(f"{chosen(app):,}", " rows")
    key = f"take_up_{ticket(app)}"
    assert app.button(key=key).label == f"Count at most {rows} a person, over all groups, from now on"
    press(app, key)
    assert "the number of groups that a person counts in was left out" in notices(app)
