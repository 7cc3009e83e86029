"""Where what follows the hand cannot be drawn, the page shows plain sliders and charts by itself, and says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser import hand, screen
from tests.browser.server import Server

pytestmark = pytest.mark.browser

_SAID = "The live charts could not be drawn in this browser. Plain ones stand in their place, and show the same."
_MODULE = "**/live/*.js"
_STRICT = """new MutationObserver((_, seen) => {
  if (!document.head) return;
  const meta = document.createElement("meta");
  Object.assign(meta, { httpEquiv: "Content-Security-Policy", content: "script-src 'self' 'unsafe-inline' 'unsafe-eval'" });
  document.head.prepend(meta);
  seen.disconnect();
}).observe(document, { childList: true, subtree: true })"""  # without blob:


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


_UNDER_THE_HAND = """
const set = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (name, value) {
  const found = name === "aria-label" && this.localName === "svg" && /This choice: γ = ([0-9.]+)/.exec(value);
  if (found && found[1] > 0.1) throw new Error("broken");
  return set.call(this, name, value);
}"""


def test_a_part_that_fails_under_the_hand(tab: Page, server: Server) -> None:
    """The others go on, and the value that the hand had by then arrives."""
    tab.add_init_script(_UNDER_THE_HAND)
    tab.goto(server.address)
    screen.see_charts(tab)
    assert screen.follows(tab, "gamma")
    hand.drag(tab, "gamma", 0.9)
    tab.mouse.up()
    expect(tab.get_by_text(_SAID)).to_have_count(1)
    screen.settle(tab)
    assert screen.scenario(tab)["gamma"] > 0.1
    _plain(tab)


def test_a_policy_under_which_no_component_runs(tab: Page, server: Server) -> None:
    """Nothing can say so, and yet the page finds out."""

    tab.add_init_script(_STRICT)
    tab.goto(server.address)
    _plain(tab)
