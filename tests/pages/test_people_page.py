"""The page People: what a limit of each person costs, on a public table, and on simulated people for a confidential one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import Adjacency, targets
from pages.experiment.scenario import Noise
from pages.exports.link import to_text
from tests.pages.test_people import VISITS, explored
from tests.pages.visit import (
    asked_as,
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

ALL = {"people_causes", "people_error", "people_bound"}
SUMS = {5: -1.0, 3: 4.2, 1: 6.4}  # of the tutorial's scores, by s


def _drawn(app: AppTest) -> set[str]:
    return {key for key in charts(app) if key.startswith("people_")}


def _target(app: AppTest) -> Any:
    return scenario(app).target


def _buttons(app: AppTest) -> set[str | None]:
    return {button.key for button in app.button}


def _limited(app: AppTest, *, totals: bool) -> AppTest:
    return settled(sound(app.radio(key="limited").set_value(totals).run()))


def test_page_opens_with_advice_to_take() -> None:
    app = visit("people")
    assert (scenario(app).table, _drawn(app)) == ("visits", ALL)
    assert "Sum of Time at the clinic, at most 10 rows a person: an error of about 213,000 minutes" in text(app)
    assert "The least error is 38,100 minutes, at s = 96." in text(app)
    assert "One person is protected, with all rows of that person: pure DP, ε = 1" in text(app)
    assert "public table, simulated noise: may be published" in text(app)
    press(app, "take_best_limit")
    assert _target(app).rows == 96
    assert "take_best_limit" not in _buttons(app)
    assert "the least error is 29,900 minutes, with values from 0 to 144" in text(app)
    press(app, "take_best_bound")
    assert (_target(app).rows, _target(app).target.bounds) == (96, (0.0, 144.0))
    assert "take_best_bound" not in _buttons(app)


def test_limit_of_totals_replaces_limit_of_rows() -> None:
    app = _limited(visit("people"), totals=True)
    assert (type(_target(app)), _target(app).totals) == (targets.ClippedTotals, (0.0, 2_400.0))  # 10 rows of 240
    assert _drawn(app) == ALL - {"people_bound"}
    press(app, "take_best_limit")
    assert _target(app).totals == (0.0, 8_350.0)
    assert "each person's total at most 8,350: an error of about 13,200 minutes" in text(app)
    assert "The limit affects 0.15 % of the people." in text(app)
    sound(app.number_input(key="exact_limit").set_value(1_234.5).run())
    assert _target(app).totals == (0.0, 1_234.5)
    again = visit("people", s=to_text(scenario(app)))
    assert (scenario(again), text(again)) == (scenario(app), text(app))
    _limited(app, totals=False)
    assert (type(_target(app)), _target(app).rows) == (targets.ContributionBounded, 5)


def test_sliders_change_the_scenario_and_its_link() -> None:
    app = visit("people")
    for name, value in (("cap", 60), ("bound", 120.0), ("epsilon", 0.1)):
        slide(app, name, value)
    assert (_target(app).rows, _target(app).target.bounds, scenario(app).epsilon) == (60, (0.0, 120.0), 0.1)
    again = visit("people", s=to_text(scenario(app)))
    assert (scenario(again), text(again)) == (scenario(app), text(app))


def test_late_message_about_rows_changes_no_totals() -> None:
    """The browser can send a value of a slider after the question that it was for had been changed."""
    app = visit("people")
    target = _target(app)
    other = scenario(app).with_(target=targets.ClippedTotals(target.question, target.person, (0.0, 1_000.0)))
    app.session_state["scenario"] = other
    sound(app.number_input(key="exact_cap").set_value(7).run())
    assert scenario(app) == other


@pytest.fixture(scope="module")
def players() -> AppTest:
    """The sum of the players' scores, as in the tutorial on user-level privacy: nine games of four players."""
    app = slide(pick(pick(visit("people"), "table", "players"), "target", "Sum"), "epsilon", 50.0)
    assert (scenario(app).adjacency, scenario(app).n) == (Adjacency.ADD_OR_REMOVE_ONE_USER, 4)
    return app


