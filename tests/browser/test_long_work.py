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
_SHOWN = re.compile(r"([\d,]+) of ([\d,]+) trials")


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
    expect(page.get_by_text(re.compile(r"about .* left on \d+ cores? of this server"))).to_be_visible()
    expect(page.locator(".st-key-growing .scatterlayer .trace")).to_have_count(3)
    first = _done(page)
    assert sorted(_slid(other) for _ in range(3))[1] < 10
    cancelled = [_cancelled(page)]
    stopped = _done(page)
    assert 0 < first < stopped < LONG
    expect(page.locator(".st-key-cancel")).to_have_count(0)
    _press(page, "go_on")
    expect(page.locator(".st-key-cancel")).to_be_visible()
    assert _done(page) >= stopped
    cancelled.append(_cancelled(page))
    assert min(cancelled) < 10  # half a second on a computer with nothing else to do, says the benchmark
    take = page.get_by_role("button", name="Take m =")
    taken = take.inner_text()
    take.click()
    screen.see_charts(page)
    assert taken.endswith(screen.value(page, "m"))
    assert screen.sampled_sensitivity(page) > 0


def _cancelled(page: Page) -> float:
    """Seconds from Cancel to the screen that says so."""
    pressed = time.monotonic()
    _press(page, "cancel")
    expect(page.get_by_text("Stopped after")).to_be_visible()
    seconds = time.monotonic() - pressed
    screen.settle(page)
    return seconds


def _slid(page: Page) -> float:
    """Seconds from a slider's step to the answer that follows."""
    screen.see_charts(page)
    heading = page.get_by_role("heading", level=1)
    before = heading.inner_text()
    screen.slider(page, "epsilon").focus()
    pressed = time.monotonic()
    page.keyboard.press("ArrowRight")
    expect(heading).not_to_have_text(before)
    return time.monotonic() - pressed
