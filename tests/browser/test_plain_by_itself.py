"""Where what follows the hand cannot be drawn, the page shows plain sliders and charts by itself, and says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser import screen
from tests.browser.server import Server

pytestmark = pytest.mark.browser

_SAID = "The live charts could not be drawn in this browser. Plain ones stand in their place, and show the same."
_MODULE = "**/live/*.js"


@pytest.fixture
def tab(profile: BrowserContext) -> Iterator[Page]:
    """A tab whose complaints are its own matter."""
    opened = profile.new_page()
    opened.set_viewport_size({"width": 1280, "height": 800})
    yield opened
    opened.close()


def _plain(page: Page) -> None:
    """All of it works, by plotly."""
    expect(page.get_by_text(_SAID)).to_have_count(1)
    screen.see_charts(page)
    assert not screen.follows(page, "gamma")
    assert not screen.follows(page, "epsilon")
    before, there = screen.scenario(page)["epsilon"], page.url
    screen.step(page, "epsilon", "ArrowRight")
    expect(page).not_to_have_url(there)
    assert screen.scenario(page)["epsilon"] > before
    assert f"ε = {screen.value(page, 'epsilon')}, γ = {screen.value(page, 'gamma')}" in screen.said(page)


def _aborted(route: Route) -> None:
    route.abort()


def test_a_module_that_does_not_come(tab: Page, server: Server) -> None:
    tab.route(_MODULE, _aborted)
    tab.goto(server.address)
    _plain(tab)
