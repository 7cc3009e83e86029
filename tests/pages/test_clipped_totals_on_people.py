"""A person's total, clipped, on the pages: chosen beside s, foretold, released, and in a link."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import targets
from pages.old.state import link as links
from tests.pages.test_people import explored
from tests.pages.visit import (
    asked_as,
    charts,
    everything,
    go,
    notices,
    pick,
    press,
    scenario,
    settled,
    slide,
    sound,
    text,
    visit,
)

DRAWN = {"people_causes", "people_error"}


def _target(app: AppTest) -> Any:
    return scenario(app).target


def _of_totals(app: AppTest) -> AppTest:
    return settled(sound(app.radio(key="limited").set_value(True).run()))


def test_it_is_chosen_beside_s_and_the_better_way_is_said() -> None:
    app = settled(visit("people"))
    assert "Clipping each person's total instead is off by 13,200 minutes at its best, B = 8,350." in text(app)
    app = _of_totals(app)
    assert (type(_target(app)), _target(app).totals) == (targets.ClippedTotals, (0.0, 2_400.0))  # 10 rows of 240: the same noise
    assert {key for key in charts(app) if key.startswith("people_")} == DRAWN
    assert "Counting s rows of each person instead is off by 38,100 minutes at its best, s = 96." in text(app)
    press(app, "take_best_cap")
    assert _target(app).totals == (0.0, 8_350.0)
    assert "each person's total at most 8,350: off by about 13,200 minutes" in text(app)
    assert "The limit clips the total of 0.15 % of the people." in text(app)


@pytest.mark.slow
def test_its_slider_is_the_scenarios_a_link_brings_it_back_and_the_way_back_has_about_the_same_noise() -> None:
    app = _of_totals(visit("people"))
    again = settled(visit("people", **links.to_query(scenario(app))))
    assert scenario(again) == scenario(app)
    assert text(again) == text(app)
    slide(app, "limit", 240_000.0)
    assert "The limit clips nobody's total." in text(settled(app))
    sound(app.number_input(key="exact_limit").set_value(1_234.5).run())
    assert _target(app).totals == (0.0, 1_234.5)
    settled(sound(app.radio(key="limited").set_value(False).run()))
    assert (type(_target(app)), _target(app).rows) == (targets.Capped, 5)


@pytest.mark.slow
@pytest.mark.parametrize("stated", [None, 70])
def test_a_confidential_tables_clipped_sum_is_released_like_a_capped_one(stated: int | None, downloads: list[str]) -> None:
    app = _of_totals(go(settled(pick(explored(stated=stated), "target", "Sum")), "people"))
    assert "All of this is about made-up people from the oracle" in text(app)
    assert "62 people" not in everything(app) or stated is None
    press(go(app, "release"), "release")
    said = json.loads(downloads[-1])
    assert said["adjacency"] == ("replace one user" if stated is None else "add or remove one user")
    assert "each person's total at most 300" in everything(app)
    assert "One person is protected" in said["in_words"]


@pytest.mark.slow
def test_in_a_list_it_stays_as_it_is_where_its_question_changes_and_is_said_to_go_where_it_must() -> None:
    app = press(go(_of_totals(visit("people")), "release"), "listed_edit_0")
    asked_as(app, 0, "by", "clinic")
    (one,) = app.session_state["lists"]["visits"].questions
    assert (type(one.target), one.target.totals, len(one.target.groups)) == (targets.ClippedTotals, (0.0, 2_400.0), 8)
    asked_as(app, 0, "kind", "KnownMean")
    (one,) = app.session_state["lists"]["visits"].questions
    assert (type(one.target), one.target.rows) == (targets.Capped, 3)
    assert "Only a sum can limit each person's total. In this question 3 rows of a person count." in notices(app)
