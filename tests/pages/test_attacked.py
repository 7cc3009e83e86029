"""Attack it, on Explore: what is promised beside what was found, on public or made-up tables alone."""

from __future__ import annotations

import json

import pytest
from pages.old.experiment.attack import right
from pages.old.explore import attacked as page
from streamlit.testing.v1 import AppTest

from dpcore import PureDP
from pages.old.shared import badges
from pages.old.state import doubts
from tests.pages.visit import charts, confidential, everything, link, opened, settled, text, visit

CHART = "attack_chart"


def _attacked(app: AppTest) -> AppTest:
    return settled(opened(app, doubts.ATTACK))


def _rows(app: AppTest) -> str:
    return next(json.dumps(one.value.to_dict("list"), ensure_ascii=False) for one in app.table if "Promised" in one.value)


def test_the_example_says_what_is_promised_and_what_was_found() -> None:
    app = _attacked(visit())
    assert CHART in charts(app)
    rows = _rows(app)
    assert "at most 74 in 100" in rows
    assert "It is not protected." in text(app), "of the furthest change"
    assert badges.PUBLIC_TABLE in text(app)


def test_it_is_computed_only_once_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "_attack", lambda _: pytest.fail("it is closed"))
    assert CHART not in charts(settled(visit()))


def test_a_confidential_table_is_never_attacked_but_a_made_up_one() -> None:
    app = _attacked(confidential(b"income\n" + b"777.125\n" * 60, 0.0, 1000.0))
    assert CHART in charts(app)
    assert "777.125" not in everything(app)
    assert badges.SIMULATED in text(app)


def test_of_people_it_is_said_in_a_sentence_that_nothing_is_attacked() -> None:
    assert page._PEOPLE in text(_attacked(link(table="visits")))


def test_what_takes_long_is_not_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST", 0.0)
    app = _attacked(visit())
    assert CHART not in charts(app)
    assert "too long to wait for" in text(app)


def test_a_promise_is_rounded_up() -> None:
    assert page._promised(right(PureDP(1.0))) == 74
    assert page._promised(0.73) == 73
    assert page._promised(1.0) == 100
