"""Walks a copy of the app with an oracle that one new file holds: picker, form, link and back, several columns."""

from __future__ import annotations

from dpcore import oracles
from pages.experiment.descriptions import oracle_words
from pages.exports.link import to_text
from tests.pages.visit import CHARTS, charts, go, notices, opened, pick, released, scenario, sound, text, visit


def walk() -> None:
    """Each step asserts what a person would see."""
    app = visit()
    assert "Weibull" in app.selectbox(key="pick_oracle").options
    pick(app, "oracle", "Weibull")
    assert charts(app).keys() >= CHARTS, text(app)[:400]
    opened(app, "options")
    sound(app.number_input(key="opt_oracle_spread").set_value(0.7).run())
    assert getattr(scenario(app).oracle, "spread", None) == 0.7, notices(app)
    opened(app, "options")
    sound(app.number_input(key="opt_oracle_spread").set_value(-1.0).run())
    assert notices(app) == "The spread must be a number above 0, but -1 was given. Nothing was changed."

    oracle = scenario(app).oracle
    again = visit(s=to_text(scenario(app)))
    assert not notices(again), notices(again)
    assert scenario(again) == scenario(app)
    assert oracle_words(oracle).startswith("Weibull, scale "), oracle_words(oracle)
    go(again, "release")
    released(again)
    assert "private answer: may be published" in text(again), text(again)[:600]

    several = pick(visit(), "table", "diabetes")
    sound(opened(several, "options").button_group(key="opt_columns").set_value(["age", "sex", "bmi"]).run())
    pick(several, "oracle", "Weibull")
    drawn = scenario(several).oracle
    assert isinstance(drawn, oracles.IndependentColumns)
    assert [type(law).__name__ for law in drawn.columns] == ["Weibull", "Bernoulli", "Weibull"]
    assert charts(several).keys() >= CHARTS
