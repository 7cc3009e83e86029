"""A server that is started again while tabs are open: they are known again without a reload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import screen
from tests.browser.server import serving

_LOST = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"
_FORGOTTEN = "this server has forgotten them"
_CLICK = "document.querySelector('.st-key-release button').click()"


@pytest.fixture
def new_browser(browser: Browser) -> Iterator[Callable[[], BrowserContext]]:
    made: list[BrowserContext] = []

    def new() -> BrowserContext:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_init_script(screen.LISTENING)
        context.set_default_timeout(60_000)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()


def _opened(visitor: BrowserContext, address: str) -> Page:
    page = visitor.new_page()
    page.goto(address)
    screen.connected(page)
    return page


def test_tabs_say_what_restarted_server_forgot(tmp_path: Path, new_browser: Callable[[], BrowserContext]) -> None:
    """One browser released, one shows its receipt, and one clicks while the server is stopped: no answer leaves it."""
    with ExitStack() as running:
        first = running.enter_context(serving(tmp_path / "first"))
        visitor, interrupted = new_browser(), new_browser()
        elsewhere, on_release = (_opened(visitor, f"{first.address}/release") for _ in range(2))
        unused = _opened(new_browser(), f"{first.address}/release")
        pressed = _opened(interrupted, f"{first.address}/release")
        screen.release(on_release)
        screen.go(elsewhere, "Explore")
        expect(pressed.locator(".st-key-release button")).to_be_enabled()
        screen.settle(pressed)
        first.stop()
        pressed.evaluate(_CLICK)
        first.kill()
        for page in (elsewhere, on_release, pressed):
            expect(page.locator(_LOST)).to_have_count(1)
        running.enter_context(serving(tmp_path / "second", port=first.port))
        for page in (elsewhere, on_release):
            screen.connected(page)
            expect(page.get_by_text(_FORGOTTEN).first).to_be_visible()
            expect(page.get_by_text("This server forgets the ledger when it restarts: save it.")).to_have_count(0)
        screen.connected(unused)
        screen.go(unused, "About")
        screen.go(unused, "Release")
        expect(unused.locator(".st-key-release button")).to_be_enabled()
        screen.connected(pressed)
        for tab in (pressed, _opened(interrupted, f"{first.address}/release")):
            expect(tab.get_by_text(_FORGOTTEN).first).to_be_visible()
            expect(tab.get_by_text("A release may have been interrupted").first).to_be_visible()
            expect(tab.get_by_text("Sampled noise is offered only").first).to_be_visible()
            expect(tab.locator(".st-key-release button")).to_be_disabled()
