"""The address of Explore follows the scenario and opens a link once."""

from __future__ import annotations

import json

import pytest

from pages.experiment.examples import example_named
from pages.experiment.tables import ours
from pages.exports.link import from_text, to_text
from tests.pages.session import address, go, opened, press, ran, scenario, warnings
from tests.pages.visit import CHARTS, charts, text

TABLES = ours()
PEOPLE = example_named("People", TABLES).with_(epsilon=2.0, gamma=0.1)
EXAMPLE = example_named("Mean", TABLES)


def test_link_opens_as_its_scenario() -> None:
    app = opened(s=to_text(PEOPLE))
    assert scenario(app).to_json() == PEOPLE.to_json()
    assert not app.warning
    assert address(app) == to_text(PEOPLE)


def test_address_follows_a_change_and_opens_again() -> None:
    app = press(opened(), "example_Histogram")
    assert from_text(address(app), TABLES) == scenario(app)
    app.number_input(key="exact_epsilon").set_value(0.5)
    ran(app)
    assert scenario(app).epsilon == 0.5
    assert opened(s=address(app)).session_state["scenario"] == scenario(app)


@pytest.mark.parametrize("changes", [{"e": 1e9}, {"a": "ADD_OR_REMOVE_ONE_RECORD"}, {"n": 7}, {"t": "mine.csv"}, {"x": 1}])
def test_bad_link_leaves_the_example_with_a_sentence(changes: dict[str, object]) -> None:
    app = opened(s=json.dumps(json.loads(to_text(EXAMPLE.with_(gamma=0.2))) | changes))
    assert scenario(app) == EXAMPLE
    assert "The link was not opened" in warnings(app)
    assert address(app) == to_text(EXAMPLE)
    assert "The link was not opened" not in warnings(press(app, "example_Histogram"))


def test_other_pages_keep_the_scenario() -> None:
    app = go(opened(s=to_text(PEOPLE)), "release")
    assert scenario(app).to_json() == PEOPLE.to_json()
    assert address(app) == to_text(PEOPLE)
    app = go(go(app, "learn"), "")
    assert scenario(app).to_json() == PEOPLE.to_json()
    assert address(app) == to_text(PEOPLE)


def test_browser_going_back_opens_the_earlier_scenario() -> None:
    app = opened()
    first = address(app)
    press(app, "example_Histogram")
    ran(app)  # the browser has the new address
    app.query_params["s"] = first
    assert scenario(ran(app)) == EXAMPLE


def test_presentation_is_in_the_address() -> None:
    app = opened(s=to_text(PEOPLE), present="1")
    assert not app.selectbox
    first = address(app, "present")
    press(app, "present_next")
    second = address(app, "present")
    assert first in CHARTS
    assert second in CHARTS - {first}
    assert list(charts(opened(s=to_text(PEOPLE), present=second))) == [f"present_{second}"]
    press(app, "present_leave")
    assert address(app, "present") == ""
    assert scenario(app).to_json() == PEOPLE.to_json()
    assert app.selectbox
    assert len(charts(opened(present="zero"))) == 1


def test_address_hides_controls() -> None:
    app = opened(hide="gamma,m,oracle,bound,<b>")
    assert "The address cannot hide \\<b>." in warnings(app)
    keys = {widget.key for widget in (*app.select_slider, *app.selectbox)}
    assert keys >= {"slide_epsilon", "pick_table", "pick_target"}
    assert not keys & {"slide_gamma", "slide_m", "pick_oracle", "bound"}
    assert "Random DP, ε = 1, γ = 0.05" in text(app)
    assert address(app, "hide") == "gamma,m,bound,oracle"
    press(app, "example_Histogram")
    assert address(app, "hide") == "gamma,m,bound,oracle"
    assert not app.get("select_slider")[1:]
    everything = "epsilon,gamma,m,noise,bound,oracle,target,table"
    bare = opened(hide=everything)
    assert not bare.selectbox
    assert not bare.select_slider
    assert "Random DP" in text(bare)


def test_address_without_a_scenario_says_so() -> None:
    app = opened(v="1", table="diabetes")
    assert scenario(app) == EXAMPLE
    assert "The address holds no scenario" in warnings(app)


def test_address_with_two_scenarios_opens_neither() -> None:
    app = opened(s=[to_text(PEOPLE), to_text(PEOPLE.with_(epsilon=1.0))])
    assert scenario(app) == EXAMPLE
    assert "The address has more than one scenario." in warnings(app)
