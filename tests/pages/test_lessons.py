"""Lessons on the page Learn: guess and answer, the address, the way to other pages, and presentation mode."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.lessons.contents import LESSONS, lesson_named
from pages.lessons.lesson import Lesson, Slider, Step
from tests.pages.visit import charts, notices, press, scenario, settled, sound, text, visit

STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
COIN = STEPS[0]
TELLS = {"explore": " DP, ε =", "people": "## Whose error is it?", "release": "## Receipt"}


def _address(app: AppTest, name: str) -> str:
    value = app.query_params.get(name, "")
    return value if isinstance(value, str) else value[0]


def _guess_and_reveal(app: AppTest, step: Step) -> AppTest:
    key = f"guess_{step.key}"
    if isinstance(step.guess, Slider):
        sound(app.slider(key=key).set_value(step.guess.high).run())
    else:
        sound(app.radio(key=key).set_value(app.radio(key=key).options[0]).run())
    return press(app, "reveal")


def _assert_step(app: AppTest, lesson: Lesson, step: Step) -> None:
    """The answer is shown only after the guess."""
    key, answer = f"lesson_{step.key}", step.filled(step.reveal)
    assert f"## {step.filled(step.title)}" in text(app)
    assert step.filled(step.question) in text(app)
    assert answer not in text(app)
    before = charts(app)[key]["data"]
    _guess_and_reveal(app, step)
    assert answer in text(app)
    assert "{" not in text(app)
    assert "| your guess | the answer |" in text(app)
    after = charts(app)[key]["data"]
    assert [trace["name"] for trace in after if trace["name"] == "your guess"] == ["your guess"] * isinstance(step.guess, Slider)
    assert len(before) <= len(after) + 1
    assert (_address(app, "lesson"), _address(app, "step")) == (lesson.name, step.name)


def test_each_step_asks_before_it_answers() -> None:
    app = visit("learn", lesson=COIN[0].name, step=COIN[1].name)
    assert app.button(key="lesson_back").disabled
    for place, (lesson, step) in enumerate(STEPS):
        _assert_step(app if place == 0 else press(app, "lesson_next"), lesson, step)
    assert app.button(key="lesson_next").disabled
    press(app, "reveal")
    assert "| your guess |" not in text(app)
    press(press(app, "all_lessons"), "to_lesson_coin")
    assert "| your guess |" in text(app), "the guess is kept"


def test_list_says_what_is_done() -> None:
    app = visit("learn")
    assert [app.button(key=f"to_lesson_{one.name}").label for one in LESSONS] == [
        f":primary[**{number}. {one.title}**]" for number, one in enumerate(LESSONS)
    ]
    press(app, "to_lesson_coin")
    press(_guess_and_reveal(app, COIN[1]), "all_lessons")
    assert "1 of 4 steps done" in text(app)
    assert not _address(app, "lesson")


@pytest.mark.parametrize(("lesson", "step"), [("zero", ""), ("zero", "answer"), ("coin", "zero"), ("", "zero")])
def test_unknown_step_shows_the_first(lesson: str, step: str) -> None:
    app = visit("learn", lesson=lesson, step=step)
    assert "does not exist" in notices(app)
    assert f"## {COIN[1].title}" in text(app)
    assert not notices(press(app, "lesson_next"))


@pytest.mark.parametrize("name", ["coin", "bins", "one_person", "many_questions", "no_oracle"])
def test_end_opens_scenario_on_its_page(name: str) -> None:
    lesson = lesson_named(name)
    assert lesson is not None
    app = visit("learn", lesson=name, step=lesson.steps[-1].name)
    app = settled(press(_guess_and_reveal(app, lesson.steps[-1]), "lesson_try"))
    assert scenario(app) == lesson.scenario()
    assert TELLS[lesson.opens] in text(app)
    assert not notices(app)


def test_presentation_reveals_without_a_guess() -> None:
    app = visit("learn", present="1", lesson="coin")
    lesson = COIN[0]
    for place, step in enumerate(lesson.steps):
        assert f"{2 * place + 1} of 8" in text(app)
        assert app.button(key="present_next").label == "Reveal"
        press(app, "present_next")
        assert "The answer: **" in text(app)
        assert f"lesson_{step.key}" in charts(app)
        if step is not lesson.steps[-1]:
            press(app, "present_next")
    press(press(app, "present_next"), "present_back")
    press(app, "present_back")
    assert "The answer: **" not in text(app)
    press(app, "present_leave")
    assert any(button.key == "all_lessons" for button in app.button)
    assert "present" not in app.query_params


def test_figures_are_presented_one_by_one() -> None:
    app = visit("learn", present="1", exhibit="figure_5")
    assert len(charts(app)) == 1
    (first,) = charts(app)
    press(app, "present_next")
    assert (_address(app, "exhibit"), _address(app, "panel")) == ("figure_5", "2")
    assert list(charts(app)) != [first]
    press(app, "present_back")
    assert list(charts(app)) == [first]
    assert len(charts(visit("learn", present="1", exhibit="figure_99"))) == 1
