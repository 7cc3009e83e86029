"""On a line that takes its time: what a browser is said to have it has."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser import hand, screen
from tests.browser.server import Server
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

_PAGE = 450  # milliseconds after which the server has made a page, and the browser has not heard of it


def test_there_and_back_before_the_answer_arrives(profile: BrowserContext, server: Server) -> None:
    """A request names what the browser keeps; when the answer to the one before it arrives, it must not let go of that."""
    wire, page = Wire(server.address), profile.new_page()
    app = page.locator("[data-testid=stApp]")
    page.set_viewport_size({"width": 1280, "height": 800})
    try:
        page.goto(wire.address)
        screen.see_charts(page)
        screen.go(page, "Your data")
        wire.seconds = 0.3
        page.get_by_role("link", name="Release", exact=True).click()
        page.wait_for_timeout(_PAGE)
        page.get_by_role("link", name="Explore", exact=True).click()
        screen.see_charts(page)
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
        hand.agreed(page)
    finally:
        page.close()
        wire.close()
