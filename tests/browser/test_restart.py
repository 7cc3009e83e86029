"""A server that is started again while tabs are open: they are known again without a reload."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import screen
from tests.browser.server import serving

pytestmark = pytest.mark.browser

_LOST = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"
_REMEMBERED = "sessionStorage.getItem('dp-released') === '1'"


@pytest.fixture
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(screen.LISTENING)
    context.set_default_timeout(60_000)
    yield context
    context.close()


def _opened(visitor: BrowserContext, address: str) -> Page:
    page = visitor.new_page()
    page.goto(address)
    screen.connected(page)
    return page


def test_idle_tabs_say_that_the_restarted_server_forgot_their_ledgers(tmp_path: Path, visitor: BrowserContext) -> None:
    """A tab that released nothing has its receipt again."""
    with ExitStack() as running:
        first = running.enter_context(serving(tmp_path / "first"))
        elsewhere, on_release, unused = (_opened(visitor, f"{first.address}/release") for _ in range(3))
        for page in (elsewhere, on_release):
            screen.release(page)
            page.wait_for_function(_REMEMBERED)
        screen.go(elsewhere, "Explore")
        first.kill()
        for page in (elsewhere, on_release):
            expect(page.locator(_LOST)).to_have_count(1)
        running.enter_context(serving(tmp_path / "second", port=first.port))
        for page in (elsewhere, on_release):
            screen.connected(page)
            expect(page.get_by_text("this server has forgotten them").first).to_be_visible()
            expect(page.get_by_text("This server forgets the ledger when it restarts: save it.")).to_have_count(0)
        screen.connected(unused)
        screen.go(unused, "About and limits")
        screen.go(unused, "Release")
        expect(unused.locator(".st-key-release button")).to_be_enabled()
