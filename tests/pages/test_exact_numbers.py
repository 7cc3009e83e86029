"""A number box beside each slider: any value between the slider's ends, also one that its grid has not."""

from __future__ import annotations

import pytest

from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, LEAST_M, MOST_EPSILON, MOST_GAMMA, MOST_M, SLIDER_EPSILON
from tests.pages.visit import notices, scenario, slide, sound, text, visit


@pytest.mark.parametrize(
    ("name", "value", "least", "most"),
    [
        ("m", 1_234, LEAST_M, MOST_M),
        ("gamma", 0.0317, LEAST_GAMMA, MOST_GAMMA),
        ("epsilon", 3.3333, LEAST_EPSILON, MOST_EPSILON),
    ],
)
def test_an_exact_value_is_taken_and_both_show_it(name: str, value: float, least: float, most: float) -> None:
    app = visit()
    box = app.number_input(key=f"exact_{name}")
    assert (box.min, box.max) == (least, most)
    sound(box.set_value(value).run())
    assert getattr(scenario(app), name) == value
    assert app.select_slider(key=f"slide_{name}").value == app.number_input(key=f"exact_{name}").value == value


@pytest.mark.parametrize("epsilon", [20.5, MOST_EPSILON])
def test_typed_epsilon_above_the_slider_is_taken(epsilon: float) -> None:
    app = visit()
    assert float(app.select_slider(key="slide_epsilon").options[-1]) == SLIDER_EPSILON == 20
    sound(app.number_input(key="exact_epsilon").set_value(epsilon).run())
    assert scenario(app).epsilon == app.select_slider(key="slide_epsilon").value == epsilon
    assert float(app.select_slider(key="slide_epsilon").options[-1]) == epsilon
    slide(app, "epsilon", 1.0)
    assert float(app.select_slider(key="slide_epsilon").options[-1]) == SLIDER_EPSILON


def test_a_slider_moves_its_box() -> None:
    app = slide(visit(), "gamma", 0.1)
    assert app.number_input(key="exact_gamma").value == scenario(app).gamma == 0.1


def test_an_exact_share_out_of_reach_raises_m_as_the_slider_does() -> None:
    app = visit()
    sound(app.number_input(key="exact_gamma").set_value(0.0013).run())
    assert scenario(app).m == 769  # 1/γ − 1, rounded up
    assert "769" in notices(app) + text(app)
