"""The lessons as a visitor walks through them."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.old.experiment.lessons.step import Mark
from pages.old.learn.found import lessons
from tests.pages.visit import press, sound

LESSONS = {one.name: one for one in lessons()}
STEPS = [(lesson.name, step) for lesson in LESSONS.values() for step in lesson.steps]


def guess(app: AppTest, lesson: str, step: str, option: int = 0) -> AppTest:
    """A mark moved to its end, or an option chosen."""
    key = f"guess_{lesson}_{step}"
    how = LESSONS[lesson].steps[step].guess
    if isinstance(how, Mark):
        return sound(app.slider(key=key).set_value(how.most).run())
    return sound(app.radio(key=key).set_value(app.radio(key=key).options[option]).run())


def reveal(app: AppTest, lesson: str, step: str, option: int = 0) -> AppTest:
    """A guess, and what is so."""
    return press(guess(app, lesson, step, option), "reveal")
