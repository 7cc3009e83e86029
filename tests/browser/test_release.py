"""One press is one release, and the ledger belongs to the browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import screen

_MILLISECONDS = 25
_FIVE = "(button, wait) => { for (let i = 0; i < 5; i++) setTimeout(() => button.click(), i * wait); }"


def test_five_quick_clicks_are_one_release(page: Page) -> None:
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
