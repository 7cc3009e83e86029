"""A click, its response, and the ledger afterwards."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore.guarantees.privacy import PureDP
from pages.experiment.scenario import Noise
from tests.pages.visit import book, confidential, details, go, link, pick, press, sampled, sized, sound, text, visit

_ZERO = {
    "target": {"kind": "Proportion", "category": 7.0},
    "gamma": 0.1,
}  # no draw of the example's oracle is exactly 7: the sampled sensitivity is zero


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records")]


def _budget(app: Any, symbol: str, value: float | None) -> None:
    box = next(box for box in app.number_input if box.label.endswith(f"total {symbol}"))
    sound(box.set_value(value).run())


def test_sampled_release_is_random_dp() -> None:
    app = press(visit("release"), "release")
    assert "private answer: may be published" in text(app)
    assert "Together: random DP, ε = 1, γ = 0.05" in text(app)
    assert [(line["charge"], line["ε"], line["γ"]) for line in _lines(app)] == [("release", "1", "0.05")]
    assert "pure DP" not in text(app)


def test_proved_release_is_pure_dp_each_time() -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    details(sized(app, Noise.WORST_CASE))
    assert "no pairs are sampled" in text(app)
    assert "± 0.12 years" in text(app)  # a scale of 20/500, and log(20) of it
    press(app, "release")
    assert "Together: pure DP, ε = 1" in text(app)
    assert "replacing one loan (one row)" in text(app)
    assert [(line["ε"], line["γ"]) for line in _lines(app)] == [("1", "0")]
    assert app.button(key="release").disabled
    press(app, "another")
    assert len(_lines(app)) == 1
    press(app, "release")
    assert len(_lines(app)) == 2
    assert "Together: pure DP, ε = 2." in text(app)


@pytest.mark.parametrize("later", ["Mean", "Variance"])
def test_later_sampled_release_is_refused(later: str) -> None:
    app = press(visit("release"), "release")
    pick(go(app, ""), "target", later)
    press(go(app, "release"), "another") if later == "Mean" else go(app, "release")
    assert "Sampled noise is offered only in the first release" in text(app)
    assert "has no guarantee after an answer about this table" in text(app)
    assert app.button(key="release").disabled
    assert [line["charge"] for line in _lines(app)] == ["release"]
    assert text(app).count("private answer: may be published") == 1


def test_sensitivity_of_zero_charges_draws_only() -> None:
    app = press(sampled(link("release", **_ZERO)), "release")
    assert "would publish the exact answer" in text(app)
    assert not [button for button in app.get("download_button") if button.key.startswith("download_")]
    assert [(line["charge"], line["ε"], line["γ"]) for line in _lines(app)] == [("draws without an answer", "0", "0.1")]
    assert "They were the table's only ones" in text(app)
    assert "Before this one came draws for a release that were seen" in text(press(app, "another"))
    assert "Together: random DP, ε = 1, γ = 0.1" in text(press(app, "release"))  # a proved worst case is still released


def test_budget_refuses_on_receipt_before_drawing() -> None:
    app = visit("release")
    _budget(app, "ε", 5.0)
    assert "The budget has no γ, so it allows no random DP" in text(app)
    _budget(app, "γ", 0.05)
    _budget(app, "ε", 0.5)
    assert app.button(key="release").disabled
    assert "This needs ε = 1; 0.5 is left of the budget's 0.5." in text(app)
    assert not _lines(app)
    _budget(app, "ε", 1.0)
    press(app, "release")
    assert len(_lines(app)) == 1
    press(app, "another")
    assert app.button(key="release").disabled


def test_budget_that_cannot_be_leaves_it_as_it_was() -> None:
    app = visit("release")
    _budget(app, "ε", 1.0)
    for symbol, value in (("δ", 1.5), ("ε", 0.0)):
        _budget(app, symbol, value)
        assert "Nothing was changed." in text(app)
    assert [one.budget for one in book(app).accounts.values()] == [PureDP(1.0)]
    _budget(app, "ε", None)
    assert [one.budget for one in book(app).accounts.values()] == [None]


def test_responses_differ_and_lie_around_answer() -> None:
    app = confidential(b"income\n" + b"10\n20\n30\n" * 100, 0, 40, constant="20")
    go(app, "release")
    press(app, "release")
    press(press(app, "another"), "release")
    shown = [float(entry.split("**")[1].split()[0]) for entry in text(app).split("\n") if entry.startswith("income: **")]
    responses = [float(np.ravel(entry.release.response)[0]) for entry in book(app).entries]
    assert len(set(responses)) == 2  # as they are: to the digits shown, one in 500 such pairs is the same
    assert sorted(shown) == pytest.approx(sorted(responses), abs=1e-3)
    assert np.abs(np.array(responses) - 20).max() < 40 / 300 * 40  # noise of scale at most 40/300: beyond with chance e⁻⁴⁰


def test_download_has_guarantee_and_parameters(downloads: list[str]) -> None:
    press(link("release", bound="TOLERANCE", confidence=0.9, epsilon=2.0), "release")
    said = json.loads(downloads[-1])
    assert "with confidence 90 %" in said["in_words"]
    assert "random DP is weaker than differential privacy" in said["in_words"]
    assert said["guarantee"] == "RandomDP"
    assert said["parameters"] == {"epsilon": 2.0, "delta": 0.0, "gamma": 0.05, "confidence": 0.9}
    assert said["adjacency"] == "replace one record"
