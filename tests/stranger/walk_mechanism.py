"""Walks a copy of the app with a mechanism that one new file holds: options, link and back, answer, error, release."""

from __future__ import annotations

from dpcore.targets import LetterCounts, Mean
from pages.experiment.choices import mechanism_kinds
from pages.exports.link import to_text
from tests.pages.visit import CHARTS, charts, details, go, notices, opened, pick, released, scenario, settled, sound, text, visit

KIND = "DiscreteLaplace"


def walk() -> None:
    """Each step asserts what a person would see."""
    assert mechanism_kinds(LetterCounts())[0] == "ExponentialMechanism"
    assert KIND in mechanism_kinds(LetterCounts())
    assert KIND not in mechanism_kinds(Mean())
    app = opened(settled(pick(visit(), "table", "scientists")), "options")
    picker = app.selectbox(key="opt_mechanism")
    assert "Discrete Laplace" in picker.options, picker.options
    settled(sound(picker.set_value(KIND).run()))
    assert type(scenario(app).mechanism).__name__ == KIND, notices(app)
    assert charts(app).keys() >= CHARTS, text(app)[:400]
    opened(app, "numbers")

    again = settled(visit(s=to_text(scenario(app))))
    assert not notices(again), notices(again)
    assert scenario(again) == scenario(app)
    details(go(again, "release"))
    assert "Discrete Laplace" in text(again)
    released(again)
    assert "private answer: may be published" in text(again), text(again)[:900]
    pick(go(again, ""), "table", "diabetes")
    assert type(scenario(again).mechanism).__name__ == "LaplaceMechanism"
