"""Releases that were made elsewhere: entered by hand, or loaded from their JSON."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pages.release.made_elsewhere import guarantee_of, read
from pages.reports.saved.everything import Saved

from dpcore.errors import TableError
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from tests.pages.visit import both_ways, confidential, everything, go, link, pick, press, sound, text, visit

_RELEASE = {
    "response": {"x": 1.5},
    "guarantee": "PureDP",
    "parameters": {"epsilon": 0.5},
    "adjacency": "replace one record",
    "records": 500,
    "date": "2026-01-02 10:00 UTC",
    "table": "Loan defaults",
    "question": "Mean of x",
    "provenance": {"seed": 1},
}


def _content(**changes: Any) -> bytes:
    return json.dumps(_RELEASE | changes).encode()


def _lines(app: Any) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records")]


def _entered(app: Any, kind: str, epsilon: float, *, gamma: float | None = None, when: str | None = None) -> Any:
    app.radio(key="entered_kind").set_value(next(name for name in app.radio(key="entered_kind").options if name.startswith(kind)))
    app.number_input(key="entered_epsilon").set_value(epsilon)
    if gamma is not None:
        app.number_input(key="entered_gamma").set_value(gamma)
    if when is not None:
        app.radio(key="entered_when").set_value(when)
    app.text_input(key="entered_note").set_value("a table in the report")
    return press(app, "enter")


def _load(app: Any, content: bytes) -> Any:
    uploader = next(one for one in app.file_uploader if str(one.key).startswith("entered_file"))
    sound(uploader.set_value(("release.json", content, "application/json")).run())
    return press(app, "enter_loaded")


def test_dp_proper_of_elsewhere_joins_the_total_and_the_budget() -> None:
    app = _entered(link("release", target={"kind": "Mean", "bounds": [0, 20]}), "pure", 0.5)
    assert [(line["charge"], line["question"], line["ε"]) for line in _lines(app)] == [
        ("entered by hand", "a table in the report", "0.5")
    ]
    assert "Together: pure DP, ε = 0.5" in text(app)
    budget = next(box for box in app.number_input if box.label.endswith("total ε"))
    sound(budget.set_value(1.0).run())
    way = app.radio(key="way")
    sound(way.set_value(way.options[1]).run())
    assert "This needs ε = 1; 0.5 is left of the budget's 1" in text(app)


def test_random_dp_of_elsewhere_stands_apart_and_what_is_sampled_after_it_has_no_guarantee() -> None:
    app = _entered(visit("release"), "random", 0.5, gamma=0.01)
    assert "Random DP that was entered by hand is a guarantee of its own." in text(app)
    assert "This answer would have no guarantee" in text(app)


def test_a_release_that_came_first_takes_the_guarantee_of_what_was_sampled_and_one_after_it_does_not() -> None:
    pick(app := visit(), "target", "Quantile")
    press(go(app, "release"), "release")
    _entered(app, "pure", 0.5, when="after them")
    assert [line["charge"] for line in _lines(app)] == ["release", "entered by hand"]
    assert "Together: random DP, ε = 1.5" in text(app)
    _entered(app, "pure", 0.25, when="before the answers listed here")
    assert [line["charge"] for line in _lines(app)] == [
        "entered by hand",
        "release, chosen after an answer: no guarantee",
        "entered by hand",
    ]


@pytest.mark.parametrize(
    ("kind", "numbers", "words"),
    [
        ("pure", (None, None, None), "ε is needed"),
        ("pure", (1.0, 1e-6, None), "neither δ nor γ"),
        ("approximate", (1.0, None, None), "has a δ"),
        ("approximate", (1.0, 1e-6, 0.1), "has no γ"),
        ("random", (1.0, None, None), "has a γ"),
        ("pure", (1.0, None, None, 0.9), "Only random DP has a confidence"),
    ],
)
def test_a_form_that_misses_a_number_says_which(kind: str, numbers: tuple[Any, Any, Any], words: str) -> None:
    names = {"pure": "pure DP (ε)", "approximate": "approximate DP (ε, δ)", "random": "random DP (ε, δ, γ)"}
    said = guarantee_of(names[kind], *numbers)
    assert isinstance(said, str)
    assert words in said


def test_numbers_that_no_guarantee_has_are_refused_in_a_sentence_and_nothing_is_entered() -> None:
    app = _entered(visit("release"), "pure", -1.0)
    assert not _lines(app)
    assert any("above 0" in error.value for error in app.error)


def test_the_json_of_a_release_is_entered_once() -> None:
    app = _load(visit("release"), _content())
    assert [(line["charge"], line["question"], line["time"]) for line in _lines(app)] == [
        ("entered by hand", "Mean of x in Loan defaults", "2026-01-02 10:00 UTC")
    ]
    _load(app, _content())
    assert len(_lines(app)) == 1
    assert "in this tab's ledger already" in text(app)


def test_the_json_of_a_release_of_this_tab_is_not_charged_again(downloads: list[str]) -> None:
    app = press(visit("release"), "release")
    _load(app, downloads[-1].encode())
    assert len(_lines(app)) == 1
    assert "in this tab's ledger already" in text(app)


def test_a_download_is_read_back_with_its_guarantee(downloads: list[str]) -> None:
    app = press(visit("release"), "release")
    assert read(downloads[-1].encode()).guarantee == RandomDP(1.0, 0.0, 0.05)
    pick(go(app, ""), "target", "Quantile")
    press(go(app, "release"), "release")
    assert read(downloads[-2].encode()).guarantee is None  # the newest stands first on the page


@pytest.mark.parametrize(
    ("changes", "guarantee"),
    [
        ({}, PureDP(0.5)),
        ({"guarantee": "ApproxDP", "parameters": {"epsilon": 1.0, "delta": 1e-6}}, ApproxDP(1.0, 1e-6)),
        (
            {"guarantee": "RandomDP", "parameters": {"epsilon": 1.0, "delta": 0.0, "gamma": 0.1, "confidence": 0.9}},
            RandomDP(1.0, 0.0, 0.1, 0.9),
        ),
        ({"guarantee": "none", "parameters": None}, None),
    ],
)
def test_each_guarantee_is_read(changes: dict[str, Any], guarantee: Any) -> None:
    assert read(_content(**changes)).guarantee == guarantee


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"not json",
        b"[]",
        b"1",
        b"{}",
        b"[" * 100_000,
        _content(adjacency="add a row"),
        _content(records=0),
        _content(records=True),
        _content(records="9"),
        _content(guarantee="RDP"),
        _content(guarantee=[]),
        _content(parameters=None),
        _content(parameters={"epsilon": -1}),
        _content(parameters={"epsilon": 1e400}),
        _content(parameters={"epsilon": 1, "delta": 1}),
        _content(parameters={"epsilon": "1"}),
        _content(parameters={"epsilon": float("nan")}),
    ],
)
def test_what_is_no_release_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(TableError) as caught:
        read(content)
    assert "Load the JSON that was downloaded" in caught.value.remedy


def test_two_releases_with_the_same_choice_in_one_minute_are_two() -> None:
    """A choice among few candidates, from a proved sensitivity, has neither a seed nor a number of its own."""
    first, again, second = (read(_content(release=name)).identity for name in ("one", "one", "two"))
    assert first == again != second


def test_a_download_names_its_release(downloads: list[str]) -> None:
    app = press(visit("release"), "release")
    press(press(app, "another"), "release")
    names = [json.loads(content)["release"] for content in downloads[-2:]]
    assert len(set(names)) == 2
    assert all(re.fullmatch(r"[0-9a-f]{16}", name) for name in names)


def test_a_confidence_is_kept_and_averaged_where_lines_are_summed() -> None:
    assert guarantee_of("random DP (ε, δ, γ)", 1.0, None, 0.05, 0.95) == RandomDP(1.0, 0.0, 0.05, 0.95)


def test_an_answer_without_a_guarantee_that_is_loaded_costs_nobody_knows_what_and_breaks_the_budget() -> None:
    app = _load(visit("release"), _content(guarantee="none", parameters=None))
    assert [(line["ε"], line["γ"]) for line in _lines(app)] == [("?", "?")]
    for symbol, value in (("ε", 50.0), ("γ", 0.9)):
        sound(next(box for box in app.number_input if box.label.endswith(f"total {symbol}")).set_value(value).run())
    assert not both_ways(app)
    assert app.button(key="release").disabled


def test_no_digest_of_a_table_leaves_the_server() -> None:
    app = confidential(b"income\n" + b"10\n20\n30\n" * 100, 0, 40)
    press(go(app, "release"), "release")
    digest = next(table.digest for table in app.session_state["uploads"].values())
    assert digest not in everything(app)


def test_a_settings_file_where_one_release_is_expected_is_a_sentence() -> None:
    with pytest.raises(TableError, match="This is a settings file, and not one release"):
        read(Saved(made="2026-11-22 19:40 UTC").to_json().encode())


def test_a_file_that_is_no_release_is_said_on_the_page() -> None:
    app = _load(visit("release"), b"{}")
    assert "Load the JSON that was downloaded" in text(app)
    assert not _lines(app)
