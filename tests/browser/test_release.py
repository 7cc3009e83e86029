"""One press is one release, and the ledger belongs to the browser."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from pages.experiment.scenario import Noise
from pages.releasing.receipt import LABELS
from tests.browser import screen
from tests.browser.server import Server

pytestmark = pytest.mark.browser

_MILLISECONDS = 25
_PROVED = "/release?v=1&target=" + quote('{"kind":"Mean","bounds":[0,20]}')
_FIVE = "(button, wait) => { for (let i = 0; i < 5; i++) setTimeout(() => button.click(), i * wait); }"


def test_five_quick_clicks_are_one_release_also_after_reruns(page: Page) -> None:
    screen.see_charts(page)
    screen.go(page, "Release")
    page.locator(".st-key-release button").evaluate(_FIVE, _MILLISECONDS)
    expect(screen.entries(page)).to_have_count(1)
    page.wait_for_timeout(5 * _MILLISECONDS)
    screen.settle(page)
    for _ in range(2):
        expect(screen.entries(page)).to_have_count(1)
        expect(screen.lines(page)).to_have_count(1)
        expect(page.locator(".st-key-release button")).to_be_disabled()
        screen.go(page, "Explore")
        screen.see_charts(page)
        screen.go(page, "Release")


@pytest.mark.journey
def test_a_reload_and_a_second_tab_keep_the_ledger(page: Page, open_page: Callable[..., Page], server: Server) -> None:
    screen.see_charts(page)
    screen.release(page)
    response = screen.entries(page).inner_text()
    page.reload()
    screen.settle(page)
    expect(screen.entries(page)).to_have_count(1)
    expect(screen.lines(page)).to_have_count(1)
    assert screen.entries(page).inner_text() == response
    second = open_page(page.url.removeprefix(server.address))
    expect(screen.entries(second)).to_have_count(1)
    screen.settle(second)
    assert screen.entries(second).inner_text() == response
    expect(second.get_by_text("Noise sized by trials is offered only").first).to_be_visible()


def test_a_release_after_a_reload_joins_the_ledger_of_before(open_page: Callable[..., Page]) -> None:
    """The first is sized by trials, and the next one to the proved worst case."""
    page = open_page(_PROVED)
    screen.choose(page, LABELS[Noise.SAMPLED])
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    page.reload()
    screen.settle(page)
    expect(screen.entries(page)).to_have_count(1)
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(2)
    screen.settle(page)
    expect(screen.lines(page)).to_have_count(2)
    expect(page.get_by_text("Together: random DP, ε = 2")).to_be_visible()
