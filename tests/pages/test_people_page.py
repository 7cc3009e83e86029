"""The page People: what a cap costs, on a public table, and on made-up people in place of a confidential one."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages import state
from pages.old.state import link as links
from tests.pages.test_people import explored
from tests.pages.visit import (
    charts,
    go,
    link,
    notices,
    opened,
    pick,
    press,
    scenario,
    settled,
    slide,
    text,
    visit,
)

ALL = {"people_causes", "people_one", "people_error", "people_bound"}


def _drawn(app: AppTest) -> set[str]:
    return {key for key in charts(app) if key.startswith("people_")}


def _target(app: AppTest) -> Any:
    return scenario(app).target


def _confidential() -> AppTest:
    return settled(pick(explored(), "target", "Sum"))


def test_it_opens_on_a_table_of_people_with_a_least_error_inside() -> None:
    app = settled(visit("people"))
    assert scenario(app).table == "visits"
    assert (_drawn(app)) == ALL
    assert "Sum of Time at the clinic, at most 10 rows a person: off by about 213,000 minutes" in text(app)
    assert "The least error is 38,100 minutes, at s = 96" in text(app)
    assert "The person with the most rows has 250: together they weigh as much as 10. A dot is 2 rows." in text(app)
    assert "One person is protected, with all rows of that person: pure DP, ε = 1" in text(app)
    assert "public table, simulated noise: may be published" in text(app)


@pytest.mark.slow
def test_the_sliders_are_the_scenarios_and_a_link_brings_all_of_it_back() -> None:
    app = visit("people")
    for name, value in (("cap", 60), ("bound", 120.0), ("epsilon", 0.1)):
        slide(app, name, value)
    shown = settled(app)
    assert (_target(shown).rows, _target(shown).target.bounds, scenario(shown).epsilon) == (60, (0.0, 120.0), 0.1)
    again = settled(visit("people", **links.to_query(scenario(shown))))
    assert scenario(again) == scenario(shown)
    assert text(again) == text(shown)


@pytest.mark.slow
def test_the_least_errors_are_taken_by_a_button() -> None:
    app = press(visit("people"), "take_best_cap")
    assert _target(app).rows == 96
    assert "take_best_cap" not in {button.key for button in app.button}
    assert "the least error is 29,900 minutes, with values from 0 to 144" in text(app)
    press(app, "take_best_bound")
    assert (_target(app).rows, _target(app).target.bounds) == (96, (0.0, 144.0))
    assert "take_best_bound" not in {button.key for button in app.button}


@pytest.mark.parametrize(
    ("target", "drawn"),
    [
        ("KnownCount", ALL - {"people_bound"}),
        ("Count", ALL - {"people_bound"}),
        ("KnownMean", ALL),
        ("KnownShare", ALL - {"people_bound"}),
    ],
)
def test_counts_means_and_shares_have_their_charts(target: str, drawn: set[str]) -> None:
    app = opened(settled(pick(visit("people"), "target", target)), "open_rows")
    assert _drawn(app) == drawn | {"people_rows"}


def test_a_quantile_is_refused_in_a_sentence_with_a_way_on() -> None:
    app = settled(pick(visit("people"), "target", "QuantileScores"))
    assert "No prediction for this question" in text(app)
    assert not _drawn(app)
    assert (_drawn(settled(press(app, "ask_first")))) == ALL


@pytest.mark.slow
def test_of_a_confidential_table_made_up_people_are_shown() -> None:
    app = settled(go(_confidential(), "people"))
    assert (_drawn(app)) == ALL
    assert "simulated table: may be published" in text(app)
    assert "**All of this is about made-up people from the oracle, not about yours.**" in text(app)


def test_a_table_without_people_is_told_so_and_nothing_is_lost() -> None:
    app = settled(slide(visit(), "epsilon", 2.0))
    before = scenario(app)
    go(app, "people")
    assert "Loan defaults has no people" in text(app)
    assert scenario(app) == before
    assert not _drawn(app)
    assert (_drawn(settled(press(app, "show_people")))) == ALL


def test_a_link_with_a_cap_for_a_table_without_people_is_refused_in_a_sentence() -> None:
    query = links.to_query(scenario(visit("people"))) | {"table": "loan_defaults"}
    app = visit("people", **query)
    assert notices(app).startswith("The link asks about people, and each row of “Loan defaults” stands by itself.")
    assert "Loan defaults has no people" in text(app)


@pytest.mark.parametrize("rows", [0, -3, 2**40, "many", None])
def test_a_link_with_a_cap_that_is_none_is_refused_in_a_sentence(rows: object) -> None:
    data = scenario(visit("people")).to_json()
    data["target"]["rows"] = rows
    del data["version"]
    app = link("people", **data)
    assert notices(app)
    assert scenario(app).table == "visits"
    assert (_drawn(settled(app))) >= ALL - {"people_bound"}


def test_the_example_of_people_is_not_begun_with_where_something_was_chosen() -> None:
    app = pick(visit(), "table", "diabetes")
    assert scenario(go(app, "people")).table == "diabetes"
    assert state.catalog()["visits"].persons is not None
