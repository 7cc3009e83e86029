"""A server that is started again while a tab is open: the tab is known again, without a reload."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pages.server import sessions
from tests.browser import screen
from tests.faults.connection import connected
from tests.faults.stand import Stand
from tests.faults.tab import Tab

pytestmark = pytest.mark.browser


@pytest.fixture
def stand(tmp_path: Path, browser: Browser) -> Iterator[Stand]:
    """For servers of this test alone."""
    started = Stand(1, tmp_path, browser)
    yield started
    started.close()


def test_an_idle_tab_whose_server_was_started_again_says_at_once_that_its_ledger_was_forgotten(stand: Stand) -> None:
    """Nothing is done in them. On Release no ledger stands that the server has not, and nothing asks to save one.

    A tab that released nothing has a receipt again. Its browser says the same of it as before, and must be heard all the same.
    """
    app = stand.app()
    *tabs, other = (stand.tab(app.address, "/release") for _ in range(3))
    other.until(lambda: other.has("release"), "a receipt")
    for tab in tabs:
        tab.press("release")
        tab.until(lambda tab=tab: tab.shows("save it."), "a ledger")
        tab.until(lambda tab=tab: _remembers(tab), "what the browser keeps of it, which it is told at the end of the run")
    screen.go(tabs[0].page, "Explore")
    screen.see_charts(tabs[0].page)
    addresses = [tab.page.url for tab in tabs]
    app.kill()
    for tab in tabs:
        tab.until(lambda tab=tab: not connected(tab), "the loss of the connection")
    stand.app(app.port)
    for tab, address in zip(tabs, addresses, strict=True):
        tab.until(lambda tab=tab: connected(tab), "the connection")
        tab.until(lambda tab=tab: tab.shows("this server has forgotten them"), "what was forgotten", 20)
        assert not tab.shows("save it.")
        assert tab.page.url == address
    other.until(lambda: connected(other), "the connection")
    screen.go(other.page, "About and limits")
    screen.go(other.page, "Release")
    other.until(lambda: other.has("release"), "a receipt", 10)


def _remembers(tab: Tab) -> bool:
    return tab.page.evaluate("sessionStorage.getItem('dp-released')") == "1"


def test_pages_that_are_open_say_that_the_server_stops_soon_and_no_longer_when_it_is_taken_back(stand: Stand) -> None:
    app = stand.app()
    tabs = [stand.tab(app.address, path) for path in ("/", "/learn")]
    for tab in tabs:
        tab.until(lambda tab=tab: connected(tab), "the connection")
    os.kill(app.process.pid, sessions.STOPS_SOON)
    for tab in tabs:
        expect(tab.page.get_by_text("This server stops within minutes.")).to_be_visible()
    os.kill(app.process.pid, sessions.STOPS_NOT)
    for tab in tabs:
        expect(tab.page.get_by_text("This server stops within minutes.")).to_have_count(0)
