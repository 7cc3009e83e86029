"""The conclusion of what is pinned: what it says of which scenarios, what it never says, and who is not protected."""

from __future__ import annotations

from typing import Any

import pytest
from pages.old.experiment.conclusion import NOTHING
from streamlit.testing.v1 import AppTest

from dpcore.mechanisms.laplace import LaplaceLaw
from tests.pages.test_confidential import CSV, TRACES
from tests.pages.visit import confidential, everything, link, pick, press, sound, text

pytestmark = pytest.mark.slow

CLAIMS = ("times", "twice", "accurate", "goes from", "stays at", "wide")


def _conclusion(app: AppTest) -> str:
    """What stands in bold under the heading."""
    said = [one.value for one in app.markdown]
    at = next(place for place, one in enumerate(said) if one.startswith("## Side by side"))
    assert said[at + 1].startswith("**")
    return said[at + 1].removeprefix("**").removesuffix(".**").replace("\\", "")


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


def test_noise_without_a_guarantee_is_in_no_comparison_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LaplaceLaw, "sampling", None)
    app = link(epsilon=3, pins={"A": {"epsilon": 1}})
    assert _conclusion(app) == "No private answer with a guarantee at these choices"
    assert "No guarantee: only noise that is sampled exactly has one." in text(app)


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
    assert not any(canary in everything(app) for canary in TRACES)
    said = _conclusion(app)
    assert said.startswith("From ε = 1 to 2 the answer is 1.9 times as accurate; a guesser's limit goes from 70 to 82")
