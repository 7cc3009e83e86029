"""One press is one release, and the ledger belongs to the browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.server import Server

_MILLISECONDS = 25
_FIVE = "(button, wait) => { for (let i = 0; i < 5; i++) setTimeout(() => button.click(), i * wait); }"


def test_five_quick_clicks_are_one_release_also_after_reruns(page: Page) -> None:
    screen.see_charts(page)
    screen.go(page, "Release")
    page.locator(".st-key-release button").evaluate(_FIVE, _MILLISECONDS)
    expect(screen.entries(page)).to_have_count(1)
    page.wait_for_timeout(5 * _MILLISECONDS)
    screen.settle(page)
    screen.go(page, "Explore")
    screen.go(page, "Release")
    expect(screen.entries(page)).to_have_count(1)
    expect(screen.lines(page)).to_have_count(1)
    expect(page.locator(".st-key-release button")).to_be_disabled()


def test_a_reload_and_a_second_tab_keep_the_ledger(page: Page, open_page: Callable[..., Page], server: Server) -> None:
    screen.see_charts(page)
    screen.release(page)
    response = screen.entries(page).inner_text()
    page.reload()
    screen.settle(page)
    expect(screen.entries(page)).to_have_count(1)
    expect(screen.lines(page)).to_have_count(1)
    assert screen.entries(page).inner_text() == response
    second = open_page(page.url.removeprefix(server.address))
    expect(screen.entries(second)).to_have_count(1)
    screen.settle(second)
    assert screen.entries(second).inner_text() == response
    expect(second.get_by_text("Sampled noise is offered only").first).to_be_visible()
