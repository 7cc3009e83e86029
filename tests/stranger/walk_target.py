"""Walks a copy of the app with a target that one new file holds: picker, form, link and back, answer, release."""

from __future__ import annotations

from typing import Any

from dpcore.base.columns import Column
from pages.experiment.descriptions import target_words
from pages.exports.link import to_text
from tests.pages.visit import CHARTS, charts, go, headline, notices, opened, pick, released, scenario, settled, sound, text, visit

KIND = "TrimmedMean"


def walk() -> None:
    """Each step asserts what a person would see."""
    app = visit()
    picker = app.selectbox(key="pick_target")
    assert "Trimmed mean" in picker.options, picker.options
    settled(pick(app, "target", KIND))
    assert not notices(app), notices(app)
    assert type(scenario(app).target).__name__ == KIND
    assert charts(app).keys() >= CHARTS, text(app)[:400]

    opened(app, "options")
    sound(app.number_input(key="opt_cut").set_value(0.3).run())
    assert getattr(scenario(app).target, "cut", None) == 0.3
    opened(app, "options")
    sound(app.number_input(key="opt_cut").set_value(7.0).run())
    assert notices(app) == "The share cut off must be above 0 and below 1, but 7 was given. Nothing was changed.", notices(app)
    opened(app, "options")
    sound(app.text_input(key="opt_bounds").set_value("0, 12").run())
    target: Any = scenario(app).target
    assert (target.cut, target.bounds) == (0.3, (0.0, 12.0))

    settled(opened(app, "numbers"))  # where the machine is busy, its draws are made beside the page
    assert "within ±" in headline(app), headline(app)
    again = visit(s=to_text(scenario(app)))
    assert not notices(again), notices(again)
    assert scenario(again) == scenario(app)

    column = app.session_state["scenario"].columns[0]
    words = target_words(target, (Column(column),))
    assert words == f"the trimmed mean of {column}, share cut off 0.3, between 0 and 12", words

    go(again, "release")
    released(again)
    assert "private answer: may be published" in text(again), text(again)[:600]
