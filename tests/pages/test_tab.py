"""No receipt before the browser has said which tab this is: a ledger that is not there yet would look empty."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy

from pages.old.state import tab
from pages.old.state.ledger import _book
from tests.pages.visit import go, link, press, sound, text, visit

NAME = "0123456789abcdef" * 2


class _Browser:
    """What the component says: nothing at first, then the browser's word, as soon as there is one."""

    answer: str | None = None
    data: dict[str, Any]

    def __call__(self, *, key: str, data: dict[str, Any], on_answer_change: Callable[[], None]) -> None:
        self.data = data
        if self.answer is not None and not data["known"]:
            st.session_state[key] = {"answer": f"{self.answer} {data['proposed']}"}
            on_answer_change()
            st.rerun()  # the browser's word comes with a run of its own


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> _Browser:
    said = _Browser()
    monkeypatch.setattr(ContextProxy, "headers", property(lambda _: {"User-Agent": "a browser"}))
    monkeypatch.setattr(tab, "_component", lambda: said)
    return said


def test_the_first_run_after_a_reload_shows_no_receipt_and_no_budget(browser: _Browser) -> None:
    app = visit("release")
    assert "asked which tab this is" in text(app)
    assert not app.button
    assert not app.number_input
    assert not app.radio


def test_the_receipt_is_drawn_from_the_book_that_the_tab_had(browser: _Browser) -> None:
    browser.answer = f"{NAME} 0"
    before = press(visit("release"), "release")
    assert "Together: random DP, ε = 1" in text(before)
    browser.answer = None
    app = visit("release")
    assert not app.button
    browser.answer = f"{NAME} 0"
    sound(app.run())
    assert "Together: random DP, ε = 1" in text(app)
    assert "Noise sized by trials is offered only" in text(app)  # the first receipt knows of the release before the reload


def test_what_a_browser_that_is_no_browser_says_is_not_taken(browser: _Browser) -> None:
    browser.answer = "../../etc 0"
    app = visit("release")
    assert app.session_state["tab"] != "../../etc"
    assert app.button(key="release")


@pytest.mark.slow
def test_a_tab_that_released_what_this_server_does_not_know_is_told_on_every_page(browser: _Browser) -> None:
    browser.answer = f"{'ab' * 16} 1"
    app = link(target={"kind": "Mean", "bounds": [0, 20]})
    for page in ("", "your_data", "about", "release"):
        assert "has forgotten them" in text(go(app, page))
    assert "The server forgot earlier answers of this tab" in text(app)  # on the receipt too
    assert "Noise sized by trials is offered only" in text(app)
    press(app, "release")
    assert "private answer: may be published under the printed guarantee" in text(app)
    assert "has forgotten them" in text(app)
    assert "Together: pure DP, ε = 1" in text(app)


def test_a_tab_whose_book_is_there_is_told_nothing_and_its_browser_remembers_that_it_released(browser: _Browser) -> None:
    browser.answer = f"{'cd' * 16} 0"
    app = visit("release")
    assert not browser.data["released"]
    press(app, "release")
    assert browser.data["released"]
    browser.answer = f"{'cd' * 16} 1"
    assert "has forgotten them" not in text(visit("release"))


class _Drawn:
    """A release under way, and who holds its job."""

    open = True
    running = True
    lost = False

    def __init__(self) -> None:
        self.job, self.holders = self, set[Any]()

    def hold(self, keeper: Any) -> None:
        self.holders.add(keeper)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "your_data", "about"])
def test_a_reload_of_any_page_holds_the_release_that_is_being_drawn(browser: _Browser, page: str) -> None:
    name = secrets.token_hex(16)
    browser.answer = f"{name} 1"
    drawing: Any = _Drawn()
    _book(name).drawing = drawing
    app = visit(page) if page else visit()
    assert drawing.holders == {app.session_state["keeper"]}
