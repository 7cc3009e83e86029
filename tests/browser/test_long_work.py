"""Long draws in a browser: progress, Cancel, going on, others who are answered meanwhile, and a network that drops."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.slow_target import SVM

pytestmark = pytest.mark.browser

LONG, SHORT = 20_000, 40_000  # pairs: minutes of a linear SVM's, and seconds of a variance's
_SHOWN = re.compile(r"([\d,]+) of ([\d,]+) pairs")


def _long(seed: int) -> str:
    """A view whose draws take minutes."""
    return f"/?v=1&table=two_classes&m={LONG}&seed={seed}&{SVM}"


def _done(page: Page) -> int:
    """How many pairs the progress counts."""
    found = _SHOWN.search(page.locator("[data-testid=stMain]").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def _press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").click()


def test_long_draws_leave_others_answered_and_can_be_ended_gone_on_with_and_taken(open_page: Callable[..., Page]) -> None:
    page, other = open_page(_long(1)), open_page()
    expect(page.get_by_text(re.compile(r"about .* left ?on \d+ cores? of this server"))).to_be_visible()
    expect(page.locator(".st-key-growing .scatterlayer .trace").first).to_be_attached()
    first = _done(page)
    assert sorted(_answered(other, example) for example in ("Histogram", "Mean", "Histogram"))[1] < 10
    cancelled = [_cancelled(page)]
    stopped = _done(page)
    assert 0 < first < stopped < LONG
    expect(page.locator(".st-key-cancel")).to_have_count(0)
    _press(page, "go_on")
    expect(page.locator(".st-key-cancel")).to_be_visible()
    assert _done(page) >= stopped
    cancelled.append(_cancelled(page))
    assert min(cancelled) < 10  # half a second on a computer with nothing else to do, says the benchmark
    page.get_by_role("button", name="Use m =").click()
    screen.see_charts(page)


def _cancelled(page: Page) -> float:
    """Seconds from Cancel to the screen that says so."""
    pressed = time.monotonic()
    _press(page, "cancel")
    expect(page.get_by_text("Stopped after")).to_be_visible()
    seconds = time.monotonic() - pressed
    screen.settle(page)
    return seconds


def _answered(page: Page, example: str) -> float:
    """Seconds from a press of an example to its answer."""
    screen.see_charts(page)
    before = screen.headline(page).inner_text()
    pressed = time.monotonic()
    _press(page, f"example_{example}")
    expect(screen.headline(page)).not_to_have_text(before)
    return time.monotonic() - pressed
