"""The tutorial on user-level privacy, replayed on the page People: nine games of four players, one player added or removed."""

from __future__ import annotations

import math

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import Adjacency
from dpcore.targets import Capped
from pages import state
from pages.old.experiment import preview
from pages.old.experiment.contributions.asked import question
from pages.old.experiment.contributions.predict import predict
from tests.pages.visit import pick, scenario, settled, slide, text, visit

EPSILON = 50.0
SCORE = 10.0  # the largest size of a score
EXACT = -1.0
SUMS = {5: -1.0, 3: 4.2, 1: 6.4}  # of capped rows, by s


@pytest.fixture(scope="module")
def of_players() -> AppTest:
    """The page People with the sum of the players' scores."""
    return settled(pick(pick(visit("people"), "table", "players"), "target", "Sum"))


@pytest.mark.parametrize(("s", "total"), SUMS.items())
def test_sum_noise_and_error_match_closed_form(of_players: AppTest, s: int, total: float) -> None:
    """The noise has the scale 10·s/ε, and the squared error is (total + 1)² + 2·scale²."""
    app = settled(slide(slide(of_players, "epsilon", EPSILON), "cap", s))
    asked, scale = scenario(app), SCORE * s / EPSILON
    assert isinstance(asked.target, Capped)
    assert (asked.epsilon, asked.target.rows, asked.n) == (EPSILON, s, 4)
    assert asked.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER
    noise = f"{scale:.3g} point{'s' * (scale != 1)}"
    said = f"Without noise, the answer is {total:g} points (exact: -1 points). The noise has the scale {noise}."
    assert said in text(app)
    of = question(asked, preview.answer(asked, state.catalog()["players"]).database, (-SCORE, SCORE))
    assert of is not None
    assert of.bounds == (-SCORE, SCORE)
    chosen = predict(of.rows, of.asked, of.terms, (of.cap,), (of.bounds,)).best
    assert float(chosen.errors.answer[0]) == pytest.approx(total)
    assert float(chosen.errors.truth[0]) == EXACT
    assert chosen.sensitivity == pytest.approx(SCORE * s)
    assert chosen.scale == pytest.approx(scale)
    assert chosen.errors.total == pytest.approx(math.hypot(total - EXACT, math.sqrt(2) * scale))


def test_advice_stays_at_the_tutorials_epsilon(of_players: AppTest) -> None:
    app = settled(slide(slide(of_players, "epsilon", EPSILON), "cap", 3))
    assert "at s = 5." in text(app)
    assert "take_best_cap" in {button.key for button in app.button}


def test_no_advice_is_given_at_a_small_epsilon(of_players: AppTest) -> None:
    """The least errors are those of s = 1, and of values from −0.1 to 0.1."""
    app = settled(slide(slide(of_players, "cap", 3), "epsilon", 0.5))
    assert "No advice on s: the best choice, s = 1, keeps only 38.2 % of the values, so ask about more" in text(app)
    assert "No advice on the bounds: the best choice, values from -0.1 to 0.1, keeps only" in text(app)
    assert "Clipping each person's total instead" not in text(app)
    assert not {"take_best_cap", "take_best_bound"} & {button.key for button in app.button}
