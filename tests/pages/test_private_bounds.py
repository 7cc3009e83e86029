"""Bounds that nobody can state, chosen privately on Explore: tried beforehand, asked for, paid for, and taken up."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import targets
from dpcore.guarantees.privacy import Adjacency
from pages.state import ledger
from pages.state.ledger import WORST
from tests.pages.test_neighbours import ADDED
from tests.pages.test_people import explored as of_people
from tests.pages.visit import (
    answer,
    charts,
    declare,
    everything,
    go,
    link,
    only,
    opened,
    pick,
    press,
    scenario,
    settled,
    sound,
    text,
    upload,
    use,
    visit,
)

CHART = "choose_bounds_chart"
TITLE = "Nobody can state narrow bounds? Choose them privately"
MOST = 1_000_000_000


def _file(times: int = 37, most: int = 900) -> bytes:
    return ("age,cost\n" + "".join(f"{20 + i % 60},{(times * i) % most}\n" for i in range(900))).encode()


def _asked(content: bytes | None = None, target: str = "Sum", lowest: float = 0.0) -> AppTest:
    app = declare(upload(visit(), "costs.csv", content or _file(), kind="Confidential"), "cost", lowest, MOST, unit="€")
    return settled(pick(settled(use(only(app, "cost"))), "target", target))


def _opened(app: AppTest) -> AppTest:
    return settled(opened(app, "bounds_choice"))


def _released(app: AppTest) -> AppTest:
    return press(go(press(_opened(app), "choose_bounds_ask"), "release"), "release")


def _offers(app: AppTest) -> list[Any]:
    return [button for button in app.button if button.label.startswith("Count values")]


def _elsewhere(app: AppTest) -> list[dict[str, str]]:
    (table,) = [table.value for table in app.table if "Values around" in table.value.columns]
    return list(table.to_dict("records"))


def test_beforehand_it_says_what_the_choice_would_do_wherever_the_values_lie() -> None:
    app = _opened(_asked())
    assert "We tried it on 900 made-up rows from the oracle, not on your table." in text(app)
    assert "Choice and answer together cost pure DP, ε = 1.1" in text(app)
    assert CHART in charts(app)
    found = _elsewhere(app)
    assert [row["Values around"] for row in found] == ["1,000 €", *(f"{10**k:,} €" for k in range(4, 9))]
    assert all(1 <= float(row["Error, times that of the best"]) < 10 for row in found)


def test_the_choice_is_charged_and_taken_up_and_after_it_only_the_worst_case_holds() -> None:
    app = _opened(_asked(target="KnownMean"))
    question = scenario(app)
    press(app, "choose_bounds_ask")
    app = go(app, "release")
    choice: Any = scenario(app).target
    assert choice == targets.RecordBoundScores(targets.On(question.target, ("cost",)), 1_000.0, penalty=20.0)
    assert "One row can change the scores by at most 2 (proved)" in text(app)
    press(app, "release")
    sound(_offers(app)[0].click().run())
    found = scenario(app)
    assert found == question.with_(target=targets.KnownMean((0.0, found.target.bounds[1])))
    assert found.target.bounds[1] in choice.candidates
    assert _offers(app)[0].disabled
    assert app.radio(key="way").value == WORST
    press(app, "release")
    assert [line.drawn for line in _lines(app)] == [None] * 2
    assert "Noise sized by trials is offered only in the first release" in text(app)


def _lines(app: AppTest) -> list[Any]:
    """Of all ledgers of the tab."""
    return [line for one in ledger._book(app.session_state["tab"]).ledgers.values() for line in one.lines]


def test_two_confidential_files_have_one_page_and_its_values_are_in_no_word() -> None:
    one, other = (_opened(_asked(content)) for content in (_file(), _file(7, 50)))
    assert _elsewhere(one) == _elsewhere(other)
    assert str(charts(one)[CHART]) == str(charts(other)[CHART])
    assert everything(one).split(TITLE)[1][:3_000] == everything(other).split(TITLE)[1][:3_000]


def test_an_address_opens_it_with_its_numbers_and_bad_ones_are_said() -> None:
    query = {"v": "1", "table": "diabetes", "columns": '["bmi"]', "target": '{"kind": "Sum", "bounds": [10.0, 70.0]}'}
    app = settled(visit(**query, doubts="bounds_choice", bounds_epsilon="0.4", bounds_least="2"))
    assert app.number_input(key="choose_bounds_epsilon").value == 0.4
    assert [row["Values around"] for row in _elsewhere(app)] == ["20 kg/m²"]
    sound(app.number_input(key="choose_bounds_least").set_value(60.0).run())
    assert "least must be above 0 and below 60, the width of the question's bounds" in text(app)
    sound(app.number_input(key="choose_bounds_epsilon").set_value(1e-9).run())
    sound(app.number_input(key="choose_bounds_least").set_value(2.0).run())
    assert "ε must be" in text(app)


@pytest.mark.slow
def test_it_holds_where_a_row_is_added_or_removed_and_for_values_of_both_signs() -> None:
    app = declare(upload(visit(), "costs.csv", _file()), "cost", -MOST, MOST)
    answer(only(app, "cost"), "The rows are not about persons", "stay")
    sound(app.radio(key="neighbours").set_value(ADDED).run())
    sound(app.number_input(key="rows_stated").set_value(1_000).run())
    app = _released(settled(pick(settled(use(app)), "target", "KnownMean")))
    (line,) = _lines(app)
    assert (line.drawn, line.adjacency) == (None, Adjacency.ADD_OR_REMOVE_ONE_RECORD)
    assert ", and down to minus that, from now on" in _offers(app)[0].label
    sound(_offers(app)[0].click().run())
    bounds = scenario(app).target.bounds  # type: ignore[attr-defined]
    assert bounds == (-bounds[1], bounds[1])
    assert app.radio(key="way").value == WORST


@pytest.mark.slow
def test_conditions_and_groups_stay_and_the_way_back_leads_to_the_question() -> None:
    app = visit(v="1", table="diabetes", columns='["bmi"]', target='{"kind": "KnownMean", "bounds": [10.0, 70.0]}')
    app = opened(app, "asking")
    settled(sound(app.selectbox(key="ask_by").set_value("sex").run()))
    before = scenario(app)
    app = press(_opened(app), "choose_bounds_ask")
    assert scenario(app).target.question == before.target  # type: ignore[attr-defined]
    press(opened(go(app, ""), "options"), "opt_question_itself")
    assert scenario(app) == before
    app = _released(app)
    sound(_offers(app)[0].click().run())
    after: Any = scenario(app).target
    assert (after.by, after.columns, after.target.bounds[0]) == (before.target.by, ("bmi",), 10.0)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_it_is_offered_of_questions_about_records_that_have_bounds_to_choose() -> None:
    assert TITLE not in everything(of_people())
    assert TITLE not in everything(settled(pick(visit(), "target", "Count")))
    assert "The error of this kind of question is not predicted" in text(_opened(_asked(target="QuantileScores")))
    assert "If nobody can say, enter bounds that are wide enough for certain" in text(
        only(upload(visit(), "c.csv", _file()), "cost")
    )


@pytest.mark.slow
@pytest.mark.parametrize(("met", "around"), [((20.0, 23.0), ["20 kg/m²"]), ((10.0, 10.3), [])])
def test_under_a_condition_on_the_values_only_those_that_meet_it_are_tried(met: tuple[float, float], around: Any) -> None:
    where = [{"kind": "Condition", "column": "bmi", "category": None, "interval": met, "excluded": False}]
    inner = {"kind": "KnownMean", "bounds": [10.0, 70.0]}
    target = {"kind": "On", "target": inner, "columns": ["bmi"], "where": where, "by": None}
    app = settled(link(table="diabetes", columns=["bmi"], target=target, doubts="bounds_choice", bounds_least="5"))
    tried = [table.value["Values around"].tolist() for table in app.table if "Values around" in table.value.columns]
    assert tried == [around] * bool(around)
    assert "No row meets the conditions" not in text(app)
    assert any(button.key == "choose_bounds_ask" for button in app.button)
