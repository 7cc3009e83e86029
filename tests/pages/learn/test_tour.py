"""The tour: eight slides, each a state of Explore, with few words and a note; Table 1 is one of them."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts.drawn import Drawn
from pages.charts.moving import by_hand
from pages.learn import tour
from pages.learn.found import filled
from tests.pages.visit import charts, notices, press, scenario, settled, text, visit

NAMES = list(tour.SLIDES)
_SENTENCE = re.compile(r"[.?](?= |$)")


def _on(name: str) -> AppTest:
    return visit("learn", present="1", tour=name)


def _words(said: str) -> int:
    return len(re.findall(r"[\w±]+(?:[.,]\d+)?", said))


def test_it_has_eight_slides_with_words_of_their_own() -> None:
    assert len(NAMES) == 8
    assert list(tour.written()) == NAMES
    assert "table_1" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_slide_has_a_short_title_and_a_sentence_or_two(name: str) -> None:
    words = tour.written()[name]
    said = filled(words.said, tour._numbers())
    assert 2 <= _words(words.title) <= 6
    assert 1 <= len(_SENTENCE.findall(said)) <= 2
    assert all(_words(sentence) <= 25 for sentence in _SENTENCE.split(said))
    assert "{" not in said
    assert not re.search(r"\d", words.said.replace("50 times in 100", "")), "numbers are computed"


def test_it_begins_from_the_list_and_is_walked_through_by_the_ways_of_a_wall() -> None:
    app = press(visit("learn"), "tour")
    for number, name in enumerate(NAMES, 1):
        words = tour.written()[name]
        assert f"## {words.title}" in text(app)
        assert filled(words.said, tour._numbers()) in text(app)
        assert f"{number} of 8" in text(app)
        assert not notices(app)
        if number < len(NAMES):
            app = press(app, "wall_next")
    assert app.button(key="wall_next").disabled
    app = press(app, "wall_leave")
    assert "to_lesson_neighbours" in [button.key for button in app.button]
    assert not {"present", "tour"} & set(app.query_params)


def test_table_1_stands_on_a_slide_with_the_numbers_of_the_paper_and_ours() -> None:
    app = _on("table_1")
    rows = {row["bound"]: row["m"] for row in app.table[0].value.to_dict("records")}
    assert rows == {"DKW": "1,305", "rank": "19", "tolerance at 0.95": "59", "time-uniform at 0.95": "88"}
    assert "the paper's bound DKW takes 1,305 trials. The rank bound takes 19." in text(app)
    assert "on average over the trials" in text(app)


def test_the_promise_is_never_said_without_its_limits() -> None:
    said = {name: filled(tour.written()[name].said, tour._numbers()) for name in NAMES}
    assert "left out" in said["unprotected"]
    assert "no count of people" in said["unprotected"]
    assert "Differential privacy leaves no change out: random DP is weaker." in said["takeaway"]
    said = text(_on("takeaway")).partition("random DP is weaker")[2]
    assert "Differential privacy protects every change of a row; " in said
    assert ", is weaker." in said


def test_each_slide_leads_to_its_state_on_explore() -> None:
    app = settled(press(_on("trade"), "tour_explore"))
    assert scenario(app) == tour.state()
    assert "## How many trials do I need?" in text(app)
    assert not {"present", "tour"} & set(app.query_params)


def test_a_slide_that_is_not_there_is_said_and_the_first_is_shown() -> None:
    app = _on("nowhere<b>")
    assert "which is not in this tour" in notices(app)
    assert "1 of 8" in text(app)
    assert not notices(press(app, "wall_next"))


@pytest.mark.parametrize("name", ["released", "noise", "trade", "trials"])
def test_where_nothing_follows_a_hand_a_slide_has_its_chart_still(name: str) -> None:
    assert list(charts(_on(name))) == [f"tour_{name}"]


def test_the_dots_of_the_first_slide_follow_epsilon_and_none_is_called_wrong() -> None:
    chart, _ = tour._fifty(tour._view())
    assert isinstance(chart, Drawn)
    assert chart.ready()["layout"]["showlegend"] is False
    assert any(by_hand(rule) for _, rule in chart.moves())
    wrong = chart.ready()["data"][1]
    assert str(wrong["name"]).endswith(": 0 of 50")