@pytest.mark.parametrize(("s", "total"), SUMS.items())
def test_the_tutorial_is_replayed(players: AppTest, s: int, total: float) -> None:
    """The noise has the scale 10·s/ε, because a score is between −10 and 10."""
    app = slide(players, "cap", s)
    assert (scenario(app).epsilon, _target(app).rows) == (50.0, s)
    scale = 10 * s / 50
    noise = f"{scale:.3g} point{'s' * (scale != 1)}"
    assert f"Without noise, the answer is {total:g} points (exact: -1 points). The noise has the scale {noise}." in text(app)
    assert ("at s = 5." in text(app)) is (s != 5)
    assert ("take_best_limit" in _buttons(app)) is (s != 5)


def test_advice_that_clips_nearly_everything_is_refused(players: AppTest) -> None:
    """At ε = 0.5 the least errors are those of s = 1, and of scores from −0.1 to 0.1."""
    app = slide(slide(players, "cap", 3), "epsilon", 0.5)
    assert "No advice on s: the best choice, s = 1, keeps only 38.2 % of the values. Ask about more people" in text(app)
    assert "No advice on the bounds: the best choice, values from -0.1 to 0.1, keeps only" in text(app)
    assert "Limiting each person’s total instead" not in text(app)
    assert not {"take_best_limit", "take_best_bound"} & _buttons(app)


def test_quantile_has_no_prediction() -> None:
    app = pick(visit("people"), "target", "QuantileScores")
    assert "No prediction for this question" in text(app)
    assert not _drawn(app)
    assert _drawn(press(app, "ask_first")) == ALL


def test_release_adds_question_with_proved_noise() -> None:
    """Also if Explore has another kind of noise."""
    app = slide(visit("people"), "cap", 60)
    app.session_state["scenario"] = scenario(app).with_(noise=Noise.BLOCKS)
    press(sound(app.run()), "to_release")
    made = app.session_state["lists"]["visits"]
    assert [one.target for one in made.questions] == [_target(app)]
    assert made.noise is Noise.WORST_CASE


def test_charts_are_independent_of_confidential_values() -> None:
    """They are of simulated people from the declarations and the oracle: with other costs and wards all of them are the same."""
    lines = VISITS.decode().splitlines()
    other = "\n".join([lines[0], *(f"{line.split(',')[0]},99,C" for line in lines[1:])]).encode()
    seen = []
    for content in (VISITS, other):
        app = go(settled(pick(explored(content=content), "target", "Sum")), "people")
        assert _drawn(app) == ALL
        assert "simulated table: may be published" in text(app)
        assert "**All numbers are about simulated people from the oracle, not about yours.**" in text(app)
        seen.append((charts(opened(app, "numbers")), text(app)))
    assert seen[0] == seen[1]


def test_table_without_persons_keeps_the_scenario() -> None:
    app = settled(slide(visit(), "epsilon", 2.0))
    before = scenario(app)
    go(app, "people")
    assert "Loan defaults has no people" in text(app)
    assert scenario(app) == before
    assert not _drawn(app)
    assert _drawn(settled(press(app, "show_people"))) == ALL


def test_link_beyond_the_box_is_shown() -> None:
    asked: Any = scenario(visit("people"))
    large = asked.with_(target=replace(asked.target, rows=2**24))
    app = visit("people", s=to_text(large))
    assert (scenario(app), _drawn(app)) == (large, ALL)


@pytest.mark.parametrize("stated", [None, 70])
def test_limited_sum_of_confidential_table_is_released(stated: int | None, downloads: list[str]) -> None:
    app = _limited(go(settled(pick(explored(stated=stated), "target", "Sum")), "people"), totals=True)
    assert "All numbers are about simulated people from the oracle" in text(app)
    assert "62 people" not in everything(app) or stated is None
    press(go(app, "release"), "release")
    said = json.loads(downloads[-1])
    assert said["adjacency"] == ("replace one user" if stated is None else "add or remove one user")
    assert "each person's total at most 300" in everything(app)
    assert "One person is protected" in said["in_words"]


def test_limit_of_totals_in_a_list() -> None:
    app = press(go(_limited(visit("people"), totals=True), "release"), "listed_edit_0")
    asked_as(app, 0, "by", "clinic")
    (one,) = app.session_state["lists"]["visits"].questions
    assert (type(one.target), one.target.totals, len(one.target.groups)) == (targets.ClippedTotals, (0.0, 2_400.0), 8)
    asked_as(app, 0, "kind", "Mean")
    (one,) = app.session_state["lists"]["visits"].questions
    assert (type(one.target), one.target.rows) == (targets.ContributionBounded, 3)
    assert "Only a sum can limit each person's total. In this question 3 rows of a person count." in notices(app)
