"""Attack it, on Explore: what is promised beside what was found, on public or made-up tables alone."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts.attack import DP, NO_NOISE, RANDOM_DP, Ruler, attacked
from pages.experiment import attacked_tables
from pages.explore import attacked as page
from pages.explore import one_record
from pages.shared import asked_for, badges
from tests.pages.visit import charts, confidential, everything, link, press, settled, sound, text, visit

CHART = "attack_chart"


@pytest.fixture(autouse=True)
def _mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of another part of Explore."""
    monkeypatch.setattr(one_record, "show", page.show)
    monkeypatch.setattr(page, "AT_ONCE", 1e9)  # a busy machine would offer a button first


def _rows(app: AppTest) -> str:
    return next(json.dumps(one.value.to_dict("list"), ensure_ascii=False) for one in app.table if "Promised" in one.value)


def test_the_example_says_what_is_promised_and_what_was_found() -> None:
    app = settled(visit())
    assert CHART in charts(app)
    rows = _rows(app)
    assert "at most 74 in 100, for changes that move the answer by at most Δ̂" in rows
    assert "no promise for a change that is left out" in rows
    assert "100.0 in 100 (99.8 to 100.0)" in rows
    assert "Sample and aggregate needs public bounds" in text(app)
    assert badges.PUBLIC_TABLE in text(app)


def test_with_bounds_differential_privacy_has_two_rulers() -> None:
    rows = _rows(settled(link(target={"kind": "Mean", "bounds": [0, 20]})))
    assert f"{DP} · Worst case" in rows
    assert f"{DP} · Sample and aggregate" in rows


def test_a_confidential_table_is_never_attacked_but_a_made_up_one() -> None:
    app = settled(confidential(b"income\n" + b"777.125\n" * 60, 0.0, 1000.0))
    assert CHART in charts(app)
    assert "777.125" not in everything(app)
    assert badges.SIMULATED in text(app)


def test_of_people_it_is_said_in_a_sentence_that_nothing_is_attacked() -> None:
    assert page._PEOPLE in text(settled(link(table="visits")))


def test_what_takes_long_is_begun_by_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "AT_ONCE", 0.0)
    app = settled(visit())
    assert CHART not in charts(app)
    assert CHART in charts(_ended(press(app, "attack_try"), CHART))


def test_it_can_be_cancelled_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "AT_ONCE", 0.0)
    monkeypatch.setattr(asked_for, "_AT_ONCE", 0.0)
    go_on, whole = threading.Event(), attacked_tables.asking

    def waiting(*given: Any, **named: Any) -> Any:
        steps = whole(*given, **named)
        yield next(steps)
        go_on.wait(60)
        return (yield from steps)

    monkeypatch.setattr(attacked_tables, "asking", waiting)
    app = press(settled(visit()), "attack_try")
    assert CHART not in charts(app)
    app.button(key="attack_cancel").click()
    go_on.set()
    app = sound(app.run())
    app = _ended(app, "It was stopped.")
    assert CHART not in charts(app)
    monkeypatch.setattr(attacked_tables, "asking", whole)
    assert CHART in charts(_ended(press(app, "attack_try"), CHART))


def _ended(app: AppTest, shown: str) -> AppTest:
    """Run again until something is shown: what a fragment does by itself in a browser."""
    for _ in range(600):
        if shown in charts(app) or shown in text(app):
            return app
        time.sleep(0.1)
        app = sound(app.run())
    raise AssertionError(f"never shown: {shown}")


def test_pac_privacy_has_an_axis_of_its_own() -> None:
    app = settled(visit())
    assert page._PAC in text(app)
    own, others = (json.dumps(charts(app)[key]) for key in ("attack_pac_chart", CHART))
    for name in ("Random half of the rows", "All other rows known"):
        assert name in own
        assert name not in others
    assert "Differential privacy" not in own


def test_each_group_has_one_look_and_no_promise_no_tick() -> None:
    rulers = [
        Ruler("None", NO_NOISE, 100.0, (99.0, 100.0), None, "no promise; found 100"),
        Ruler("Worst case", DP, 60.0, (58.0, 62.0), 73.1, "promised: at most 74; found 60"),
        Ruler("Left out", RANDOM_DP, 99.0, (98.0, 99.5), None, "no promise; found 99"),
    ]
    drawn, alt = attacked(rulers)
    marks = [one for one in drawn.data if one.mode == "markers"]
    assert [one.name for one in marks] == ["Worst case", "promised", "Left out", "None"]
    assert len({one.marker.symbol for one in marks}) == len({one.marker.color for one in marks}) == 4
    assert list(marks[1].x) == [73.1]
    assert "Left out: no promise; found 99" in alt
