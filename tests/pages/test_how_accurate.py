"""How accurate an answer should be gives ε, and how long the trials may take gives m; with a way back, or why not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dpcore.guarantees.operating_points import reachable_m
from pages.experiment.scenario import MOST_EPSILON
from pages.old.shared.widgets import EPSILON_GRID
from tests.pages.visit import confidential, notices, opened, pick, press, scenario, sound, text, visit


def _want(app: Any, reach: float) -> Any:
    return sound(app.number_input(key="accurate_reach").set_value(reach).run())


def _wait(app: Any, seconds: float) -> Any:
    return sound(app.number_input(key="accurate_seconds").set_value(seconds).run())


@pytest.fixture
def app() -> Any:
    return opened(visit(), "how_accurate")


def test_a_wanted_accuracy_sets_the_least_epsilon_on_the_slider_and_can_be_undone(app: Any) -> None:
    """The example's ± is 0.0148 at ε = 1, and falls as 1/ε."""
    assert "More ε: more accurate, less protected." in text(app)
    near = app.number_input(key="accurate_reach")
    assert "years" in near.label
    assert f"± {near.value:.3g}"[:6] in text(app)
    _want(app, near.value / 3.01)
    assert scenario(app).epsilon == min(one for one in EPSILON_GRID if one >= 3.01)
    found = re.search(r"ε was set to (\S+), the least on the slider for ± (\S+) years\. At it the ± is (\S+) years", notices(app))
    assert found, notices(app)
    assert float(found[3]) <= float(found[2])
    press(app, "undo_button")
    assert scenario(app).epsilon == 1.0


def test_of_99_in_100_more_is_needed_and_what_cannot_be_reached_is_said_with_what_helps(app: Any) -> None:
    before = app.number_input(key="accurate_reach").value
    sound(app.segmented_control(key="accurate_share").set_value("99 times in 100").run())
    assert app.number_input(key="accurate_reach").value == pytest.approx(before * 1.537, rel=0.01)  # log(1/.01)/log(1/.05)
    _want(app, before / 1000)
    assert scenario(app).epsilon == 1.0
    assert f"gives ± {before / 1000:.3g}"[:14] in notices(app)
    assert f"at γ = 0.05: with ε = {MOST_EPSILON:g} it is ± " in notices(app)
    assert "What can help: a wider ±, a larger γ, more trials, narrower public bounds, or a table with more rows" in notices(app)
    _want(app, -1.0)
    assert "A ± is a number above 0" in notices(app)


def test_seconds_set_m_within_what_gamma_needs_and_the_page_offers(app: Any) -> None:
    _wait(app, 1e-7)
    assert scenario(app).m == reachable_m(0.05, scenario(app).bound)
    assert "the fewest that γ = 0.05 needs" in notices(app)
    press(app, "undo_button")
    assert scenario(app).m == 199
    _wait(app, 1e4)
    assert (scenario(app).m, "This page waits for up to 900 seconds" in notices(app)) == (199, True)
    _wait(app, 10.0)
    assert scenario(app).m == 100_000
    assert "m was set to 100,000, the most that this page offers." in notices(app)


@pytest.mark.slow
def test_of_a_confidential_table_the_accuracy_is_that_of_a_simulated_one() -> None:
    """The ± of a mean of known values hangs on the table."""
    rows = "\n".join(["income", *(str(10 + i % 50) for i in range(200))]).encode()
    app = opened(pick(confidential(rows, 0, 100), "target", "KnownMean"), "how_accurate")
    _want(app, app.number_input(key="accurate_reach").value / 2.5)
    assert scenario(app).epsilon in [one for one in EPSILON_GRID if 2.4 < one < 3.2]
    assert "It is of a simulated table." in text(app)
