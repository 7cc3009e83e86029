"""Releases of a candidate and of a curve: the response, its download, and the ledger's line."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore.base.polynomials import BernsteinPolynomial
from pages.experiment.scenario import Noise
from tests.pages.visit import (
    charts,
    declare,
    details,
    everything,
    go,
    link,
    offered_noise,
    opened,
    pick,
    press,
    sampled,
    sized,
    sound,
    text,
    upload,
    use,
    visit,
)

_RECORD = "Zqzzyqz Zqwzkzz"  # eight z, three q: with 61 of them any other letter has a chance below e⁻⁴⁰
_PEOPLE = ("name\n" + f"{_RECORD}\n" * 61).encode()
_PAIRS = ("across,up\n" + "".join(f"{0.41371 + i / 997:.5f},{0.73913 - i / 991:.5f}\n" for i in range(80))).encode()


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records")]


def _worst_case(app: Any) -> Any:
    return sized(app, Noise.WORST_CASE)


def _people() -> Any:
    return use(declare(upload(visit(), "people.csv", _PEOPLE), "name", type="text"))


def _pairs() -> Any:
    app = upload(visit(), "pairs.csv", _PAIRS)
    for column in ("across", "up"):
        declare(app, column, 0, 1, constant="0.5")
    return pick(use(app), "target", "PriestleyChao")


def test_a_choice_is_the_best_letter_where_no_other_comes_near(downloads: list[str]) -> None:
    app = press(go(_people(), "release"), "release")
    said = json.loads(downloads[-1])
    assert said["response"] == "z"
    assert "The choice: **z**" in text(app)
    assert (said["guarantee"], said["mechanism"]) == ("RandomDP", "ExponentialMechanism")
    assert said["parameters"] == {"epsilon": 1.0, "delta": 0.0, "gamma": 0.05, "confidence": None}
    assert "random DP is weaker than differential privacy" in said["in_words"]
    assert (said["provenance"]["norm"], said["provenance"]["oracle"]) == ("RANGE", "Names()")
    assert said["provenance"]["sensitivity"] in (5.0, 6.0, 7.0)  # whatever the fresh draws were
    assert said["scale"] == pytest.approx(said["provenance"]["sensitivity"], rel=1e-12)


def test_the_receipt_of_a_choice_lists_what_is_fixed_and_the_ledger_holds_it() -> None:
    app = details(go(pick(visit(), "table", "scientists"), "release"))
    promise = "random DP, ε = 1, γ = 0.05"
    for words in ("letter counts of Name", "about the 10 rows", "The oracle: names", "199 fresh pairs", promise):
        assert words in text(app)
    assert not offered_noise(app), "no worst case is proved of the letters themselves, and letters have no blocks"
    press(app, "release")
    assert [(line["charge"], line["ε"], line["δ"], line["γ"]) for line in _lines(app)] == [("release", "1", "0", "0.05")]
    assert _lines(app)[0]["question"] == "Letter counts of Name"
    assert len(_lines(app)[0]["answer"]) == 1
    press(app, "another")
    assert app.button(key="release").disabled
    assert "has no guarantee after an answer about this table" in text(app)


def test_a_choice_under_the_worst_case_is_pure_dp(downloads: list[str]) -> None:
    target = {"kind": "LetterCounts", "alphabet": "abc", "ignore_case": True, "longest": 3}
    app = details(_worst_case(link("release", table="scientists", columns=["name"], n=10, target=target)))
    assert "no pairs are sampled, and no oracle is used" in text(app)
    press(app, "release")
    said = json.loads(downloads[-1])
    assert said["response"] in ("a", "b", "c")
    assert (said["guarantee"], said["parameters"]) == ("PureDP", {"epsilon": 1.0})
    assert said["scale"] == pytest.approx(6.0, rel=1e-12)  # RANGE moves by at most 2·3
    assert "Together: pure DP, ε = 1" in text(app)


def test_a_released_curve_reads_back_and_is_the_one_on_the_page(downloads: list[str]) -> None:
    app = press(sampled(go(pick(visit(), "table", "sine"), "release")), "release")
    said = json.loads(downloads[-1])
    curve = BernsteinPolynomial(**said["response"])
    assert (curve.degree, curve.domain, curve.clip) == (25, ((0.0, 1.0),), None)
    figures = [figure for key, figure in charts(app).items() if key.startswith("curve_")]
    assert len(figures) == 1
    drawn = figures[0]["data"][0]
    np.testing.assert_allclose(drawn["y"], curve(np.array(drawn["x"])), rtol=1e-9)
    assert (said["guarantee"], said["mechanism"], said["provenance"]["norm"]) == ("RandomDP", "BernsteinMechanism", "L1")
    assert said["scale"] == pytest.approx(said["provenance"]["sensitivity"], rel=1e-12)
    assert "a polynomial of degree 25" in text(app)
    title = figures[0]["layout"]["title"]["text"]
    assert title.startswith("<b>random DP, ε = 1, γ = 0.05</b>")
    assert "Kernel regression of x, y" in title


def test_a_public_range_holds_in_the_download_too(downloads: list[str]) -> None:
    app = opened(pick(visit(), "table", "sine"), "options")
    sound(app.text_input(key="opt_clip").set_value("5, 6").run())
    press(sampled(go(app, "release")), "release")
    curve = BernsteinPolynomial(**json.loads(downloads[-1])["response"])
    assert curve.clip == (5.0, 6.0)
    assert set(curve(np.linspace(0, 1, 5)).tolist()) == {5.0}


def test_a_worst_case_density_is_pure_dp_and_draws_nothing(downloads: list[str]) -> None:
    app = details(_worst_case(go(pick(visit(), "table", "two_bumps"), "release")))
    assert "no pairs are sampled, and no oracle is used" in text(app)
    assert "fresh trials" not in text(app)
    press(app, "release")
    assert "Together: pure DP, ε = 1" in text(app)
    assert [(line["ε"], line["γ"]) for line in _lines(app)] == [("1", "0")]
    said = json.loads(downloads[-1])
    assert (said["guarantee"], said["parameters"]) == ("PureDP", {"epsilon": 1.0})
    assert not {"oracle", "sample_id", "m", "gamma"} & set(said["provenance"])
    # 2/(nh) · Σ_j K(j/(25h)) over an endless lattice, which is h·25 to 1e-40
    assert said["scale"] == pytest.approx(2 * 25 / 5000, rel=1e-9)
    BernsteinPolynomial(**said["response"])


@pytest.mark.parametrize(
    ("make", "secrets"), [(_people, (_RECORD, "Zqzz", "488")), (_pairs, ("0.41371", "0.73913"))], ids=["names", "x, y"]
)
def test_nothing_confidential_is_in_a_download_but_the_response(make: Any, secrets: Any, downloads: list[str]) -> None:
    app = press(go(make(), "release"), "release")
    said = json.loads(downloads[-1])
    rest = json.dumps(
        {name: value for name, value in said.items() if name not in ("response", "provenance", "release", "date")}
    ) + json.dumps({name: value for name, value in said["provenance"].items() if not name.endswith("id") and name != "seed"})
    for secret in secrets:
        assert secret not in rest
        assert secret not in text(app)
    assert _RECORD not in everything(app) + downloads[-1]
    assert set(said["provenance"]) <= {
        "target",
        "target_id",
        "norm",
        "n",
        "sensitivity",
        "oracle",
        "oracle_id",
        "sample_id",
        "seed",
        "way",
        "bound",
        "m",
        "k",
        "gamma",
        "joint_gamma",
        "confidence",
        "mechanism",
        "records",
        "oracle_made",
        "proof",
    }
    assert said["caveats"] == []
