"""No receipt before the browser has said its name: a ledger that is not there yet would look empty."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy

from dpcore.guarantees.privacy import PureDP, RandomDP
from pages import state
from pages.ledger import session as browser_name
from pages.ledger.book import BOOKS
from tests.pages.visit import book, confidential, declare, go, link, press, sound, text, upload, use, visit

NAME = "0123456789abcdef" * 2


class _Browser:
    """What the component says: nothing at first, then the browser's word, as soon as there is one."""

    answer: str | None = None
    repeats = False  # as it was said to the session before
    data: dict[str, Any]

    def __call__(self, *, key: str, data: dict[str, Any], on_answer_change: Callable[[], None]) -> None:
        self.data = data
        if self.answer is not None and not data["known"]:
            st.session_state[key] = {"answer": self.answer if self.repeats else f"{self.answer} {data['proposed']}"}
            on_answer_change()
            if self.repeats:
                return
            st.rerun()  # the browser's word comes with a run of its own


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> _Browser:
    said = _Browser()
    monkeypatch.setattr(ContextProxy, "headers", property(lambda _: {"User-Agent": "a browser"}))
    monkeypatch.setattr(browser_name, "_component", lambda: said)
    return said


def test_the_first_run_after_a_reload_shows_no_receipt_and_no_budget(browser: _Browser) -> None:
    app = visit("release")
    assert "asked for its ledger's name" in text(app)
    assert not app.button
    assert not app.number_input
    assert not app.radio


def test_the_receipt_is_drawn_from_the_book_that_the_browser_had(browser: _Browser) -> None:
    browser.answer = f"{NAME} 0 1"
    before = press(visit("release"), "release")
    assert "Together: random DP, ε = 1" in text(before)
    browser.answer = None
    app = visit("release")
    assert not app.button
    browser.answer = f"{NAME} 0 1"
    sound(app.run())
    assert "Together: random DP, ε = 1" in text(app)
    assert "Sampled noise is offered only" in text(app)  # the first receipt knows of the release before the reload


def test_what_a_browser_that_is_no_browser_says_is_not_taken(browser: _Browser) -> None:
    browser.answer = "../../etc 0 1"
    app = visit("release")
    assert app.session_state["browser"] != "../../etc"
    assert app.button(key="release")


def test_every_page_says_what_the_server_forgot(browser: _Browser) -> None:
    browser.answer = f"{'ab' * 16} 1 1"
    app = link(target={"kind": "Mean", "bounds": [0, 20]})
    for page in ("", "your_data", "about", "release"):
        assert "has forgotten them" in text(go(app, page))
    assert "The server forgot earlier answers of this browser" in text(app)  # on the receipt too
    assert "Sampled noise is offered only" in text(app)
    press(app, "release")
    assert "private answer: may be published under the printed guarantee" in text(app)
    assert "has forgotten them" in text(app)
    assert "Together: pure DP, ε = 1" in text(app)


def test_a_browser_remembers_that_it_released(browser: _Browser) -> None:
    browser.answer = f"{'cd' * 16} 0 1"
    app = visit("release")
    assert not browser.data["begun"]
    press(app, "release")
    assert browser.data["begun"]
    browser.answer = f"{'cd' * 16} 1 1"
    assert "has forgotten them" not in text(visit("release"))


def test_a_refused_press_is_not_taken_for_forgotten(browser: _Browser) -> None:
    name = secrets.token_hex(16)
    browser.answer = f"{name} 0 1"
    app = visit("release")
    table = state.catalog()[state.example().table]
    BOOKS.get(name).account(table).budget = PureDP(0.1)  # from another tab, after the receipt was shown
    press(app, "release")
    assert "Nothing was drawn or charged" in text(app)
    assert not BOOKS.get(name).entries
    browser.answer = f"{name} 1 1"
    assert "has forgotten them" not in text(visit("release"))


def test_an_answer_to_an_earlier_session_is_ignored(browser: _Browser) -> None:
    """After a restart the page can repeat what it said before, which may be out of date."""
    browser.answer = f"{NAME} 0 1 {'0' * 32}"
    browser.repeats = True
    app = visit("release")
    assert "browser" not in app.session_state
    assert not app.button


def test_a_browser_that_stores_nothing_is_told(browser: _Browser) -> None:
    browser.answer = f"{secrets.token_hex(16)} 0 0"
    assert "This browser stores nothing for this site" in text(visit("release"))
    browser.answer = f"{secrets.token_hex(16)} 0 1"
    assert "This browser stores nothing for this site" not in text(visit("release"))


def test_another_tab_shows_answer_and_budget(browser: _Browser) -> None:
    browser.answer = f"{secrets.token_hex(16)} 0 1"
    one, other = visit("release"), visit("release")
    press(one, "release")
    assert "Nothing was released of" not in text(sound(other.run()))
    assert other.button(key="release").disabled

    budget = next(box for box in one.number_input if box.label == "Budget: total ε")
    sound(budget.set_value(3.0).run())
    gamma = next(box for box in sound(other.run()).number_input if box.label == "total γ")
    sound(budget.set_value(2.0).run())
    sound(gamma.set_value(0.5).run())
    assert [box.value for box in other.number_input if box.label.startswith(("Budget", "total"))] == [2.0, None, 0.5]
    assert [each.budget for each in book(one).accounts.values()] == [RandomDP(2.0, 0.0, 0.5)]


def test_uploads_joined_in_another_tab_are_renamed(browser: _Browser) -> None:
    browser.answer = f"{secrets.token_hex(16)} 0 1"
    app = confidential(b"income\n" + b"".join(b"%d\n" % (i * i % 61) for i in range(40)), 0, 100)
    (table,) = app.session_state["uploads"].values()
    mine = book(app)
    with mine.lock:
        mine.same[table.digest] = "joined"
        mine.titles["joined"] = mine.titles.pop(table.digest)
    sound(app.run())
    assert [table.digest for table in app.session_state["uploads"].values()] == ["joined"]


def test_equal_content_in_another_browser_learns_nothing(browser: _Browser) -> None:
    content = b"income\n" + b"".join(b"%d\n" % (20 + i * i % 61) for i in range(40))
    mine, theirs = secrets.token_hex(16), secrets.token_hex(16)
    for name, knows in ((mine, False), (mine, True), (theirs, False)):
        browser.answer = f"{name} 0 1"
        app = upload(visit(), "again.csv", content)
        assert ("This browser has had this table before" in text(app)) is knows
        app = go(use(declare(app, "income", 0, 100)), "release")
        assert bool(book(app).entries) is knows
        assert ("Nothing was released of" in text(app)) is not knows
        if not knows:
            press(app, "release")
            assert len(book(app).entries) == 1


class _Drawn:
    """A release under way, and who holds its job."""

    open = True
    running = True
    lost = False

    def __init__(self) -> None:
        self.job, self.holders = self, set[Any]()

    def hold(self, keeper: Any) -> None:
        self.holders.add(keeper)


@pytest.mark.parametrize("page", ["", "your_data", "about"])
def test_a_reload_of_any_page_holds_the_release_that_is_being_drawn(browser: _Browser, page: str) -> None:
    name = secrets.token_hex(16)
    browser.answer = f"{name} 1 1"
    drawing: Any = _Drawn()
    BOOKS.get(name).drawing = drawing
    app = visit(page) if page else visit()
    assert drawing.holders == {app.session_state["keeper"]}
