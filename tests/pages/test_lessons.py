"""The lessons of Learn: each step's guess and reveal, its place in the address, and the way to Explore."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.experiment.lessons.step import Asked, Found, Mark
from pages.experiment.scenario import Scenario
from pages.learn import lesson as lesson_page
from pages.learn.found import filled
from pages.learn.lesson import computed
from pages.state import state
from pages.state.link import to_query
from tests.pages.lesson_steps import LESSONS, STEPS, reveal
from tests.pages.visit import charts, notices, press, scenario, settled, sound, text, visit

FIRST = STEPS[0]
TELLS = {"explore": "## How many trials do I need?", "people": "## Whose error is it?", "release": "## Receipt"}


def _at(app: AppTest, lesson: str, step: str) -> bool:
    title = filled(LESSONS[lesson].words.steps[step].title, computed(lesson, step).numbers)
    return f"## {title}\n" in text(app)


def _address(app: AppTest, name: str) -> str:
    said = app.query_params.get(name, "")
    return said if isinstance(said, str) else said[0]


def _refuse_another_step(app: AppTest, lesson: str, step: str) -> None:
    """It asks first, and reveals what is so beside the guess."""
    words, found = LESSONS[lesson].words.steps[step], computed(lesson, step)
    reveal_words, keep = (filled(part, found.numbers) for part in (words.reveal, words.keep))
    asked, title = (f"**{filled(part, found.numbers)}**" for part in (words.asked, words.chart))
    assert _at(app, lesson, step)
    assert filled(words.question, found.numbers) in text(app)
    assert not any(part in text(app) for part in (reveal_words, keep, title))
    assert asked in text(app)
    assert len(charts(app)) == 1, "the figure stands from the start"
    reveal(app, lesson, step)
    assert all(part in text(app) for part in (reveal_words, keep, title))
    assert list(charts(app)) == [f"lesson_{lesson}_{step}"]
    assert "{" not in text(app)
    assert (_address(app, "lesson"), _address(app, "step")) == (lesson, step)
    _refuse_another_comparison(app, lesson, step)


def _refuse_another_comparison(app: AppTest, lesson: str, step: str) -> None:
    """The guess stands beside what is so; a mark also in the figure."""
    how, found = LESSONS[lesson].steps[step].guess, computed(lesson, step)
    if isinstance(how, Mark):
        assert f"| {how.words(how.most)} | **{how.words(found.truth)}** |" in text(app)
        names = [trace.get("name") for trace in charts(app)[f"lesson_{lesson}_{step}"]["data"]]
        assert "your guess" in names
    else:
        options = {name: filled(one, found.numbers) for name, one in LESSONS[lesson].words.steps[step].options.items()}
        assert f"| {next(iter(options.values()))} | **{options[str(found.truth)]}** |" in text(app)


def test_a_choice_is_made_before_it_is_revealed_and_can_be_made_again() -> None:
    lesson, step = next((one, step) for one, step in STEPS if not isinstance(LESSONS[one].steps[step].guess, Mark))
    app = visit("learn", lesson=lesson, step=step)
    assert app.button(key="reveal").disabled
    reveal(app, lesson, step, option=1)
    assert "| your guess | what is so |" in text(app)
    press(app, "reveal")  # "Guess again"
    assert "| your guess | what is so |" not in text(app)
    assert app.radio(key=f"guess_{lesson}_{step}").value == list(LESSONS[lesson].words.steps[step].options)[1]


def test_a_line_that_stands_is_a_guess_in_one_press_and_can_be_moved_again() -> None:
    lesson, step = next((one, step) for one, step in STEPS if isinstance(LESSONS[one].steps[step].guess, Mark))
    app = press(visit("learn", lesson=lesson, step=step), "reveal")
    how = LESSONS[lesson].steps[step].guess
    assert isinstance(how, Mark)
    assert f"| {how.words(how.start)} |" in text(app)
    app = reveal(press(app, "reveal"), lesson, step)  # "Guess again"
    assert f"| {how.words(how.most)} |" in text(app)
    press(app, "reveal")
    assert app.slider(key=f"guess_{lesson}_{step}").value == how.most


@pytest.mark.slow
def test_it_opens_on_the_first_step_and_walks_through_every_step_of_every_lesson() -> None:
    app = visit("learn", lesson=FIRST[0])
    assert _at(app, *FIRST)
    assert app.button(key="lesson_back").disabled
    press(press(app, "lesson_next"), "lesson_back")  # its first step has an address from here on
    _refuse_another_step(app, *FIRST)
    for lesson, step in STEPS[1:]:
        _refuse_another_step(press(app, "lesson_next"), lesson, step)
        assert f". {LESSONS[lesson].words.title}" in text(app)
    assert app.button(key="lesson_next").disabled
    assert not notices(app)
    assert _at(press(app, "lesson_back"), *STEPS[-2])


def test_a_guess_is_there_after_a_step_back() -> None:
    app = reveal(visit("learn", lesson=FIRST[0]), *FIRST)
    press(press(app, "lesson_next"), "lesson_back")
    assert "| your guess | what is so |" in text(app)


def test_the_list_has_all_lessons_and_says_of_each_what_is_done() -> None:
    app = visit("learn")
    for number, one in enumerate(LESSONS.values(), 1):
        assert app.button(key=f"to_lesson_{one.name}").label == f"{number}. {one.words.title}"
    assert "Done" not in text(app)
    *_, last = LESSONS.values()
    app = press(app, f"to_lesson_{last.name}")
    for number, step in enumerate(last.steps, 1):
        assert _at(app, last.name, step)
        app = press(reveal(app, last.name, step), "reveal")  # "Guess again" undoes nothing
        app = press(app, "all_lessons")
        seen = "Done" if number == len(last.steps) else f"{number} of {len(last.steps)} steps done"
        assert text(app).count(seen) == 1
        app = press(app, f"to_lesson_{last.name}")
        for _ in range(number % len(last.steps)):
            app = press(app, "lesson_next")


def test_at_the_end_of_a_lesson_the_next_one_is_offered() -> None:
    one, after, *_ = LESSONS.values()
    *_, last = one.steps
    app = visit("learn", lesson=one.name, step=last)
    assert "lesson_onward" not in [button.key for button in app.button]
    app = reveal(app, one.name, last)
    assert app.button(key="lesson_onward").label == f"Next lesson: {after.words.title}"
    assert _at(press(app, "lesson_onward"), after.name, next(iter(after.steps)))
    *_, end = LESSONS.values()
    *_, last = end.steps
    app = reveal(visit("learn", lesson=end.name, step=last), end.name, last)
    assert "lesson_onward" not in [button.key for button in app.button]


@pytest.mark.parametrize(("lesson", "step"), [("zero<b>", ""), ("zero", FIRST[1]), (FIRST[0], "zero<b>"), ("", "zero<b>")])
def test_a_lesson_or_a_step_that_is_not_there_is_said_and_the_first_is_shown(lesson: str, step: str) -> None:
    app = visit("learn", lesson=lesson, step=step)
    assert "zero" in notices(app)
    assert "\\<b>" in notices(app) or "<b>" not in lesson + step
    assert _at(app, *FIRST)
    assert not notices(press(app, "lesson_next"))


@pytest.mark.parametrize("lesson", LESSONS)
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


def test_the_page_that_a_lesson_opens_is_shown_from_its_top_once() -> None:
    lesson = next(iter(LESSONS))
    *_, last = LESSONS[lesson].steps
    app = reveal(visit("learn", lesson=lesson, step=last), lesson, last)
    assert not _scripts(app)
    app = press(app, "lesson_try")
    assert len(_scripts(app)) == 1
    assert "scrollTo(0, 0)" in _scripts(app)[0]
    assert not _scripts(app.run())


def _scripts(app: AppTest) -> list[str]:
    return [one.proto.body for one in app.get("html") if "<script" in one.proto.body]


def test_a_link_keeps_the_scenario_beside_its_step() -> None:
    asked = state.example().with_(epsilon=2.0)
    app = visit("learn", **to_query(asked), lesson=STEPS[1][0], step=STEPS[1][1])
    assert _at(app, *STEPS[1])
    assert scenario(app) == asked


def test_the_switch_leads_to_the_figures_and_back() -> None:
    app = visit("learn", lesson=STEPS[1][0], step=STEPS[1][1])
    sound(app.segmented_control(key="learn").set_value("The papers' figures").run())
    assert "# The papers' figures, and ours" in text(app)
    assert "lesson" not in app.query_params
    sound(app.segmented_control(key="learn").set_value("Lessons").run())
    assert f"to_lesson_{FIRST[0]}" in [button.key for button in app.button]
    assert "exhibit" not in app.query_params


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
