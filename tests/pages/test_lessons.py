"""The lessons of Learn: each step's guess and reveal, its place in the address, and the way to Explore."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.experiment.scenario import Scenario
from pages.old.experiment.lessons.step import Asked, Found, Mark
from pages.old.learn import lesson as lesson_page
from pages.old.learn.found import filled
from pages.old.learn.lesson import computed
from tests.pages.lesson_steps import LESSONS, STEPS, reveal
from tests.pages.visit import charts, notices, press, scenario, settled, text, visit

FIRST = STEPS[0]
TELLS = {"explore": " DP, ε =", "people": "## Whose error is it?", "release": "## Receipt"}


def _at(app: AppTest, lesson: str, step: str) -> bool:
    title = filled(LESSONS[lesson].words.steps[step].title, computed(lesson, step).numbers)
    return f"## {title}\n" in text(app)


def _address(app: AppTest, name: str) -> str:
    said = app.query_params.get(name, "")
    return said if isinstance(said, str) else said[0]


def _refuse_another_step(app: AppTest, lesson: str, step: str) -> None:
    """It asks first, and reveals what is so beside the guess."""
    words, found, how = LESSONS[lesson].words.steps[step], computed(lesson, step), LESSONS[lesson].steps[step].guess
    reveal_words, keep = (filled(part, found.numbers) for part in (words.reveal, words.keep))
    assert _at(app, lesson, step)
    assert filled(words.question, found.numbers) in text(app)
    assert reveal_words not in text(app)
    assert len(charts(app)) == 1, "the figure stands from the start"
    reveal(app, lesson, step)
    assert all(part in text(app) for part in (reveal_words, keep, "| your guess | what is so |"))
    assert not isinstance(how, Mark) or f"| {how.words(how.most)} | **{how.words(found.truth)}** |" in text(app)
    assert list(charts(app)) == [f"lesson_{lesson}_{step}"]
    assert "{" not in text(app)
    assert (_address(app, "lesson"), _address(app, "step")) == (lesson, step)


def test_it_opens_on_the_first_step_and_walks_through_every_step_of_every_lesson() -> None:
    app = visit("learn", lesson=FIRST[0])
    assert _at(app, *FIRST)
    assert app.button(key="lesson_back").disabled
    press(press(app, "lesson_next"), "lesson_back")  # its first step has an address from here on
    _refuse_another_step(app, *FIRST)
    press(press(app, "lesson_next"), "lesson_back")
    assert "| your guess | what is so |" in text(app), "the guess is kept"
    press(app, "reveal")  # "Guess again"
    assert "| your guess | what is so |" not in text(app)
    for lesson, step in STEPS[1:]:
        _refuse_another_step(press(app, "lesson_next"), lesson, step)
        assert f". {LESSONS[lesson].words.title}" in text(app)
    assert app.button(key="lesson_next").disabled
    assert not notices(app)
    assert _at(press(app, "lesson_back"), *STEPS[-2])


def test_the_list_has_all_lessons_and_says_how_much_of_each_is_done() -> None:
    app = visit("learn")
    for number, one in enumerate(LESSONS.values(), 1):
        assert app.button(key=f"to_lesson_{one.name}").label == f"{number}. {one.words.title}"
    app = press(app, f"to_lesson_{FIRST[0]}")
    assert "1 of " in text(press(reveal(app, *FIRST), "all_lessons"))


@pytest.mark.parametrize(("lesson", "step"), [("zero<b>", ""), ("zero", FIRST[1]), (FIRST[0], "zero<b>"), ("", "zero<b>")])
def test_a_lesson_or_a_step_that_is_not_there_is_said_and_the_first_is_shown(lesson: str, step: str) -> None:
    app = visit("learn", lesson=lesson, step=step)
    assert "zero" in notices(app)
    assert "\\<b>" in notices(app) or "<b>" not in lesson + step
    assert _at(app, *FIRST)
    assert not notices(press(app, "lesson_next"))


@pytest.mark.parametrize("lesson", [FIRST[0], "one_person", "many_questions"])
def test_a_link_to_its_last_step_opens_there_and_its_end_opens_its_scenario_on_its_page(lesson: str) -> None:
    *_, last = LESSONS[lesson].steps
    app = visit("learn", lesson=lesson, step=last)
    assert _at(app, lesson, last)
    assert not notices(app)
    assert "lesson_try" not in [button.key for button in app.button]
    app = settled(press(reveal(app, lesson, last), "lesson_try"))
    asked: Scenario = LESSONS[lesson].to_try()
    assert scenario(app) == asked
    assert TELLS[LESSONS[lesson].opens] in text(app)
    assert not notices(app)
    assert not {"lesson", "step"} & set(app.query_params)


@pytest.mark.parametrize("fails", ["raises", "lacks a number"])
def test_a_step_that_cannot_be_computed_is_said_and_the_others_stay(
    fails: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def find(lesson: str, step: str) -> Found:
        if (lesson, step) != FIRST:
            return LESSONS[lesson].steps[step].find()
        if fails == "raises":
            raise ZeroDivisionError("of its own")
        return Found(1.0, lambda: (None, ""), lambda: Asked(None, ""))

    monkeypatch.setattr(lesson_page, "computed", find)
    app = visit("learn", lesson=FIRST[0])
    assert "This step could not be computed" in notices(app)
    assert any(f"The lesson {FIRST[0]}" in line for line in caplog.messages)
    assert _at(press(app, "lesson_next"), *STEPS[1])
    assert not notices(app)
