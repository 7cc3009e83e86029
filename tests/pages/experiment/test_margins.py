"""Margins of error that depend on what is confidential: whether a release contradicts what was assumed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore import oracles
from dpcore.oracles.columns import of_fields
from dpcore.targets import Mean, Query
from pages.experiment.examples import example
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.tables import ours
from pages.experiment.view import Question
from pages.experiment.words import margin
from pages.files.persons import Guesses

_N, _RELEASES = 1_200, 20_000


def _question(guesses: Guesses, epsilon: float) -> tuple[Question, Any]:
    """A mean of known values in a confidential table, and its noise. The simulated table has no missing values."""
    table = replace(ours()["loan_defaults"], public=False, guesses=guesses)
    asked: dict[str, Any] = {"target": Query(Mean((0.0, 10.0)), ("years_to_default",)), "n": _N, "epsilon": epsilon}
    scenario = replace(example(table), oracle=of_fields({"years_to_default": oracles.Uniform(0, 10)}), **asked)
    noise = calibrate_worst_case(scenario)
    assert noise is not None
    return Question(scenario, table), noise


def test_margin_depends_on_the_guess_of_known_values() -> None:
    question, noise = _question(Guesses(), 0.5)
    found = margin(question, noise.law)
    assert found is not None
    assert found.least < found.most
    assert found.text == f"± {found.least:.3g} to {found.most:.3g} years"
    assert "nobody guessed" in found.rests_on
    public = margin(Question(question.scenario, replace(question.table, public=True)), noise.law)
    assert public is not None
    assert (public.least, public.rests_on) == (public.most, "")


def test_margin_without_upper_end() -> None:
    question, noise = _question(Guesses(known=0.41), 0.01)
    found = margin(question, noise.law)
    assert found is not None
    assert found.text.endswith(" years or more")
