"""The slide of what is pinned: what it says of which scenarios, what it never says, and how it is taken along."""

from __future__ import annotations

import base64
import re
from html import unescape
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.mechanisms.laplace import LaplaceLaw
from pages.experiment.conclusion import NOTHING
from pages.shared import badges
from pages.state import draws
from pages.state.view import NOT_MADE
from tests.pages.test_confidential import CSV, TRACES
from tests.pages.visit import charts, confidential, link, opened, pick, press, sound, text, visit

pytestmark = pytest.mark.slow

_IMAGE = re.compile(r'<img class="(?:wide-slide)?" src="data:image/svg\+xml;base64,([^"]+)" style="width:100%[^>]* alt="([^"]*)"')
TEXT = "{http://www.w3.org/2000/svg}text"
CLAIMS = ("times", "twice", "accurate", "goes from", "stays at", "wide")


def _image(app: AppTest) -> tuple[str, str]:
    """The slide that the page shows: its SVG and its description."""
    (found,) = [match for one in app.get("html") if (match := _IMAGE.search(one.proto.body))]
    return base64.b64decode(found[1]).decode(), unescape(found[2])


def _said(svg: str) -> list[str]:
    """Its texts, each without spaces: a line may end anywhere."""
    return ["".join(part.itertext()).replace(" ", "") for part in fromstring(svg).iter(TEXT)]


def _title(app: AppTest) -> str:
    """Its conclusion."""
    svg, alt = _image(app)
    assert _said(svg)[0] == alt.partition(". ")[0].replace(" ", "") or alt.replace(" ", "").startswith(_said(svg)[0])
    title = fromstring(svg).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text is not None
    return title.text


def _pins(**epsilons: float) -> dict[str, Any]:
    return {name: {"epsilon": epsilon} for name, epsilon in epsilons.items()}


def test_it_says_what_epsilon_buys_and_costs_with_the_numbers_of_the_page() -> None:
    app = link(epsilon=3, pins=_pins(A=1, B=0.3))
    assert (
        _title(app)
        == "From ε = 0.3 to 3 the answer is ten times as accurate; where protected, a guesser goes from 57 to 89 in 100"
    )
    beside = next(table.value for table in app.table if "scenario" in table.value.columns)
    rows = {row["scenario"]: row["±, 95 in 100"] for _, row in beside.iterrows()}
    said = _said(_image(app)[0])
    assert [said.index(one) for one in ("B:ε=0.3", "A:ε=1", "ε=3")] == sorted(
        said.index(one) for one in ("B:ε=0.3", "A:ε=1", "ε=3")
    )
    assert {row.replace(" ", "") for row in rows.values()} <= set(said)
    for epsilon in (0.3, 1.0, 3.0):
        assert f"randomDP,ε={epsilon:g},γ=0.05" in said
        (right,) = re.findall(r"\*\*(.+) of 100\*\* if this row", text(link(epsilon=epsilon)))[:1]
        assert f"aguesserisright{right}in100".replace(" ", "") in said
    assert "MeanofTimetodefault" in said
    assert (
        "Notprotected:ofrandomchanges,upto1in20onaverage:thosewithunusualrows.Differentialprivacyprotectseverychange;thisisweaker."
        in said
    )
    assert said[-1] == badges.PUBLIC_TABLE.replace(" ", "")


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
    title = _title(link(**shown, pins={"A": pin}))
    assert NOTHING in title
    assert names in title
    assert not any(claim in title for claim in CLAIMS)


def test_each_guarantee_has_its_own_limits_on_it() -> None:
    said = _said(_image(link(target={"kind": "Mean", "bounds": [0, 0.5]}, gamma=0.05, pins={"A": {"gamma": 0.5}}))[0])
    assert "pureDP.Nochangeisleftout:thenoiseissizedtotheworstcaseoveralltables." in said
    assert any(one.startswith("randomDP,γ=0.5.Notprotected:ofrandomchanges,upto1in2onaverage") for one in said)


def _beside(app: AppTest) -> list[str]:
    """The charts of scenarios side by side."""
    return [key for key in charts(app) if key.startswith("beside")]


def test_charts_in_which_nothing_differs_are_left_out() -> None:
    app = link(epsilon=3, pins=_pins(A=1))
    assert _beside(app) == []
    app.session_state["readers_shown"] = "Error"
    assert _beside(sound(app.run())) == ["beside_errors_all"]
    assert _beside(link(m=999, pins={"A": {"m": 199}})) == ["beside_cdf_all"]


