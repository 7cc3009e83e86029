"""Nothing that a visitor does asks another host for anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import screen
from tests.browser.server import Server
from tests.browser.test_accessibility import POPOVERS
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_no_request_and_no_websocket_leaves_the_host_on_any_page(page: Page, watch: Watch) -> None:
    screen.see_charts(page)
    for key in POPOVERS:
        page.locator(f".st-key-{key} button").first.click()
        expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
        screen.settle(page)
        page.keyboard.press("Escape")
        expect(page.locator("[data-testid=stPopoverBody]")).to_have_count(0)
    screen.upload(page, "t.csv", "a,b\n" + "1,2\n3,4\n" * 20, kind="Public", bounds={})
    screen.release(page)
    screen.go(page, "About and limits")
    assert any(url.startswith("ws://127.0.0.1:") for url in watch.urls), "no websocket was seen: the watch is blind"
    assert len(watch.urls) > 20
    assert watch.foreign == []


def test_the_watch_sees_a_request_to_another_host(browser: Browser, server: Server, watch: Watch) -> None:
    context = browser.new_context(bypass_csp=True)  # else the page's policy refuses it before it is a request
    page = context.new_page()
    watch.follow(page)
    page.goto(server.address)
    screen.see_charts(page)
    page.route("https://example.org/**", lambda route: route.fulfill(body="", headers={"access-control-allow-origin": "*"}))
    page.evaluate("fetch('https://example.org/spy')")
    assert watch.foreign == ["https://example.org/spy"]
    watch.urls.clear()
    context.close()
