"""On a slow line the browser has what the server believes that it has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import screen
from tests.browser.server import Server
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

_PAGE = 450  # milliseconds after which the server has made a page, and the browser has not heard of it


@pytest.fixture
def line(profile: BrowserContext, server: Server) -> Iterator[tuple[Wire, Page]]:
    """Explore at the end of one."""
    wire, page = Wire(server.address), profile.new_page()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(wire.address)
    screen.see_charts(page)
    yield wire, page
    page.close()
    wire.close()


def test_there_and_back_before_the_answer_arrives(line: tuple[Wire, Page]) -> None:
    """A request names what the browser keeps; when the answer to the one before it arrives, it must not let go of that."""
    wire, page = line
    screen.go(page, "Your data")
    wire.seconds = 0.3
    page.get_by_role("link", name="Release", exact=True).click()
    page.wait_for_timeout(_PAGE)
    page.get_by_role("link", name="Explore", exact=True).click()
    screen.see_charts(page)
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-connection-state", "CONNECTED")