def test_other_units_have_an_axis_each() -> None:
    app = pick(pick(press(visit(), "pin"), "table", "diabetes"), "column", "bmi")
    svg, alt = _image(app)
    assert NOTHING in _title(app)
    assert "Each row has an axis of its own" in alt
    assert "what may be published" not in svg


def test_one_pin_alone_is_a_statement_and_no_comparison(files: list[tuple[str, str]]) -> None:
    opened(press(visit(), "pin"), "picture_beside")
    said = _said(dict(files)["svg_beside"])
    assert said[0] == "MeanofTimetodefault:±0.0195years(about7days);whereprotected,aguesserisright70in100"
    assert "randomDP,ε=1,γ=0.05" in said


def test_a_pin_without_an_answer_says_why_and_is_in_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "APART_SECONDS", 0.0)
    app = link(pins={"A": {"m": 999}})
    assert _title(app).startswith("Mean of Time to default: ± 0.0195 years")
    assert NOT_MADE.rstrip(".") in _image(app)[1]
    title = _title(link(pins={"A": {"m": 999}, "B": {"epsilon": 3}}))
    assert title.startswith("From ε = 1 to 3 the answer is three times as accurate; ")


def test_noise_without_a_guarantee_is_in_no_comparison_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LaplaceLaw, "sampling", None)
    app = link(epsilon=3, pins=_pins(A=1))
    assert _title(app) == "No private answer with a guarantee at these choices"
    said = _said(_image(app)[0])
    assert said.count("noguarantee") == 2
    assert not any("guesser" in one or "DP" in one for one in said)


def test_several_numbers_have_no_dots_and_say_whose_their_widths_are() -> None:
    app = link(target={"kind": "Histogram", "edges": [0, 1, 2, 4]}, epsilon=2, pins=_pins(A=0.5))
    assert _title(app) == "From ε = 0.5 to 2 the answer is four times as accurate; a guesser's limit goes from 62 to 82 in 100"
    assert "95in100answersliewithin±,eachalone.Acoinguesses50in100." in _said(_image(app)[0])
    assert "beside_errors_all" in charts(app)


def test_names_from_outside_are_text_in_it() -> None:
    name = '<b onload="x">cost</b> & *y*'
    content = (f'"{name.replace(chr(34), chr(34) * 2)}"\n' + "\n".join(f"{i}" for i in range(60))).encode()
    app = press(confidential(content, 0, 100, column=name), "pin")
    sound(app.number_input(key="exact_epsilon").set_value(2.0).run())
    svg, alt = _image(app)
    assert "<b " not in svg
    assert name.replace(" ", "") in "".join(_said(svg))
    assert name in alt
    assert not any("<b " in one.proto.body for one in app.get("html"))


def test_of_a_confidential_table_there_are_made_up_ones_alone(files: list[tuple[str, str]]) -> None:
    app = opened(press(confidential(CSV, 0, 10_000), "pin"), "picture_beside")
    sound(app.number_input(key="exact_epsilon").set_value(2.0).run())
    assert badges.SIMULATED in _image(app)[1]
    svg, alt = _image(app)
    for one in (svg, alt, dict(files)["svg_beside"], dict(files)["pptx_beside"]):
        assert not any(canary in one for canary in TRACES)
        assert "7777" not in one
    assert "Not your data: a made-up table" in alt
    assert alt.endswith(f"{badges.SIMULATED}.")
    assert _title(app).startswith("From ε = 1 to 2 the answer is 1.9 times as accurate; a guesser's limit goes from 70 to 82")


def test_on_a_wall_it_is_all_that_is_shown() -> None:
    app = link(epsilon=3, pins=_pins(A=1), present="1", panel="beside")
    svg, _ = _image(app)
    assert _title(app).startswith("From ε = 1 to 3 the answer is three times as accurate")
    assert not app.table
    assert not charts(app)
    assert fromstring(svg).attrib["width"] == "1810"


def test_it_is_offered_as_svg_and_as_a_presentation(files: list[tuple[str, str]], download_names: list[str]) -> None:
    opened(link(epsilon=3, pins=_pins(A=1)), "picture_beside")
    assert {"side-by-side.svg", "side-by-side.pptx"} <= set(download_names)
    assert fromstring(dict(files)["svg_beside"]).attrib["height"] == "1080"
    assert dict(files)["pptx_beside"].startswith("PK")
