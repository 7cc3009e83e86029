"""On a line that takes its time: what a browser is said to have it has, and no sentence is made of what came and what did not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import hand, screen
from tests.browser.server import Server
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

_PAGE = 450  # milliseconds after which the server has made a page, and the browser has not heard of it
_SEEN = """() => {
  const inside = (node) => [...(node.shadowRoot ?? node).childNodes].map(text).join("");
  const text = (node) => node.nodeName === "STYLE" ? "" : node.nodeValue ?? inside(node);
  const look = () => {
    const words = document.querySelector(".st-key-live_promises");
    if (words && seen.at(-1) !== text(words)) seen.push(text(words));
    requestAnimationFrame(look);
  };
  window.seen = [];
  look();
}"""


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
    hand.agreed(page)


def test_a_sentence_is_that_of_before_or_that_of_after(line: tuple[Wire, Page]) -> None:
    """25 kB a second: what a sentence is made of arrives in several messages, as Back brings them."""
    wire, page = line
    page.evaluate(_SEEN)
    wire.piece, wire.seconds = 1_024, 0.04
    page.evaluate(
        "to => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')); }",
        "/?v=1&table=diabetes&doubts=known",
    )
    page.wait_for_timeout(1_000)
    screen.see_charts(page)
    page.wait_for_timeout(200)
    before, *between, after = page.evaluate("seen")
    assert not between
    assert before != after
