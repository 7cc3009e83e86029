"""Every page, every slider, every combination of the selectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages.old.shared.panels import GAMMA_GRID

from pages.experiment.choices import kind_of, target_kinds
from pages.files.tables import read_catalog
from pages.old.shared.widgets import EPSILON_GRID
from tests.pages.visit import CHARTS, charts, go, link, notices, opened, pick, press, scenario, settled, slide, sound, text, visit


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "your_data", "release", "about"])
def test_a_page_opens_with_a_heading(page: str) -> None:
    assert any(element.value.startswith("# ") for element in visit(page).markdown)


@pytest.mark.parametrize(
    ("name", "value"),
    [("m", 999), ("m", 100_000), ("gamma", GAMMA_GRID[-1]), ("epsilon", EPSILON_GRID[0]), ("epsilon", EPSILON_GRID[-1])],
)
def test_a_slider_changes_the_scenario_the_answer_and_the_address(name: str, value: float) -> None:
    app = visit()
    before = text(app)
    slide(app, name, value)
    assert getattr(scenario(app), name) == value
    assert text(app) != before
    assert float(app.query_params[name]) == value
    assert charts(app).keys() >= CHARTS


TABLES = read_catalog(Path(__file__).parents[2] / "data")
FIRST = {kind: name for name in reversed(TABLES) for kind in target_kinds(TABLES[name])}  # the table that offers a target first


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_each_target_draws_three_charts_on_its_first_table(table: str) -> None:
    """Every target with every oracle of its columns is asked without a page in ``tests/pages/experiment/test_defaults.py``."""
    app = pick(slide(visit(), "m", 19), "table", table)
    for target in target_kinds(TABLES[table]):
        if FIRST[target] == table:
            settled(pick(app, "target", target))
            assert (scenario(app).table, kind_of(scenario(app).target)) == (table, target)
            assert charts(app).keys() >= CHARTS, text(app)[:300]


@pytest.mark.parametrize(
    ("name", "value", "raised", "point"), [("gamma", 0.001, "m was raised", (999, 0.001)), ("m", 1, "γ was raised", (1, 0.5))]
)
def test_a_choice_out_of_reach_raises_the_other_one_and_undo_goes_back(
    name: str, value: float, raised: str, point: tuple[int, float]
) -> None:
    app = slide(visit(), name, value)
    assert (scenario(app).m, scenario(app).gamma) == point
    assert raised in notices(app)
    press(app, "undo_button")
    assert (scenario(app).m, scenario(app).gamma) == (199, 0.05)
    assert not notices(app)


@pytest.mark.slow
def test_tolerance_asks_for_a_confidence_and_states_it() -> None:
    app = opened(visit(), "proof")
    sound(app.radio(key="bound").set_value("TOLERANCE").run())
    opened(app, "proof")
    assert scenario(app).confidence == 0.95
    sound(app.number_input(key="confidence").set_value(0.99).run())
    assert scenario(app).confidence == 0.99
    assert "with confidence 99 %" in text(opened(app, "proof"))
    bounds = next(table.value["bound"] for table in app.table if "bound" in table.value)
    assert list(bounds) == ["DKW", "rank", "tolerance at 0.99", "time-uniform at 0.99"]


def test_gaussian_brings_delta_and_laplace_takes_it_away() -> None:
    app = opened(visit(), "options")
    sound(app.selectbox(key="opt_mechanism").set_value("Gaussian").run())
    assert (scenario(app).delta, scenario(app).norm.name) == (1e-6, "L2")
    assert "δ = 1e-06" in text(app)
    opened(app, "options")
    sound(app.selectbox(key="opt_mechanism").set_value("Laplace").run())
    assert (scenario(app).delta, scenario(app).norm.name) == (None, "L1")


def test_draw_again_changes_the_draws_and_example_goes_back() -> None:
    app = press(visit(), "draw_again")
    assert scenario(app).seed != 1
    slide(app, "epsilon", 20.0)
    press(app, "back")
    assert (scenario(app).seed, scenario(app).epsilon) == (1, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["about", "release", "your_data"])
def test_a_link_opened_on_another_page_is_kept(page: str) -> None:
    app = go(link(page, gamma=0.1, epsilon=3.0, seed=5), "")
    assert (scenario(app).gamma, scenario(app).epsilon, scenario(app).seed) == (0.1, 3.0, 5)


def test_the_headline_names_the_confidence_where_there_is_one() -> None:
    app = link(bound="TOLERANCE", confidence=0.5, m=14)
    assert "random DP, ε = 1, γ = 0.05, confidence 0.5**" in text(app)


def test_a_worst_case_that_costs_no_more_leads_and_ties_are_counted() -> None:
    app = link(target={"kind": "Proportion", "category": 1.0}, oracle={"kind": "Bernoulli", "p": 0.5})
    assert "**Pure DP, ε = 1**, is differential privacy itself" in text(app)
    assert "In 199 of them the answer moved" in text(app)
