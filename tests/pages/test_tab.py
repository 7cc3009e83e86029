"""No receipt before the browser has said which tab this is: a ledger that is not there yet would look empty."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy

from pages.session import tab
from tests.pages.visit import confidential, go, press, sound, text, visit

NAME = "0123456789abcdef" * 2


class _Answer:
    """What the component returns: nothing at first, then the browser's word."""

    name: str | None = None

    def __call__(self, **_: Any) -> _Answer:
        return self


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> _Answer:
    answer = _Answer()
    monkeypatch.setattr(ContextProxy, "headers", property(lambda _: {"User-Agent": "a browser"}))
    monkeypatch.setattr(tab, "_component", lambda: answer)
    return answer


def test_the_first_run_after_a_reload_shows_no_receipt_and_no_budget(browser: _Answer) -> None:
    app = visit("release")
    assert "asked which tab this is" in text(app)
    assert not app.button
    assert not app.number_input
    assert not app.radio


def test_the_receipt_is_drawn_from_the_book_that_the_tab_had(browser: _Answer) -> None:
    browser.name = NAME
    before = press(visit("release"), "release")
    assert "Together: random DP, ε = 1" in text(before)
    browser.name = None
    app = visit("release")
    assert not app.button
    browser.name = NAME
    sound(app.run())
    assert "Together: random DP, ε = 1" in text(app)
    assert "γ is 0.186 here, and not 0.05" in text(app)  # the first receipt knows of the release before the reload


def test_what_a_browser_that_is_no_browser_says_is_not_taken(browser: _Answer) -> None:
    browser.name = "../../etc"
    app = visit("release")
    assert app.session_state["tab"] != "../../etc"
    assert app.button(key="release")


def test_what_was_looked_at_before_the_tab_was_known_is_known_to_its_book(browser: _Answer) -> None:
    app = confidential(b"income\n" + b"10\n20\n30\n" * 100, 0, 40)
    sound(app.toggle(key="compare").set_value(True).run())
    browser.name = NAME[::-1]
    sound(app.run())
    go(app, "release")
    assert "The confidential table was looked at before this release" in text(app)
