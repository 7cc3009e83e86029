"""The conclusion of what is pinned: what it says of which scenarios, what it never says, and who is not protected."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.mechanisms.laplace import LaplaceLaw
from pages.experiment.conclusion import NOTHING
from pages.state import draws
from pages.state.view import NOT_MADE
from tests.pages.test_confidential import CSV, TRACES
from tests.pages.visit import charts, confidential, everything, link, pick, press, sound, text, visit

pytestmark = pytest.mark.slow

CLAIMS = ("times", "twice", "accurate", "goes from", "stays at", "wide")


def _conclusion(app: AppTest) -> str:
    """What stands in bold under the heading."""
    said = [one.value for one in app.markdown]
    at = next(place for place, one in enumerate(said) if one.startswith("## Side by side"))
    assert said[at + 1].startswith("**")
    return said[at + 1].removeprefix("**").removesuffix(".**").replace("\\", "")


def _pins(**epsilons: float) -> dict[str, Any]:
    return {name: {"epsilon": epsilon} for name, epsilon in epsilons.items()}


def test_it_says_what_epsilon_buys_and_costs() -> None:
    app = link(epsilon=3, pins=_pins(A=1, B=0.3))
    gain = "From ε = 0.3 to 3 the answer is ten times as accurate; where protected, a guesser goes from 57 to 89 in 100"
    assert _conclusion(app) == gain
    assert "Differential privacy protects every change; this is weaker." in text(app)


@pytest.mark.parametrize(
    ("shown", "pin", "names"),
    [
        ({"target": {"kind": "Mean", "bounds": [0, 0.5]}, "gamma": 0.05}, {"gamma": 0.5}, "pure DP | random DP, γ = 0.5"),
        ({"gamma": 0.05}, {"gamma": 0.5}, "random DP, γ = 0.05 | random DP, γ = 0.5"),
        (
            {},
            {"mechanism": {"kind": "Gaussian"}, "delta": 1e-5, "norm": "L2"},
            "random DP, γ = 0.05 | random DP, δ = 1e-05, γ = 0.05",
        ),
        ({}, {"oracle": {"kind": "Uniform", "low": 0, "high": 1}}, "(oracle differs)"),
        ({}, {"bound": "TOLERANCE", "confidence": 0.9}, "random DP, γ = 0.05 | random DP, γ = 0.05, confidence 0.9"),
        ({}, {"target": {"kind": "Quantile"}}, "questions differ"),
    ],
)
def test_no_claim_where_guarantees_or_questions_differ(shown: dict[str, Any], pin: dict[str, Any], names: str) -> None:
    said = _conclusion(link(**shown, pins={"A": pin}))
    assert NOTHING in said
    assert names in said
    assert not any(claim in said for claim in CLAIMS)


def test_each_guarantee_has_its_own_limits_on_it() -> None:
    said = text(link(target={"kind": "Mean", "bounds": [0, 0.5]}, gamma=0.05, pins={"A": {"gamma": 0.5}})).replace("\\", "")
    assert "pure DP. No change is left out: the noise is sized to the worst case over all tables." in said
    assert "random DP, γ = 0.5. Not protected: of random changes, up to 1 in 2 on average" in said


def test_charts_in_which_nothing_differs_are_left_out() -> None:
    assert [key for key in charts(link(epsilon=3, pins=_pins(A=1))) if key.startswith("beside")] == ["beside_errors_all"]


def test_other_units_are_not_compared() -> None:
    app = pick(pick(press(visit(), "pin"), "table", "diabetes"), "column", "bmi")
    assert NOTHING in _conclusion(app)


def test_a_pin_without_an_answer_says_why_and_is_in_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "APART_SECONDS", 0.0)
    app = link(pins={"A": {"m": 999}})
    assert _conclusion(app).startswith("Mean of Time to default: ± 0.0195 years")
    assert NOT_MADE.rstrip(".") in text(app)
    said = _conclusion(link(pins={"A": {"m": 999}, "B": {"epsilon": 3}}))
    assert said.startswith("From ε = 1 to 3 the answer is three times as accurate; ")


def test_noise_without_a_guarantee_is_in_no_comparison_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LaplaceLaw, "sampling", None)
    app = link(epsilon=3, pins=_pins(A=1))
    assert _conclusion(app) == "No private answer with a guarantee at these choices"
    assert "No guarantee: only noise that is sampled exactly has one." in text(app)


def test_of_several_numbers_the_widest_is_compared() -> None:
    app = link(target={"kind": "Histogram", "edges": [0, 1, 2, 4]}, epsilon=2, pins=_pins(A=0.5))
    said = "From ε = 0.5 to 2 the answer is four times as accurate; a guesser's limit goes from 62 to 82 in 100"
    assert _conclusion(app) == said


def test_names_from_outside_are_text_in_it() -> None:
    name = '<b onload="x">cost</b> & *y*'
    content = (f'"{name.replace(chr(34), chr(34) * 2)}"\n' + "\n".join(f"{i}" for i in range(60))).encode()
    app = pick(press(confidential(content, 0, 100, column=name), "pin"), "target", "Sum")
    said = _conclusion(app)
    assert NOTHING in said
    assert not any("<b " in one.proto.body for one in app.get("html"))
    assert not [one.value for one in app.markdown if "<b onload" in one.value.replace("\\<", "")]


def test_of_a_confidential_table_the_conclusion_is_of_a_made_up_one() -> None:
    app = press(confidential(CSV, 0, 10_000), "pin")
    sound(app.number_input(key="exact_epsilon").set_value(2.0).run())
    sound(app.toggle(key="compare").set_value(True).run())
    assert "7777.77" in everything(app), "the page itself shows the table"
    said = _conclusion(app)
    assert not any(canary in said for canary in (*TRACES, "7777"))
    assert said.startswith("From ε = 1 to 2 the answer is 1.9 times as accurate; a guesser's limit goes from 70 to 82")


def test_on_a_wall_are_the_conclusion_the_numbers_and_the_limits() -> None:
    app = link(epsilon=3, pins=_pins(A=1), present="1", panel="beside")
    assert "## From ε = 1 to 3 the answer is three times as accurate" in text(app)
    assert len(app.table) == 1
    assert not charts(app)
    assert "Differential privacy protects every change; this is weaker." in text(app)
