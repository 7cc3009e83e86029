"""The tabs of a browser have one ledger, known before the first receipt; another browser has its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import screen
from tests.browser.server import Server

_NAME = "() => localStorage.getItem('dp-browser')"
_REFUSES = """Object.defineProperty(window, "localStorage", {get() { throw new DOMException("blocked", "SecurityError"); }})"""
_SLOW_WRITE = """{
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (...given) { setTimeout(() => set.apply(this, given), 100); };
}"""


@pytest.fixture
def new_browser(browser: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """Another browser: nothing is stored in it."""
    made: list[BrowserContext] = []

    def new(script: str = "") -> BrowserContext:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=server.address)
        context.add_init_script(screen.LISTENING)
        if script:
            context.add_init_script(script)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()


def _opened(browser: BrowserContext, path: str = "/release") -> Page:
    page = browser.new_page()
    page.goto(path, wait_until="commit")
    return page


def test_two_tabs_at_once_get_one_answer(new_browser: Callable[..., BrowserContext]) -> None:
    """Writing the browser's name takes 0.1 s: each tab finds none, and writes the one that was proposed to it."""
    visitor = new_browser(_SLOW_WRITE)
    tabs = [_opened(visitor) for _ in range(2)]
    for tab in tabs:
        expect(tab.locator(".st-key-release button")).to_be_enabled()
    assert re.fullmatch(r"[0-9a-f]{32}", tabs[0].evaluate(_NAME))
    for tab in tabs:
        tab.evaluate("() => { document.querySelector('.st-key-release button').click(); }")
    for tab in tabs:
        screen.settle(tab)
        tab.reload()
        expect(screen.entries(tab)).to_have_count(1)
        expect(screen.lines(tab)).to_have_count(1)
        screen.settle(tab)
    assert screen.entries(tabs[0]).inner_text() == screen.entries(tabs[1]).inner_text()


def test_a_browser_that_stores_nothing_is_told(new_browser: Callable[..., BrowserContext]) -> None:
    page = _opened(new_browser(_REFUSES))
    expect(page.get_by_text("This browser stores nothing for this site")).to_be_visible()
    expect(page.locator(".st-key-release button")).to_be_enabled()
