"""A reload and a duplicated tab: one book, known before the first receipt."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser

_PROVED = "/release?v=1&target=" + quote('{"kind":"Mean","bounds":[0,20]}')
_PRESS_AT_ONCE = """() => {
  const press = () => { const button = document.querySelector(".st-key-release button"); if (button) button.click(); };
  new MutationObserver(press).observe(document, {childList: true, subtree: true});
}"""


def _budget(page: Page, symbol: str, number: str) -> None:
    page.get_by_label(f"total {symbol}").fill(number)
    page.keyboard.press("Tab")
    screen.settle(page)


def test_who_presses_at_the_first_moment_after_a_reload_does_not_get_past_the_budget(open_page: Callable[..., Page]) -> None:
    page = open_page(_PROVED)
    screen.choose(page, "worst case: differential privacy itself")
    _budget(page, "ε", "1")
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    page.add_init_script(f"({_PRESS_AT_ONCE})()")
    for _ in range(3):
        page.reload()
        expect(screen.entries(page)).to_have_count(1)
        screen.settle(page)
        expect(screen.entries(page)).to_have_count(1)
        expect(page.get_by_text("This needs ε = 1; 0 is left")).to_be_visible()


def _duplicate(page: Page, open_page: Callable[..., Page], path: str) -> Page:
    """A tab with the same session storage, as a browser's "duplicate" makes it."""
    name = page.evaluate('window.sessionStorage.getItem("dp-tab")')
    assert re.fullmatch(r"[0-9a-f]{32}", name)
    second = open_page("/about")
    second.evaluate(f'window.sessionStorage.setItem("dp-tab", "{name}")')
    second.goto(second.url.rpartition("/")[0] + path)
    screen.settle(second)
    return second


def test_a_press_whose_receipt_is_older_than_another_tabs_answer_draws_nothing(
    page: Page, open_page: Callable[..., Page]
) -> None:
    screen.see_charts(page)
    screen.go(page, "Release")
    second = _duplicate(page, open_page, "/release")
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
