"""The tabs of a browser have one ledger, known before the first receipt; another browser has its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pages.experiment.scenario import Noise
from pages.releasing.receipt import LABELS
from tests.browser import screen
from tests.browser.server import Server

pytestmark = pytest.mark.browser

_PROVED = "/release?v=1&target=" + quote('{"kind":"Mean","bounds":[0,20]}')
_PRESS_AT_ONCE = """() => {
  const press = () => { const button = document.querySelector(".st-key-release button"); if (button) button.click(); };
  new MutationObserver(press).observe(document, {childList: true, subtree: true});
}"""
_NAME = "() => localStorage.getItem('dp-browser')"
_REFUSES = """Object.defineProperty(window, "localStorage", {get() { throw new DOMException("blocked", "SecurityError"); }})"""
_SLOW_WRITE = """{
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (...given) { setTimeout(() => set.apply(this, given), 100); };
}"""
_CSV = "income\n" + "".join(f"{20 + i * i % 61}\n" for i in range(40))


def _budget(page: Page, symbol: str, number: str) -> None:
    page.get_by_label(f"total {symbol}").fill(number)
    page.keyboard.press("Tab")
    screen.settle(page)


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


def test_who_presses_at_the_first_moment_after_a_reload_does_not_get_past_the_budget(open_page: Callable[..., Page]) -> None:
    page = open_page(_PROVED)
    screen.choose(page, LABELS[Noise.WORST_CASE])
    _budget(page, "ε", "1")
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    page.add_init_script(f"({_PRESS_AT_ONCE})()")
    for _ in range(2):
        page.reload()
        expect(screen.entries(page)).to_have_count(1)
        screen.settle(page)
        expect(screen.entries(page)).to_have_count(1)
        expect(page.get_by_text("This needs ε = 1; 0 is left")).to_be_visible()


def test_a_press_whose_receipt_is_older_than_another_tabs_answer_draws_nothing(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/release")
    second = open_page("/release")
    expect(second.locator(".st-key-release button")).to_be_enabled()
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    second.locator(".st-key-release button").click()
    expect(second.get_by_text("Nothing was drawn or charged")).to_be_visible()
    expect(screen.entries(second)).to_have_count(1)
    expect(second.get_by_text("Noise sized by trials is offered only").first).to_be_visible()
    expect(second.locator(".st-key-release button")).to_be_disabled()
    page.reload()
    expect(screen.lines(page)).to_have_count(1)


def test_two_tabs_that_press_at_once_get_one_answer(open_page: Callable[..., Page]) -> None:
    page = open_page("/release")
    second = open_page("/release")
    for tab in (page, second):
        expect(tab.locator(".st-key-release button")).to_be_enabled()
    for tab in (page, second):
        tab.evaluate("() => { document.querySelector('.st-key-release button').click(); }")
    for tab in (page, second):
        screen.settle(tab)
        tab.reload()
        expect(screen.entries(tab)).to_have_count(1)
        expect(screen.lines(tab)).to_have_count(1)


def test_tabs_opened_at_once_have_one_name(new_browser: Callable[..., BrowserContext]) -> None:
    """Writing takes 0.1 s: each of them finds no name, and writes the one that was proposed to it."""
    visitor = new_browser(_SLOW_WRITE)
    tabs = [_opened(visitor) for _ in range(2)]
    for tab in tabs:
        expect(tab.locator(".st-key-release button")).to_be_enabled()
    assert re.fullmatch(r"[0-9a-f]{32}", tabs[0].evaluate(_NAME))
    tabs[0].locator(".st-key-release button").click()
    expect(screen.entries(tabs[0])).to_have_count(1)
    for tab in tabs[1:]:
        tab.locator(".st-key-release button").click()
        expect(tab.get_by_text("Nothing was drawn or charged")).to_be_visible()
        expect(screen.entries(tab)).to_have_count(1)


def test_a_browser_that_stores_nothing_is_told(
    new_browser: Callable[..., BrowserContext],
) -> None:
    page = _opened(new_browser(_REFUSES))
    expect(page.get_by_text("This browser stores nothing for this site")).to_be_visible()
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    expect(screen.lines(page)).to_have_count(1)


def test_equal_content_in_another_browser_learns_nothing(
    open_page: Callable[..., Page], new_browser: Callable[..., BrowserContext]
) -> None:
    """A second tab of the same browser knows the table and its answer; another browser knows neither."""
    bounds = {"income": (0.0, 100.0)}
    page = open_page("/your_data")
    screen.upload(page, "mine.csv", _CSV, kind="Confidential", bounds=bounds)
    screen.go(page, "Release")
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)

    for tab, knows in ((open_page("/your_data"), True), (_opened(new_browser(), "/your_data"), False)):
        screen.bring(tab, "again.csv", _CSV)
        expect(tab.get_by_text("This browser has had this table before")).to_have_count(int(knows))
        screen.upload(tab, "again.csv", _CSV, kind="Confidential", bounds=bounds)
        screen.go(tab, "Release")
        expect(tab.locator(".st-key-release button")).to_be_visible()
        expect(screen.entries(tab)).to_have_count(int(knows))
        expect(screen.lines(tab)).to_have_count(int(knows))
        expect(tab.get_by_text("Nothing was released of")).to_have_count(int(not knows))
